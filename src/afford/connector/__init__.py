"""MCP servers that run elsewhere on the machine, or anywhere, offered on one pair of standard streams.

Needs the extra `afford[connect]`; imported by the commands that connect and by nobody else.
"""
