"""The cold run: what a stranger's assistant achieves with a served catalog, tried out instead of judged by its text.

A client like any other. It knows what is served, and nothing of the application behind it; `links` alone speak a wire.
"""
