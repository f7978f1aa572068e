"""Answers that carry pictures, sound and documents, and answers that are too long, on MCP and over HTTP."""

from __future__ import annotations

import base64
import json
from typing import Annotated, Literal

import jsonschema_rs
import pytest
from pydantic import BaseModel, Field
from tests.contracts.links import Over, client
from tests.contracts.mcp_wire import ask_older, listed, told, tool
from tests.contracts.wire import served

from afford import App, Audio, CatalogError, Embedded, Image, Page, PageRequest, Paging, Result, anyone

PICTURE = b"\x89PNG\x00"
IN_BASE64 = base64.b64encode(PICTURE).decode()
IMAGE_BLOCK = {"type": "image", "data": IN_BASE64, "mimeType": "image/png"}
WITHIN = 25_000 * 3.5
"""Bytes of the default budget."""


class Report(BaseModel):
    title: str
    pages: int = 1


class Row(BaseModel):
    number: int
    text: str = "x" * 40


class Odd:
    """Neither content nor JSON."""


def gallery() -> App:
    return App("gallery", access=anyone())


async def both(app: App, name: str, **arguments: object) -> tuple[dict[str, object], dict[str, object] | None]:
    """The result of a tool, which is the same in both eras, and what it publishes for its structured content."""
    async with served(app.asgi()) as http:
        published = (await listed(http))[name].get("outputSchema")
        answer = await tool(http, name, **arguments)
        older = (await ask_older(http, "tools/call", {"name": name, "arguments": arguments})).json()["result"]
    assert older == {key: value for key, value in answer.items() if key not in ("resultType", "_meta")}
    return answer, published


async def over_http(app: App, name: str) -> object:
    async with served(app.asgi()) as http:
        return (await http.get(f"/{name}")).json()


# Content


@pytest.mark.requirement("MCP-08")
@pytest.mark.parametrize(
    ("content", "block", "document"),
    [
        (Image(PICTURE), IMAGE_BLOCK, {"type": "image", "mime_type": "image/png", "data": IN_BASE64}),
        (
            Audio(PICTURE, "audio/ogg; codecs=opus"),
            {"type": "audio", "data": IN_BASE64, "mimeType": "audio/ogg; codecs=opus"},
            {"type": "audio", "mime_type": "audio/ogg; codecs=opus", "data": IN_BASE64},
        ),
        (
            Embedded("note://one", "text", "text/plain"),
            {"type": "resource", "resource": {"uri": "note://one", "mimeType": "text/plain", "text": "text"}},
            {"type": "resource", "uri": "note://one", "mime_type": "text/plain", "text": "text"},
        ),
        (
            Embedded("note://one", PICTURE),
            {"type": "resource", "resource": {"uri": "note://one", "blob": IN_BASE64}},
            {"type": "resource", "uri": "note://one", "data": IN_BASE64},
        ),
    ],
)
async def test_content_is_the_whole_answer_as_a_block_on_mcp_and_as_json_over_http(
    content: object, block: dict[str, object], document: dict[str, object]
):
    app = gallery()

    @app.query(description="Show it.")
    async def show() -> Image | Audio | Embedded:
        return content  # type: ignore[return-value]

    @app.action(description="Draw it.")
    async def draw() -> Image | Audio | Embedded:
        return content  # type: ignore[return-value]

    for name in ("show", "draw"):
        answer, published = await both(app, name)
        assert (answer["content"], answer["isError"], published) == ([block], False, None)
        assert "structuredContent" not in answer
    async with served(app.asgi()) as http:
        shown, drawn = await http.get("/show"), await http.post("/draw", json={})
        schema = {item["name"]: item for kind in (await http.get("/schema")).json().values() for item in kind}
    assert shown.json() == [document]
    assert drawn.json() == document
    assert jsonschema_rs.is_valid(schema["show"]["output_schema"], [document])
    assert jsonschema_rs.is_valid(schema["draw"]["output_schema"], document)


@pytest.mark.requirement("MCP-08", "OUT-02")
async def test_content_that_is_not_there_is_not_found_like_any_row():
    app = gallery()

    @app.query(description="Show it.")
    async def show(number: int) -> Image | None:
        return Image(PICTURE) if number else None

    @app.action(description="Draw it.")
    async def draw(number: int) -> Image | None:
        return Image(PICTURE) if number else None

    for name in ("show", "draw"):
        answer, published = await both(app, name, number=1)
        assert (answer["content"], published) == ([IMAGE_BLOCK], None)
    assert told((await both(app, "show", number=0))[0])["code"] == "not_found"
    nothing, _ = await both(app, "draw", number=0)
    assert (nothing["content"], nothing["isError"]) == ([], False)
    async with served(app.asgi()) as http:
        answer = await http.post("/draw", json={"number": 0})
        assert (answer.status_code, answer.json()) == (200, None)


@pytest.mark.requirement("MCP-08", "FRAME-25")
async def test_a_result_is_its_value_everywhere_with_the_content_beside_it_on_mcp():
    app = gallery()
    beside = [Image(PICTURE), Embedded("note://one", "text")]

    @app.query(description="Report.")
    async def report() -> Result[Report]:
        return Result(Report(title="t"), beside)

    @app.query(description="Report all.")
    async def reports() -> Result[list[Report]]:
        return Result([Report(title="t")], (item for item in beside))  # type: ignore[arg-type]

    @app.query(description="Report without a picture.", paging=Paging(default=1, max=2))
    async def pages(page: PageRequest[int]) -> Result[Page[Report]]:
        return Page([Report(title="t")], next=1)  # type: ignore[return-value]

    answer, published = await both(app, "report")
    assert [block["type"] for block in answer["content"]] == ["text", "image", "resource"]
    assert answer["structuredContent"] == json.loads(answer["content"][0]["text"]) == {"title": "t", "pages": 1}
    assert jsonschema_rs.is_valid(published, answer["structuredContent"])
    assert await over_http(app, "report") == [{"title": "t", "pages": 1}]
    answer, _ = await both(app, "reports")
    assert answer["structuredContent"] == {"rows": [{"title": "t", "pages": 1}]}
    assert len(answer["content"]) == 3
    answer, _ = await both(app, "pages")
    assert answer["structuredContent"]["next_cursor"]


@pytest.mark.requirement("MCP-08", "CASE-K28")
@pytest.mark.parametrize(
    "wrong",
    [
        None,
        Odd(),
        "text",
        Image("text"),  # type: ignore[arg-type]
        Image(PICTURE, "picture"),
        Image(PICTURE, None),  # type: ignore[arg-type]
        Image(PICTURE, "image/png\r\nx-evil: 1"),
        Audio(None),  # type: ignore[arg-type]
        Embedded("no uri", "text"),
        Embedded(None, "text"),  # type: ignore[arg-type]
        Embedded("note://one", None),  # type: ignore[arg-type]
        Embedded("note://one", "\ud800"),
        Embedded("note://one", "text", 7),  # type: ignore[arg-type]
    ],
)
async def test_wrong_content_is_a_broken_contract_beside_a_value_and_alone(over: Over, wrong: object):
    app = gallery()
    committed: list[bool] = []

    class Session:
        """Something that commits when the call went well."""

    async def session():
        yield Session()
        committed.append(True)

    app.provide(Session, session)

    @app.query(description="Show it.")
    async def alone(_session: Session) -> Image | Audio | Embedded:
        return wrong  # type: ignore[return-value]

    @app.query(description="Report.")
    async def beside(_session: Session) -> Result[int]:
        return Result(1, [Image(PICTURE), wrong])  # type: ignore[list-item]

    async with client(app, over=over) as caller:
        for name in ("alone", "beside"):
            assert (await caller.call(name)).code == "output_contract"
    assert committed == []


@pytest.mark.parametrize(
    "returns", [list[Image], Result, Result[Image], "Image | int", dict[str, Image], Annotated[Image | str, Field()]]
)
def test_content_in_a_place_where_no_block_can_stand_fails_the_build(returns: object):
    app = gallery()

    async def show():
        return None

    show.__annotations__["return"] = Image | int if returns == "Image | int" else returns
    app.query(description="Show it.")(show)
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert {item.code for item in failed.value.diagnostics} <= {"SCH101", "SCH105"}


# Too long


def many(count: int) -> list[Row]:
    return [Row(number=number) for number in range(count)]


@pytest.mark.requirement("CASE-K30")
async def test_rows_over_the_budget_are_cut_at_a_row_and_the_notice_fits_the_published_schema():
    app = gallery()

    @app.query(description="All rows.")
    async def rows(number: int = 50_000) -> list[Row]:
        return many(number)

    answer, published = await both(app, "rows")
    structured = answer["structuredContent"]
    assert json.loads(answer["content"][0]["text"]) == structured
    jsonschema_rs.validate(published, structured)
    assert structured["rows"] == [row.model_dump() for row in many(len(structured["rows"]))]
    assert (structured["truncated"]["returned"], structured["truncated"]["of"]) == (len(structured["rows"]), 50_000)
    assert "rows" in structured["truncated"]["hint"]
    assert WITHIN * 0.8 < len(json.dumps(structured, separators=(",", ":"))) < WITHIN
    whole, _ = await both(app, "rows", number=100)
    assert "truncated" not in whole["structuredContent"]
    assert len(await over_http(app, "rows")) == 50_000  # type: ignore[arg-type]


@pytest.mark.requirement("CASE-K30")
async def test_a_cut_page_says_the_very_call_that_gets_the_rest_and_that_call_loses_nothing():
    app = gallery()

    @app.query(description="Pages.", paging=Paging(default=5000, max=5000))
    async def pages(page: PageRequest[int], kind: str = "a") -> Page[Row]:
        start = page.after or 0
        end = min(start + page.limit, 4000)
        return Page([Row(number=n) for n in range(start, end)], next=end if end < 4000 else None, total=4000)

    numbers: list[int] = []
    arguments: dict[str, object] = {"kind": "b"}
    while True:
        answer, published = await both(app, "pages", **arguments)
        structured = answer["structuredContent"]
        jsonschema_rs.validate(published, structured)
        if "truncated" in structured:
            assert "next_cursor" not in structured
            assert structured["total"] == 4000
            hint = structured["truncated"]["hint"]
            arguments = json.loads(hint[hint.index("{") : hint.rindex("}") + 1])
            assert arguments["kind"] == "b"
            continue
        numbers += [row["number"] for row in structured["rows"]]
        if "next_cursor" not in structured:
            break
        arguments["cursor"] = structured["next_cursor"]
    assert numbers == list(range(4000))


@pytest.mark.requirement("CASE-K30")
@pytest.mark.parametrize("kind", ["query", "action", "tool"])
@pytest.mark.parametrize("text", ["x" * 300_000, "ü" * 300_000, '\n"\\' * 100_000, "🙂" * 100_000])
async def test_a_text_over_the_budget_is_cut_with_the_same_notice(kind: Literal["query", "action", "tool"], text: str):
    app = gallery()

    async def read() -> str:
        return text

    if kind == "tool":
        app.tool("read", handler=read, description="Read.")
    else:
        getattr(app, kind)(description="Read.")(read)
    answer, published = await both(app, "read")
    structured = answer["structuredContent"]
    assert json.loads(answer["content"][0]["text"]) == structured
    jsonschema_rs.validate(published, structured)
    notice = structured["truncated"]
    assert structured["result"] == text[: notice["returned"]]
    assert (notice["returned"], notice["of"]) == (len(structured["result"]), len(text))
    assert WITHIN * 0.4 < len(json.dumps(structured, separators=(",", ":"), ensure_ascii=False).encode()) < WITHIN


@pytest.mark.requirement("CASE-K30")
async def test_a_list_of_a_write_or_of_a_tool_is_cut_at_an_element_where_its_schema_allows():
    app = gallery()

    @app.action(description="Import.")
    async def load() -> list[Row]:
        return many(20_000)

    @app.action(description="Import a known number.")
    async def load_exactly() -> Annotated[list[Row], Field(min_length=20_000)]:
        return many(20_000)

    app.tool("look", handler=lambda: [row.model_dump() for row in many(20_000)], description="Look.")
    app.tool("read", handler=lambda: "x" * 300_000, description="Read.", output=object)
    for name in ("load", "look"):
        answer, published = await both(app, name)
        structured = answer["structuredContent"]
        assert json.loads(answer["content"][0]["text"]) == structured
        assert published is None or jsonschema_rs.is_valid(published, structured)
        notice = structured["truncated"]
        assert (notice["returned"], notice["of"]) == (len(structured["result"]), 20_000)
        assert structured["result"][-1]["number"] == notice["returned"] - 1
        assert len(json.dumps(structured, separators=(",", ":"))) < WITHIN
    assert (await both(app, "read"))[0]["structuredContent"]["truncated"]["of"] == 300_000
    refusal = told((await both(app, "load_exactly"))[0])
    assert refusal["code"] == "too_large"


@pytest.mark.requirement("CASE-K30")
@pytest.mark.parametrize(
    "returns",
    [Annotated[str, Field(min_length=299_000)], Annotated[str, Field(pattern="x+y$")], Report, dict[str, str]],
)
async def test_what_cannot_be_cut_is_too_large_and_a_write_says_that_it_was_done(returns: object):
    app = gallery()
    ran: list[str] = []
    text = "x" * 299_999 + "y"
    answers = {Report: Report(title=text), dict[str, str]: {"a": text}}
    answer = answers.get(returns, text)  # type: ignore[call-overload]

    async def read():
        ran.append("read")
        return answer

    async def write():
        ran.append("write")
        return answer

    read.__annotations__["return"] = write.__annotations__["return"] = returns
    app.query(description="Read.")(read)
    app.action(description="Write.")(write)
    async with served(app.asgi()) as http:
        reading, writing = told(await tool(http, "read")), told(await tool(http, "write"))
    assert reading["code"] == writing["code"] == "too_large"
    assert ran == ["read", "write"]
    assert not reading.get("retryable")
    # Calling again would do it again.
    assert reading["fix"] != writing["fix"]


@pytest.mark.requirement("CASE-K30")
async def test_one_row_over_the_budget_is_too_large():
    app = gallery()

    @app.query(description="One.")
    async def one() -> list[Row]:
        return [Row(number=1, text="x" * 300_000)]

    assert told((await both(app, "one"))[0])["code"] == "too_large"
