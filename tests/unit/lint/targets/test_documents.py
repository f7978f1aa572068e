"""Targets from other people's documents: OpenAPI, and what MCP servers answer to `tools/list`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, cast

import pytest
from fastapi import FastAPI, Query
from fastmcp import Client, FastMCP
from mcp.server import MCPServer
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from afford import App, Page, PageRequest, Paging, anyone
from afford.authentication import combine
from afford.caller import Caller, Door, Surface
from afford.errors import JsonObject, JsonValue
from afford.lint.engine import run
from afford.lint.rules import all_rules
from afford.lint.target import Described, Form, Origin, Target
from afford.lint.targets.app import from_catalog
from afford.lint.targets.openapi import from_openapi
from afford.lint.targets.reading import TargetError, from_document, read_target
from afford.manifest import Manifests
from afford.serving import openapi_of
from afford.surfaces.mcp.project import tool


class Room(BaseModel):
    room_id: Annotated[int, Field(description="Identifies the room.")]
    name: str | None = None


class Booking(BaseModel):
    room: Room
    nights: Annotated[int, Field(ge=1)]


def found_in(target: Target, name: str) -> Described:
    described = target.find(name)
    assert described is not None, [item.name for item in target.operations]
    return described


def fastapi_target() -> Target:
    api = FastAPI(title="Hotel", description="Rooms of one hotel.")

    @api.get("/rooms/{floor}", operation_id="list_rooms", description="Find the rooms of a floor.")
    def list_rooms(floor: int, limit: Annotated[int, Query(description="Rooms wanted.")] = 5) -> list[Room]:
        return []

    @api.post("/bookings", operation_id="book", summary="Book one")
    def book(booking: Booking) -> Room:
        return booking.room

    @api.delete("/bookings/{booking_id}")
    def cancel(booking_id: str) -> None:
        return None

    @api.post("/search", operation_id="searchRooms")
    def search(booking: Booking) -> None:
        return None

    return from_document(cast("JsonValue", json.loads(json.dumps(api.openapi()))), "openapi.json")


def test_a_fastapi_application_is_read_with_inputs_answers_and_components() -> None:
    target = fastapi_target()
    assert target.origin is Origin.OPENAPI
    assert target.instructions == "Rooms of one hotel."
    rooms = found_in(target, "list_rooms")
    assert rooms.reads is True
    assert rooms.safety == "read"
    assert set(rooms.inputs) == {"floor", "limit"}
    assert rooms.required == {"floor"}
    assert rooms.row is not None
    assert rooms.row["$ref"] == "#/$defs/Room"
    assert "Room" in cast("JsonObject", cast("JsonObject", rooms.output_schema)["$defs"])
    book = found_in(target, "book")
    assert book.reads is False
    assert book.required == {"room", "nights"}
    assert book.description == "Book one"
    run(target, all_rules())


def test_a_summary_that_repeats_the_name_describes_nothing() -> None:
    cancel = next(item for item in fastapi_target().operations if item.name.startswith("cancel"))
    assert cancel.description == ""


def test_a_post_that_may_only_read_is_not_said_to_write() -> None:
    assert found_in(fastapi_target(), "searchRooms").reads is None


def test_a_document_of_3_0_is_read_in_the_json_schema_of_today() -> None:
    amount: JsonObject = {"type": "number", "nullable": True, "minimum": 0, "exclusiveMinimum": True}
    node: JsonObject = {
        "type": "object",
        "properties": {
            "nullable": {"type": "string"},
            "amount": amount,
            "next": {"$ref": "#/components/schemas/Node", "nullable": True},
        },
    }
    answer: JsonObject = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}
    shared: JsonObject = {"name": "q", "in": "query", "required": True, "schema": {"type": "string"}, "example": "x"}
    document: JsonObject = {
        "openapi": "3.0.3",
        "paths": {
            "/nodes": {
                "parameters": [{"$ref": "#/components/parameters/q"}],
                "get": {"responses": {"200": {"$ref": "#/components/responses/node"}}},
            }
        },
        "components": {"schemas": {"Node": node}, "parameters": {"q": shared}, "responses": {"node": answer}},
    }
    described = found_in(from_openapi(document, "x"), "get /nodes")
    schema = cast("JsonObject", described.output_schema)
    fields = cast("dict[str, JsonObject]", cast("dict[str, JsonObject]", schema["$defs"])["Node"]["properties"])
    assert schema["$ref"] == "#/$defs/Node"
    assert fields["amount"] == {"type": ["number", "null"], "exclusiveMinimum": 0}
    assert fields["nullable"] == {"type": "string"}
    assert fields["next"] == {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
    assert described.required == {"q"}
    assert described.example_params == {"q": "x"}


@pytest.mark.parametrize(
    "document",
    [
        {"openapi": "3.1.0"},
        {"openapi": "3.1.0", "paths": {"/x": {"get": {}, "post": {"requestBody": 5, "parameters": [5]}, "put": None}}},
        {"openapi": "3.1.0", "paths": {"/x": {"$ref": "#/paths/~1x"}}},
        {
            "openapi": "3.1.0",
            "paths": {
                "/x": {
                    "post": {
                        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}
                    }
                }
            },
            "components": {"schemas": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}}},
        },
        {"tools": [{}, {"name": 5, "inputSchema": [], "annotations": "x", "_meta": None, "outputSchema": 1}]},
    ],
)
def test_malformed_documents_are_read_as_far_as_they_go(document: JsonObject) -> None:
    run(from_document(document, "x.json"), all_rules())


async def test_a_fastmcp_server_is_read_without_what_the_protocol_wraps() -> None:
    server = FastMCP("hotel", instructions="Rooms of one hotel.")

    @server.tool(annotations=ToolAnnotations(read_only_hint=True))
    def rooms(floor: int) -> list[Room]:
        """Find the rooms of a floor."""
        return []

    async with Client(server) as client:
        tools = [
            cast("JsonValue", item.model_dump(mode="json", by_alias=True, exclude_none=True))
            for item in await client.list_tools()
        ]
    for document in ({"tools": tools}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}, tools):
        target = from_document(cast("JsonValue", document), "tools.json")
        assert target.origin is Origin.MCP
        described = found_in(target, "rooms")
        assert described.reads is True
        assert described.safety is None
        assert described.description == "Find the rooms of a floor."
        assert cast("JsonObject", described.output_schema)["type"] == "array"
        run(target, all_rules())


async def test_a_server_of_the_official_sdk_is_read_without_its_wrapping() -> None:
    server = MCPServer("hotel")

    @server.tool()
    def rooms(floor: int) -> list[Room]:
        """Find the rooms of a floor."""
        return []

    tools = [item.model_dump(mode="json", by_alias=True, exclude_none=True) for item in await server.list_tools()]
    described = found_in(from_document(cast("JsonValue", {"tools": tools}), "tools.json"), "rooms")
    assert described.reads is None
    assert cast("JsonObject", described.output_schema)["type"] == "array"
    assert described.row is not None


def make_app() -> App:
    app = App("hotel", access=anyone())

    @app.query(description="Find rooms for the person.", paging=Paging(default=20, max=50))
    def rooms(page: PageRequest, floor: int) -> Page[Room]:
        return Page([], None)

    @app.action(description="Book a room for the person, who said yes to it.")
    def book(nights: int) -> Room:
        return Room(room_id=nights)

    return app


@pytest.mark.requirement("LINT-20")
def test_tools_of_an_afford_app_are_read_as_they_were_declared() -> None:
    catalog = make_app().build()
    tools: list[JsonValue] = [tool(item) for name, item in catalog.operations.items() if name in ("rooms", "book")]
    served, own = from_document({"tools": tools}, "tools.json"), from_catalog(catalog)
    rooms = found_in(served, "rooms")
    assert rooms.pages is not None
    assert (rooms.pages.default, rooms.pages.most, rooms.pages.form) == (20, 50, Form.CURSOR)
    for name in ("rooms", "book"):
        for part in ("description", "input_schema", "output_schema", "safety", "risk", "reach"):
            assert getattr(found_in(served, name), part) == getattr(found_in(own, name), part)


@pytest.mark.requirement("LINT-20")
def test_the_openapi_document_of_an_afford_app_is_read_as_it_was_declared() -> None:
    app = make_app()
    catalog = app.build()
    manifest = Manifests(catalog).of(Caller(None, Door.AGENT, Surface.HTTP))
    served = from_document(
        cast("JsonValue", openapi_of(manifest, "/api", chain=combine(app.authenticators))), "openapi.json"
    )
    own = from_catalog(catalog)
    for name in ("rooms", "book"):
        for part in ("description", "pages", "required", "safety", "risk", "reach", "reads"):
            assert getattr(found_in(served, name), part) == getattr(found_in(own, name), part)
        assert found_in(served, name).inputs.keys() == found_in(own, name).inputs.keys()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b"{}", b'{"swagger": "2.0"}'])
def test_a_file_that_is_nothing_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(TargetError):
        read_target(str(path))
