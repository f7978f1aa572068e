"""The OpenAPI document over a manifest, judged as its readers would judge it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

import jsonschema_rs
import pytest
import schemathesis
from pydantic import BaseModel, Field

from afford import (
    Agent,
    App,
    Ask,
    Audio,
    Caller,
    Choices,
    Door,
    Embedded,
    Example,
    Feature,
    Image,
    Page,
    PageRequest,
    Paging,
    Principal,
    Result,
    Surface,
    anyone,
    claim,
    roles,
    signed_in,
)
from afford.errors import TABLE, Code, Fault, FaultCode, JsonObject, JsonValue, failure
from afford.surfaces.openapi.definitions import move_definitions
from afford.surfaces.openapi.project import SecurityScheme, openapi_document
from afford.surfaces.wire import problem_document

BEARER = SecurityScheme("bearer", {"type": "http", "scheme": "bearer"})
API_KEY = SecurityScheme("x-api-key", {"type": "apiKey", "in": "header", "name": "x-api-key"})
GUEST = Principal("guest-1", roles=["guest"])


class Leg(BaseModel):
    """One leg of a trip; a leg may have detours, which are legs."""

    name: str
    detours: list[Leg] = []


class Ends(BaseModel):
    """Two days."""

    start: date | None = None
    end: date | None = None


class Trip(BaseModel):
    """A trip."""

    title: str
    legs: list[Leg]


def make_app(**options) -> App:
    return App("trips", title="Trips", version="2.1.0", roles=("guest", "staff"), access=anyone(), **options)


def travel() -> App:
    """Every kind of operation, and every form of input."""
    app = make_app(description="Plan trips.")
    full = app.problem(
        "TRIP_FULL", status=409, title="The trip is full", fix="Take {other}.", docs="https://trips.example/full"
    )
    away = app.problem("GUIDE_AWAY", status=503, title="The guide is away", retryable=True)
    odd = app.problem("ODD_HOUR", status=422, title="Not at this hour")

    example = Example({"word": "sea", "ids": [3]})

    @app.query(description="Find trips.", paging=Paging(default=5, max=9), example=example)
    def find_trips(
        page: PageRequest[int],
        word: Annotated[str, Field(description="A word of the title.")],
        ids: list[int],
        between: Ends | None = None,
        sizes: list[Literal["small", "large"]] | None = None,
    ) -> Page[Trip]:
        return Page([])

    @app.query(description="List the parts of a trip.", id="legs")
    def legs(limit: Annotated[int, Field(ge=1, le=3)], cursor: float = 0.5) -> list[Leg]:
        return []

    @app.static(description="Say what can be booked.")
    def kinds() -> list[str]:
        return ["sea", "air"]

    @app.action(description="Book a trip.", raises=[full, away, odd], risk="high", access=signed_in())
    def book(trip: Trip, seats: int = 1) -> Trip | None:
        return None

    @app.event(description="Forget everything.", safety="destructive", access=roles("staff"), deadline=None)
    def forget() -> None:
        return None

    raw_schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"tree": {"$ref": "#/$defs/node"}},
        "required": ["tree"],
        "$defs": {
            "node": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            }
        },
    }

    @app.action(description="Plant a tree.", input_schema=raw_schema, output_schema={"type": "boolean"})
    def plant(arguments: dict) -> bool:
        return True

    return app


def document_of(
    app: App,
    principal: Principal | None = None,
    *,
    door: Door = Door.AGENT,
    security: tuple[SecurityScheme, ...] = (),
) -> JsonObject:
    manifest = app.manifest(Caller(principal, door, Surface.HTTP))
    return openapi_document(manifest, server_url="https://trips.example/agent", security=security)


def operation_of(document: JsonObject, name: str) -> JsonObject:
    (operation,) = document["paths"][f"/{name}"].values()
    return operation


def parameters_of(document: JsonObject, name: str) -> dict[str, JsonObject]:
    """The operation's parameters by name, references followed."""
    followed = [resolved(document, item) for item in operation_of(document, name)["parameters"]]
    return {item["name"]: item for item in followed}


def resolved(document: JsonObject, part: JsonObject) -> JsonObject:
    """What a reference object leads to; anything else as it is."""
    if "$ref" not in part:
        return part
    found: JsonValue = document
    for token in part["$ref"].removeprefix("#/").split("/"):
        found = found[token.replace("~1", "/").replace("~0", "~")]
    return found


def response_of(document: JsonObject, name: str, status: int) -> JsonObject:
    return resolved(document, operation_of(document, name)["responses"][str(status)])


def schema_of(response: JsonObject) -> JsonObject:
    (content,) = response["content"].values()
    return content["schema"]


def judge_of(document: JsonObject, schema: JsonValue) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"allOf": [schema], "components": document["components"]}, validate_formats=True)


def codes_of(document: JsonObject, name: str) -> dict[int, list[str]]:
    """The codes that each refusal of the operation may carry, by status."""
    return {
        int(status): schema_of(resolved(document, response))["allOf"][1]["properties"]["code"]["enum"]
        for status, response in operation_of(document, name)["responses"].items()
        if status != "200"
    }


def every_reference(part: JsonValue) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from every_reference(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from every_reference(inner)


def every_schema(document: JsonObject) -> Iterator[JsonValue]:
    """Every schema object of the document."""
    yield from document["components"].get("schemas", {}).values()
    for path_item in document["paths"].values():
        for operation in path_item.values():
            yield from (resolved(document, item)["schema"] for item in operation.get("parameters", []))
            holders = [resolved(document, item) for item in operation["responses"].values()]
            for holder in [*holders, operation.get("requestBody", {})]:
                yield from (content["schema"] for content in holder.get("content", {}).values())
                yield from (resolved(document, item)["schema"] for item in holder.get("headers", {}).values())


@dataclass(frozen=True)
class Reader:
    """Somebody who reads the document."""

    principal: Principal | None
    door: Door
    security: tuple[SecurityScheme, ...]


READERS = {
    "an anonymous agent": Reader(None, Door.AGENT, (BEARER, API_KEY)),
    "a guest's agent": Reader(GUEST, Door.AGENT, (BEARER,)),
    "staff at the app door": Reader(Principal("s", roles=["staff"]), Door.APP, (API_KEY,)),
    "anybody without authentication": Reader(None, Door.AGENT, ()),
}


@pytest.fixture(params=[*READERS])
def document(request: pytest.FixtureRequest) -> JsonObject:
    reader = READERS[request.param]
    return document_of(travel(), reader.principal, door=reader.door, security=reader.security)


@pytest.mark.requirement("HTTP-05")
def test_the_document_is_valid_openapi_3_1(document: JsonObject) -> None:
    schemathesis.openapi.from_dict(document).validate()
    assert document["openapi"] == "3.1.0"


def test_every_schema_is_valid_in_the_dialect_that_the_document_names(document: JsonObject) -> None:
    schemas = list(every_schema(document))
    assert document["jsonSchemaDialect"] == "https://json-schema.org/draft/2020-12/schema"
    assert len(schemas) > 10
    for schema in schemas:
        jsonschema_rs.meta.validate(schema)


def test_every_reference_leads_to_a_whole_component(document: JsonObject) -> None:
    references = set(every_reference(document))
    assert references
    for reference in references:
        _, components, kind, key = reference.split("/")
        assert components == "components"
        assert key in document["components"][kind]


def test_every_example_fits_the_schema_beside_it() -> None:
    app = make_app()

    @app.query(description="Find.", example=[Example({"ids": [1, 2], "ends": {"start": "2030-01-02"}}, row="x")])
    def find(ids: list[int], ends: Ends | None = None) -> list[str]:
        return []

    @app.action(description="Make.", example=[Example({"leg": {"name": "a"}}, row={"name": "b", "detours": []})])
    def make(leg: Leg, count: int = 1) -> Leg:
        return leg

    document = document_of(app)
    holders = [*parameters_of(document, "find").values()]
    for name in ("find", "make"):
        holders += response_of(document, name, 200)["content"].values()
    holders += operation_of(document, "make")["requestBody"]["content"].values()
    shown = [holder for holder in holders if "example" in holder]
    assert len(shown) == 5
    for holder in shown:
        judge_of(document, holder["schema"]).validate(holder["example"])


def test_the_document_is_the_same_whatever_the_order_of_declaration() -> None:
    def written(*names: str) -> bytes:
        app = make_app()
        for name in names:
            app.query(id=name, description=f"About {name}.")(find_legs)
        return json.dumps(document_of(app)).encode()

    def find_legs(name: str, ends: Ends | None = None) -> list[Leg]:
        return []

    assert written("b", "a", "C") == written("C", "b", "a")


def test_paths_come_by_wire_name_in_code_point_order() -> None:
    app = make_app()
    feature = Feature("Zoo")

    def count() -> list[int]:
        return []

    for name in ("b", "a-b", "a_b", "aB"):
        app.query(id=name, description="Count.")(count)
    feature.query(description="Count.")(count)
    app.include(feature)
    assert list(document_of(app)["paths"]) == ["/Zoo_count", "/a-b", "/aB", "/a_b", "/b"]


def test_the_head_of_the_document_is_the_app_s() -> None:
    document = document_of(travel())
    assert document["info"] == {"title": "Trips", "version": "2.1.0", "description": "Plan trips."}
    assert document["servers"] == [{"url": "https://trips.example/agent"}]


def test_an_app_without_a_description_has_none_in_the_document() -> None:
    assert document_of(make_app())["info"] == {"title": "Trips", "version": "2.1.0"}


def test_an_app_without_operations_still_has_a_valid_document() -> None:
    document = document_of(make_app())
    schemathesis.openapi.from_dict(document).validate()
    assert document["paths"] == {}


def test_reads_are_get_and_writes_are_post() -> None:
    paths = document_of(travel(), Principal("s", roles=["staff"]))["paths"]
    assert {path: [*methods] for path, methods in paths.items()} == {
        "/book": ["post"],
        "/find_trips": ["get"],
        "/forget": ["post"],
        "/kinds": ["get"],
        "/legs": ["get"],
        "/plant": ["post"],
    }


def test_only_what_the_caller_may_call_is_in_the_document() -> None:
    app = travel()
    for principal in (None, GUEST, Principal("s", roles=["staff"])):
        manifest = app.manifest(Caller(principal, Door.AGENT, Surface.HTTP))
        names = [operation.wire_name for operation in manifest.operations]
        assert [path.removeprefix("/") for path in document_of(app, principal)["paths"]] == names


def test_an_operation_is_named_by_its_wire_name_titled_and_tagged() -> None:
    app = make_app()
    desk = Feature("desk")

    @desk.action(description="Ring.", agent=Agent(title="Ring the bell", tags=["noise", "desk"]))
    def ring_bell() -> bool:
        return True

    app.include(desk)
    operation = operation_of(document_of(app), "desk_ring_bell")
    assert operation["operationId"] == "desk_ring_bell"
    assert operation["summary"] == "Ring the bell"
    assert operation["tags"] == ["desk", "noise"]


def test_each_door_is_told_its_own_text() -> None:
    app = make_app()

    @app.query(description="For people.", agent=Agent(description="For agents."))
    def find() -> list[str]:
        return []

    assert operation_of(document_of(app), "find")["description"] == "For agents."
    assert operation_of(document_of(app, door=Door.APP), "find")["description"] == "For people."


def test_an_exposed_operation_without_any_text_has_no_description() -> None:
    app = make_app()

    @app.query(agent=Agent(expose=True))
    def find() -> list[str]:
        return []

    assert "description" not in operation_of(document_of(app), "find")


@pytest.mark.requirement("PAGE-03")
def test_a_paging_read_is_told_how_pages_travel_over_http() -> None:
    description = operation_of(document_of(travel()), "find_trips")["description"]
    assert description.startswith("Find trips. ")
    assert "Link" in description
    assert "1..9" in description


def test_what_openapi_has_no_word_for_is_under_vendor_keys() -> None:
    operation = operation_of(document_of(travel(), Principal("s", roles=["staff"])), "forget")
    assert {key: value for key, value in operation.items() if key.startswith("x-afford-")} == {
        "x-afford-kind": "event",
        "x-afford-reach": "principal",
        "x-afford-risk": "high",
        "x-afford-safety": "destructive",
    }


def test_every_parameter_states_style_and_explode_for_how_it_travels() -> None:
    told = parameters_of(document_of(travel()), "find_trips")
    assert {name: (item["style"], item["explode"]) for name, item in told.items()} == {
        "word": ("form", True),
        "ids": ("form", True),
        "between": ("deepObject", True),
        "sizes": ("form", True),
        "limit": ("form", True),
        "cursor": ("form", True),
    }


def test_parameters_say_what_they_are_for_and_whether_they_are_needed() -> None:
    told = parameters_of(document_of(travel()), "find_trips")
    assert told["word"] == {
        "name": "word",
        "in": "query",
        "description": "A word of the title.",
        "required": True,
        "style": "form",
        "explode": True,
        "schema": {"type": "string"},
        "example": "sea",
    }
    assert not told["between"]["required"]


def test_a_deprecated_input_is_a_deprecated_parameter() -> None:
    app = make_app()

    @app.query(description="Find.")
    def find(old: Annotated[str, Field(deprecated=True)] = "", new: str = "") -> list[str]:
        return []

    told = parameters_of(document_of(app), "find")
    assert told["old"]["deprecated"] is True
    assert "deprecated" not in told["new"]


def test_a_required_array_is_not_empty_since_an_empty_one_has_no_spelling() -> None:
    app = make_app()

    @app.query(description="Find.")
    def find(
        ids: list[int],
        more: Annotated[list[int], Field(min_length=2)],
        ends: Ends,
        other: list[int] | None = None,
    ) -> list[str]:
        return []

    document = document_of(app)
    told = parameters_of(document, "find")
    assert told["ids"]["schema"]["minItems"] == 1
    assert told["more"]["schema"]["minItems"] == 2
    assert told["ends"]["schema"]["minProperties"] == 1
    assert "minItems" not in told["other"]["schema"]


def test_null_is_no_value_of_a_parameter_since_it_has_no_spelling() -> None:
    app = make_app()

    @app.query(description="Find.")
    def find(
        size: Annotated[int, Field(ge=1, le=5, description="Its size.")] | None,
        word: Literal["a", "b"] | None,
        many: list[int | None],
        ends: Annotated[Ends | None, Field(description="Its ends.")],
    ) -> list[str]:
        return []

    document = document_of(app)
    told = parameters_of(document, "find")
    assert told["size"]["schema"] == {"type": "integer", "minimum": 1, "maximum": 5}
    assert told["size"]["description"] == "Its size."
    assert told["word"]["schema"] == {"type": "string", "enum": ["a", "b"]}
    assert told["many"]["schema"]["items"]["type"] == "integer"
    assert told["ends"]["schema"] == {"$ref": "#/components/schemas/find.input.Ends", "minProperties": 1}


def test_a_raw_schema_s_null_is_no_value_of_a_parameter_either() -> None:
    app = make_app()
    properties = {
        "a": {"type": ["string", "null"]},
        "b": {"type": ["integer", "number", "null"]},
        "c": {"oneOf": [{"type": "null"}, {"minimum": 5}], "type": ["integer", "null"], "minimum": 3},
        "d": {"anyOf": [{"const": "x"}, {"type": "null"}, {"const": "y"}]},
        "e": {"enum": ["x", None]},
    }
    schema = {"type": "object", "additionalProperties": False, "properties": properties, "required": ["a"]}

    @app.query(description="Find.", input_schema=schema)
    def find(arguments: dict) -> list[str]:
        return []

    told = parameters_of(document_of(app), "find")
    assert {name: told[name]["schema"] for name in properties} == {
        "a": {"type": "string"},
        "b": {"type": ["integer", "number"]},
        "c": {"oneOf": [{"minimum": 5}], "type": "integer", "minimum": 3, "maximum": 2**53 - 1},
        "d": {"anyOf": [{"const": "x"}, {"const": "y"}]},
        "e": {"enum": ["x"]},
    }


def test_an_input_that_only_a_branch_declares_is_still_a_parameter() -> None:
    app = make_app()
    schema = {
        "type": "object",
        "properties": {},
        "required": [],
        "unevaluatedProperties": False,
        "allOf": [{"properties": {"ids": {"type": "array", "items": {"type": "integer"}}}}],
    }

    @app.query(description="Find.", input_schema=schema)
    def find(arguments: dict) -> list[str]:
        return []

    told = parameters_of(document_of(app), "find")["ids"]
    assert (told["style"], told["schema"]) == ("form", {})


def test_a_row_says_that_it_is_the_only_one() -> None:
    app = make_app()

    @app.query(description="Find.")
    def find() -> Leg | None:
        return None

    document = document_of(app)
    assert response_of(document, "find", 200)["description"] == "The one row, in an array."
    assert response_of(document_of(travel()), "find_trips", 200)["description"] == "One page of rows."


def test_every_read_takes_limit_and_cursor_from_one_shared_place() -> None:
    document = document_of(travel())
    shared = [{"$ref": "#/components/parameters/limit"}, {"$ref": "#/components/parameters/cursor"}]
    assert operation_of(document, "kinds")["parameters"] == shared
    assert operation_of(document, "find_trips")["parameters"][-2:] == shared
    assert parameters_of(document, "kinds")["limit"]["schema"] == {"type": "integer"}
    assert parameters_of(document, "kinds")["cursor"]["schema"] == {"type": "string"}


@pytest.mark.requirement("PAGE-02")
def test_a_read_that_declares_limit_and_cursor_itself_publishes_its_own() -> None:
    document = document_of(travel())
    parameters = operation_of(document, "legs")["parameters"]
    assert [item["name"] for item in parameters] == ["limit", "cursor"]
    assert parameters[0]["schema"]["maximum"] == 3
    assert parameters[1]["schema"]["type"] == "number"


def test_several_examples_are_told_apart_by_the_call_they_belong_to() -> None:
    app = make_app()

    @app.query(description="Find.", example=[Example({"a": 1}, row="x"), Example({"b": 2}), Example({"a": 3, "b": 4})])
    def find(a: int = 0, b: int = 0) -> list[str]:
        return []

    document = document_of(app)
    told = parameters_of(document, "find")
    assert told["a"]["examples"] == {"example-1": {"value": 1}, "example-3": {"value": 3}}
    assert told["b"]["examples"] == {"example-2": {"value": 2}, "example-3": {"value": 4}}
    assert response_of(document, "find", 200)["content"]["application/json"]["example"] == ["x"]


def test_only_paging_reads_have_the_headers_of_pages() -> None:
    document = document_of(travel())
    assert [*response_of(document, "find_trips", 200)["headers"]] == ["Link", "X-Total-Count"]
    assert "headers" not in response_of(document, "legs", 200)
    assert "headers" not in response_of(document, "plant", 200)


def test_a_success_is_the_published_output() -> None:
    document = document_of(travel(), Principal("s", roles=["staff"]))
    rows = judge_of(document, schema_of(response_of(document, "find_trips", 200)))
    assert rows.is_valid([{"title": "t", "legs": [{"name": "a", "detours": [{"name": "b", "detours": []}]}]}])
    assert not rows.is_valid([{"title": "t", "legs": [{"name": "a", "detours": [{"name": "b", "extra": 1}]}]}])
    assert not rows.is_valid({"title": "t", "legs": []})
    assert schema_of(response_of(document, "forget", 200)) == {"type": "null"}
    assert schema_of(response_of(document, "plant", 200)) == {"type": "boolean"}


def test_a_write_takes_the_published_input_as_its_body() -> None:
    document = document_of(travel(), GUEST)
    body = operation_of(document, "book")["requestBody"]
    accepted = judge_of(document, schema_of(body))
    assert body["required"] is True
    assert accepted.is_valid({"trip": {"title": "t", "legs": []}, "seats": 2})
    assert not accepted.is_valid({"trip": {"title": "t", "legs": []}, "seat": 2})
    assert "parameters" not in operation_of(document, "book")


def test_a_body_may_be_left_out_where_nothing_is_required() -> None:
    document = document_of(travel(), Principal("s", roles=["staff"]))
    assert operation_of(document, "forget")["requestBody"]["required"] is False


def test_a_read_lists_exactly_the_codes_it_can_be_refused_with() -> None:
    assert codes_of(document_of(travel()), "legs") == {
        400: ["bad_request"],
        403: ["forbidden"],
        404: ["unknown_operation", "not_found"],
        409: ["conflict"],
        421: ["misdirected"],
        500: ["internal", "output_contract"],
        503: ["unavailable"],
        504: ["timeout"],
    }


def test_a_write_may_be_too_large_or_no_json() -> None:
    read, write = (codes_of(document_of(travel()), name) for name in ("kinds", "plant"))
    assert {status: codes for status, codes in write.items() if status not in read} == {
        413: ["too_large"],
        415: ["unsupported_media_type"],
    }


def test_an_operation_without_a_deadline_does_not_time_out() -> None:
    document = document_of(travel(), Principal("s", roles=["staff"]))
    assert 504 not in codes_of(document, "forget")
    assert 504 in codes_of(document, "book")


def test_an_operation_that_asks_a_person_is_refused_until_somebody_can_answer() -> None:
    app = make_app()

    @app.query(description="Find a guide.")
    def guides(month: int, wish: Annotated[Ends, Ask("Which days?")]) -> list[str]:
        return []

    @app.action(description="Book a guide.")
    def hire(wish: Annotated[Ends, Ask("Which days?")]) -> str:
        return ""

    document = document_of(app)
    for name in ("guides", "hire"):
        assert codes_of(document, name)[428] == ["input_required"]
        accepted = judge_of(document, schema_of(response_of(document, name, 428)))
        accepted.validate(problem_document(failure(Code.INPUT_REQUIRED, "Which days?", fix="Ask.")))
    names = {item.get("name") for item in operation_of(document, "guides")["parameters"]}
    assert "month" in names
    assert "wish" not in names
    assert 428 not in codes_of(document_of(travel()), "legs")


def test_an_answer_of_content_has_the_schema_that_is_judged() -> None:
    app = make_app()

    @app.query(description="Look at the sea.")
    def view() -> Image:
        return Image(b"...")

    @app.action(description="Listen to the sea.")
    def listen() -> Audio | Embedded:
        return Audio(b"...")

    @app.action(description="Describe the sea.")
    def describe() -> Result[Trip]:
        return Result(Trip(title="sea", legs=[]), [Image(b"...")])

    document = document_of(app)
    schemas = {name: schema_of(response_of(document, name, 200)) for name in ("view", "listen", "describe")}
    picture = {"type": "image", "mime_type": "image/png", "data": "Li4u"}
    judge_of(document, schemas["view"]).validate([picture])
    judge_of(document, schemas["listen"]).validate({"type": "resource", "uri": "sea://a", "text": "..."})
    judge_of(document, schemas["describe"]).validate({"title": "sea", "legs": []})
    assert not judge_of(document, schemas["view"]).is_valid([{**picture, "type": "video"}])


def test_tools_are_in_no_document_for_http() -> None:
    app = make_app()
    app.tool("sweep", handler=lambda word: word, description="Sweep.", args=[str])
    assert "/sweep" not in document_of(app)["paths"]


def test_rows_with_an_owner_may_be_held_back() -> None:
    app = make_app()

    @app.query(description="Find.", owner="title")
    def find() -> list[Trip]:
        return []

    assert codes_of(document_of(app), "find")[500] == ["internal", "output_contract", "reach_violation"]


def test_credentials_can_be_bad_only_where_there_are_some() -> None:
    assert 401 not in codes_of(document_of(travel()), "kinds")
    document = document_of(travel(), security=(BEARER,))
    assert codes_of(document, "kinds")[401] == ["unauthenticated"]
    challenge = resolved(document, response_of(document, "kinds", 401)["headers"]["WWW-Authenticate"])
    assert challenge["required"] is True


def test_every_status_and_code_agrees_with_the_table() -> None:
    document = document_of(travel(), GUEST, security=(BEARER,))
    for status, codes in codes_of(document, "book").items():
        assert all(TABLE[Code(code)].status == status for code in codes if code.islower())


@pytest.mark.requirement("HTTP-05")
def test_declared_problems_join_the_status_they_carry() -> None:
    codes = codes_of(document_of(travel(), GUEST), "book")
    assert codes[409] == ["conflict", "TRIP_FULL"]
    assert codes[422] == ["ODD_HOUR"]
    assert codes[503] == ["unavailable", "GUIDE_AWAY"]


def test_a_declared_problem_is_described_and_shown() -> None:
    document = document_of(travel(), GUEST)
    response = response_of(document, "book", 409)
    assert "`TRIP_FULL`: The trip is full. Take {other}. See https://trips.example/full." in response["description"]
    shown = response["content"]["application/problem+json"]["examples"]["TRIP_FULL"]["value"]
    assert (shown["code"], shown["status"], shown["fix"]) == ("TRIP_FULL", 409, "Take {other}.")
    judge_of(document, schema_of(response)).validate(shown)


def test_a_problem_that_an_operation_does_not_raise_is_not_its_own() -> None:
    assert codes_of(document_of(travel(), GUEST), "plant")[409] == ["conflict"]


def test_whatever_a_refusal_says_fits_the_document() -> None:
    document = document_of(travel(), GUEST, security=(BEARER,))
    fault = Fault(pointer="/a~1b", code=FaultCode.RULE, message="No.", expected="yes", suggestion=["yes"])
    for status, codes in codes_of(document, "book").items():
        accepted = judge_of(document, schema_of(response_of(document, "book", status)))
        for code in [Code(name) for name in codes if name.islower()]:
            full = failure(code, "Once.", fix="Stop.", faults=(fault,), retry_after=1.5, trace="0a")
            accepted.validate(problem_document(full))
            accepted.validate(problem_document(failure(code, "Once.")))


def test_a_refusal_with_a_member_or_a_code_of_its_own_does_not_fit_the_document() -> None:
    document = document_of(travel())
    accepted = judge_of(document, schema_of(response_of(document, "legs", 409)))
    told = problem_document(failure(Code.CONFLICT, "Twice."))
    assert accepted.is_valid(told)
    assert not accepted.is_valid({**told, "hint": "x"})
    assert not accepted.is_valid({**told, "code": "not_found"})
    assert not accepted.is_valid({**told, "status": 404})


def test_what_may_help_later_says_when() -> None:
    document = document_of(travel(), GUEST)
    assert "Retry-After" in response_of(document, "book", 503)["headers"]
    assert "Retry-After" in response_of(document, "book", 409)["headers"]
    assert "headers" not in response_of(document, "plant", 409)


def test_an_operation_for_everybody_takes_credentials_or_none() -> None:
    document = document_of(travel(), GUEST, security=(BEARER, API_KEY))
    assert document["components"]["securitySchemes"] == {"bearer": BEARER.definition, "x-api-key": API_KEY.definition}
    assert operation_of(document, "kinds")["security"] == [{}, {"bearer": []}, {"x-api-key": []}]
    assert operation_of(document, "book")["security"] == [{"bearer": []}, {"x-api-key": []}]


def test_a_rule_in_code_is_asked_about_anonymous_callers() -> None:
    app = make_app()

    @app.query(description="Find.", access=lambda caller: caller.door is Door.AGENT)
    def open_to_all() -> list[str]:
        return []

    @app.query(description="Find.", access=claim("tenant"))
    def tenants_only() -> list[str]:
        return []

    document = document_of(app, Principal("g", claims={"tenant": "a"}), security=(BEARER,))
    assert operation_of(document, "open_to_all")["security"] == [{}, {"bearer": []}]
    assert operation_of(document, "tenants_only")["security"] == [{"bearer": []}]


def test_without_security_schemes_nothing_is_said_about_credentials() -> None:
    document = document_of(travel())
    assert "securitySchemes" not in document["components"]
    assert "security" not in operation_of(document, "kinds")


def test_a_derived_closed_set_is_published_as_its_members() -> None:
    app = make_app()

    @app.query(description="Find.")
    def find(area: Annotated[str, Choices(lambda: ["b", "a"])]) -> list[str]:
        return []

    assert parameters_of(document_of(app), "find")["area"]["schema"]["enum"] == ["a", "b"]


def test_definitions_become_components_named_after_operation_side_and_definition() -> None:
    schemas = document_of(travel(), GUEST)["components"]["schemas"]
    assert {"book.input.Leg", "book.output.Leg", "plant.input.node", "Problem", "Fault"} <= schemas.keys()
    assert schemas["plant.input.node"]["properties"]["children"]["items"] == {
        "$ref": "#/components/schemas/plant.input.node"
    }


def test_a_reference_to_the_root_makes_the_root_a_component() -> None:
    schema = {"type": "object", "properties": {"next": {"$ref": "#"}}, "$schema": "x", "$id": "y"}
    moved = move_definitions(schema, "op.input")
    expected = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/op.input"}}}
    assert moved.schema == expected
    assert moved.components == {"op.input": expected}


def test_a_reference_to_any_other_place_makes_that_place_a_component() -> None:
    schema = {
        "properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}, "c": {"$ref": "#/anyOf/1"}},
        "anyOf": [True, {"$ref": "#/definitions/d"}],
        "definitions": {"d": {"$ref": "#/definitions/e"}, "e": False, "unused": {"$ref": "#/definitions/e"}},
    }
    assert move_definitions(schema, "p").components == {
        "p.a": {"type": "string"},
        "p.1": {"$ref": "#/components/schemas/p.d"},
        "p.d": {"$ref": "#/components/schemas/p.e"},
        "p.e": False,
    }


def test_names_that_no_key_may_hold_are_replaced_and_stay_apart() -> None:
    definitions = {"a/b": {"minimum": 1}, "a~b": {"minimum": 2}, "a b": {"minimum": 3}}
    references = ["#/$defs/a~1b", "#/$defs/a~0b", "#/$defs/a%20b"]
    moved = move_definitions({"$defs": definitions, "allOf": [{"$ref": reference} for reference in references]}, "p")
    assert moved.components == {"p.a_b": {"minimum": 1}, "p.a_b_": {"minimum": 2}, "p.a_b__": {"minimum": 3}}
    assert [part["$ref"].rpartition("/")[2] for part in moved.schema["allOf"]] == ["p.a_b", "p.a_b_", "p.a_b__"]


def test_a_discriminator_s_references_move_and_its_names_stay() -> None:
    discriminator = {"propertyName": "kind", "mapping": {"cat": "#/$defs/Cat", "dog": "Dog"}}
    moved = move_definitions({"discriminator": discriminator, "$defs": {"Cat": {"type": "object"}}}, "p")
    assert moved.schema["discriminator"]["mapping"] == {"cat": "#/components/schemas/p.Cat", "dog": "Dog"}
    assert moved.components == {"p.Cat": {"type": "object"}}


def test_data_that_looks_like_a_reference_is_left_alone() -> None:
    data = {"$ref": "#/$defs/x", "$defs": {}}
    schema = {"const": data, "default": data, "enum": [data], "examples": [data]}
    assert move_definitions(schema, "p") == move_definitions(schema, "q")
    assert move_definitions(schema, "p").schema == schema


def test_the_declared_schemas_are_not_changed() -> None:
    app = travel()
    before = json.dumps([operation.input.schema for operation in app.manifest().operations])
    document_of(app)
    assert json.dumps([operation.input.schema for operation in app.manifest().operations]) == before
