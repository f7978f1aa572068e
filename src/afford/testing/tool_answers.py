"""Tool results and JSON-RPC errors as answers, in the form that every other link gives them.

Knows results of both eras and the declaration of the operation that answered; knows no frames and no transport.
"""

from __future__ import annotations

from typing import cast

import orjson

from afford.errors import Code, JsonObject, JsonValue
from afford.manifest import Operation
from afford.surfaces.mcp.protocol import INVALID_PARAMS, MISSING_CAPABILITY
from afford.surfaces.mcp.schemas import ResultShape, result_shape
from afford.testing.answer import Answer, CallFailed


def answer_of(result: JsonObject, operation: Operation | None) -> Answer:
    """What a `CallToolResult` says; a tool that no operation declares answers its structured content as it is."""
    content = cast("list[JsonObject]", result["content"])
    if result.get("isError"):
        told = cast("JsonObject", orjson.loads(cast("str", content[0]["text"])))
        return Answer(error=cast("JsonObject", told["error"]))
    if "structuredContent" not in result:
        documents: list[JsonValue] = [_document(block) for block in content]
        value = (documents or [None])[0] if len(documents) < 2 else documents  # noqa: PLR2004 - one answer, or several
        return Answer(value=[value] if operation is not None and operation.reads else value)
    structured = cast("JsonObject", result["structuredContent"])
    if operation is None:
        return Answer(value=structured)
    truncated = cast("JsonObject | None", structured.get("truncated"))
    shape = result_shape(operation)
    if shape is not ResultShape.ROWS:
        is_wrapped = shape is ResultShape.WRAPPED or (shape is ResultShape.OPEN and structured.keys() == {"result"})
        value = structured["result"] if is_wrapped else structured
        return Answer(value=[value] if operation.reads else value, truncated=truncated if is_wrapped else None)
    return Answer(
        value=structured["rows"],
        next_cursor=cast("str | None", structured.get("next_cursor")),
        total=cast("int | None", structured.get("total")),
        truncated=truncated,
    )


def refusal_of(error: JsonObject) -> Answer:
    """What the JSON-RPC error of a `tools/call` says.

    Raises:
        CallFailed: it is about something that a well-formed call does not meet.
    """
    message, data = str(error["message"]), error.get("data")
    if error["code"] == INVALID_PARAMS and message.startswith("Unknown tool"):
        return Answer(error={"code": Code.UNKNOWN_OPERATION.value, "message": message})
    if error["code"] == MISSING_CAPABILITY and isinstance(data, dict) and isinstance(data.get("error"), dict):
        return Answer(error=cast("JsonObject", data["error"]))
    raise CallFailed(f"the request itself was refused: {orjson.dumps(error).decode()}")


def _document(block: JsonObject) -> JsonObject:
    """A content block as HTTP writes it."""
    if block["type"] != "resource":
        return {"type": block["type"], "mime_type": block["mimeType"], "data": block["data"]}
    resource = cast("JsonObject", block["resource"])
    names = {"uri": "uri", "mimeType": "mime_type", "text": "text", "blob": "data"}
    return {"type": "resource", **{names[key]: value for key, value in resource.items()}}
