"""Large catalogs: instead of tools that would fill a client's context, a tool that finds them and one that calls them.

Pure, but for what it remembers. Sees the operations that one caller is offered and nothing else, so what is hidden is
never found. A deferred tool is left out of the list and stays callable by its name.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

import orjson

from afford.caller import Door
from afford.declare.vocabulary import Risk, Safety
from afford.errors import Code, Failure, JsonObject, JsonValue, failure
from afford.execute.refusals import bad_request
from afford.manifest import Operation
from afford.ranking import Document, Index
from afford.schema import judge_for
from afford.surfaces.mcp.project import Fragments, tool_description
from afford.surfaces.mcp.render import BYTES_PER_TOKEN, Budget, failed_result, succeeded_result
from afford.surfaces.mcp.schemas import TRUNCATED, input_schema
from afford.surfaces.wire import description

SEARCH_TOOL: Final = "afford_search_tools"
CALL_TOOL: Final = "afford_call_tool"
DEFAULT_TOKENS: Final = 20_000
"""Tokens of `tools/list` up to which everything is listed: a tenth of a usual context, where clients defer as well."""
SEARCH_FIRST: Final = (
    f"Most tools are not listed. Search first: `{SEARCH_TOOL}` finds them by what they do. Then call: `{CALL_TOOL}` "
    "takes the name that was found, and arguments that its input_schema accepts. What is not found under any words "
    "does not exist for this caller."
)
"""What server instructions say of the list when it defers."""

_RESERVED: Final = "afford_"
"""How the wire names of built-in tools begin, and of no others; they are few and stay listed."""
_WEIGHTS: Final = (1.0, 1.0, 2.0, 1.0, 1.0)
"""Names, titles and tags, descriptions, names of inputs, texts of inputs; measured by `benchmarks/retrieval.py`."""
_MOST_VALUES: Final = 50
"""Members of one closed set that can be searched for."""
_MOST_INDEXES: Final = 8
"""Sets of operations whose index is kept; beyond, the least recently used is forgotten."""
_FOUND: Final = 5
_MOST_FOUND: Final = 20
_LONGEST_QUERY: Final = 500
"""Characters; whoever asks for more words is not searching."""

_SEARCH_INPUT: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": _LONGEST_QUERY,
            "description": "What the tool should do, in the person's words or in key words; or a tool's name.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": _MOST_FOUND,
            "default": _FOUND,
            "description": f"Tools wanted; {_FOUND} unless said otherwise.",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
_SEARCH_OUTPUT: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "rows": {
            "type": "array",
            "description": "The best match first.",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": f"What `{CALL_TOOL}` takes."},
                    "title": {"type": "string", "description": "For people."},
                    "description": {"type": "string", "description": "What it is for, and when to call it."},
                    "input_schema": {"type": "object", "description": "JSON Schema of its arguments."},
                    "risk": {"type": "string", "enum": [word.value for word in Risk]},
                    "safety": {"type": "string", "enum": [word.value for word in Safety]},
                },
                "required": ["name", "title", "description", "input_schema", "risk", "safety"],
                "additionalProperties": False,
            },
        },
        "truncated": TRUNCATED,
        "hint": {"type": "string", "description": "Present when nothing was found: what to try."},
    },
    "required": ["rows"],
    "additionalProperties": False,
}
_CALL_INPUT: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": f"Name of the tool, as `{SEARCH_TOOL}` found it."},
        "arguments": {
            "type": "object",
            "additionalProperties": True,
            "description": "Its arguments, by its own input_schema; none unless said.",
        },
    },
    "required": ["name"],
    "additionalProperties": False,
}
_NOTHING: Final = (
    "No tool shares a word with the query. Try other words for the same thing, such as those of the server's "
    "instructions; shorter queries find more."
)


def search_tool() -> JsonObject:
    """The tool that finds tools (specification, "Tools", "Data Types")."""
    return {
        "name": SEARCH_TOOL,
        "title": "Search tools",
        "description": (
            "Find the tool for a task: this server has many more tools than it lists. Call it before anything else, "
            "and again in other words when no row fits. Each row is a whole tool, the best match first; call it by "
            f"`{CALL_TOOL}`."
        ),
        "inputSchema": _SEARCH_INPUT,
        "outputSchema": _SEARCH_OUTPUT,
        "annotations": {
            "title": "Search tools",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "_meta": {"afford/risk": Risk.LOW.value, "afford/kind": "query"},
    }


def call_tool(operations: Sequence[Operation]) -> JsonObject:
    """The tool that calls tools. It may do whatever any of them does, and says so; what it answers is left open."""
    risks = {operation.risk for operation in operations}
    return {
        "name": CALL_TOOL,
        "title": "Call a tool",
        "description": (
            f"Call a tool that `{SEARCH_TOOL}` has found. It does and answers exactly what the tool itself does, so "
            "its risk and safety are those of the row."
        ),
        "inputSchema": _CALL_INPUT,
        "annotations": {
            "title": "Call a tool",
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": any(operation.open_world for operation in operations),
        },
        "_meta": {
            "afford/risk": max(risks, key=list(Risk).index, default=Risk.LOW).value,
            "afford/kind": "action",
        },
    }


def called_tool(arguments: JsonObject) -> tuple[str, JsonObject] | Failure:
    """Name and arguments of the tool that is meant; a refusal where the call tool's own schema refuses them."""
    judge = judge_for(_CALL_INPUT)
    if not judge.accepts(arguments):
        return bad_request(judge.faults(arguments))
    name, inner = arguments["name"], arguments.get("arguments", {})
    return str(name), inner if isinstance(inner, dict) else {}


def document(operation: Operation) -> Document:
    """What an operation is found by: its names, titles, descriptions, and those of its inputs at any depth."""
    names, texts = zip(*_inputs(operation.input.schema), strict=True)
    return Document(
        operation.wire_name,
        (
            operation.wire_name,
            " ".join((operation.title, *operation.tags)),
            description(operation, Door.AGENT),
            " ".join(names),
            " ".join(texts),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """An index, with the operations that it is of: while they are kept, no other object has their identity."""

    operations: dict[str, Operation]
    """By wire name."""
    index: Index


class Deferral:
    """Decides whether a list defers, and answers what takes its place. Safe to use from several threads."""

    def __init__(self, tokens: int | None, fragments: Fragments) -> None:
        """Prepare.

        Args:
            tokens: what a whole `tools/list` may have; 0 or None: it never defers.
            fragments: tools as they would be listed.
        """
        self._bytes = (tokens or 0) * BYTES_PER_TOKEN
        self._fragments = fragments
        self._known: OrderedDict[tuple[int, ...], _Known] = OrderedDict()
        self._lock = Lock()
        self._search = orjson.dumps(search_tool())

    def applies(self, operations: Sequence[Operation]) -> bool:
        """Whether the list of these operations would be over the budget, estimated from its JSON."""
        if self._bytes <= 0:
            return False
        size = 0
        for operation in operations:
            size += len(self._fragments.of(operation)) + 1
            if size > self._bytes:
                return True
        return False

    def listed(self, operations: Sequence[Operation]) -> list[bytes]:
        """The tools that remain in the list, as JSON, sorted by name: the two of this module and the built-in ones."""
        kept = {
            operation.wire_name: self._fragments.of(operation)
            for operation in operations
            if operation.wire_name.startswith(_RESERVED)
        }
        kept[SEARCH_TOOL] = self._search
        kept[CALL_TOOL] = orjson.dumps(call_tool(operations))
        return [kept[name] for name in sorted(kept)]

    def search(self, operations: Sequence[Operation], arguments: JsonObject, budget: Budget) -> bytes:
        """The members of a `CallToolResult` for a search.

        Args:
            operations: everything that can be found.
            arguments: those of the search tool, not yet judged.
            budget: what the result may have; over it, the worst matches are cut.
        """
        judge = judge_for(_SEARCH_INPUT)
        if not judge.accepts(arguments):
            return failed_result(bad_request(judge.faults(arguments)))
        limit = arguments.get("limit")
        # JSON Schema counts 5.0 among the integers.
        wanted = int(limit) if isinstance(limit, (int, float)) else _FOUND
        found = self.found(operations, str(arguments["query"]), wanted)
        return _result([orjson.dumps(_row(operation)) for operation in found], budget)

    def found(self, operations: Sequence[Operation], query: str, limit: int) -> list[Operation]:
        """The operations that match best; one whose name is the query comes first."""
        known = self._known_of(operations)
        names = known.index.search(query, limit)
        exact = query.strip()
        if exact in known.operations:
            names = [exact, *(name for name in names if name != exact)][:limit]
        return [known.operations[name] for name in names]

    def _known_of(self, operations: Sequence[Operation]) -> _Known:
        """The index of exactly these operations; whoever comes while it is built waits for it."""
        key = tuple(map(id, operations))
        with self._lock:
            known = self._known.pop(key, None)
            if known is None:
                by_name = {operation.wire_name: operation for operation in operations}
                known = _Known(by_name, Index(map(document, operations), _WEIGHTS))
            self._known[key] = known
            if len(self._known) > _MOST_INDEXES:
                self._known.popitem(last=False)
        return known


def _row(operation: Operation) -> JsonObject:
    return {
        "name": operation.wire_name,
        "title": operation.title,
        "description": tool_description(operation),
        "input_schema": input_schema(operation),
        "risk": operation.risk.value,
        "safety": operation.safety.value,
    }


def _result(rows: list[bytes], budget: Budget) -> bytes:
    """Rows as a result: as many as fit, and what to do about the others or about none."""
    if not rows:
        return succeeded_result(orjson.dumps({"rows": [], "hint": _NOTHING}))
    kept, size = 0, 0
    while kept < len(rows) and size + len(rows[kept]) <= budget.bytes * 9 // 10:
        size += len(rows[kept]) + 1
        kept += 1
    if kept == 0:
        message = f"the description of the best match is over the budget of {budget.tokens} tokens"
        return failed_result(failure(Code.TOO_LARGE, message, fix="search in other words"))
    body = b'{"rows":[' + b",".join(rows[:kept]) + b"]"
    if kept < len(rows):
        hint = "search for the others in words that only they match"
        body += b',"truncated":' + orjson.dumps({"returned": kept, "of": len(rows), "hint": hint})
    return succeeded_result(body + b"}")


def _inputs(schema: JsonValue, name: str = "") -> Iterator[tuple[str, str]]:
    """Name and text of a schema and of everything in it; places without a name have the empty one."""
    if isinstance(schema, list):
        for item in schema:
            yield from _inputs(item)
    if not isinstance(schema, dict):
        return
    yield name, " ".join(_said(schema))
    for key, inner in schema.items():
        if key in ("properties", "$defs") and isinstance(inner, dict):
            for own, property_schema in inner.items():
                yield from _inputs(property_schema, own if key == "properties" else "")
        elif key in ("items", "additionalProperties", "prefixItems", "anyOf", "oneOf", "allOf"):
            yield from _inputs(inner)


def _said(schema: JsonObject) -> Iterator[str]:
    """What a schema says in words: its description, and the values of a closed set."""
    said, values = schema.get("description"), schema.get("enum", [schema.get("const")])
    if isinstance(said, str):
        yield said
    if isinstance(values, list):
        yield from (value for value in values[:_MOST_VALUES] if isinstance(value, str))
