"""The projection from a manifest to MCP lists: pure, in a fixed order, the same on every transport.

What one operation looks like is written once and kept as bytes, since lists are joined far more often than changed.
"""

from __future__ import annotations

from typing import Final

import orjson

from afford.caller import Door
from afford.declare.vocabulary import Safety
from afford.errors import JsonObject, JsonValue
from afford.manifest import Manifest, Operation
from afford.surfaces.mcp.schemas import input_schema, output_schema
from afford.surfaces.wire import description

UNPAGED: Final = 200
"""Tools that are listed in one answer; more are listed in pages."""
PAGE: Final = 100
"""Tools on one page of a longer list."""
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
    paging = operation.paging
    return (
        f"{text} This answers one page of a larger set: {paging.default} rows, or as many as `limit` says, clamped to "
        f"1..{paging.max} and never refused. While more rows match, the answer has `next_cursor`: send it back as "
        "`cursor` with everything else unchanged, and go on until there is none."
    ).strip()


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
        self._known: dict[str, tuple[Operation, bytes]] = {}

    def of(self, operation: Operation) -> bytes:
        """The tool as JSON."""
        known = self._known.get(operation.wire_name)
        if known is None or known[0] is not operation:
            known = self._known[operation.wire_name] = (operation, orjson.dumps(tool(operation)))
        return known[1]


def page_of(operations: tuple[Operation, ...], after: str | None) -> tuple[tuple[Operation, ...], str | None]:
    """One page of a list that is sorted by wire name, and the name it ends with when more follow."""
    rest = operations if after is None else tuple(item for item in operations if item.wire_name > after)
    if len(operations) <= UNPAGED or len(rest) <= PAGE:
        return rest, None
    page = rest[:PAGE]
    return page, page[-1].wire_name


def listing(key: str, fragments: list[bytes], extra: JsonObject) -> bytes:
    """A list result: joined fragments and the members beside them."""
    head = b'{"' + key.encode("ascii") + b'":[' + b",".join(fragments) + b"]"
    rest: dict[str, JsonValue] = extra
    return head + b"," + orjson.dumps(rest)[1:] if rest else head + b"}"
