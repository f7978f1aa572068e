"""The server that the official conformance suite tests: afford's own declarations under the names the suite asks for.

Nothing here answers the protocol by itself; what the suite sees is what any app would serve.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from afford import App, Call, anyone

app = App("conformance", title="Conformance fixture", version="1.0.0", access=anyone())
Intended = app.problem("INTENDED", status=409, title="Refused on purpose", fix="nothing; this tool always refuses")


@app.query(description="Answer one fixed sentence.")
async def test_simple_text() -> str:
    return "This is a simple text response for testing."


@app.query(description="Refuse every call.", raises=[Intended])
async def test_error_handling() -> str:
    raise Intended("this tool intentionally returns an error for testing")


@app.query(description="Report progress three times, then say that it is done.")
async def test_tool_with_progress(call: Call) -> str:
    for done in (0, 50, 100):
        call.progress(done, 100)
    return "done"


@app.query(description="Write to the application's log, which is no client's business.")
async def test_logging_tool(call: Call) -> str:
    call.log.info("a line for the operator")
    return "logged"


@app.query(description="Look up a region that gateways route by.")
async def routed_lookup(
    region: Annotated[str, Field(description="Where to look.", json_schema_extra={"x-mcp-header": "Region"})],
    depth: Annotated[int, Field(description="How far to look.", json_schema_extra={"x-mcp-header": "Depth"})] = 1,
) -> str:
    return f"{region}, {depth} deep"


@app.query(
    description="Take an address written in the whole vocabulary of JSON Schema 2020-12.",
    input_schema={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                "additionalProperties": False,
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
)
async def json_schema_2020_12_tool(arguments: dict[str, object]) -> str:
    return ", ".join(sorted(arguments))
