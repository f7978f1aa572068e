"""Large catalogs: when a list defers, what it holds then, and what a search finds."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from afford import Agent, App, Page, PageRequest, Paging, anyone, roles
from afford.caller import Caller, Door, Principal, Surface
from afford.errors import Code, Failure
from afford.manifest import Operation
from afford.schema import judge_for
from afford.surfaces.mcp.deferral import CALL_TOOL, SEARCH_TOOL, Deferral, call_tool, called_tool, search_tool
from afford.surfaces.mcp.project import Fragments, tool
from afford.surfaces.mcp.render import BYTES_PER_TOKEN, Budget
from afford.surfaces.mcp.schemas import input_schema


class Address(BaseModel):
    street: Annotated[str, Field(description="Street and house number.")]
    postcode: str


def shop() -> App:
    app = App("shop", roles=("staff",), access=anyone())

    @app.query(description="Find lamps.", paging=Paging(default=2, max=5))
    async def lamps(
        page: PageRequest[int],
        colour: Annotated[Literal["crimson", "teal"] | None, Field(description="Its hue.")] = None,
    ) -> Page[int]:
        return Page([])

    @app.action(description="Send an order to somebody.", agent=Agent(title="Dispatch", tags=["logistics"]))
    async def ship(to: Address, carriers: list[Address] | None = None) -> None:
        return None

    @app.action(description="Throw lamps away.", access=roles("staff"), safety="destructive", risk="high")
    async def discard_lamps(description: Annotated[str, Field(description="Why they are scrapped.")]) -> None:
        return None

    @app.query(description="Ask the weather office.", agent=Agent(open_world=True))
    async def forecast() -> str:
        return "rain"

    return app


def operations(*granted: str, app: App | None = None) -> tuple[Operation, ...]:
    principal = Principal("ann", granted) if granted else None
    return (app or shop()).manifest(Caller(principal, Door.AGENT, Surface.MCP)).operations


def deferral(tokens: int | None = 1) -> Deferral:
    return Deferral(tokens, Fragments())


def found(query: str, *granted: str, limit: int = 5) -> list[str]:
    return [item.wire_name for item in deferral().found(operations(*granted), query, limit)]


def searched(arguments: dict[str, object], among: Sequence[Operation], *, tokens: int = 25_000) -> dict[str, object]:
    return json.loads(b"{" + deferral().search(among, arguments, Budget(tokens)) + b"}")


def refusal(result: dict[str, object]) -> dict[str, object]:
    assert result["isError"] is True
    assert "structuredContent" not in result
    return json.loads(result["content"][0]["text"])["error"]


def many(count: int) -> App:
    app = App("many", access=anyone())
    for number in range(count):

        @app.query(id=f"read_{number:03}", description=f"Read the gauge {number}.")
        async def read(place: Annotated[str, Field(description="Where the gauge hangs. " * 4)]) -> str:
            return place

    return app


@pytest.mark.requirement("DEFER-01")
def test_a_list_defers_when_its_json_is_over_the_budget_and_not_before():
    offered = operations()
    size = sum(len(json.dumps(tool(item), separators=(",", ":"))) + 1 for item in offered)
    fits = math.ceil(size / BYTES_PER_TOKEN)
    assert not deferral(fits).applies(offered)
    assert deferral(fits - 1).applies(offered)


@pytest.mark.parametrize("tokens", [0, None, -1])
def test_without_a_budget_nothing_defers(tokens: int | None):
    assert not deferral(tokens).applies(operations())


def test_an_empty_manifest_never_defers():
    assert not deferral(1).applies(())


@pytest.mark.requirement("DEFER-01")
def test_a_deferred_list_holds_search_call_and_built_in_tools_by_name():
    lamps = next(item for item in operations() if item.wire_name == "lamps")
    built_in = replace(lamps, id="afford_navigate", wire_name="afford_navigate")
    listed = [json.loads(item) for item in deferral().listed((built_in, *operations()))]
    assert [item["name"] for item in listed] == [CALL_TOOL, "afford_navigate", SEARCH_TOOL]
    assert listed[1] == tool(built_in)


def test_the_search_tool_reads_and_the_call_tool_may_do_the_worst():
    searching, calling = search_tool()["annotations"], call_tool(operations())["annotations"]
    assert (searching["readOnlyHint"], searching["destructiveHint"]) == (True, False)
    assert (calling["readOnlyHint"], calling["destructiveHint"], calling["idempotentHint"]) == (False, True, False)
    assert "outputSchema" not in call_tool(operations())


def test_the_call_tool_reaches_the_open_world_and_the_risk_that_any_tool_does():
    closed = [item for item in operations() if not item.open_world]
    assert call_tool(operations())["annotations"]["openWorldHint"] is True
    assert call_tool(closed)["annotations"]["openWorldHint"] is False
    assert call_tool(operations())["_meta"]["afford/risk"] == "mid"
    assert call_tool(operations("staff"))["_meta"]["afford/risk"] == "high"


@pytest.mark.requirement("DEFER-02")
def test_what_the_caller_is_not_offered_is_never_found():
    assert found("throw lamps away", "staff")[0] == "discard_lamps"
    assert "discard_lamps" not in found("throw lamps away", limit=20)
    assert found("discard_lamps") == ["lamps"]
    assert found("scrapped") == []


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("weather", "forecast"),
        ("Dispatch", "ship"),
        ("logistics", "ship"),
        ("postcode", "ship"),
        ("house number", "ship"),
        ("hue", "lamps"),
        ("crimson", "lamps"),
        ("colour", "lamps"),
        ("scrapped", "discard_lamps"),
    ],
)
def test_names_titles_tags_descriptions_and_inputs_at_any_depth_are_searched(query: str, name: str):
    assert found(query, "staff")[:1] == [name]


def test_a_query_that_is_a_tools_name_finds_it_first():
    app = many(30)
    named = deferral().found(operations(app=app), " read_017 ", 3)
    assert named[0].wire_name == "read_017"
    assert len(named) == 3


@pytest.mark.requirement("DEFER-02")
def test_a_row_is_all_that_a_call_needs():
    result = searched({"query": "find lamps"}, operations())
    rows = result["structuredContent"]["rows"]
    lamps = next(item for item in operations() if item.wire_name == "lamps")
    assert rows[0] == {
        "name": "lamps",
        "title": "Lamps",
        "description": tool(lamps)["description"],
        "input_schema": input_schema(lamps),
        "risk": "low",
        "safety": "read",
    }
    assert {"limit", "cursor"} <= set(rows[0]["input_schema"]["properties"])
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["isError"] is False


def test_five_rows_unless_said_otherwise_and_twenty_at_most():
    offered = operations(app=many(40))
    counts = [
        len(searched({"query": "read the gauge", **more}, offered)["structuredContent"]["rows"])
        for more in ({}, {"limit": 20}, {"limit": 2.0})
    ]
    assert counts == [5, 20, 2]


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({}, "/query"),
        ({"query": ""}, "/query"),
        ({"query": "x" * 501}, "/query"),
        ({"query": ["lamps"]}, "/query"),
        ({"query": "lamps", "limit": 0}, "/limit"),
        ({"query": "lamps", "limit": 21}, "/limit"),
        ({"query": "lamps", "limit": "5"}, "/limit"),
        ({"query": "lamps", "cursor": "c"}, "/cursor"),
    ],
)
def test_arguments_that_the_search_schema_refuses_are_named(arguments: dict[str, object], pointer: str):
    told = refusal(searched(arguments, operations()))
    assert told["code"] == "bad_request"
    assert [item["pointer"] for item in told["errors"]] == [pointer]


@pytest.mark.parametrize("query", ["lamps", "find read throw ask send", "zzzzz", "?!"])
@pytest.mark.parametrize("tokens", [25_000, 500])
def test_every_result_keeps_the_published_output_schema(query: str, tokens: int):
    result = searched({"query": query, "limit": 20}, operations("staff"), tokens=tokens)
    assert judge_for(search_tool()["outputSchema"]).accepts(result["structuredContent"])


def test_nothing_found_is_no_failure_and_says_what_to_try():
    result = searched({"query": "zzzzz"}, operations())
    assert result["isError"] is False
    assert result["structuredContent"]["rows"] == []
    assert result["structuredContent"]["hint"]


def test_rows_over_the_result_budget_are_cut_from_the_worst_match():
    offered = operations(app=many(40))
    whole = searched({"query": "read the gauge", "limit": 20}, offered)["structuredContent"]["rows"]
    cut = searched({"query": "read the gauge", "limit": 20}, offered, tokens=500)["structuredContent"]
    assert 0 < len(cut["rows"]) < 20
    assert cut["rows"] == whole[: len(cut["rows"])]
    assert (cut["truncated"]["returned"], cut["truncated"]["of"]) == (len(cut["rows"]), 20)


def test_a_best_match_that_is_over_the_budget_alone_is_refused():
    assert refusal(searched({"query": "lamps"}, operations(), tokens=10))["code"] == "too_large"


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({}, "/name"),
        ({"name": 5}, "/name"),
        ({"name": "lamps", "arguments": [1]}, "/arguments"),
        ({"name": "lamps", "args": {}}, "/args"),
    ],
)
def test_arguments_that_the_call_schema_refuses_are_named(arguments: dict[str, object], pointer: str):
    told = called_tool(arguments)
    assert isinstance(told, Failure)
    assert told.code == Code.BAD_REQUEST
    assert [fault.pointer for fault in told.faults] == [pointer]


def test_the_call_tool_takes_a_name_and_any_arguments():
    assert called_tool({"name": "lamps"}) == ("lamps", {})
    assert called_tool({"name": "lamps", "arguments": {"colour": None, "deep": [{}]}}) == (
        "lamps",
        {"colour": None, "deep": [{}]},
    )


def test_an_index_is_kept_for_as_long_as_the_operations_are_the_same():
    app, known = shop(), deferral()
    first = known._known_of(operations(app=app))
    assert known._known_of(operations(app=app)) is first
    assert known._known_of(operations("staff", app=app)) is not first
    changed = tuple(replace(item, agent_description="Find rugs.") for item in operations(app=app))
    assert known._known_of(changed) is not first
    assert known.found(changed, "rugs", 1)
    assert known._known_of(operations(app=app)) is first


def test_only_the_indexes_used_last_are_kept():
    known = deferral()
    sets = [operations(app=shop()) for _ in range(12)]
    first = known._known_of(sets[0])
    for offered in sets[1:]:
        known._known_of(offered)
    assert len(known._known) == 8
    assert known._known_of(sets[-1]) is known._known_of(sets[-1])
    assert known._known_of(sets[0]) is not first


def test_threads_that_search_at_once_share_one_index():
    known, offered = deferral(), operations(app=many(50))
    with ThreadPoolExecutor(4) as threads:
        indexes = {id(item) for item in threads.map(lambda _: known._known_of(offered), range(16))}
    assert len(indexes) == 1


def test_equal_manifests_find_the_same_in_the_same_order():
    queries = ["lamps", "find read throw ask send", "order"]
    answers = [[found(query, "staff", limit=20) for query in queries] for _ in range(2)]
    assert answers[0] == answers[1]
