"""The linter: would a stranger's assistant, seeing the catalog cold, make the right first call?

Rules look at frozen data (`Target`), never at source text and never at the network. Targets are read from an app, or
from anybody's schema catalog, OpenAPI document or MCP server; what a target cannot tell is not guessed.
"""
