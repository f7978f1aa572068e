"""The MCP surface: one projection, one dispatcher and one renderer, over Streamable HTTP and stdio, in both eras."""
