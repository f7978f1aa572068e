"""`Target`: what is linted, in one form, whatever it was read from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from afford.errors import JsonObject, JsonValue


class Origin(StrEnum):
    """What a target was read from; decides which rules can say anything about it."""

    APP = "app"
    CATALOG = "catalog"
    """A schema catalog: `queries` and `actions`."""
    OPENAPI = "openapi"
    MCP = "mcp"
    """A server, or a saved `tools/list`."""


class Form(StrEnum):
    """Where an answer's pages are announced, and so what a description has to say about them."""

    LINK = "link"
    """HTTP: a `Link` header."""
    CURSOR = "cursor"
    """MCP: a member of the answer, sent back as an argument."""


SERVED_BY_US: Final = frozenset({Origin.APP, Origin.CATALOG})
"""Where the house style holds: every schema is closed and complete by contract."""
ELSEWHERE: Final = frozenset({Origin.OPENAPI, Origin.MCP})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """How a paging operation is sized; None where the target does not say."""

    default: int | None = None
    most: int | None = None
    form: Form = Form.LINK
    is_written: bool = False
    """Whether the server writes the sentences about pages itself, so that the author's text need not have them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One operation as a model reads it. None: the target does not say."""

    name: str
    """Name on the wire."""
    title: str = ""
    description: str = ""
    """As its author wrote it, without sentences that the server adds."""
    served: str = ""
    """As it is sent, with them; empty: as written."""
    reads: bool | None = None
    """Whether it only reads: a query, or a tool that says so."""
    input_schema: JsonObject | None = None
    output_schema: JsonObject | None = None
    """Of the whole answer: an array of rows for a query of a schema catalog; without the wrapping that MCP adds."""
    safety: str | None = None
    """read, action or destructive."""
    risk: str | None = None
    reach: str | None = None
    hints: Mapping[str, JsonValue] | None = None
    """MCP annotations as they were sent; None where there is no such thing."""
    pages: Pages | None = None
    """None: it does not page, or does not say."""
    example_params: JsonObject | None = None
    example_row: JsonValue = None
    """None: there is no example, as no example is null."""
    entity: str | None = None
    raw: JsonObject = field(default_factory=dict[str, JsonValue])
    """The descriptor, tool or OpenAPI operation itself."""
    tool: JsonObject | None = None
    """As MCP carries it; None where it has another form."""
    refusals: tuple[str, ...] = ()
    """What it tells callers in refusals of its own: titles and fixes."""
    ignored: Mapping[str, str] = field(default_factory=dict[str, str])
    """Rules that its author switched off here, each with the reason."""
    location: str | None = None
    """`file:line` of the declaration."""

    @property
    def text(self) -> str:
        """The description as it is sent."""
        return self.served or self.description

    @property
    def inputs(self) -> JsonObject:
        """The published inputs by name."""
        properties = (self.input_schema or {}).get("properties")
        return properties if isinstance(properties, dict) else {}

    @property
    def required(self) -> frozenset[str]:
        """Names of the inputs that have to be sent."""
        required = (self.input_schema or {}).get("required")
        return frozenset(map(str, required)) if isinstance(required, list) else frozenset()

    @property
    def row(self) -> JsonObject | None:
        """The schema of one row of the answer, or of the whole answer where it is no list; references as they are."""
        schema = self.output_schema
        items = schema.get("items") if schema is not None else None
        return items if isinstance(items, dict) else schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A text that a model reads beside the operations."""

    subject: str
    """What it belongs to, such as `screen:home` or `resource:notes`."""
    text: str
    location: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Everything that is linted together."""

    origin: Origin
    name: str
    operations: tuple[Described, ...]
    """By name, in code point order."""
    instructions: str = ""
    """What the server says about itself."""
    prose: tuple[Prose, ...] = ()

    def find(self, name: str) -> Described | None:
        """The operation of that name."""
        return next((item for item in self.operations if item.name == name), None)

    def strings(self) -> Iterator[tuple[str, str, str]]:
        """Every string that a model reads: subject, JSON pointer into the raw form (empty for prose), text."""
        if self.instructions:
            yield "", "", self.instructions
        for prose in self.prose:
            yield prose.subject, "", prose.text
        for operation in self.operations:
            yield operation.name, "/title", operation.title
            yield operation.name, "/description", operation.text
            for part, schema in (
                ("/input_schema", operation.input_schema),
                ("/output_schema", operation.output_schema),
            ):
                yield from ((operation.name, pointer, text) for pointer, text in _strings(schema, part))
            examples = (("/example_params", operation.example_params), ("/example_row", operation.example_row))
            for part, example in examples:
                yield from ((operation.name, pointer, text) for pointer, text in _strings(example, part))
            yield from ((operation.name, "", text) for text in operation.refusals)


def target(origin: Origin, *operations: Described, name: str = "", instructions: str = "") -> Target:
    """A target of some operations, in the order that every target has."""
    ordered = tuple(sorted(operations, key=lambda item: item.name))
    return Target(origin=origin, name=name, operations=ordered, instructions=instructions)


def _strings(value: JsonValue, pointer: str) -> Iterator[tuple[str, str]]:
    """Every string inside a JSON value, keys of `properties` left out: they are names, and judged as such."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _strings(item, f"{pointer}/{position}")
