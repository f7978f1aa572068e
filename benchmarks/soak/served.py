"""The app that the soak test serves: a little of everything that could be remembered for too long."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator
from typing import Annotated

from pydantic import BaseModel

from afford import (
    ApiKeys,
    App,
    Ask,
    Call,
    Caller,
    Choices,
    Page,
    PageRequest,
    Paging,
    Principal,
    SyncCall,
    Tool,
    anyone,
    roles,
)

app = App(
    "soak",
    roles=("staff",),
    access=anyone(),
    authenticate=ApiKeys({f"staff-key-{number}": Principal(f"staff-{number}", ["staff"]) for number in range(50)}),
    choices_refresh=1.0,
)
FRESH = 10
fresh = itertools.count()
colours = itertools.count()


class Row(BaseModel):
    number: int
    text: str


class Answer(BaseModel):
    yes: bool


class Ledger:
    """Stands for a database session."""


async def ledger() -> AsyncGenerator[Ledger]:
    yield Ledger()


app.provide(Ledger, ledger)
Missing = app.problem("MISSING", status=404, title="it is not there")
notes = app.shared_state("notes/{id}", "")


def palette() -> list[str]:
    """A closed set that is another one every time it is loaded."""
    return ["red", "green", f"shade-{next(colours)}"]


@app.query(description="Say a word back.")
async def echo(word: str, db: Ledger) -> str:
    return word


@app.query(description="Search rows.", paging=Paging(default=20, max=50))
async def rows(page: PageRequest[int], text: str | None = None) -> Page[Row]:
    start = page.after or 0
    found = [Row(number=number, text=text or "row") for number in range(start, min(start + page.limit, 200))]
    return Page(found, next=start + page.limit if start + page.limit < 200 else None, total=200)


@app.query(description="Paint in one of the colours.")
async def paint(colour: Annotated[str, Choices(palette)]) -> str:
    return colour


@app.action(description="Work in a thread.")
def drill(call: SyncCall) -> int:
    for done in range(5):
        call.progress(done, 5)
    return 5


@app.action(description="Work until the caller goes away.")
async def wait(call: Call, db: Ledger) -> None:
    call.progress(1)
    await asyncio.Event().wait()


@app.action(description="Fail.", raises=[Missing])
async def fail(how: str) -> None:
    if how == "problem":
        raise Missing("it is not there")
    raise RuntimeError(how)


@app.action(description="Ask first.")
async def sure(number: int, answer: Annotated[Answer, Ask("Really {number}?")]) -> bool:
    return answer.yes


@app.action(description="Write a note.", access=roles("staff"))
async def write(id: str, text: str) -> None:
    notes.set(text, id=id)


@app.action(description="Throw a note away.", access=roles("staff"))
async def forget(id: str) -> bool:
    return notes.delete(id=id)


def provide(caller: Caller) -> list[Tool]:
    """Tools under names that never come again, and one that is the same each time."""

    async def answer() -> int:
        return 1

    tools = [Tool(id="steady", handler=answer, description="Count.", args=[], safety="read")]
    if caller.roles:
        tools += [
            Tool(id=f"fresh-{next(fresh)}", handler=answer, description="Count once.", args=[]) for _ in range(FRESH)
        ]
    return tools


app.tool_provider(provide)
app.resource("page", name="Page", uri_template="page://{name}", read=lambda name: f"The page {name}.")
app.prompt(
    "greet",
    handler=lambda name: f"Greet {name}.",
    description="Greet somebody.",
    complete={"name": lambda _typed: ["ann"]},
)
