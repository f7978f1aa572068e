"""Pages: sizes, signed positions, and a walk that meets every row once."""

from __future__ import annotations

import base64
from datetime import date
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field
from tests.contracts.links import MCP, PLAIN, Over, client
from tests.contracts.wire import served

from afford import App, Page, PageRequest, Paging, Principal, anyone
from afford.errors import JsonObject
from afford.testing import Client

SECRET = "a secret of several workers"


class Book(BaseModel):
    number: int


def library(size: int = 7, *, secret: str = SECRET, paging: Paging | None = None) -> App:
    app = App("library", access=anyone(), secret=secret)

    @app.query(description="Search the shelves.", paging=paging or Paging(default=2, max=3))
    async def books(
        shelf: str = "a",
        least: Annotated[int, Field(ge=0)] = 0,
        *,
        page: PageRequest[int],
    ) -> Page[Book]:
        start = page.after or 0
        end = min(start + page.limit, size)
        rows = [Book(number=number) for number in range(start, end) if number >= least]
        return Page(rows, next=end if end < size else None, total=size)

    @app.query(description="Search the archive.", paging=Paging(default=2, max=3))
    async def archive(shelf: str = "a", *, page: PageRequest[int]) -> Page[Book]:
        return Page([], next=None)

    return app


def numbers(rows: list[JsonObject]) -> list[object]:
    return [row["number"] for row in rows]


@pytest.mark.requirement("PAGE-06", "PAGE-01")
@pytest.mark.parametrize(
    ("limit", "count"),
    [(None, 2), (1, 1), (3, 3), (4, 3), (10**6, 3), (10**30, 3), (0, 1), (-5, 1), (-(10**30), 1)],
)
async def test_a_limit_is_clamped_to_what_the_operation_allows(over: Over, limit: int | None, count: int):
    async with client(library(), over=over) as caller:
        assert len((await caller.call("books", limit=limit)).rows) == count


@pytest.mark.requirement("PAGE-08", "PAGE-04")
@pytest.mark.parametrize("size", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("limit", [None, 1, 2, 3, 100])
async def test_following_the_pages_meets_every_row_once_and_in_order(over: Over, size: int, limit: int | None):
    async with client(library(size), over=over) as caller:
        assert numbers(await caller.all_rows("books", limit=limit)) == list(range(size))


@pytest.mark.requirement("PAGE-04", "PAGE-05")
async def test_a_page_is_a_bare_array_with_its_position_and_total_beside_it(over: Over):
    async with client(library(3), over=over) as caller:
        first = await caller.call("books")
        last = await caller.call("books", cursor=first.next_cursor)
    assert first.value == [{"number": 0}, {"number": 1}]
    assert first.next_cursor is not None
    assert last.value == [{"number": 2}]
    assert last.next_cursor is None
    assert (first.total, last.total) == (3, 3)


@pytest.mark.requirement("PAGE-05")
async def test_no_total_is_made_up_where_the_handler_knows_none(over: Over):
    app = App("library", access=anyone())

    @app.query(description="Search the shelves.", paging=Paging())
    async def books(page: PageRequest[int]) -> Page[Book]:
        return Page([Book(number=1)])

    async with client(app, over=over) as caller:
        answer = await caller.call("books")
    assert (len(answer.rows), answer.total, answer.next_cursor) == (1, None, None)


async def first_cursor(caller: Client, **arguments: object) -> str:
    cursor = (await caller.call("books", arguments)).next_cursor
    assert cursor is not None
    return cursor


@pytest.mark.requirement("PAGE-07")
async def test_a_cursor_of_other_filters_is_refused(over: Over):
    async with client(library(), over=over) as caller:
        cursor = await first_cursor(caller, shelf="b")
        assert (await caller.call("books", shelf="b", cursor=cursor)).ok
        for other in ({"shelf": "a"}, {}, {"shelf": "b", "least": 1}):
            refused = await caller.call("books", other, cursor=cursor)
            assert (refused.code, refused.fault_codes()) == ("bad_request", {"/cursor": "cursor"})


@pytest.mark.requirement("PAGE-07", "TYPE-08")
async def test_a_filter_at_its_default_is_no_other_filter(over: Over):
    async with client(library(), over=over) as caller:
        cursor = await first_cursor(caller)
        assert numbers((await caller.call("books", shelf="a", least=0, cursor=cursor)).rows) == [2, 3]


@pytest.mark.requirement("PAGE-07")
async def test_the_page_size_may_change_on_the_way(over: Over):
    async with client(library(), over=over) as caller:
        cursor = await first_cursor(caller)
        assert numbers((await caller.call("books", limit=1, cursor=cursor)).rows) == [2]


@pytest.mark.requirement("PAGE-07")
async def test_a_cursor_of_another_operation_is_refused(over: Over):
    async with client(library(), over=over) as caller:
        cursor = await first_cursor(caller)
        assert (await caller.call("archive", cursor=cursor)).fault_codes() == {"/cursor": "cursor"}


@pytest.mark.requirement("PAGE-07")
async def test_a_cursor_of_another_caller_is_refused(over: Over):
    app = library()
    async with client(app, as_=Principal("ada"), over=over) as ada, client(app, as_=Principal("bob"), over=over) as bob:
        cursor = await first_cursor(ada)
        assert (await ada.call("books", cursor=cursor)).ok
        assert (await bob.call("books", cursor=cursor)).fault_codes() == {"/cursor": "cursor"}
    async with client(app, over=over) as nobody:
        assert (await nobody.call("books", cursor=cursor)).fault_codes() == {"/cursor": "cursor"}
        public = await first_cursor(nobody)
    async with client(app, as_=Principal(""), over=over) as nameless:
        assert (await nameless.call("books", cursor=public)).fault_codes() == {"/cursor": "cursor"}


@pytest.mark.requirement("PAGE-07")
async def test_a_cursor_is_good_for_every_worker_with_the_same_secret_and_for_no_other():
    async with client(library()) as one, client(library()) as two, client(library(secret="another")) as three:
        cursor = await first_cursor(one)
        assert numbers((await two.call("books", cursor=cursor)).rows) == [2, 3]
        assert (await three.call("books", cursor=cursor)).fault_codes() == {"/cursor": "cursor"}


@pytest.mark.requirement("PAGE-07")
@pytest.mark.parametrize("garbage", ["", "0", "2", "abc", "===", "💥", "a" * 5000, "null", " ", "%00", "AAAA" * 8])
async def test_what_is_no_cursor_is_refused_and_not_read_as_the_first_page(over: Over, garbage: str):
    async with client(library(), over=over) as caller:
        refused = await caller.call("books", cursor=garbage)
    assert (refused.code, refused.fault_codes()) == ("bad_request", {"/cursor": "cursor"})


@pytest.mark.requirement("PAGE-07")
async def test_a_cursor_that_was_cut_or_changed_is_refused():
    async with client(library()) as caller:
        cursor = await first_cursor(caller)
        raw = bytearray(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        changed = [cursor[:length] for length in range(len(cursor))]
        for position in range(len(raw)):
            raw[position] ^= 1
            changed.append(base64.urlsafe_b64encode(raw).decode().rstrip("="))
            raw[position] ^= 1
        for text in [*changed, cursor + "AAAA", "AAAA" + cursor]:
            assert (await caller.call("books", cursor=text)).fault_codes() == {"/cursor": "cursor"}, text


@pytest.mark.requirement("PAGE-08")
@pytest.mark.parametrize(
    ("declared", "positions"),
    [
        (str, ["", "ä/=&?#", "2"]),
        (date, [date(2031, 1, 2), date(2031, 1, 3)]),
        (tuple[date, int], [(date(2031, 1, 2), 5), (date(2031, 1, 2), 6)]),
        (list[str], [["a", "b"], []]),
        (dict[str, int], [{"a": 1}, {}]),
        (Annotated[int, Field(ge=0)], [0, 10**15]),
        (Literal["a", "b"], ["a", "b"]),
        (bool, [False, True]),
        (Book, [Book(number=1), Book(number=2)]),
    ],
    ids=str,
)
async def test_a_position_comes_back_as_it_was_given(over: Over, declared: object, positions: list[object]):
    app = App("library", access=anyone())
    received: list[object] = []

    async def books(page: object) -> Page[Book]:
        received.append(page.after)
        step = len(received)
        return Page([Book(number=step)], next=positions[step - 1] if step <= len(positions) else None)

    books.__annotations__["page"] = PageRequest[declared]
    app.query(description="Search the shelves.", paging=Paging())(books)
    async with client(app, over=over) as caller:
        assert numbers(await caller.all_rows("books")) == list(range(1, len(positions) + 2))
    assert received == [None, *positions]


@pytest.mark.requirement("CASE-K28", "PAGE-07")
@pytest.mark.parametrize(
    "page",
    [
        Page([Book(number=1)], next="not a number"),
        Page([Book(number=1)], next=object()),
        Page([Book(number=1)] * 3),
        Page([Book(number=1)], total=-1),
        Page([Book(number=1)], total=True),
        Page([Book(number=1)], total=1.5),
    ],
    ids=["foreign position", "no position", "more than asked for", "negative total", "true total", "half total"],
)
async def test_a_page_that_cannot_be_right_never_leaves(over: Over, page: Page[Book]):
    app = App("library", access=anyone())

    @app.query(description="Search the shelves.", paging=Paging(default=2, max=2))
    async def books(page_: PageRequest[int]) -> Page[Book]:
        return page

    async with client(app, over=over) as caller:
        assert (await caller.call("books")).code == "output_contract"


@pytest.mark.requirement("PAGE-07", "CASE-K28")
async def test_a_position_too_long_to_come_back_never_leaves(over: Over):
    app = App("library", access=anyone())

    @app.query(description="Search the shelves.", paging=Paging())
    async def books(length: int, page: PageRequest[str]) -> Page[Book]:
        return Page([Book(number=1)], next=None if page.after else "x" * length)

    async with client(app, over=over) as caller:
        assert len(await caller.all_rows("books", {"length": 2500})) == 2
        assert (await caller.call("books", length=5000)).code == "output_contract"


@pytest.mark.requirement("PAGE-07", "TYPE-06")
@pytest.mark.parametrize("least", [5, 2**63, 2**80, -(2**80)])
async def test_a_filter_of_any_size_that_a_raw_schema_accepts_binds_its_cursor(least: int):
    app = App("library", access=anyone())
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"least": {"type": "number"}},
        "required": [],
    }

    @app.query(description="Search the shelves.", paging=Paging(), input_schema=schema)
    async def books(arguments: dict[str, object], page: PageRequest[int]) -> Page[Book]:
        return Page([Book(number=1)], next=1)

    async with served(app.asgi()) as http:
        first = await http.get(f"/books?least={least}")
        assert first.status_code == 200
        link = first.links["next"]["url"]
        assert (await http.get(f"/books{link}")).status_code == 200
        assert (await http.get(f"/books{link}".replace(str(least), str(least + 1)))).status_code == 400


@pytest.mark.requirement("PAGE-06")
async def test_rows_of_a_page_may_come_from_an_iterator(over: Over):
    app = App("library", access=anyone())

    @app.query(description="Search the shelves.", paging=Paging(default=2, max=2))
    async def books(count: int, page: PageRequest[int]) -> Page[Book]:
        return Page(Book(number=number) for number in range(count))

    async with client(app, over=over) as caller:
        assert numbers((await caller.call("books", count=2)).rows) == [0, 1]
        assert (await caller.call("books", count=3)).code == "output_contract"


@pytest.mark.requirement("PAGE-01")
@pytest.mark.parametrize("over", PLAIN)
async def test_a_query_without_pages_takes_the_pair_and_ignores_it(over: Over):
    app = App("library", access=anyone())

    @app.query(description="See every shelf.")
    async def shelves() -> list[int]:
        return [1, 2, 3]

    @app.static(description="See the opening hours.")
    async def hours() -> list[int]:
        return [9, 17]

    async with client(app, over=over) as caller:
        assert (await caller.call("shelves", limit=1, cursor="anything")).value == [1, 2, 3]
        assert (await caller.call("hours", limit=1)).value == [9, 17]
        schema = app.build().operations["shelves"].input.schema
    assert schema["properties"] == {}


@pytest.mark.parametrize("over", MCP)
async def test_over_mcp_only_a_query_with_pages_has_the_pair(over: Over):
    app = App("library", access=anyone())

    @app.query(description="See every shelf.")
    async def shelves() -> list[int]:
        return [1, 2, 3]

    async with client(app, over=over) as caller:
        refused = await caller.call("shelves", limit=1, cursor="anything")
    assert refused.fault_codes() == {"/limit": "unknown_argument", "/cursor": "unknown_argument"}


@pytest.mark.requirement("PAGE-02")
async def test_a_query_that_declares_the_pair_itself_receives_it():
    app = App("library", access=anyone())

    @app.query(description="See the first shelves.")
    async def shelves(limit: Annotated[int, Field(ge=1, le=2)] = 1, cursor: str = "start") -> list[str]:
        return [f"{cursor}{number}" for number in range(limit)]

    async with client(app, over="http") as caller:
        assert (await caller.call("shelves")).value == ["start0"]
        assert (await caller.call("shelves", limit=2, cursor="x")).value == ["x0", "x1"]
        assert (await caller.call("shelves", limit=3)).fault_codes() == {"/limit": "out_of_range"}


@pytest.mark.requirement("PAGE-03")
async def test_the_description_of_a_paging_query_states_sizes_and_how_to_walk_on():
    app = library(paging=Paging(default=4, max=9))
    async with served(app.asgi()) as http:
        catalog = (await http.get("/schema")).json()
        openapi = (await http.get("/openapi.json")).json()
    (books,) = [item for item in catalog["queries"] if item["name"] == "books"]
    for text in (books["description"], openapi["paths"]["/books"]["get"]["description"]):
        assert text.startswith("Search the shelves. ")
        assert "4 rows" in text
        assert "1..9" in text
        assert 'rel="next"' in text
    assert app.build().operations["books"].description == "Search the shelves."


@pytest.mark.requirement("PAGE-03")
async def test_the_description_of_a_complete_answer_promises_no_pages():
    app = App("library", access=anyone())

    @app.query(description="See every shelf.")
    async def shelves() -> list[int]:
        return []

    async with served(app.asgi()) as http:
        (described,) = (await http.get("/schema")).json()["queries"]
    assert described["description"] == "See every shelf."


@pytest.mark.requirement("PAGE-02", "PAGE-01")
async def test_openapi_publishes_the_pair_for_every_query_unless_it_declares_its_own():
    app = library()

    @app.query(description="See the first shelves.")
    async def shelves(limit: Annotated[int, Field(ge=1, le=2)] = 1) -> list[str]:
        return []

    async with served(app.asgi()) as http:
        openapi = (await http.get("/openapi.json")).json()

    def parameters(name: str) -> dict[str, object]:
        shared = openapi["components"]["parameters"]
        listed = openapi["paths"][name]["get"]["parameters"]
        found = [shared[item["$ref"].rpartition("/")[2]] if "$ref" in item else item for item in listed]
        return {item["name"]: item["schema"] for item in found}

    assert parameters("/books")["limit"] == {"type": "integer"}
    assert {"shelf", "least", "limit", "cursor"} == set(parameters("/books"))
    assert parameters("/shelves")["limit"]["maximum"] == 2
    assert [item.get("name") for item in openapi["paths"]["/shelves"]["get"]["parameters"]].count("limit") == 1
