"""The app that other people's clients use: books to page through and read, and what only staff may do or see."""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from afford import ApiKeys, App, Ask, Call, Image, Message, Page, PageRequest, Paging, Principal, anyone, roles

STAFF_KEY = "staff-key-1"

app = App(
    "library",
    title="City library",
    version="3.1.4",
    roles=("staff",),
    access=anyone(),
    authenticate=ApiKeys({STAFF_KEY: Principal("ann", ["staff"])}),
    mcp_sessions=os.environ.get("LIBRARY_SESSIONS") != "off",
)


class Book(BaseModel):
    number: int
    title: str


class Reader(BaseModel):
    name: Annotated[str, Field(description="Name on the library card.")]
    weeks: Annotated[int, Field(ge=1, le=4, description="How long the book is kept.")] = 2


SHELF = [Book(number=number, title=f"Kitap {number}") for number in range(7)]
COVER = b"\x89PNG\r\n\x1a\n"


@app.query(description="List the books on the shelf.", paging=Paging(default=3, max=5))
async def books(page: PageRequest[int]) -> Page[Book]:
    start = page.after or 0
    end = start + page.limit
    return Page(SHELF[start:end], next=end if end < len(SHELF) else None, total=len(SHELF))


@app.query(description="Read one book by its number.")
async def book(number: Annotated[int, Field(ge=0, description="Number on the spine.")]) -> Book | None:
    return SHELF[number] if number < len(SHELF) else None


@app.query(description="Count the books.")
async def count() -> int:
    return len(SHELF)


@app.query(description="Show the cover of a book.")
async def cover(number: int) -> Image:
    return Image(COVER)


@app.query(description="Ask a branch what it has.")
async def branch(
    city: Annotated[str, Field(description="Which branch.", json_schema_extra={"x-mcp-header": "City"})],
    floor: Annotated[int, Field(description="Which floor.", json_schema_extra={"x-mcp-header": "Floor"})] = 0,
) -> str:
    return f"{city}, floor {floor}"


@app.action(description="Lend a book to the person who asks for it.")
async def lend(number: int, reader: Annotated[Reader, Ask("Who takes book {number}?")]) -> str:
    return f"{reader.name} keeps {number} for {reader.weeks} weeks"


@app.action(description="Take a book off the shelf for good.", access=roles("staff"), safety="destructive")
async def discard(number: int) -> None:
    return None


cancelled: dict[str, asyncio.Event] = defaultdict(asyncio.Event)


@app.action(description="Sort the shelf, and say how far it is.")
async def sort(call: Call) -> int:
    for done in range(1, len(SHELF) + 1):
        call.progress(done, len(SHELF), SHELF[done - 1].title)
        # The TypeScript client loses progress that arrives in one piece with the answer.
        await asyncio.sleep(0.02)
    return len(SHELF)


@app.action(description="Wait for a reader who never comes.")
async def wait(call: Call, token: str) -> None:
    call.progress(0)
    try:
        await asyncio.Event().wait()
    finally:
        cancelled[token].set()


@app.query(description="Say when the waiting was given up.")
async def given_up(token: str) -> bool:
    async with asyncio.timeout(60):
        await cancelled[token].wait()
    return True


visitors = app.shared_state("visitors", 0, description="How many people are inside.")


@app.action(description="Let one more person in.")
async def enter() -> int:
    visitors.update(lambda inside: inside + 1)
    return visitors.get()


app.resource(
    "rules",
    name="House rules",
    description="What readers agree to.",
    uri="library://rules",
    mime_type="text/markdown",
    read=lambda: "# Be quiet",
)


def ledger() -> dict[str, int]:
    return {"ann": 3}


app.resource(
    "ledger",
    name="Ledger",
    description="Who owes what.",
    uri="library://ledger",
    read=ledger,
    access=roles("staff"),
)


def leaf(number: int, page: str) -> str:
    return f"page {page} of {number}"


app.resource(
    "page",
    name="Page",
    description="One page of a book.",
    uri_template="library://books/{number}/pages/{page}",
    read=leaf,
)


def recommend(mood: Literal["calm", "curious", "cheerful"], name: str) -> list[Message]:
    return [Message(f"Recommend a {mood} book to {name}."), Message(Image(COVER), role="assistant")]


app.prompt("recommend", description="Ask for a book that fits.", handler=recommend)
