"""The server that the official conformance suite tests: afford's own declarations under the names the suite asks for.

Nothing here answers the protocol by itself; what the suite sees is what any app would serve.
"""

from __future__ import annotations

import base64
from typing import Annotated, Literal

from pydantic import BaseModel, Field, WithJsonSchema

from afford import App, Ask, Audio, Call, Embedded, Image, Message, Result, anyone
from afford.declare.changes import Change, ChangeKind
from afford.errors import JsonObject

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


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
SILENCE = base64.b64decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=")


@app.query(description="Show one red pixel.")
async def test_image_content() -> Image:
    return Image(PIXEL)


@app.query(description="Play no sound at all.")
async def test_audio_content() -> Audio:
    return Audio(SILENCE)


@app.query(description="Hand over a short document.")
async def test_embedded_resource() -> Embedded:
    return Embedded("test://embedded-resource", "This is an embedded resource content.", "text/plain")


@app.query(description="Answer a sentence with a picture and a document beside it.")
async def test_multiple_content_types() -> Result[str]:
    document = Embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return Result("Multiple content types test:", [Image(PIXEL), document])


class Answer(BaseModel):
    """What a person fills in."""

    ok: Annotated[bool, Field(description="Whether to go on.")]


class Person(BaseModel):
    """Who a person is."""

    name: Annotated[str, Field(description="Your name.")]


class Colour(BaseModel):
    """What a person likes."""

    color: Annotated[str, Field(description="Your favourite colour.")]


class Account(BaseModel):
    """How a person is reached."""

    username: str
    email: str


class Context(BaseModel):
    """What a prompt is about."""

    context: str


class Defaults(BaseModel):
    """A form that is filled in already."""

    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


@app.query(description="Ask for an account, and say which one was given.")
async def test_elicitation(message: str, account: Annotated[Account, Ask("{message}")]) -> str:
    return f"{account.username}, {account.email}"


@app.query(description="Ask with a form that is filled in already.")
async def test_elicitation_sep1034_defaults(form: Annotated[Defaults, Ask("Please check.")]) -> str:
    return form.name


def one_of(*options: str) -> JsonObject:
    return {"type": "string", "oneOf": [{"const": option, "title": option.title()} for option in options]}


class Selections(BaseModel):
    """Every way to choose from a set."""

    untitledSingle: Literal["option1", "option2", "option3"]  # noqa: N815 - the suite's own names
    titledSingle: Annotated[str, WithJsonSchema(one_of("value1", "value2", "value3"))]  # noqa: N815
    legacyEnum: Annotated[  # noqa: N815
        str, WithJsonSchema({"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["One", "Two"]})
    ]
    untitledMulti: list[Literal["option1", "option2", "option3"]]  # noqa: N815
    titledMulti: Annotated[  # noqa: N815
        list[str],
        WithJsonSchema(
            {
                "type": "array",
                "items": {"anyOf": [{"const": "value1", "title": "A"}, {"const": "value2", "title": "B"}]},
            }
        ),
    ]


@app.query(description="Ask with every kind of choice.")
async def test_elicitation_sep1330_enums(choices: Annotated[Selections, Ask("Please choose.")]) -> str:
    return choices.untitledSingle


@app.query(description="Ask who somebody is.")
async def test_input_required_result_elicitation(user_name: Annotated[Person, Ask("What is your name?")]) -> str:
    return user_name.name


@app.query(description="Ask whether to go on.")
async def test_input_required_result_request_state(answer: Annotated[Answer, Ask("Go on?")]) -> str:
    return f"state-ok: {answer.ok}"


@app.query(description="Ask whether to go on, and take no forged state for an answer.")
async def test_input_required_result_tampered_state(answer: Annotated[Answer, Ask("Go on?")]) -> str:
    return f"{answer.ok}"


@app.query(description="Ask two things, which may be answered one after the other.")
async def test_input_required_result_multi_round(
    user_name: Annotated[Person, Ask("What is your name?")], colour: Annotated[Colour, Ask("Which colour?")]
) -> str:
    return f"{user_name.name} likes {colour.color}"


@app.query(description="Need a person, which not every client can reach.")
async def test_missing_capability(answer: Annotated[Answer, Ask("Go on?")]) -> str:
    return f"{answer.ok}"


@app.query(description="Ask while answering.")
async def test_streaming_elicitation(answer: Annotated[Answer, Ask("Go on?")]) -> str:
    return f"{answer.ok}"


shown: set[ChangeKind] = set()
"""Which of the two that come and go are there."""

app.prompt(
    "test_sometimes",
    description="Comes and goes.",
    handler=lambda: "Here.",
    access=lambda _caller: ChangeKind.PROMPTS in shown,
)


@app.query(description="Come and go.", access=lambda _caller: ChangeKind.TOOLS in shown)
async def test_sometimes() -> str:
    return "here"


def change(kind: ChangeKind) -> None:
    """Let one come or go, and say so."""
    shown.symmetric_difference_update({kind})
    app.changes.announce(Change(kind))


@app.action(description="Let a tool come or go.")
async def test_trigger_tool_change() -> None:
    change(ChangeKind.TOOLS)


@app.action(description="Let a prompt come or go.")
async def test_trigger_prompt_change() -> None:
    change(ChangeKind.PROMPTS)


app.resource(
    "static_text",
    name="Static text",
    description="A text that never changes.",
    uri="test://static-text",
    mime_type="text/plain",
    read=lambda: "This is the content of the static text resource.",
)
app.resource(
    "static_binary",
    name="Static picture",
    description="A picture that never changes.",
    uri="test://static-binary",
    mime_type="image/png",
    read=lambda: PIXEL,
)
app.resource(
    "watched",
    name="Watched",
    description="A text that clients follow.",
    uri="test://watched-resource",
    mime_type="text/plain",
    read=lambda: "Watched.",
)


def template(id: str) -> dict[str, object]:
    return {"id": id, "templateTest": True, "data": f"Data for ID: {id}"}


app.resource(
    "template",
    name="Template",
    description="The data of one id.",
    uri_template="test://template/{id}/data",
    mime_type="application/json",
    read=template,
)


def with_arguments(arg1: str, arg2: str) -> str:
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


def with_resource(resourceUri: str) -> list[Message]:  # noqa: N803 - the suite's own name
    document = Embedded(resourceUri, "Embedded resource content for testing.", "text/plain")
    return [Message(document), Message("Please process the embedded resource above.")]


def with_question(user_context: Annotated[Context, Ask("What context should the prompt use?")]) -> str:
    return f"Answer in this context: {user_context.context}."


app.prompt("test_simple_prompt", description="One message.", handler=lambda: "This is a simple prompt for testing.")
app.prompt(
    "test_prompt_with_arguments",
    description="Both arguments in one message.",
    handler=with_arguments,
    complete={"arg1": lambda typed: [value for value in ("paris", "park", "party") if value.startswith(typed)]},
)
app.prompt("test_prompt_with_embedded_resource", description="A document, and what to do.", handler=with_resource)
app.prompt(
    "test_prompt_with_image",
    description="A picture, and what to do.",
    handler=lambda: [Message(Image(PIXEL)), Message("Please look at the picture above.")],
)
app.prompt("test_input_required_result_prompt", description="Asks who it is for.", handler=with_question)
