"""What authors' code looks like to both type checkers: decorators keep signatures, pages and answers have types.

`assert_type` says nothing at run time; mypy and pyright judge these claims, and mypy also that what stands in `refused`
is refused, since it reports an ignore that nothing needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_type

import pytest

from afford import (
    DOC,
    Agent,
    App,
    Caller,
    Catalog,
    Diagnostic,
    Example,
    Explanation,
    Feature,
    Manifest,
    Page,
    PageRequest,
    Paging,
    Principal,
    Problem,
    Rule,
    anyone,
    claim,
    find_agent_doc_gaps,
    roles,
    signed_in,
)
from afford.errors import JsonObject, JsonValue
from afford.testing import Answer, Client, client

app = App("shop", title="Shop", roles=("staff",), deny=[], access=anyone())
feature = Feature("desk", access=lambda caller: caller.id == "sam", entity="widget")


@dataclass
class Widget:
    widget_id: int
    name: str


app.entity("widget", Widget, description="A widget.")


@app.query(
    description="Find widgets.",
    access=anyone() | roles("staff") & ~claim("tenant", "north"),
    agent={"expose": True, "surfaces": ["http"]},
    paging=Paging(default=2, max=4),
    example=[Example({"name": "a"}), Example({}, row=Widget(1, "a"))],
    reach="published",
)
async def find(name: str = "", *, stars: int = 3, page: PageRequest[int]) -> Page[Widget]:
    assert_type(page.limit, int)
    assert_type(page.after, int | None)
    first = page.after or 0
    return Page([Widget(first, f"{name}{stars}")], next=first + page.limit, total=9)


@app.static(description="Count widgets.", agent=Agent(expose=True, surfaces=["http", "mcp"], risk="low"))
def count() -> int:
    """Plain functions are handlers too."""
    return 1


@feature.action(description=DOC, risk="high", safety="destructive", enabled=lambda: True)
async def rename(widget_id: int, name: str, /, caller: Caller) -> Widget | None:
    """Rename a widget."""
    return None if caller.is_anonymous else Widget(widget_id, name)


@feature.event()
async def ring() -> None:
    """Ring the bell."""


app.include(feature)
taken = app.problem("TAKEN", status=409, title="Taken")


@pytest.mark.requirement("DECL-02")
async def test_a_decorator_keeps_the_author_s_signature() -> None:
    page = await find("a", stars=4, page=PageRequest(2, 5))
    assert_type(page, Page[Widget])
    assert_type(page.items, Sequence[Widget])
    assert_type(page.items[0].name, str)
    assert_type(page.total, int | None)
    assert_type(count(), int)
    assert_type(await rename(1, "b", caller=Caller()), Widget | None)
    assert (page.next, page.items, count()) == (7, [Widget(5, "a4")], 1)
    await ring()


def test_a_page_has_the_type_of_its_rows() -> None:
    assert_type(Page([Widget(1, "a")]), Page[Widget])
    assert_type(Page[int]((1, 2)).items, Sequence[int])
    position = PageRequest[tuple[str, int]](3, ("a", 1))
    assert_type(position.after, tuple[str, int] | None)
    assert (Page[int](()).next, position.after, PageRequest[str](3).after) == (None, ("a", 1), None)


def test_rules_are_rules_however_they_are_combined() -> None:
    rule = (roles("staff") | signed_in()) & ~claim("tenant")
    assert_type(rule, Rule)
    assert rule.roles_named() == {"staff"}


def test_what_an_app_answers_has_types() -> None:
    assert_type(app.build(), Catalog)
    assert_type(app.manifest(Caller(Principal("sam", ["staff"]))), Manifest)
    assert_type(app.explain("find"), Explanation)
    assert_type(find_agent_doc_gaps(app), tuple[Diagnostic, ...])
    assert_type(taken, type[Problem])
    assert_type(taken("gone").as_failure().code, str)
    assert set(app.build().ids) == {"count", "desk:rename", "desk:ring", "find"}


async def test_the_testing_client_has_types() -> None:
    async with client(app, as_=Principal("sam", ["staff"]), over="http", door="agent") as caller:
        assert_type(caller, Client)
        answer = await caller.call("find", {"name": "a"}, limit=1, stars=4)
        assert_type(answer, Answer)
        assert_type(answer.value, JsonValue)
        assert_type(answer.rows, list[JsonObject])
        assert_type(answer.row, JsonObject)
        assert_type(answer.code, str)
        assert_type(answer.next_cursor, str | None)
        assert_type(answer.error, JsonObject | None)
        assert_type(answer.truncated, JsonObject | None)
        assert_type(answer.fault_codes(), dict[str, str])
        assert_type(await caller.names(), list[str])
        assert_type(await caller.manifest(), JsonObject)
    assert answer.rows == [{"widget_id": 0, "name": "a4"}]
    async with client(app, over="stdio", revision="2025-11-25") as older:
        assert (await older.call("count")).value == [1]


async def refused(app: App, arguments: Mapping[str, object]) -> None:
    """Never called: each line is one that a type checker has to refuse."""
    app.query(risk="huge")  # type: ignore[arg-type]
    app.query(safety="safe")  # type: ignore[arg-type]
    app.query(reach="world")  # type: ignore[arg-type]
    app.query(descripton="Counts.")  # type: ignore[call-arg]
    app.query(access="staff")  # type: ignore[arg-type]
    app.query(params=arguments)  # type: ignore[call-arg]
    app.screen("desk", type="wizard")  # type: ignore[arg-type]
    Agent(expose="no")  # type: ignore[arg-type]
    App("shop", role=("staff",))  # type: ignore[call-arg]
    await find(name=1, page=PageRequest(2))  # type: ignore[arg-type]
    await find("a")  # type: ignore[call-arg]
    count(1)  # type: ignore[call-arg]
    client(app, over="carrier pigeon")  # type: ignore[arg-type]
    client(app, over="mcp", revision="2024-11-05")  # type: ignore[arg-type]
