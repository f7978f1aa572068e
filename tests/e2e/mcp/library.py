"""The app that other people's clients use: books to page through, one to read, and what only staff may do."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from afford import ApiKeys, App, Page, PageRequest, Paging, Principal, anyone, roles

STAFF_KEY = "staff-key-1"

app = App(
    "library",
    title="City library",
    version="3.1.4",
    roles=("staff",),
    access=anyone(),
    authenticate=ApiKeys({STAFF_KEY: Principal("ann", ["staff"])}),
)


class Book(BaseModel):
    number: int
    title: str


SHELF = [Book(number=number, title=f"Kitap {number}") for number in range(7)]


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


@app.query(description="Ask a branch what it has.")
async def branch(
    city: Annotated[str, Field(description="Which branch.", json_schema_extra={"x-mcp-header": "City"})],
    floor: Annotated[int, Field(description="Which floor.", json_schema_extra={"x-mcp-header": "Floor"})] = 0,
) -> str:
    return f"{city}, floor {floor}"


@app.action(description="Take a book off the shelf for good.", access=roles("staff"), safety="destructive")
async def discard(number: int) -> None:
    return None
