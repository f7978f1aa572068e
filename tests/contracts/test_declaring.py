"""Declaring: what decorators do to a function, where declarations may stand, and what its parameters become."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, NotRequired

import pytest
from pydantic import BaseModel, Field
from tests.contracts.links import Over, client
from typing_extensions import TypedDict

from afford import (
    DOC,
    App,
    Call,
    Caller,
    CatalogError,
    DeclarationError,
    Door,
    Feature,
    Page,
    PageRequest,
    Principal,
    SyncCall,
    anyone,
    roles,
)
from afford.errors import JsonObject

KINDS = ("query", "static", "action", "event")


async def one() -> int:
    return 1


async def nothing() -> None: ...


def input_schema(app: App, name: str) -> JsonObject:
    return app.build().operations[name].input.schema


def properties(app: App, name: str) -> set[str]:
    found = input_schema(app, name)["properties"]
    assert isinstance(found, dict)
    return set(found)


@pytest.mark.requirement("DECL-02")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("owner", [App("shop"), Feature("desk")], ids=["app", "feature"])
def test_a_decorator_returns_the_very_function(kind: str, owner: App | Feature) -> None:
    async def handler() -> None: ...

    before = dict(vars(handler))
    assert getattr(owner, kind)(access=anyone())(handler) is handler
    assert vars(handler) == before


@pytest.mark.requirement("DECL-02")
async def test_a_declared_function_can_be_called_like_any_other() -> None:
    app = App("shop")

    @app.query(access=anyone(), description="Doubles.")
    async def double(n: int) -> int:
        return 2 * n

    assert await double(4) == 8


@pytest.mark.requirement("DECL-02")
def test_one_function_can_be_two_operations() -> None:
    app = App("shop")
    app.query(access=anyone())(app.action(id="count", access=anyone())(one))
    assert {name: item.kind for name, item in app.build().operations.items()} == {"count": "action", "one": "query"}


@pytest.mark.requirement("DECL-03")
def test_a_feature_needs_no_app_and_joining_prefixes_its_operations() -> None:
    feature = Feature("widget", access=anyone())
    feature.query(id="list")(one)
    feature.query(id="internal:debug")(one)
    feature.action()(nothing)
    app = App("shop")
    app.query(id="list", access=anyone())(one)
    app.include(feature)
    operations = app.build().operations
    assert {item.id: name for name, item in operations.items()} == {
        "list": "list",
        "widget:internal:debug": "widget_internal_debug",
        "widget:list": "widget_list",
        "widget:nothing": "widget_nothing",
    }


@pytest.mark.requirement("DECL-03")
def test_a_feature_gives_its_operations_their_defaults_until_it_is_built() -> None:
    app = App("shop", roles=("staff",))
    feature = Feature("widget", access=roles("staff"), entity="widget")
    app.include(feature)
    app.entity("widget", Widget)
    feature.query(id="list", description="Lists.")(one)
    operation = app.build().operations["widget_list"]
    assert (str(operation.access), operation.entity, operation.feature) == ("roles('staff')", "widget", "widget")


class Widget(BaseModel):
    widget_id: int


@pytest.mark.requirement("DECL-03")
def test_one_feature_can_join_two_apps() -> None:
    feature = Feature("widget", access=anyone())
    feature.query(id="list")(one)
    for name in ("first", "second"):
        app = App(name)
        app.include(feature)
        assert set(app.build().operations) == {"widget_list"}


@pytest.mark.requirement("DECL-03", "DECL-04")
def test_a_feature_joins_an_app_once_and_an_app_joins_none() -> None:
    app, feature = App("shop"), Feature("widget")
    app.include(feature)
    for joining in (feature, App("other"), app):
        with pytest.raises(DeclarationError):
            app.include(joining)


@pytest.mark.requirement("DECL-04")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("owner", [App("shop"), Feature("desk")], ids=["app", "feature"])
def test_a_decorator_without_parentheses_is_refused_where_it_stands(kind: str, owner: App | Feature) -> None:
    with pytest.raises(DeclarationError):
        getattr(owner, kind)(one)
    assert owner.declarations.operations == []


@pytest.mark.requirement("DECL-04")
@pytest.mark.parametrize(
    "declare",
    [
        lambda part: part.query(access=anyone())(one),
        lambda part: part.entity("widget", Widget),
        lambda part: part.screen("desk", type="list"),
        lambda part: part.nav("desk", label="Desk"),
    ],
    ids=["operation", "entity", "screen", "nav"],
)
def test_declaring_after_the_build_is_refused_where_it_stands(declare: Callable[[Feature], object]) -> None:
    app, feature = App("shop"), Feature("desk")
    app.include(feature)
    app.build()
    for part in (app, feature):
        with pytest.raises(DeclarationError):
            declare(part)


@pytest.mark.requirement("DECL-04")
@pytest.mark.parametrize(
    "add",
    [
        lambda app: app.include(Feature("late")),
        lambda app: app.provide(int, one),
        lambda app: app.problem("LATE", status=409, title="Late"),
    ],
    ids=["feature", "provider", "problem"],
)
def test_adding_to_a_built_app_is_refused_where_it_stands(add: Callable[[App], object]) -> None:
    app = App("shop")
    app.build()
    with pytest.raises(DeclarationError):
        add(app)


@pytest.mark.requirement("DECL-04")
def test_building_again_gives_the_same_catalog() -> None:
    app = App("shop")
    app.query(access=anyone())(one)
    assert app.build() is app.build()


@pytest.mark.requirement("DECL-05")
async def test_a_static_is_computed_once_for_all_callers(over: Over) -> None:
    app, ran = App("shop"), []

    @app.static(access=anyone(), description="Areas that are served.")
    async def areas() -> list[str]:
        ran.append(1)
        return ["north"]

    async with client(app, over=over) as caller:
        answers = [await caller.call("areas") for _ in range(3)]
    assert [answer.value for answer in answers] == [["north"]] * 3
    assert len(ran) == 1


@pytest.mark.requirement("DECL-05")
async def test_an_event_answers_nothing_but_that_it_ran(over: Over) -> None:
    app, ran = App("shop"), []

    @app.event(access=anyone(), description="Ring the bell.")
    async def ring(times: int) -> None:
        ran.append(times)

    @app.event(id="stray", access=anyone(), description="Answers in spite of its kind.")
    async def stray() -> None:
        return 1  # type: ignore[return-value]

    async with client(app, over=over) as caller:
        answer, broken = await caller.call("ring", times=2), await caller.call("stray")
    assert (answer.code, answer.value, ran) == ("ok", None, [2])
    assert broken.code == "output_contract"
    assert app.build().operations["ring"].output.schema == {"type": "null"}


@pytest.mark.requirement("DECL-06")
def test_a_docstring_exposes_nothing() -> None:
    app = App("shop")

    @app.query(access=anyone())
    async def count() -> int:
        """Count the widgets."""
        return 1

    assert app.manifest().operations == ()
    assert app.build().operations["count"].description == ""


@pytest.mark.requirement("DECL-06")
def test_doc_takes_the_first_paragraph_of_the_docstring_by_explicit_choice() -> None:
    app = App("shop")

    @app.query(access=anyone(), description=DOC)
    async def count() -> int:
        """Count the widgets
        that are in stock.

        Args:
            None of these lines is for agents.
        """
        return 1

    (operation,) = app.manifest().operations
    assert operation.description == "Count the widgets that are in stock."


class Session:
    """Made by a provider."""


def session() -> Session:
    return Session()


def injected(app: App) -> None:
    app.provide(Session, session)

    @app.query(access=anyone(), description="Takes everything that is injected.")
    async def everything(
        session: Session,
        caller: Caller,
        call: Call,
        annotated: Annotated[Session, "noted"],
        page: PageRequest[int],
        name: str = "x",
    ) -> Page[str]:
        assert session is annotated
        return Page([f"{name} {caller.id} {call.operation} {page.limit}"])

    @app.action(access=anyone(), description="Runs in a thread.")
    def threaded(call: SyncCall, session: Session, /, name: str, *, caller: Caller) -> str:
        return f"{name} {caller.id} {call.operation}"


@pytest.mark.requirement("INJ-01")
def test_parameters_injected_by_type_are_in_no_schema() -> None:
    app = App("shop")
    injected(app)
    assert properties(app, "everything") == {"name"}
    assert input_schema(app, "everything")["required"] == []
    assert properties(app, "threaded") == {"name"}
    assert input_schema(app, "threaded")["required"] == ["name"]


@pytest.mark.requirement("INJ-01")
async def test_parameters_injected_by_type_arrive_and_cannot_be_sent(over: Over) -> None:
    app = App("shop")
    injected(app)
    async with client(app, as_=Principal("gus"), over=over) as caller:
        assert (await caller.call("everything", limit=3)).value == ["x gus everything 3"]
        assert (await caller.call("threaded", name="y")).value == "y gus threaded"
        for name in ("session", "caller", "call", "annotated", "page"):
            refused = await caller.call("everything", {name: "forged"})
            assert refused.fault_codes() == {f"/{name}": "unknown_argument"}
        refused = await caller.call("threaded", {"name": "y", "caller": {"id": "boss"}})
        assert refused.fault_codes() == {"/caller": "unknown_argument"}


class Filter(BaseModel):
    """What to look for."""

    name: Annotated[str, Field(min_length=2, description="Part of the name.")]
    stars: int = 3


@dataclass
class FilterData:
    name: str
    stars: int = 3


class FilterDict(TypedDict):
    name: str
    stars: NotRequired[int]


@pytest.mark.requirement("TYPE-05")
@pytest.mark.parametrize("kind", [Filter, FilterData, FilterDict])
@pytest.mark.parametrize("declare", ["query", "action"])
def test_the_fields_of_a_single_model_are_the_inputs(kind: type, declare: str) -> None:
    app = App("shop")

    async def find(wanted, caller: Caller) -> str:
        return "found"

    find.__annotations__["wanted"] = kind
    getattr(app, declare)(access=anyone(), description="Finds.")(find)
    schema = input_schema(app, "find")
    assert properties(app, "find") == {"name", "stars"}
    assert (schema["required"], schema["additionalProperties"], schema["type"]) == (["name"], False, "object")


@pytest.mark.requirement("TYPE-05")
async def test_a_single_model_arrives_as_the_model(over: Over) -> None:
    app = App("shop")

    @app.query(access=anyone(), description="Finds.")
    async def find(wanted: Filter) -> str:
        assert isinstance(wanted, Filter)
        return f"{wanted.name} {wanted.stars}"

    @app.action(access=anyone(), description="Finds.")
    async def keep(wanted: FilterData) -> str:
        assert isinstance(wanted, FilterData)
        return f"{wanted.name} {wanted.stars}"

    async with client(app, over=over) as caller:
        assert (await caller.call("find", name="ab", stars=5)).value == ["ab 5"]
        assert (await caller.call("keep", name="ab")).value == "ab 3"
        assert (await caller.call("find", name="a")).fault_codes() == {"/name": "wrong_length"}
        assert (await caller.call("keep", wanted={"name": "ab"})).fault_codes() == {
            "/name": "missing",
            "/wanted": "unknown_argument",
        }


@pytest.mark.requirement("TYPE-05")
@pytest.mark.parametrize("declare", ["optional", "beside another"])
def test_a_model_that_is_optional_or_not_alone_is_one_input(declare: str) -> None:
    app = App("shop")

    async def optional(wanted: Filter | None = None) -> str:
        return "found"

    async def beside(wanted: Filter, sort: str = "name") -> str:
        return "found"

    app.query(id="find", access=anyone())(optional if declare == "optional" else beside)
    assert "wanted" in properties(app, "find")
    assert "name" not in properties(app, "find")


RAW_INPUT: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$"},
        "stars": {"type": "integer", "minimum": 1, "maximum": 99, "default": 3},
    },
    "required": ["name"],
}
RAW_OUTPUT: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"total": {"type": "integer", "minimum": 0, "maximum": 9}},
    "required": ["total"],
}


def raw_app() -> App:
    app = App("shop")
    options = {"access": anyone(), "description": "Counts.", "input_schema": RAW_INPUT, "output_schema": RAW_OUTPUT}

    async def count(arguments: dict[str, object], caller: Caller) -> dict[str, object]:
        return {"total": arguments["stars"]} if "stars" in arguments else {"total": "none"}

    app.action(id="count", **options)(count)  # type: ignore[arg-type]
    app.query(id="read", **options)(count)  # type: ignore[arg-type]
    return app


@pytest.mark.requirement("TYPE-06")
def test_raw_schemas_are_published_as_they_were_written() -> None:
    operations = raw_app().build().operations
    assert operations["count"].input.schema == RAW_INPUT
    assert operations["count"].output.schema == RAW_OUTPUT
    assert operations["read"].output.schema == {"type": "array", "items": RAW_OUTPUT}


@pytest.mark.requirement("TYPE-06")
async def test_raw_schemas_are_enforced_in_both_directions(over: Over) -> None:
    async with client(raw_app(), over=over) as caller:
        assert (await caller.call("count", name="ab", stars=4)).value == {"total": 4}
        assert (await caller.call("read", name="ab", stars=4)).value == [{"total": 4}]
        assert (await caller.call("count", name="AB", stars=4)).fault_codes() == {"/name": "wrong_format"}
        assert (await caller.call("count", name="ab", sta=4)).fault_codes() == {"/sta": "unknown_argument"}
        assert (await caller.call("count", stars=0)).fault_codes() == {"/name": "missing", "/stars": "out_of_range"}
        for stars in (10, None):
            given = {"name": "ab"} if stars is None else {"name": "ab", "stars": stars}
            assert (await caller.call("count", given)).code == "output_contract"


class User(BaseModel):
    id: int
    name: str


@pytest.mark.requirement("CASE-K21")
async def test_a_name_that_stands_in_two_places_reaches_the_handler_from_both(over: Over) -> None:
    app = App("shop")

    @app.action(access=anyone(), description="Renames.")
    async def rename(id: int, user: User) -> list[int]:
        return [id, user.id]

    @app.query(access=anyone(), description="Looks up.")
    async def look_up(id: int, user: User) -> list[int]:
        return [id, user.id]

    arguments = {"id": 1, "user": {"id": 2, "name": "x"}}
    async with client(app, over=over) as caller:
        for name in ("rename", "look_up"):
            assert (await caller.call(name, arguments)).value == [1, 2]
            assert input_schema(app, name)["required"] == ["id", "user"]


@pytest.mark.requirement("CASE-K21")
async def test_a_list_can_be_sent_to_reads_and_writes(over: Over) -> None:
    app = App("shop")

    async def total(items: list[int]) -> int:
        return sum(items)

    app.action(id="add", access=anyone(), description="Adds.")(total)
    app.query(id="sum", access=anyone(), description="Adds.")(total)
    async with client(app, over=over) as caller:
        assert (await caller.call("add", items=[1, 2, 3])).value == 6
        assert (await caller.call("sum", items=[1, 2, 3])).value == [6]
        assert (await caller.call("add", items=[])).value == 0


def declared_by_a_helper(app: App) -> None:
    class Local(BaseModel):
        name: str

    async def find(wanted: Local) -> list[Local]:
        return [wanted]

    def declare(handler: Callable[..., object]) -> None:
        app.query(access=anyone(), description="Finds.")(handler)

    declare(find)


def test_types_local_to_a_function_are_found_through_a_helper_too() -> None:
    app = App("shop")
    declared_by_a_helper(app)
    assert properties(app, "find") == {"name"}


class Counter:
    """A callable object as a handler."""

    async def __call__(self, n: int) -> int:
        return n + 1

    async def method(self, n: int) -> int:
        return n + 2


async def test_methods_and_callable_objects_are_handlers(over: Over) -> None:
    app, counter = App("shop"), Counter()
    app.query(id="object", access=anyone(), description="Counts.")(counter)
    app.query(access=anyone(), description="Counts.")(counter.method)
    async with client(app, over=over) as caller:
        assert (await caller.call("object", n=1)).value == [2]
        assert (await caller.call("method", n=1)).value == [3]


def test_the_app_s_name_is_its_title_unless_it_has_one() -> None:
    assert (App("shop").title, App("shop", title="The shop").title) == ("shop", "The shop")


def test_an_app_door_caller_is_told_of_operations_without_a_description() -> None:
    app = App("shop")
    app.query(access=anyone())(one)
    assert [item.id for item in app.manifest(Caller(door=Door.APP)).operations] == ["one"]


def test_a_failed_build_is_told_again_and_not_tried_again() -> None:
    app = App("shop")
    app.query()(one)
    failures = []
    for _ in range(2):
        with pytest.raises(CatalogError) as raised:
            app.build()
        failures.append(raised.value)
    assert failures[0] is failures[1]
