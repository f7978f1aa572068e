"""The file that `afford mcp` is started with: the same operations and access rules as over HTTP."""

from __future__ import annotations

from afford_server import keyed_app

app = keyed_app()
