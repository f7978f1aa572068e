"""The projection from a manifest to MCP lists: pure, in a fixed order, the same on every transport.

What one operation looks like is written once and kept as bytes, since lists are joined far more often than changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import orjson

from afford.caller import Door
from afford.declare.vocabulary import Paging, Safety
from afford.errors import JsonObject, JsonValue
from afford.manifest import Manifest, Operation, Prompt, Readable, Resource
from afford.surfaces.mcp.protocol import INVALID_PARAMS, ProtocolError
from afford.surfaces.mcp.schemas import input_schema, output_schema
from afford.surfaces.wire import description

ItemT = TypeVar("ItemT")

UNPAGED: Final = 200
"""Items that are listed in one answer; more are listed in pages."""
MOST_REMEMBERED: Final = 4096
"""Operations about which something is remembered by name; beyond, what was learnt first is forgotten, since providers
may hand out tools under ever new names."""
PAGE: Final = 100
"""Items on one page of a longer list."""
WHOLE_LIST: Final = "A tool that is not listed does not exist for this caller."
"""What server instructions say of a list that holds everything."""


def tool(operation: Operation) -> JsonObject:
    """One operation as an MCP tool (specification, "Tools", "Data Types")."""
    members: JsonObject = {
        "name": operation.wire_name,
        "title": operation.title,
        "description": tool_description(operation),
        "inputSchema": input_schema(operation),
    }
    result = output_schema(operation)
    if result is not None:
        members["outputSchema"] = result
    members["annotations"] = hints(operation)
    members["_meta"] = {
        "afford/risk": operation.risk.value,
        "afford/reach": operation.reach.value,
        "afford/kind": operation.kind.value,
    }
    return members


def tool_description(operation: Operation) -> str:
    """What agents are told, with what only MCP can say about pages; authors never write this."""
    text = description(operation, Door.AGENT)
    if operation.paging is None:
        return text
    return f"{text} {mcp_page_sentences(operation.paging)}".strip()


def mcp_page_sentences(paging: Paging) -> str:
    """How pages travel over MCP; authors never write this."""
    return (
        f"This answers one page of a larger set: {paging.default} rows, or as many as `limit` says, clamped to "
        f"1..{paging.max} and never refused. While more rows match, the answer has `next_cursor`: send it back as "
        "`cursor` with everything else unchanged, and go on until there is none."
    )


def hints(operation: Operation) -> JsonObject:
    """Title and all four hints, always: clients decide by them whether to ask a person."""
    return {
        "title": operation.title,
        "readOnlyHint": operation.safety is Safety.READ,
        "destructiveHint": operation.safety is Safety.DESTRUCTIVE,
        "idempotentHint": operation.idempotent,
        "openWorldHint": operation.open_world,
    }


def instructions(manifest: Manifest, listing: str = WHOLE_LIST) -> str:
    """What a client reads first: what the application is for, and the few rules that hold for all of its tools.

    Args:
        manifest: what the caller may see.
        listing: what to say of the list of tools.
    """
    title, _, purpose = manifest.app
    paging = any(operation.paging is not None for operation in manifest.operations)
    lines = [f"{title}: {purpose}" if purpose else title]
    features = [f"{feature.name}: {feature.description}" for feature in manifest.features if feature.description]
    lines.extend(features)
    if paging:
        lines.append("Lists come in pages: send `next_cursor` back as `cursor` until there is none.")
    lines.append(
        "A refused call names every fault and a fix: correct the arguments it names and call again. " + listing
    )
    return "\n".join(lines)


class Fragments:
    """Tools as JSON bytes, written once per operation; both eras take the same."""

    def __init__(self) -> None:
        """Start with none."""
        self._known: OrderedDict[str, tuple[Operation, bytes]] = OrderedDict()

    def of(self, operation: Operation) -> bytes:
        """The tool as JSON."""
        known = self._known.get(operation.wire_name)
        if known is None or known[0] is not operation:
            known = self._known[operation.wire_name] = (operation, orjson.dumps(tool(operation)))
            if len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        return known[1]


def page_of(
    items: Sequence[ItemT], after: str | None, key: Callable[[ItemT], str]
) -> tuple[Sequence[ItemT], str | None]:
    """One page of a list that is sorted by a key, and the key it ends with when more follow."""
    rest = items if after is None else items[bisect_right(items, after, key=key) :]
    if len(items) <= UNPAGED or len(rest) <= PAGE:
        return rest, None
    page = rest[:PAGE]
    return page, key(page[-1])


def cursor_of(params: JsonObject) -> str | None:
    """Where the page before ended; None: the first page is wanted.

    Raises:
        ProtocolError: it is no text.
    """
    cursor = params.get("cursor")
    if cursor is None or isinstance(cursor, str):
        return cursor
    raise ProtocolError(INVALID_PARAMS, "params.cursor must be the nextCursor of the page before")


def listing(key: str, fragments: Sequence[bytes], more: str | None) -> list[bytes]:
    """The members of a list result: fragments, and the next page. In pieces, since a long list is copied only once."""
    pieces = [b'"', key.encode("ascii"), b'":[']
    for fragment in fragments:
        pieces += (fragment, b",")
    if fragments:
        pieces.pop()
    pieces.append(b"]" if more is None else b'],"nextCursor":' + orjson.dumps(more))
    return pieces


def resource(readable: Readable) -> JsonObject:
    """One document as an MCP resource (specification, "Resources", "Resource")."""
    return {"uri": readable.uri, "name": readable.name, **_described(readable.resource)}


def template(resource: Resource) -> JsonObject:
    """Many documents as an MCP resource template."""
    return {"uriTemplate": resource.template.text, "name": resource.name, **_described(resource)}


def prompt(item: Prompt) -> JsonObject:
    """One prompt (specification, "Prompts", "Prompt")."""
    schema = item.operation.input.schema
    properties, required = schema.get("properties"), schema.get("required")
    needed = set(required) if isinstance(required, list) else set[JsonValue]()
    arguments: list[JsonValue] = []
    for name, part in (properties if isinstance(properties, dict) else {}).items():
        argument: JsonObject = {"name": name, "required": name in needed}
        text = part.get("description") if isinstance(part, dict) else None
        if text:
            argument["description"] = text
        arguments.append(argument)
    members: JsonObject = {"name": item.name, "title": item.title}
    if item.description:
        members["description"] = item.description
    return {**members, "arguments": arguments}


def _described(resource: Resource) -> JsonObject:
    members: JsonObject = {}
    if resource.description:
        members["description"] = resource.description
    if resource.mime_type is not None:
        members["mimeType"] = resource.mime_type
    return members
