"""Two scenes over MCP, through the official client: Streamable HTTP, then stdio.

The assistant knows what the client hands it: names, descriptions, schemas and hints of tools. What a person would tell
it, an area and three nights, stands in `WISH`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TypeAlias

import httpx2
from demonstration.transcript import Json, Row, Transcript, compact, expect
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Tool

from afford.testing import repaired

Server: TypeAlias = "str | StdioServerParameters"

WISH = {"neighbourhood": "Kadikoy", "check_in": "2030-09-01", "check_out": "2030-09-04"}


class Assistant:
    """Somebody who has read the list of tools and nothing else."""

    def __init__(self, client: Client, transcript: Transcript, who: str) -> None:
        """Take a connected client; know no tool yet."""
        self._client = client
        self._transcript = transcript
        self._who = who
        self.tools: dict[str, Tool] = {}

    async def read_tools(self) -> None:
        """Read the list of tools, page by page where it has several."""
        listed = await self._client.list_tools()
        tools = listed.tools
        while listed.next_cursor is not None:
            listed = await self._client.list_tools(cursor=listed.next_cursor)
            tools += listed.tools
        self.tools = {tool.name: tool for tool in tools}
        self._transcript.exchange(f"{self._who}: tools/list", "ok", {"tools": list(self.tools)})

    async def read_documents(self) -> dict[str, str]:
        """Every document there is, by name; templates are none."""
        found: dict[str, str] = {}
        for resource in (await self._client.list_resources()).resources:
            answer = await self._client.read_resource(resource.uri)
            found[resource.name] = "".join(getattr(part, "text", "") for part in answer.contents)
            asked = f"{self._who}: resources/read {resource.uri}"
            self._transcript.exchange(asked, "ok", found[resource.name])
        return found

    def arguments(self, name: str, *known: Mapping[str, Json]) -> Row:
        """Arguments for a call: what is known under the names that the tool takes."""
        inputs = self.tools[name].input_schema["properties"]
        return {key: facts[key] for facts in known for key in inputs if key in facts}

    async def send(self, name: str, arguments: Mapping[str, Json]) -> tuple[Row, bool]:
        """Call a tool; its structured content, or what a refusal says, and whether it is a refusal."""
        result = await self._client.call_tool(name, dict(arguments))
        text = "".join(getattr(part, "text", "") for part in result.content)
        told: Row = json.loads(text)["error"] if result.is_error else result.structured_content
        expect(result.is_error or json.loads(text) == told, "text and structured content say the same")
        asked = f"{self._who}: tools/call {name} {compact(arguments)}"
        self._transcript.exchange(
            asked, "refused" if result.is_error else "ok", told, told if result.is_error else None
        )
        return told, result.is_error

    async def call(self, name: str, arguments: Mapping[str, Json]) -> Row:
        """Call a tool that has to succeed."""
        told, is_refusal = await self.send(name, arguments)
        expect(not is_refusal, f"`{name}` succeeds")
        return told

    async def refused(self, name: str, arguments: Mapping[str, Json]) -> Row:
        """Call a tool that has to refuse."""
        told, is_refusal = await self.send(name, arguments)
        expect(is_refusal, f"`{name}` refuses")
        return told

    async def pages(self, name: str, arguments: Mapping[str, Json]) -> tuple[list[Row], int]:
        """Every row, by sending `next_cursor` back until there is none; and how many the server said there are."""
        page = await self.call(name, arguments)
        rows: list[Row] = page["rows"]
        while "next_cursor" in page:
            page = await self.call(name, {**arguments, "cursor": page["next_cursor"]})
            rows += page["rows"]
        return rows, page["total"]

    async def error_of(self, name: str) -> int:
        """The code of the protocol error that calling a name meets; 0: it meets none."""
        try:
            await self._client.call_tool(name, {})
        except MCPError as error:
            told = {"code": str(error.code), "message": error.message}
            self._transcript.exchange(f"{self._who}: tools/call {name} {{}}", "error", None, told)
            return error.code
        return 0


@asynccontextmanager
async def over_http(url: str, say: Transcript, token: str | None = None) -> AsyncGenerator[Assistant]:
    """An assistant on Streamable HTTP."""
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        assistant = Assistant(client, say, token or "visitor")
        await assistant.read_tools()
        yield assistant


@asynccontextmanager
async def over_stdio(command: list[str], environment: dict[str, str], say: Transcript) -> AsyncGenerator[Assistant]:
    """An assistant on the standard input and output of a process that it starts."""
    async with Client(StdioServerParameters(command=command[0], args=command[1:], env=environment)) as client:
        assistant = Assistant(client, say, command[command.index("--as") + 1])
        await assistant.read_tools()
        yield assistant


async def look_around(say: Transcript, visitor: Assistant) -> None:
    """What somebody without credentials finds."""
    say.comment("Each operation is a tool. Hints tell the client what a call does, before it asks its person.")
    for name, tool in visitor.tools.items():
        hints, lead = tool.annotations, (tool.description or "").partition(". ")[0]
        expect(hints is not None and hints.read_only_hint is not None, "every hint is stated")
        kind = "read" if hints and hints.read_only_hint else "action"
        print(f"  {name:<20} {kind}, {(tool.meta or {})['afford/risk']} risk: {lead}.")
    print()
    say.comment("Documents are there to be read, not called.")
    expect("House rules" in await visitor.read_documents(), "the house rules are listed and can be read")
    say.comment("What is not offered is not there, here as over HTTP.")
    codes = [await visitor.error_of(name) for name in ("book_room", "book_rome")]
    expect(codes[0] == codes[1] != 0, "a tool out of reach looks like none at all")


async def search(say: Transcript, visitor: Assistant) -> Row:
    """From a wish to a hotel; answers its row."""
    say.comment("Ten at a time: `next_cursor` is sent back as `cursor` until there is none.")
    wish = {**visitor.arguments("search_hotels", WISH), "limit": 10}
    found, total = await visitor.pages("search_hotels", wish)
    expect(len(found) == total, "the pages add up to the total")
    print(f"  {total} hotels on all pages.\n")
    say.comment("A slip of the pen is refused with what would have been right, and the retry is built from that alone.")
    wrong = {f"{key}s" if key == "neighbourhood" else key: value for key, value in wish.items()}
    told = await visitor.refused("search_hotels", wrong)
    page = await visitor.call("search_hotels", repaired(wrong, told))
    expect(page["rows"] == found[:10], "the retry finds the same hotels")
    return found[0]


async def book(say: Transcript, guest: Assistant, rival: Assistant, hotel: Row) -> Row:
    """Two guests want the same room; answers the booking of the first."""
    free = await guest.call("check_availability", guest.arguments("check_availability", hotel, WISH))
    wish = guest.arguments("book_room", free["rows"][0], WISH)
    booking = await guest.call("book_room", wish)
    say.comment("The second is too late, and takes the way out that the refusal names.")
    told = await rival.refused("book_room", wish)
    way_out = next((name for name in rival.tools if name in told["fix"]), "")
    left = await rival.call(way_out, rival.arguments(way_out, hotel, WISH))
    await rival.call("book_room", rival.arguments("book_room", left["rows"][0], WISH))
    return booking


async def play_over_http(say: Transcript, url: str) -> Row:
    """The scene over Streamable HTTP; answers what was booked."""
    say.heading("7. The same over MCP, through the official client")
    async with over_http(url, say) as visitor:
        await look_around(say, visitor)
        hotel = await search(say, visitor)
        say.comment("Two guests sign in, and want the same room.")
        async with over_http(url, say, "demo-guest-1") as guest, over_http(url, say, "demo-guest-2") as rival:
            booking = await book(say, guest, rival, hotel)
            say.comment("Where does a person see it? The application says where its own pages are.")
            told = await guest.call("afford_navigate", {})
            expect("stays" in str(told), "the guest's own page is among them")
    return booking


async def play_over_stdio(say: Transcript, command: list[str], environment: dict[str, str], booking: Row) -> None:
    """The scene over stdio, with the bookings that are there already."""
    say.heading("8. And over stdio, the way an assistant on this machine starts it")
    say.comment(
        "The operator says who calls: " + " ".join(["afford", "mcp", "app.py", *command[command.index("--as") :]])
    )
    async with over_stdio(command, environment, say) as guest:
        mine = await guest.call("my_bookings", {})
        expect(booking in mine["rows"], "what was booked over HTTP is there")
        cancelled = await guest.call("cancel_booking", guest.arguments("cancel_booking", booking))
        expect(cancelled == {**booking, "status": cancelled["status"]} != booking, "only its state has changed")
