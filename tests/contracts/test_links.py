"""The testing client itself: what its links do that no contract of an application shows."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field
from tests.contracts.links import MCP, PLAIN, Over, client

from afford import App, Ask, Embedded, Image, Page, PageRequest, Paging, Result, anyone, testing
from afford.testing import CallFailed


class Rows(BaseModel):
    rows: list[int]


class OneResult(BaseModel):
    result: int


def new_app() -> App:
    return App("works", access=anyone(), secret="shared")


@pytest.mark.requirement("LIB-01")
async def test_a_value_that_looks_like_a_wrapping_stays_as_it_is(over: Over):
    app = new_app()

    @app.query(description="Read one.")
    async def one() -> OneResult:
        return OneResult(result=1)

    @app.action(description="Write one.")
    async def write() -> OneResult:
        return OneResult(result=1)

    @app.action(description="Write rows.")
    async def write_rows() -> Rows:
        return Rows(rows=[1, 2])

    @app.action(description="Write a list.")
    async def write_list() -> list[OneResult]:
        return [OneResult(result=1)]

    async with client(app, over=over) as caller:
        assert (await caller.call("one")).value == [{"result": 1}]
        assert (await caller.call("write")).value == {"result": 1}
        assert (await caller.call("write_rows")).value == {"rows": [1, 2]}
        assert (await caller.call("write_list")).value == [{"result": 1}]


@pytest.mark.requirement("LIB-01", "CASE-K30")
async def test_rows_that_were_cut_are_never_taken_for_all_of_them(over: Over):
    app = new_app()

    @app.query(description="Read much.", paging=Paging(default=3, max=3))
    async def much(page: PageRequest[int]) -> Page[str]:
        return Page(["x" * 40_000] * page.limit, total=3)

    async with client(app, over=over) as caller:
        answer = await caller.call("much")
        if over in PLAIN:
            assert (len(answer.rows), answer.truncated) == (3, None)
            assert len(await caller.all_rows("much")) == 3
            return
        assert answer.truncated is not None
        assert (answer.truncated["returned"], answer.truncated["of"], len(answer.rows)) == (1, 3, 1)
        with pytest.raises(CallFailed):
            await caller.all_rows("much")


@pytest.mark.requirement("LIB-01", "CASE-K30")
@pytest.mark.parametrize("over", MCP)
async def test_a_text_that_was_cut_says_so_whether_it_was_read_or_written(over: Over):
    app = new_app()

    async def text() -> str:
        return "ä" * 200_000

    app.query(id="read", description="Read much.")(text)
    app.action(id="write", description="Write much.")(text)
    async with client(app, over=over) as caller:
        read, written = await caller.call("read"), await caller.call("write")
    assert read.truncated is not None
    assert read.value == [written.value]
    assert (read.truncated["returned"], read.truncated["of"]) == (len(str(written.value)), 200_000)


@pytest.mark.requirement("LIB-01")
@pytest.mark.parametrize("kind", ["query", "action"])
async def test_content_has_one_form_over_every_link(over: Over, kind: str):
    app = new_app()
    image, note, file = Image(b"i"), Embedded("memo:1", "n", "text/plain"), Embedded("memo:2", b"f")

    async def picture() -> Image:
        return image

    async def document(*, binary: bool) -> Embedded:
        return file if binary else note

    async def both() -> Result[int]:
        return Result(1, [image])

    for handler in (picture, document, both):
        getattr(app, kind)(description="Show.")(handler)
    async with client(app, over=over) as caller:
        answers = [
            await caller.call("picture"),
            await caller.call("document", binary=False),
            await caller.call("document", binary=True),
            await caller.call("both"),
        ]
    values = [
        {"type": "image", "mime_type": "image/png", "data": "aQ=="},
        {"type": "resource", "uri": "memo:1", "mime_type": "text/plain", "text": "n"},
        {"type": "resource", "uri": "memo:2", "data": "Zg=="},
        1,
    ]
    assert [answer.value for answer in answers] == ([[value] for value in values] if kind == "query" else values)


@pytest.mark.requirement("LIB-01")
async def test_a_call_that_needs_a_person_says_so_where_there_is_none(over: Over):
    app = new_app()

    @app.action(description="Do it.")
    async def do(answer: Annotated[OneResult, Ask("Are you sure?")]) -> int:
        return answer.result

    async with client(app, over=over) as caller:
        assert (await caller.call("do")).code == "input_required"


@pytest.mark.parametrize("over", MCP)
async def test_a_tool_answers_what_it_returns(over: Over):
    app = new_app()
    app.tool("one", description="Answer one.", handler=lambda: 1, output=int)
    app.tool("object", description="Answer an object.", handler=lambda: {"a": 1})
    app.tool("list", description="Answer a list.", handler=lambda: [1])
    app.tool("nothing", description="Answer nothing.", handler=lambda: None)

    @app.query(description="Read one.")
    async def read() -> int:
        return 1

    async with client(app, over=over) as caller:
        assert await caller.names() == ["read"]
        names = [tool["name"] for tool in (await caller.manifest())["tools"]]
        assert names == ["list", "nothing", "object", "one"]
        assert [(await caller.call(name)).value for name in names] == [[1], None, {"a": 1}, 1]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"region": "north"},
        {"region": "Zürich"},
        {"region": " "},
        {"region": "=?base64?YQ==?="},
        {"count": 2**40},
        {"count": -1, "dry": True},
        {"dry": False, "region": ""},
    ],
)
async def test_arguments_that_headers_repeat_are_repeated(over: Over, arguments: dict[str, object]):
    app = new_app()

    @app.action(description="Do it.")
    async def do(
        region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "",
        count: Annotated[int, Field(json_schema_extra={"x-mcp-header": "Count"})] = 0,
        *,
        dry: Annotated[bool, Field(json_schema_extra={"x-mcp-header": "Dry"})] = False,
    ) -> str:
        return f"{region} {count} {dry}"

    async with client(app, over=over) as caller:
        answer = await caller.call("do", arguments)
    assert answer.value == f"{arguments.get('region', '')} {arguments.get('count', 0)} {arguments.get('dry', False)}"


@pytest.mark.parametrize("over", MCP)
async def test_a_list_in_pages_is_read_to_its_end(over: Over):
    app = App("thing", access=anyone(), tool_budget=0)
    for number in range(301):

        async def read() -> int:
            return 1

        app.query(id=f"read{number:03}", description="Read one.")(read)
    async with client(app, over=over) as caller:
        assert await caller.names() == [f"read{number:03}" for number in range(301)]


async def test_whoever_gives_up_waiting_cancels_the_call(over: Over):
    app = new_app()
    begun, stopped = asyncio.Event(), asyncio.Event()

    @app.action(description="Wait.")
    async def wait() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    @app.query(description="Read one.")
    async def read() -> int:
        return 1

    async with client(app, over=over) as caller:
        call = asyncio.create_task(caller.call("wait"))
        await begun.wait()
        call.cancel()
        await stopped.wait()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await caller.call("read")).value == [1]


@pytest.mark.parametrize("over", MCP)
@pytest.mark.parametrize("name", ["", " ", " read ", "übersicht", "a\nb", "=?base64?cmVhZA==?=", "x" * 5000])
async def test_every_name_can_be_asked_for_over_mcp(over: Over, name: str):
    app = new_app()

    @app.query(description="Read one.")
    async def read() -> int:
        return 1

    async with client(app, over=over) as caller:
        assert (await caller.call(name)).code == "unknown_operation"


@pytest.mark.parametrize("over", ["mcp", "stdio"])
@pytest.mark.parametrize(
    ("revision", "method", "absent"),
    [("2026-07-28", "server/discover", "ping"), ("2025-11-25", "ping", "server/discover")],
)
async def test_the_revision_decides_what_is_spoken(
    over: Literal["mcp", "stdio"], revision: Literal["2026-07-28", "2025-11-25"], method: str, absent: str
):
    async with testing.client(new_app(), over=over, revision=revision) as caller:
        link = caller._link
        assert "result" in await link.ask(method, {})
        assert (await link.ask(absent, {}))["error"]["code"] == -32601
        with pytest.raises(CallFailed):
            await link.call(5, {}, None, None)


@pytest.mark.parametrize("over", ["mcp", "stdio", "carrier pigeon"])
async def test_a_link_that_does_not_exist_is_refused(over: str):
    with pytest.raises(ValueError, match="executor"):
        async with testing.client(new_app(), over=over, door="app" if over in MCP else "agent"):
            pass
