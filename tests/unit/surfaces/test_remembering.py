"""What the MCP surface remembers about operations stays bounded, whatever providers hand out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from afford import App, Caller, anyone
from afford.request import Request
from afford.surfaces.mcp import headers, project
from afford.surfaces.mcp.headers import Mirrors
from afford.surfaces.mcp.project import Fragments


@pytest.mark.requirement("HARD-03")
def test_tools_under_ever_new_names_are_forgotten_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (headers, project):
        monkeypatch.setattr(module, "MOST_REMEMBERED", 10)
    app = App("shop", access=anyone())

    @app.query(description="Count.")
    async def count() -> int:
        return 1

    (operation,) = app.manifest(Caller()).operations
    request = Request({"headers": [], "method": "POST", "path": "/"})
    fragments, mirrors = Fragments(), Mirrors()
    for number in range(100):
        provided = replace(operation, wire_name=f"count{number}")
        assert provided.wire_name.encode() in fragments.of(provided)
        mirrors.check(provided, {}, request)
    assert len(fragments._known) <= 10
    assert len(mirrors._known) <= 10
