"""Tools with no operation behind them: what they take and answer, where they are served, and which name wins."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import jsonschema_rs
import pytest
from pydantic import BaseModel, Field
from tests.contracts.clock import Clock
from tests.contracts.links import client
from tests.contracts.mcp_wire import ask, ask_older, error, listed, listening, result, told, tool
from tests.contracts.wire import served
from typing_extensions import TypedDict

from afford import (
    Agent,
    ApiKeys,
    App,
    Call,
    Caller,
    CatalogError,
    Choices,
    DeclarationError,
    Embedded,
    Feature,
    Image,
    Principal,
    Result,
    Tool,
    anyone,
    roles,
    signed_in,
)

STAFF = {"authorization": "Bearer staff-key-1"}
PUPIL = {"authorization": "Bearer pupil-key-1"}


class Point(BaseModel):
    x: Annotated[int, Field(ge=0, description="Steps to the right.")]
    y: int = 0


@dataclass
class Size:
    width: int
    height: int


class Span(TypedDict):
    start: int
    end: int


class Wrong:
    """Nothing that JSON could hold."""


def studio(**options: object) -> App:
    """An app without declarations, whose callers have keys."""
    keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"]), "pupil-key-1": Principal("ben")})
    settings = {"roles": ("staff",), "access": anyone(), "authenticate": keys, **options}
    return App("studio", **settings)  # type: ignore[arg-type]


async def called(app: App, name: str, **arguments: object) -> dict[str, object]:
    """One call of one tool."""
    async with served(app.asgi()) as http:
        return await tool(http, name, **arguments)


async def schemas(app: App, name: str) -> tuple[dict[str, object], dict[str, object] | None]:
    """What a tool publishes for its input and for its structured content."""
    async with served(app.asgi()) as http:
        published = (await listed(http))[name]
    return published["inputSchema"], published.get("outputSchema")


def of_object(schema: dict[str, object]) -> tuple[list[str], object]:
    """Names of the properties of a closed object, and those required."""
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    return list(schema["properties"]), schema["required"]


@pytest.mark.requirement("TOOL-01", "FRAME-01", "FRAME-21")
async def test_a_tool_needs_no_operation_behind_it_and_is_listed_and_called_in_both_eras():
    app = studio()
    app.tool("sweep", handler=lambda: "swept", description="Sweep the floor.")
    async with served(app.asgi()) as http:
        modern = await listed(http)
        older = (await ask_older(http, "tools/list")).json()["result"]["tools"]
        answer = await tool(http, "sweep")
        older_answer = (await ask_older(http, "tools/call", {"name": "sweep"})).json()["result"]
    assert list(modern) == ["sweep"]
    assert older == list(modern.values())
    assert (modern["sweep"]["title"], modern["sweep"]["description"]) == ("Sweep", "Sweep the floor.")
    assert answer["structuredContent"] == older_answer["structuredContent"] == {"result": "swept"}


@pytest.mark.requirement("TOOL-01")
@pytest.mark.parametrize("door", ["agent", "app"])
async def test_a_tool_is_not_served_over_http_at_either_door(door: Literal["agent", "app"]):
    app = studio()
    app.tool("sweep", handler=lambda: "swept", description="Sweep the floor.")
    app.tool_provider(lambda _caller: [Tool(id="mop", handler=lambda: "mopped", description="Mop the floor.")])
    async with served(app.asgi(door=door), **STAFF) as http:
        never = [(await http.post(f"/{name}", json={})) for name in ("sweep", "mop", "unheard")]
        documents = [(await http.get(f"/{name}")).text for name in ("openapi.json", "schema")]
    assert [answer.status_code for answer in never] == [404, 404, 404]
    assert len({answer.content for answer in never}) == 1
    assert not any("sweep" in document or "mop" in document for document in documents)


PROGRAM = """
from afford import App, Tool, anyone, roles

app = App("desk", roles=("admin",), access=anyone())
app.tool("add", handler=lambda one, two: one + two, description="Add two numbers.", args=[int, int], output=int)
app.tool("drop", handler=lambda: "dropped", description="Drop everything.", access=roles("admin"))
app.tool_provider(lambda caller: [Tool(id="echo", handler=lambda text: text, description="Repeat.", args=[str])])
"""


@pytest.mark.requirement("TOOL-01", "TOOL-03")
def test_the_command_line_calls_tools_as_a_stated_caller(tmp_path: Path):
    (tmp_path / "desk.py").write_text(PROGRAM, encoding="utf-8")

    def run(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "afford", "call", str(tmp_path / "desk.py"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.strip()

    assert run("add", "arg0=2", "arg1=3") == (0, "5")
    assert run("echo", "arg0=hello") == (0, '"hello"')
    assert run("drop")[0] == 1
    assert run("drop", "--as", "ann", "--roles", "admin") == (0, '"dropped"')


@pytest.mark.requirement("TOOL-02", "FRAME-11", "FRAME-14", "FRAME-18", "FRAME-22", "FRAME-37")
async def test_positional_types_become_arg0_and_arg1_and_reach_the_handler_by_position():
    app = studio()
    taken: list[object] = []

    def add(one, two, /):
        taken.append((one, two))
        return one + two

    app.tool("add", handler=add, description="Add.", args=[int, Annotated[int, Field(ge=1, description="At least 1.")]])
    names, required = of_object((await schemas(app, "add"))[0])
    assert (names, required) == (["arg0", "arg1"], ["arg0", "arg1"])
    async with served(app.asgi()) as http:
        properties = (await listed(http))["add"]["inputSchema"]["properties"]
        assert properties["arg1"]["description"] == "At least 1."
        assert (await tool(http, "add", arg0=2, arg1=3))["structuredContent"] == {"result": 5}
        for wrong in ({"arg0": 2}, {"arg0": 2, "arg1": 0}, {"arg0": "2", "arg1": 3}, {"arg0": 2, "arg1": 3, "arg2": 4}):
            assert told(await tool(http, "add", **wrong))["code"] == "bad_request"
    assert taken == [(2, 3)]


@pytest.mark.requirement("TOOL-02", "FRAME-54")
async def test_a_tool_without_inputs_takes_an_empty_object_and_refuses_stray_arguments():
    app = studio()
    app.tool("sweep", handler=lambda: "swept", description="Sweep the floor.", args=[])
    assert of_object((await schemas(app, "sweep"))[0]) == ([], [])
    failure = told(await called(app, "sweep", arg0=1))
    assert [(item["pointer"], item["code"]) for item in failure["errors"]] == [("/arg0", "unknown_argument")]


@pytest.mark.requirement("TOOL-02")
@pytest.mark.parametrize(
    ("kind", "arguments", "seen"),
    [
        (Point, {"x": 1}, Point(x=1)),
        (Size, {"width": 1, "height": 2}, Size(1, 2)),
        (Span, {"start": 1, "end": 2}, {"start": 1, "end": 2}),
    ],
)
async def test_one_object_type_alone_gives_its_own_properties(kind: type, arguments: dict[str, object], seen: object):
    app = studio()
    taken: list[object] = []
    app.tool("plot", handler=lambda one: taken.append(one) or "drawn", description="Plot it.", args=[kind])
    names, _ = of_object((await schemas(app, "plot"))[0])
    assert set(arguments) <= set(names)
    assert "arg0" not in names
    assert (await called(app, "plot", **arguments))["isError"] is False
    assert taken == [seen]


@pytest.mark.requirement("TOOL-02")
async def test_an_object_type_among_others_stays_one_argument():
    app = studio()
    app.tool("plot", handler=lambda point, label: f"{label}: {point.x}", description="Plot.", args=[Point, str])
    assert of_object((await schemas(app, "plot"))[0])[0] == ["arg0", "arg1"]
    answer = await called(app, "plot", arg0={"x": 4}, arg1="here")
    assert answer["structuredContent"] == {"result": "here: 4"}


@pytest.mark.requirement("TOOL-02", "FRAME-37")
async def test_a_positional_input_with_a_default_is_optional_and_publishes_it():
    app = studio()
    app.tool("add", handler=lambda one, two=10: one + two, description="Add.", args=[int, int])
    schema, _ = await schemas(app, "add")
    assert schema["required"] == ["arg0"]
    assert schema["properties"]["arg1"]["default"] == 10
    assert (await called(app, "add", arg0=1))["structuredContent"] == {"result": 11}
    assert (await called(app, "add", arg0=1, arg1=1))["structuredContent"] == {"result": 2}


async def test_a_positional_input_with_a_default_that_its_type_rejects_fails_the_build():
    app = studio()
    app.tool("add", handler=lambda one="ten": one, description="Add.", args=[int])
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert [item.code for item in failed.value.diagnostics] == ["SCH102"]


async def test_annotated_handlers_name_their_own_inputs_and_take_injected_values_beside_args():
    app = studio()
    app.provide(Wrong, Wrong)

    def greet(caller: Caller, name: str, times: int = 1) -> str:
        return " ".join([f"hello {name} from {caller.id}"] * times)

    def measure(one, caller: Caller, held: Wrong, two):
        return [one, caller.id, type(held).__name__, two]

    app.tool("greet", handler=greet, description="Greet somebody.")
    app.tool("measure", handler=measure, description="Measure.", args=[int, str])
    async with served(app.asgi(), **STAFF) as http:
        published = await listed(http)
        greeted = await tool(http, "greet", name="eve", times=2)
        measured = await tool(http, "measure", arg0=1, arg1="m")
    assert of_object(published["greet"]["inputSchema"]) == (["name", "times"], ["name"])
    assert of_object(published["measure"]["inputSchema"])[0] == ["arg0", "arg1"]
    assert greeted["structuredContent"] == {"result": "hello eve from ann hello eve from ann"}
    assert measured["structuredContent"] == {"result": [1, "ann", "Wrong", "m"]}


class Counter:
    """Something whose method is a tool."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, number: int) -> int:
        self.total += number
        return self.total

    async def __call__(self, number: int) -> int:
        return self.add(number)


def multiply(factor: int, number: int) -> int:
    return factor * number


async def multiply_slowly(factor: int, number: int) -> int:
    return factor * number


@pytest.mark.parametrize(
    ("handler", "answer"),
    [
        (Counter().add, 3),
        (Counter(), 3),
        (functools.partial(multiply, 2), 6),
        (functools.partial(multiply_slowly, 2), 6),
    ],
)
async def test_methods_callable_objects_and_partial_functions_are_handlers_too(handler: object, answer: int):
    app = studio()
    app.tool("count", handler=handler, description="Count.")  # type: ignore[arg-type]
    assert of_object((await schemas(app, "count"))[0]) == (["number"], ["number"])
    assert (await called(app, "count", number=3))["structuredContent"] == {"result": answer}


async def test_a_builtin_function_is_a_tool_once_args_say_what_it_takes():
    app = studio()
    app.tool("length", handler=len, description="Count the letters.", args=[str], output=int)
    assert (await called(app, "length", arg0="seven77"))["structuredContent"] == {"result": 7}


async def test_a_plain_function_runs_off_the_event_loop_and_reports_progress_like_any_handler():
    app = studio()
    ran: list[int] = []

    async def look(call: Call) -> str:
        call.log.info("looking")
        return call.operation

    app.tool("work", handler=lambda: ran.append(threading.get_ident()), description="Work.")
    app.tool("look", handler=look, description="Look.")
    await called(app, "work")
    assert ran != [threading.get_ident()]
    assert (await called(app, "look"))["structuredContent"] == {"result": "look"}


RAW_INPUT = {
    "type": "object",
    "properties": {"depth": {"type": "integer", "minimum": 1, "maximum": 3}, "q": {"type": "string"}},
    "required": ["q"],
    "additionalProperties": False,
}
RAW_OUTPUT = {
    "type": "object",
    "properties": {"found": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["found"],
    "additionalProperties": False,
}


@pytest.mark.requirement("TOOL-01", "FRAME-10", "FRAME-14", "FRAME-25")
async def test_raw_schemas_are_published_as_they_are_and_enforced_both_ways():
    app = studio()
    answers: list[dict[str, object]] = [{"found": 2}, {"found": "two"}]

    taken: list[dict[str, object]] = []

    async def search(arguments: dict[str, object]) -> dict[str, object]:
        taken.append(arguments)
        return answers.pop(0)

    app.tool("search", handler=search, description="Search.", input_schema=RAW_INPUT, output_schema=RAW_OUTPUT)
    assert await schemas(app, "search") == (RAW_INPUT, RAW_OUTPUT)
    good = await called(app, "search", q="lamp", depth=3)
    assert good["structuredContent"] == json.loads(good["content"][0]["text"]) == {"found": 2}
    assert told(await called(app, "search", q="lamp"))["code"] == "output_contract"
    assert told(await called(app, "search", q="lamp", depth=4))["code"] == "bad_request"
    assert taken == [{"q": "lamp", "depth": 3}, {"q": "lamp"}]


def take(arguments: dict[str, object]) -> int:
    return len(arguments)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"input_schema": RAW_INPUT, "handler": take}, "DEC121"),
        ({"args": [int, int]}, "DEC105"),
        ({"args": [Wrong]}, "DEC108"),
        ({"safety": "harmless"}, "DEC114"),
        ({"risk": "low", "safety": "destructive"}, "DEC115"),
        ({"enabled": "yes"}, "DEC114"),
        ({"agent": {"exposed": True}}, "DEC121"),
        ({"output": Wrong}, "SCH101"),
        ({"description": None}, "DEC123"),
    ],
)
def test_a_tool_that_contradicts_itself_fails_the_build(options: dict[str, object], code: str):
    app = studio()
    stated = {"handler": lambda one: one, "description": "Sweep.", "args": [int], **options}
    app.tool("sweep", **stated)  # type: ignore[arg-type]
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert [item.code for item in failed.value.diagnostics] == [code]


@pytest.mark.requirement("TOOL-01", "FRAME-26", "FRAME-38")
@pytest.mark.parametrize(
    ("answer", "structured"),
    [
        ({"a": 1}, {"a": 1}),
        ([1, 2], {"result": [1, 2]}),
        ("text", {"result": "text"}),
        (None, {"result": None}),
        (Point(x=1), {"x": 1, "y": 0}),
        ([Size(1, 2)], {"result": [{"width": 1, "height": 2}]}),
    ],
)
async def test_an_answer_that_nothing_describes_is_left_open_and_still_json(answer: object, structured: object):
    app = studio()
    app.tool("look", handler=lambda: answer, description="Look around.")
    assert (await schemas(app, "look"))[1] is None
    result = await called(app, "look")
    assert result["structuredContent"] == json.loads(result["content"][0]["text"]) == structured


@pytest.mark.requirement("MCP-08")
async def test_an_answer_that_nothing_describes_may_be_content_or_have_some_beside_it():
    app = studio()
    app.tool("one", handler=lambda: Image(b"\x00"), description="One.")
    app.tool("two", handler=lambda: [Image(b"\x00"), Embedded("note://one", "text")], description="Two.")
    app.tool("beside", handler=lambda: Result({"a": 1}, [Image(b"\x00")]), description="Beside.")
    app.tool("mixed", handler=lambda: [Image(b"\x00"), 7], description="Mixed.")
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    document = {"type": "resource", "resource": {"uri": "note://one", "text": "text"}}
    one, two, beside = [await called(app, name) for name in ("one", "two", "beside")]
    assert (one["content"], two["content"]) == ([image], [image, document])
    assert not any("structuredContent" in answer for answer in (one, two))
    assert (beside["structuredContent"], beside["content"][1:]) == ({"a": 1}, [image])
    assert told(await called(app, "mixed"))["code"] == "output_contract"
    async with client(app, over="mcp") as caller:
        assert (await caller.call("one")).value == {"type": "image", "mime_type": "image/png", "data": "AA=="}


@pytest.mark.requirement("FRAME-27", "FRAME-35", "FRAME-62")
@pytest.mark.parametrize("answer", [Wrong(), {"at": Wrong()}, float("nan"), 1 << 60, b"\xff", "\ud800"])
async def test_an_open_answer_that_is_no_json_never_leaves(answer: object):
    app = studio()
    app.tool("look", handler=lambda: answer, description="Look around.")
    assert told(await called(app, "look"))["code"] == "output_contract"


async def test_one_value_in_two_places_is_written_twice():
    app = studio()
    shared = {"x": 1}
    app.tool("look", handler=lambda: {"one": shared, "other": [shared, shared]}, description="Look around.")
    assert (await called(app, "look"))["structuredContent"] == {"one": {"x": 1}, "other": [{"x": 1}, {"x": 1}]}


@pytest.mark.requirement("FRAME-25", "FRAME-26", "FRAME-38", "FRAME-61")
@pytest.mark.parametrize(
    ("output", "answer", "structured", "wrong"),
    [
        (int, 3, {"result": 3}, "3"),
        (list[Point], [{"x": 1, "y": 2}], {"result": [{"x": 1, "y": 2}]}, [{"y": 2}]),
        (Point, Point(x=3), {"x": 3, "y": 0}, {"x": -1, "y": 0}),
        (dict[str, int], {"a": 1}, {"a": 1}, {"a": "1"}),
        (type(None), None, {"result": None}, 1),
    ],
)
async def test_a_declared_output_is_published_as_an_object_and_enforced(
    output: object, answer: object, structured: object, wrong: object
):
    app = studio()
    answers = [answer, wrong]
    app.tool("look", handler=lambda: answers.pop(0), description="Look around.", output=output)
    _, schema = await schemas(app, "look")
    result = await called(app, "look")
    assert result["structuredContent"] == json.loads(result["content"][0]["text"]) == structured
    assert jsonschema_rs.is_valid(schema, structured)
    assert schema["type"] == "object"
    assert told(await called(app, "look"))["code"] == "output_contract"


@pytest.mark.requirement("TOOL-06")
async def test_a_gateway_tool_answers_where_to_look_and_what_to_do_next():
    app = studio()

    def docs() -> dict[str, str]:
        return {"path": "/srv/docs", "hint": "Read the page that matches the topic; it is of this very version."}

    app.tool(
        "docs", handler=docs, description="Locate the documentation. Call before answering about it.", safety="read"
    )
    async with served(app.asgi()) as http:
        published = (await listed(http))["docs"]
        answer = await tool(http, "docs")
    assert published["annotations"]["readOnlyHint"] is True
    assert answer["structuredContent"]["path"] == "/srv/docs"


@pytest.mark.requirement("MCP-03", "FRAME-01", "FRAME-08", "FRAME-21")
@pytest.mark.parametrize(
    ("options", "hints", "risk"),
    [
        ({}, (False, False, False, False), "mid"),
        ({"safety": "read"}, (True, False, True, False), "low"),
        ({"safety": "destructive"}, (False, True, False, False), "high"),
        ({"risk": "high"}, (False, False, False, False), "high"),
        ({"agent": Agent(idempotent=True, open_world=True)}, (False, False, True, True), "mid"),
        ({"agent": {"safety": "read", "risk": "mid"}}, (True, False, True, False), "mid"),
    ],
)
async def test_every_tool_says_its_title_all_four_hints_and_its_risk(
    options: dict[str, object], hints: tuple[bool, ...], risk: str
):
    app = studio()
    app.tool("sweep_floor", handler=lambda: None, description="Sweep.", **options)  # type: ignore[arg-type]
    async with served(app.asgi()) as http:
        published = (await listed(http))["sweep_floor"]
    names = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    assert published["annotations"] == {"title": "Sweep floor", **dict(zip(names, hints, strict=True))}
    assert published["_meta"]["afford/risk"] == risk


@pytest.mark.requirement("FRAME-12", "CASE-K04")
async def test_a_hidden_tool_answers_like_an_unknown_one_in_both_eras():
    app = studio()
    app.tool("sweep", handler=lambda: 1, description="Sweep.", access=roles("staff"))
    app.tool("mop", handler=lambda: 1, description="Mop.", enabled=False)
    app.tool("dust", handler=lambda: 1, description="Dust.", enabled=lambda: False)
    app.tool("wax", handler=lambda: 1, description="Wax.", agent={"expose": False})
    app.tool("air", handler=lambda: 1, description="Air.", agent=Agent(surfaces=["cli"]))
    app.tool("open", handler=lambda: 1, description="Open.")
    names = ("sweep", "mop", "dust", "wax", "air", "nothing", "sweep:", "studio:open")
    async with served(app.asgi()) as http:
        assert list(await listed(http)) == ["open"]
        modern = [(await ask(http, "tools/call", {"name": name, "arguments": {}})) for name in names]
        older = [(await ask_older(http, "tools/call", {"name": name})) for name in names]
        assert list(await listed(http, **STAFF)) == ["open", "sweep"]
    for answers in (modern, older):
        errors = [answer.json()["error"] for answer in answers]
        assert {item["code"] for item in errors} == {-32602}
        assert len({item["message"].replace(name, "") for item, name in zip(errors, names, strict=True)}) == 1
        assert not any("data" in item for item in errors)


async def test_a_denied_tool_is_gone_for_everybody():
    app = studio(deny=["sweep"])
    app.tool("sweep", handler=lambda: 1, description="Sweep.")
    async with served(app.asgi(), **STAFF) as http:
        assert await listed(http) == {}
        assert (await error(http, "tools/call", {"name": "sweep"}))["code"] == -32602


@pytest.mark.requirement("NAME-03", "FRAME-04", "FRAME-20", "FRAME-23", "FRAME-24")
@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("sweep", "sweep", "DEC102"),
        ("sweep", "Sweep", "DEC102"),
        ("sweep:all", "sweep_all", "DEC102"),
        ("sweep", "two words", "DEC101"),
        ("sweep", "a" * 65, "DEC101"),
        ("sweep", "afford_state_read", "DEC103"),
        ("sweep", "manifest", "DEC103"),
    ],
)
def test_names_that_clash_or_cannot_be_spelled_fail_the_build(first: str, second: str, code: str):
    app = studio()
    for name in (first, second):
        app.tool(name, handler=lambda: 1, description="Sweep.")
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert {item.code for item in failed.value.diagnostics} == {code}


@pytest.mark.requirement("FRAME-23", "FRAME-66")
async def test_the_wire_name_of_a_tool_is_its_id_with_underscores_and_nothing_else_calls_it():
    feature = Feature("floor", access=signed_in())
    feature.tool("sweep:all", handler=lambda: "swept", description="Sweep.")
    app = studio()
    app.include(feature)
    async with served(app.asgi(), **PUPIL) as http:
        assert list(await listed(http)) == ["floor_sweep_all"]
        assert (await tool(http, "floor_sweep_all"))["structuredContent"] == {"result": "swept"}
        assert (await error(http, "tools/call", {"name": "floor:sweep:all"}))["code"] == -32602
    async with served(app.asgi()) as http:
        answer = await ask(http, "tools/list")
    assert answer.status_code == 401


@pytest.mark.requirement("ERR-01", "FRAME-28", "FRAME-36", "MCP-04")
async def test_a_problem_of_the_author_arrives_with_its_fix_and_an_exception_does_not():
    app = studio()
    jammed = app.problem("JAMMED", status=409, title="The broom is stuck", fix="pull {at}", docs="https://e.org/jam")

    async def sweep(*, hard: bool) -> None:
        if hard:
            raise ValueError("password=hunter2") from KeyError("hunter3")
        raise jammed("it is stuck", at="the handle")

    app.tool("sweep", handler=sweep, description="Sweep.", raises=[jammed])
    problem = told(await called(app, "sweep", hard=False))
    crash = await called(app, "sweep", hard=True)
    assert problem == {
        "code": "JAMMED",
        "message": "it is stuck",
        "fix": "pull the handle",
        "docs": "https://e.org/jam",
    }
    assert told(crash)["code"] == "internal"
    assert "hunter" not in json.dumps(crash)


async def test_a_tool_is_over_time_when_its_own_deadline_has_passed(clock: Clock):
    app = studio()

    async def wait() -> None:
        clock.forward(10)
        await asyncio.Event().wait()

    app.tool("wait", handler=wait, description="Wait.", deadline=5)
    assert told(await called(app, "wait"))["code"] == "timeout"


@pytest.mark.requirement("FRAME-58")
async def test_one_endpoint_serves_what_every_feature_and_provider_declares():
    app = studio()
    for name in ("floor", "roof"):
        feature = Feature(name, access=anyone())
        feature.tool("clean", handler=lambda: 1, description="Clean.")
        feature.shared_state(f"{name}/state", "dirty")
        feature.tool_provider(lambda _caller: [Tool(id="mend", handler=lambda: 2, description="Mend.")])
        app.include(feature)
    app.tool("clean", handler=lambda: 3, description="Clean.")
    async with served(app.asgi()) as http:
        names = ["afford_state_read", "clean", "floor_clean", "floor_mend", "roof_clean", "roof_mend"]
        assert list(await listed(http)) == names
        keys = (await tool(http, "afford_state_read"))["structuredContent"]["keys"]
        assert [item["key"] for item in keys] == ["floor/state", "roof/state"]
        assert (await tool(http, "roof_mend"))["structuredContent"] == {"result": 2}


# Providers


@pytest.mark.requirement("TOOL-03", "FRAME-15", "FRAME-53", "FRAME-55")
async def test_a_provider_is_asked_when_tools_are_listed_or_called_and_nothing_is_mirrored():
    app = studio()
    commands = {"build": "built"}
    asked: list[str | None] = []

    def provide(caller: Caller) -> list[Tool]:
        asked.append(caller.id)
        return [
            Tool(id=name, handler=lambda done=done: done, description=f"Do {name}.", args=[])
            for name, done in commands.items()
        ]

    app.tool("plain", handler=lambda: 1, description="Plain.")
    app.tool_provider(provide)
    async with served(app.asgi()) as http:
        assert asked == []
        assert list(await listed(http)) == ["build", "plain"]
        assert asked == [None]
        commands["deploy"] = "deployed"
        assert list(await listed(http)) == ["build", "deploy", "plain"]
        assert (await tool(http, "deploy"))["structuredContent"] == {"result": "deployed"}
        commands["deploy"] = "deployed again"
        assert (await tool(http, "deploy"))["structuredContent"] == {"result": "deployed again"}
        del commands["deploy"]
        assert (await error(http, "tools/call", {"name": "deploy"}))["code"] == -32602
        seen = len(asked)
        assert (await tool(http, "plain"))["structuredContent"] == {"result": 1}
    assert len(asked) == seen


@pytest.mark.requirement("TOOL-03")
async def test_provided_tools_are_those_of_the_caller_and_its_rights():
    app = studio()

    def provide(caller: Caller) -> list[Tool]:
        own = Tool(id=f"for_{caller.id}", handler=lambda: 1, description="Own.")
        guarded = Tool(id="guarded", handler=lambda: 2, description="Guarded.", access=roles("staff"))
        off = Tool(id="off", handler=lambda: 3, description="Off.", enabled=lambda: False)
        hidden = Tool(id="hidden", handler=lambda: 4, description="Hidden.", agent={"expose": False})
        return [own, guarded, off, hidden]

    app.tool_provider(provide)
    async with served(app.asgi()) as http:
        assert list(await listed(http)) == ["for_None"]
        assert list(await listed(http, **PUPIL)) == ["for_ben"]
        assert list(await listed(http, **STAFF)) == ["for_ann", "guarded"]
        for name in ("for_ann", "guarded", "off", "hidden"):
            answer = await ask(http, "tools/call", {"name": name}, **PUPIL)
            assert answer.json()["error"] == {"code": -32602, "message": f"Unknown tool: {name}"}
        assert (await result(http, "tools/call", {"name": "guarded"}, **STAFF))["structuredContent"] == {"result": 2}


@pytest.mark.requirement("TOOL-03", "TOOL-02")
async def test_provided_tools_are_checked_like_declared_ones():
    app = studio()
    tool_of_now = Tool(
        id="add", handler=lambda a, b: a + b, description="Add.", args=[int, int], output=int, safety="read"
    )
    app.tool_provider(lambda _caller: [tool_of_now])
    async with served(app.asgi()) as http:
        published = (await listed(http))["add"]
        good = await tool(http, "add", arg0=1, arg1=2)
        bad = told(await tool(http, "add", arg0=1, arg1="2", arg2=3))
    assert published["inputSchema"]["required"] == ["arg0", "arg1"]
    assert published["annotations"]["readOnlyHint"] is True
    assert good["structuredContent"] == {"result": 3}
    assert {item["pointer"]: item["code"] for item in bad["errors"]} == {
        "/arg1": "wrong_type",
        "/arg2": "unknown_argument",
    }


def logged(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == "afford.tools"]


@pytest.mark.requirement("TOOL-05")
async def test_a_provider_that_throws_loses_its_own_tools_and_no_others(caplog: pytest.LogCaptureFixture):
    app = studio()
    broken = True

    def provide(_caller: Caller) -> list[Tool]:
        if broken:
            raise RuntimeError("password=hunter2")
        return [Tool(id="second", handler=lambda: 2, description="Second.")]

    app.tool("plain", handler=lambda: 0, description="Plain.")
    app.tool_provider(lambda _caller: [Tool(id="first", handler=lambda: 1, description="First.")])
    app.tool_provider(provide)
    app.tool_provider(lambda _caller: [Tool(id="third", handler=lambda: 3, description="Third.")])
    async with served(app.asgi()) as http:
        shown = await ask(http, "tools/list")
        assert [item["name"] for item in shown.json()["result"]["tools"]] == ["first", "plain", "third"]
        assert "hunter2" not in shown.text
        assert (await tool(http, "third"))["structuredContent"] == {"result": 3}
        assert (await error(http, "tools/call", {"name": "second"}))["code"] == -32602
        assert any(record.levelno >= logging.ERROR for record in logged(caplog))
        broken = False
        assert list(await listed(http)) == ["first", "plain", "second", "third"]


@pytest.mark.requirement("TOOL-05")
@pytest.mark.parametrize(
    "answer", [None, 7, [7], ["plain"], [Tool(id="kept", handler=lambda: 1, description="Kept."), {"id": "x"}]]
)
async def test_a_provider_that_answers_no_tools_loses_its_own(answer: object, caplog: pytest.LogCaptureFixture):
    app = studio()
    app.tool_provider(lambda _caller: answer)  # type: ignore[arg-type,return-value]
    app.tool_provider(lambda _caller: (Tool(id=name, handler=lambda: 1, description="Go.") for name in ("a", "b")))
    async with served(app.asgi()) as http:
        assert list(await listed(http)) == ["a", "b"]
    assert logged(caplog) != []


@pytest.mark.requirement("TOOL-03", "TOOL-05", "FRAME-03")
@pytest.mark.parametrize(
    "wrong",
    [
        {"description": " "},
        {"description": None},
        {"id": "two words"},
        {"id": "afford_state_read"},
        {"id": "a" * 65},
        {"id": "plain"},
        {"id": "Plain"},
        {"id": 7},
        {"args": [int]},
        {"args": [Annotated[str, Choices(lambda: ["a"])]], "handler": lambda choice: choice},
        {"handler": "no function"},
        {"safety": "harmless"},
        {"access": roles("nobody")},
        {"access": "anyone"},
        {"input_schema": {"type": "object"}},
    ],
)
async def test_a_wrong_provided_tool_is_left_out_alone_with_one_line_in_the_log(
    wrong: dict[str, object], caplog: pytest.LogCaptureFixture
):
    app = studio()

    def provide(_caller: Caller) -> list[Tool]:
        # Made anew each time, as a provider does that derives them from something else.
        stated = {"id": "wrong", "handler": lambda: 1, "description": "Wrong.", **wrong}
        return [Tool(**stated), Tool(id="right", handler=lambda: 2, description="Right.")]  # type: ignore[arg-type]

    app.tool("plain", handler=lambda: 0, description="Plain.")
    app.tool_provider(provide)
    async with served(app.asgi()) as http:
        for _ in range(3):
            assert list(await listed(http)) == ["plain", "right"]
        assert (await tool(http, "right"))["structuredContent"] == {"result": 2}
        assert (await tool(http, "plain"))["structuredContent"] == {"result": 0}
    assert len(logged(caplog)) == 1


async def test_a_provided_tool_without_any_access_rule_is_left_out(caplog: pytest.LogCaptureFixture):
    app = App("bare")
    feature = Feature("open", access=anyone())
    app.include(feature)
    for place in (app, feature):
        place.tool_provider(lambda _caller: [Tool(id="go", handler=lambda: 1, description="Go.")])
    async with served(app.asgi()) as http:
        assert list(await listed(http)) == ["open_go"]
    assert len(logged(caplog)) == 1


@pytest.mark.requirement("TOOL-03", "FRAME-16", "NAME-04")
async def test_a_declared_name_wins_over_a_provided_one_and_the_first_provider_over_the_second(
    caplog: pytest.LogCaptureFixture,
):
    app = studio()

    def of(answer: str, *names: str):
        return lambda _caller: [Tool(id=name, handler=lambda: answer, description=answer) for name in names]

    app.tool_provider(of("one", "plain", "find", "twice"))
    app.tool_provider(of("two", "plain", "Twice", "alone"))
    app.tool("plain", handler=lambda: "declared", description="declared")

    @app.query(description="declared", access=roles("staff"))
    async def find() -> str:
        return "declared"

    async with served(app.asgi()) as http:
        published = await listed(http)
        assert [(name, item["description"]) for name, item in published.items()] == [
            ("alone", "two"),
            ("plain", "declared"),
            ("twice", "one"),
        ]
        for name, item in published.items():
            assert (await tool(http, name))["structuredContent"] == {"result": item["description"]}
        # The name is taken by what this caller may not even see.
        assert (await error(http, "tools/call", {"name": "find"}))["code"] == -32602
    assert len(logged(caplog)) == 3


CHANGED = ("notifications/tools/list_changed", None)


@pytest.mark.requirement("TOOL-04", "FRAME-02", "FRAME-05", "FRAME-09", "FRAME-17")
async def test_the_handle_tells_clients_that_the_list_changed_and_takes_the_tools_back():
    app = studio()
    app.tool("plain", handler=lambda: 0, description="Plain.")
    app.build()
    names = ["go"]

    def provide(_caller: Caller) -> list[Tool]:
        return [Tool(id=name, handler=lambda: 1, description="Go.") for name in names]

    async with listening(app, toolsListChanged=True) as client, served(app.asgi()) as http:
        handle = app.tool_provider(provide)
        assert await client.next() == CHANGED
        assert list(await listed(http)) == ["go", "plain"]
        names.append("stop")
        handle.notify_changed()
        assert await client.next() == CHANGED
        assert list(await listed(http)) == ["go", "plain", "stop"]
        handle.unregister()
        assert await client.next() == CHANGED
        assert list(await listed(http)) == ["plain"]
        assert (await error(http, "tools/call", {"name": "go"}))["code"] == -32602


@pytest.mark.requirement("TOOL-04", "FRAME-55")
async def test_every_real_change_of_a_provided_tool_is_told_though_it_is_made_anew_each_time():
    app = studio()
    texts = ["first"]
    app.tool("plain", handler=lambda: 0, description="Plain.")
    handle = app.tool_provider(
        lambda _caller: [Tool(id="go", handler=lambda: texts[-1], description=texts[-1], safety="read")]
    )
    async with listening(app, toolsListChanged=True) as client:
        for number in range(40):
            texts.append(("second", "first")[number % 2])
            handle.notify_changed()
            assert await client.next() == CHANGED


@pytest.mark.requirement("TOOL-04", "FRAME-17")
def test_a_handle_is_silent_once_it_is_unregistered_and_knows_only_its_own_provider():
    app = studio()
    heard: list[object] = []
    app.changes.subscribe(heard.append)

    def provide(_caller: Caller) -> list[Tool]:
        return [Tool(id="go", handler=lambda: 1, description="Go.")]

    first, second = app.tool_provider(provide), app.tool_provider(provide)
    first.unregister()
    del heard[:]
    first.unregister()
    first.notify_changed()
    assert heard == []
    second.notify_changed()
    assert len(heard) == 1


@pytest.mark.requirement("TOOL-04")
async def test_a_provider_of_a_feature_hands_out_tools_of_that_feature_and_tells_clients_too():
    app = studio()
    feature = Feature("floor", access=signed_in())
    app.include(feature)
    names = ["sweep"]
    handle = feature.tool_provider(
        lambda _caller: [Tool(id=name, handler=lambda: 1, description="Sweep.") for name in names]
    )
    app.tool("open", handler=lambda: 1, description="Open.")
    async with listening(app, as_=Principal("ben"), toolsListChanged=True) as client, served(app.asgi()) as http:
        assert list(await listed(http)) == ["open"]
        assert list(await listed(http, **PUPIL)) == ["floor_sweep", "open"]
        names.append("mop")
        handle.notify_changed()
        assert await client.next() == CHANGED


def test_a_provider_that_would_have_to_be_awaited_is_refused_where_it_stands():
    async def provide(_caller: Caller) -> list[Tool]:
        return []

    with pytest.raises(DeclarationError):
        studio().tool_provider(provide)  # type: ignore[arg-type]


@pytest.mark.requirement("DECL-04")
def test_a_tool_is_declared_before_the_build_and_a_provider_at_any_time():
    app = studio()
    app.build()
    with pytest.raises(DeclarationError):
        app.tool("late", handler=lambda: 1, description="Late.")
    app.tool_provider(lambda _caller: [])
