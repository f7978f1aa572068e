"""Reading targets: from an app, a schema catalog, an OpenAPI document, an MCP server or its saved list."""
