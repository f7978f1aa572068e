"""The console: a web page that shows an application as its callers see it, and lets its developer try it.

It stands above everything that it shows and is loaded by name, where somebody may open it. What is offered to whom it
reads from manifests; it decides nothing itself. Its page is in `page`: files as they are served, no build step.
"""
