"""`afford dev`: a parent that holds the listening socket, and children that serve, each with the app as it was read.

The parent imports no application. It watches files, starts a child for each edit, and lets it take over when it is
ready. Why: `docs/design/0016-development-server.md`.
"""
