"""What each change of an app means, and what two different sources can say of each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from afford import Agent, App, Ask, Choices, Page, PageRequest, Paging, Tool, UserText, anyone, roles, signed_in
from afford.caller import Door, Surface
from afford.errors import JsonObject, JsonValue
from afford.lint.targets.catalog import from_schema_catalog
from afford.lint.targets.mcp import from_tool_list
from afford.lock.changes import Change, Comparison, Grade
from afford.lock.comparison import compare_records
from afford.lock.record import Record
from afford.lock.recording import record_of_app, record_of_target
from afford.manifest import exposed_operations
from afford.surfaces.http.project import catalog_document
from afford.surfaces.mcp.project import tool

BREAKING, APPROVAL, COMPATIBLE = Grade.BREAKING, Grade.NEEDS_APPROVAL, Grade.COMPATIBLE
Declare = Callable[[App], object]


def an_app(declare: Declare, **options: Any) -> App:
    app = App("shop", roles=("guest", "staff"), access=roles("staff"), secret="for these tests alone", **options)
    declare(app)
    return app


def record(declare: Declare, **options: Any) -> Record:
    return record_of_app(an_app(declare, **options).build())


def changes(old: Declare, new: Declare) -> list[Change]:
    return [*compare_records(record(old), record(new)).changes]


def shown(found: list[Change]) -> list[tuple[Grade, str]]:
    return [(change.grade, change.pointer) for change in found]


def find(size: Any = int, answer: Any = list[str], **options: Any) -> Declare:
    def declare(app: App) -> None:
        def find(size):  # the types are the case
            return []

        find.__annotations__ = {"size": size, "return": answer}
        app.query(**{"description": "Find things.", **options})(find)

    return declare


def act(**options: Any) -> Declare:
    def declare(app: App) -> None:
        def act(name: str) -> str:
            return name

        app.action(**{"description": "Do it.", **options})(act)

    return declare


def nothing(app: App) -> None:
    """Declare nothing."""


Size = Annotated[int, Field(ge=1, le=10)]


class Owned(BaseModel):
    who: str


SIZE = "/input_schema/properties/size"
AREAS = Annotated[str, Choices(lambda: ["a", "b"])]

CASES = [
    # exposure
    ("hidden to exposed", act(agent=Agent(expose=False)), act(), [(APPROVAL, "/exposed")]),
    ("exposed to hidden", act(), act(agent=Agent(expose=False)), [(BREAKING, "/exposed")]),
    ("switched off", act(), act(enabled=False), [(BREAKING, "/enabled")]),
    ("switched on", act(enabled=False), act(), [(APPROVAL, "/enabled")]),
    ("one surface more", act(agent=Agent(surfaces=["mcp"])), act(), [(APPROVAL, "/surfaces")]),
    ("one surface less", act(), act(agent=Agent(surfaces=["mcp"])), [(BREAKING, "/surfaces")]),
    # access, risk, safety, reach
    ("wider access", act(), act(access=anyone()), [(APPROVAL, "/access")]),
    ("narrower access", act(access=signed_in()), act(), [(BREAKING, "/access")]),
    ("other access", act(), act(access=roles("guest")), [(BREAKING, "/access"), (APPROVAL, "/access")]),
    ("access that a function narrows", act(access=anyone()), act(access=lambda caller: True), [(BREAKING, "/access")]),
    ("rows are checked", find(answer=list[Owned]), find(answer=list[Owned], owner="who"), [(COMPATIBLE, "/owner")]),
    ("rows no more checked", find(answer=list[Owned], owner="who"), find(answer=list[Owned]), [(APPROVAL, "/owner")]),
    ("unknown access", act(), act(access=lambda caller: True), [(APPROVAL, "/access")]),
    ("higher risk", act(), act(risk="high"), [(APPROVAL, "/risk")]),
    ("lower risk", act(risk="high"), act(), [(APPROVAL, "/risk")]),
    ("destructive", act(risk="high"), act(risk="high", safety="destructive"), [(APPROVAL, "/safety")]),
    ("wider reach", find(), find(reach="published"), [(APPROVAL, "/reach")]),
    ("narrower reach", find(reach="published"), find(), [(BREAKING, "/reach")]),
    # hints
    ("safe to repeat", act(), act(agent=Agent(idempotent=True)), [(APPROVAL, "/idempotent")]),
    ("not safe to repeat", act(agent=Agent(idempotent=True)), act(), [(BREAKING, "/idempotent")]),
    ("open world", act(), act(agent=Agent(open_world=True)), [(APPROVAL, "/open_world")]),
    # inputs
    ("wider bound", find(Size), find(int), [(COMPATIBLE, f"{SIZE}/minimum"), (COMPATIBLE, f"{SIZE}/maximum")]),
    ("narrower type", find(float), find(int), [(BREAKING, f"{SIZE}/type")]),
    ("more choices", find(Literal["a"]), find(Literal["a", "b"]), [(COMPATIBLE, f"{SIZE}/const")]),
    ("fewer choices", find(Literal["a", "b"]), find(Literal["a"]), [(BREAKING, f"{SIZE}/const")]),
    # answers
    ("wider answer", find(answer=list[int]), find(answer=list[float]), [(BREAKING, "/output_schema/items/type")]),
    ("narrower answer", find(answer=list[float]), find(answer=list[int]), [(COMPATIBLE, "/output_schema/items/type")]),
    # texts
    ("other words", act(), act(description="Do something else."), [(COMPATIBLE, "/description")]),
    ("hidden words", act(), act(description="Do it.\u200b"), [(APPROVAL, "/description")]),
    (
        "unmarked text",
        find(answer=list[Annotated[str, UserText()]]),
        find(),
        [(APPROVAL, "/output_schema/items/x-user-text")],
    ),
    # whole operations
    ("new and exposed", nothing, act(), [(APPROVAL, "")]),
    ("new and hidden", nothing, act(agent=Agent(expose=False)), [(COMPATIBLE, "")]),
    ("gone", act(), nothing, [(BREAKING, "")]),
    ("gone, and was off", act(enabled=False), nothing, [(COMPATIBLE, "")]),
    ("nobody is offered it", act(enabled=False), act(enabled=False, access=anyone()), [(COMPATIBLE, "/access")]),
    # derived sets
    ("the set stays", find(AREAS), find(AREAS), []),
    ("the set goes", find(AREAS), find(str), [(COMPATIBLE, f"{SIZE}/x-choices")]),
    ("the set comes", find(str), find(AREAS), [(BREAKING, f"{SIZE}/x-choices")]),
]  # fmt: skip


@pytest.mark.requirement("LOCK-01")
@pytest.mark.requirement("LOCK-03")
@pytest.mark.parametrize(("old", "new", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_change_has_a_grade_and_a_place(old: Declare, new: Declare, expected: list[tuple[Grade, str]]) -> None:
    found = changes(old, new)
    assert set(shown(found)) == set(expected)
    assert all(change.what and change.why and change.fix for change in found)


class Pickup(BaseModel):
    name: str


def test_a_person_who_is_asked_or_no_longer_asked_counts() -> None:
    def asking(app: App) -> None:
        @app.action(description="Do it.")
        def act(name: str, pickup: Annotated[Pickup, Ask("Who?")]) -> str:
            return name

    assert shown(changes(act(), asking)) == [(BREAKING, "/questions/pickup")]
    assert shown(changes(asking, act())) == [(APPROVAL, "/questions/pickup")]


def test_pages_that_come_or_go_break_readers_and_their_size_does_not() -> None:
    def paged(size: int) -> Declare:
        def declare(app: App) -> None:
            @app.query(description="Find things.", paging=Paging(default=size, max=50))
            def find(size: int, *, page: PageRequest[int]) -> Page[str]:
                return Page([])

        return declare

    assert shown(changes(find(), paged(10))) == [(BREAKING, "/pages")]
    assert shown(changes(paged(10), find())) == [(BREAKING, "/pages")]
    assert shown(changes(paged(10), paged(20))) == [(COMPATIBLE, "/pages")]


def test_refusals_may_come_and_go_but_keep_their_status() -> None:
    def refusing(status: int) -> Declare:
        def declare(app: App) -> None:
            taken = app.problem("TAKEN", status=status, title="Taken")
            act(raises=[taken])(app)

        return declare

    assert shown(changes(act(), refusing(409))) == [(COMPATIBLE, "/problems/TAKEN")]
    assert shown(changes(refusing(409), refusing(410))) == [(BREAKING, "/problems/TAKEN/status")]


def test_a_new_name_is_hinted_at_where_the_schemas_are_the_same() -> None:
    def named(name: str) -> Declare:
        return act(id=name)

    gone, come = changes(named("book_room"), named("reserve_room"))
    assert (gone.grade, gone.subject, come.subject) == (BREAKING, "book_room", "reserve_room")
    assert "`reserve_room`" in gone.what
    assert "`reserve_room`" in gone.fix


def test_inputs_are_told_by_name_with_a_call_that_shows_it() -> None:
    def old(app: App) -> None:
        @app.query(description="Find things.")
        def find(a: int, b: str | None = None, c: int = 1) -> list[str]:
            return []

    def new(app: App) -> None:
        @app.query(description="Find things.")
        def find(a: int, d: int, c: int = 2, e: str | None = None) -> list[str]:
            return []

    found = {change.pointer.removeprefix("/input_schema/properties/"): change for change in changes(old, new)}
    assert {name: change.grade for name, change in found.items()} == {
        "b": BREAKING,
        "c": BREAKING,
        "d": BREAKING,
        "e": COMPATIBLE,
    }
    assert found["d"].is_shown
    assert "d" not in found["d"].witness  # type: ignore[operator]  # an object, as the left schema says
    assert (found["c"].before, found["c"].after) == (1, 2)


def test_tools_that_are_provided_while_it_runs_need_approval_once() -> None:
    def providing(app: App) -> None:
        app.tool_provider(lambda caller: [Tool(id="t", handler=lambda: "", description="T.", access=anyone())])

    assert shown(changes(nothing, providing)) == [(APPROVAL, "/provides_tools")]


def test_what_is_no_operation_is_compared_as_well() -> None:
    def old(app: App) -> None:
        app.resource("notes", name="Notes", description="All notes.", uri="shop://notes", read=lambda: "")
        app.prompt("plan", description="Plans.", handler=lambda guests: f"{guests}")
        app.screen("home", type="list", path="/home", description="Home.", access=roles("staff"))

    def new(app: App) -> None:
        app.resource("notes", name="Notes", description="All notes.", uri="shop://all", read=lambda: "")
        app.screen("home", type="list", path="/start", description="Home.")
        app.shared_state("oven", {"degrees": 20}, description="How hot.")

    found = [(change.grade, change.subject, change.pointer) for change in changes(old, new)]
    assert (BREAKING, "prompt:plan", "") in found
    assert (BREAKING, "resource:notes", "/uri") in found
    assert (APPROVAL, "screen:home", "/access") in found
    assert (COMPATIBLE, "screen:home", "/path") in found
    assert (APPROVAL, "state:oven", "") in found


def mixed(app: App) -> None:
    find(Size)(app)
    act()(app)
    act(id="hidden", agent=Agent(expose=False))(app)
    app.tool("warm", handler=lambda: "", description="Warm it.", output=str)

    @app.query(description="Read one thing.")
    def one(size: int) -> Pickup | None:
        return None


def listed(surface: Surface) -> JsonValue:
    operations = exposed_operations(an_app(mixed).build(), surface)
    if surface is Surface.MCP:
        return {"tools": [tool(item) for item in operations]}
    return catalog_document(operations, Door.AGENT)


@pytest.mark.requirement("LOCK-04")
@pytest.mark.parametrize("surface", [Surface.MCP, Surface.HTTP])
def test_an_app_and_what_it_serves_differ_in_nothing_that_both_tell(surface: Surface) -> None:
    document = listed(surface)
    assert isinstance(document, dict)
    served = from_tool_list(document, "x") if surface is Surface.MCP else from_schema_catalog(document, "x")
    for pair in ((record(mixed), record_of_target(served)), (record_of_target(served), record(mixed))):
        found = compare_records(*pair)
        assert found.changes == ()
        assert "`hidden`" in found.notes[0]


@pytest.mark.requirement("LOCK-04")
def test_what_a_list_lacks_is_gone_only_if_everybody_would_have_been_offered_it() -> None:
    def two(app: App) -> None:
        act(id="open", access=anyone())(app)
        act(id="closed")(app)

    empty = record_of_target(from_tool_list({"tools": []}, "x"))
    found = compare_records(record(two), empty)
    assert [(change.grade, change.subject) for change in found.changes] == [(BREAKING, "open")]
    assert ["`closed`" in note for note in found.notes] == [True]


def tools_of(*tools: JsonObject) -> Record:
    return record_of_target(from_tool_list({"tools": [*tools]}, "theirs"))


THEIRS: JsonObject = {
    "name": "search",
    "description": "Search.",
    "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    "annotations": {"readOnlyHint": True},
}


def between(old: JsonObject, new: JsonObject) -> list[tuple[Grade, str]]:
    return shown([*compare_records(tools_of(old), tools_of(new)).changes])


@pytest.mark.requirement("LOCK-04")
def test_somebody_else_s_tools_are_judged_by_their_schemas_hints_and_texts() -> None:
    assert between(THEIRS, THEIRS) == []
    assert between(THEIRS, {**THEIRS, "description": "Search. First read the keys."}) == [(COMPATIBLE, "/description")]
    assert between(THEIRS, {**THEIRS, "annotations": {}}) == [(APPROVAL, "/safety")]
    assert between(THEIRS, {key: value for key, value in THEIRS.items() if key != "annotations"}) == [
        (APPROVAL, "/safety")
    ]
    assert between({**THEIRS, "outputSchema": {"type": "object"}}, THEIRS) == [(BREAKING, "/output_schema")]


@pytest.mark.parametrize("extra", [{"b": {"type": "integer"}}])
def test_an_open_schema_may_name_one_more_optional_input(extra: JsonObject) -> None:
    schema: Any = THEIRS["inputSchema"]
    wider = {**THEIRS, "inputSchema": {**schema, "properties": {**schema["properties"], **extra}}}
    assert between(THEIRS, wider) == [(COMPATIBLE, "/input_schema/properties/b")]
    assert between(wider, THEIRS) == [(BREAKING, "/input_schema/properties/b")]


def test_a_reader_of_an_open_answer_bears_one_more_member() -> None:
    old = {**THEIRS, "outputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    new = {**THEIRS, "outputSchema": {"type": "object", "properties": {"a": {"type": "string"}, "b": True}}}
    assert between(old, new) == []


def test_a_comparison_with_itself_finds_nothing_and_the_worst_comes_first() -> None:
    whole = record(mixed)
    assert compare_records(whole, replace(whole, name="other")).changes == ()
    grades = [change.grade for change in compare_records(whole, record(act())).changes]
    assert grades == sorted(grades, key=[*Grade].index)
    assert isinstance(compare_records(whole, whole), Comparison)
