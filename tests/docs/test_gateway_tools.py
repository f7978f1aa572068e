"""The page about gateway tools: its example is what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contracts.mcp_wire import listed, tool
from tests.contracts.wire import served
from tests.docs.blocks import app_of, blocks

from afford import App, find_agent_doc_gaps


@pytest.fixture
def app(tmp_path: Path) -> App:
    (example,) = blocks("docs/gateway-tools.md", "python")
    return app_of(example, tmp_path / "bakery.py")


@pytest.mark.requirement("TOOL-06")
async def test_a_gateway_tool_answers_a_place_and_a_next_step_and_changes_nothing(app: App, tmp_path: Path) -> None:
    async with served(app.asgi()) as http:
        described = (await listed(http))["manual"]
        answer = (await tool(http, "manual", topic="cleaning"))["structuredContent"]
    assert described["annotations"]["readOnlyHint"] is True
    assert set(described["outputSchema"]["required"]) == {"place", "next_step"}
    assert answer["place"] == str(tmp_path / "manual" / "hygiene.md")
    assert answer["next_step"]


def test_the_example_has_no_documentation_gaps(app: App) -> None:
    assert find_agent_doc_gaps(app) == ()
