"""OpenAPI 3.1: the operations of one manifest as a document for HTTP clients."""
