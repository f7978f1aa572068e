"""A target from the tools of an MCP server, as `tools/list` answers them; knows no transport."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from afford.catalog.builtins import BUILT_IN
from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described, Origin, Target
from afford.lint.targets.members import object_of, objects_in, objects_of, text_of
from afford.lint.targets.paging import without_pages

_PAGE_INPUTS: Final = frozenset({"limit", "cursor"})
"""What afford adds to the inputs of a tool that pages."""
_ANSWERS: Final = ("rows", "result")
"""Members that hold the answer itself in what afford serves."""


def is_tool_list(document: JsonValue) -> bool:
    """Whether it is a saved `tools/list`: a result, a whole response, or the bare list of tools."""
    return _tools_in(document) is not None


def from_tool_list(document: JsonValue, name: str) -> Target:
    """The target that a saved `tools/list` describes; what is malformed in a tool counts as not said.

    Args:
        document: the result, the whole JSON-RPC response, or the list of tools; `instructions` beside the tools, as a
            server says them when a client connects, are taken along.
        name: what to call it.
    """
    told = text_of(document, "instructions") if isinstance(document, dict) else ""
    return from_tools(_tools_in(document) or [], name, instructions=told)


def from_tools(tools: Sequence[JsonObject], name: str, *, instructions: str = "") -> Target:
    """The target that some tools make; those that afford adds by itself are no author's, and left out.

    Args:
        tools: as the protocol carries them, with `inputSchema` and the rest.
        name: what to call it.
        instructions: what the server says about itself.
    """
    declared = [tool for tool in tools if not (_is_ours(tool) and tool.get("name") in BUILT_IN)]
    ordered = sorted(map(_described, declared), key=lambda item: item.name)
    return Target(origin=Origin.MCP, name=name, operations=tuple(ordered), instructions=instructions)


def _tools_in(document: JsonValue) -> list[JsonObject] | None:
    if isinstance(document, list):
        tools = objects_in(document)
        return tools if tools and all("name" in item and "inputSchema" in item for item in tools) else None
    if not isinstance(document, dict):
        return None
    if isinstance(document.get("tools"), list):
        return objects_of(document, "tools")
    result = object_of(document, "result")
    return None if result is None or "tools" not in result else objects_of(result, "tools")


def _described(tool: JsonObject) -> Described:
    served, meta = text_of(tool, "description"), object_of(tool, "_meta") or {}
    hints = object_of(tool, "annotations")
    written, pages = without_pages(served)
    inputs = object_of(tool, "inputSchema")
    is_ours = _is_ours(tool)
    return Described(
        name=text_of(tool, "name"),
        title=text_of(tool, "title") or text_of(hints or {}, "title"),
        description=written,
        served=served,
        reads=_flag(hints, "readOnlyHint"),
        input_schema=inputs if pages is None or inputs is None else _without_page_inputs(inputs),
        output_schema=_answer(tool),
        safety=_safety(hints) if is_ours else None,
        risk=text_of(meta, "afford/risk") or None,
        reach=text_of(meta, "afford/reach") or None,
        hints=hints,
        pages=pages,
        raw=tool,
        tool=tool,
    )


def _is_ours(tool: JsonObject) -> bool:
    return any(key.startswith("afford/") for key in object_of(tool, "_meta") or {})


def _flag(hints: JsonObject | None, name: str) -> bool | None:
    value = (hints or {}).get(name)
    return value if isinstance(value, bool) else None


def _safety(hints: JsonObject | None) -> str:
    """The word that afford's hints were made from; other servers' hints are mere hints."""
    if _flag(hints, "readOnlyHint"):
        return "read"
    return "destructive" if _flag(hints, "destructiveHint") else "action"


def _without_page_inputs(schema: JsonObject) -> JsonObject:
    properties = object_of(schema, "properties") or {}
    return {**schema, "properties": {key: item for key, item in properties.items() if key not in _PAGE_INPUTS}}


def wrapping_of(tool: JsonObject) -> str | None:
    """The member of structured content that holds the answer itself, which may be no object; None: all of it does."""
    schema = object_of(tool, "outputSchema") or {}
    properties = object_of(schema, "properties") or {}
    wrapping = [name for name in _ANSWERS if _is_ours(tool) and schema.get("required") == [name]]
    # FastMCP marks what it wraps; the official SDK names it after the tool.
    named = schema.get("title") == f"{tool.get('name')}Output" and [*properties] == ["result"]
    if schema.get("x-fastmcp-wrap-result") is True or named:
        wrapping.append("result")
    return wrapping[0] if wrapping and isinstance(properties.get(wrapping[0]), dict) else None


def _answer(tool: JsonObject) -> JsonObject | None:
    """The schema of the answer itself, out of the object that the protocol asks for around lists and plain values."""
    schema, wrapping = object_of(tool, "outputSchema"), wrapping_of(tool)
    if schema is None or wrapping is None:
        return schema
    inner = object_of(object_of(schema, "properties") or {}, wrapping) or {}
    return {**inner, "$defs": schema["$defs"]} if "$defs" in schema else inner
