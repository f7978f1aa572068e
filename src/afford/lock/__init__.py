"""What an application offers, recorded, and what changes between two records.

A record says what its source tells and nothing else, so that an app, a lock file and somebody else's list of tools can
be compared. Knows linted targets as sources; no command line.
"""
