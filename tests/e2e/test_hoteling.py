"""The example application, through the same clients that its users would write tests with."""

from __future__ import annotations

import asyncio
import re
import runpy
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from afford import App, Caller, Principal
from afford.errors import JsonObject, JsonValue
from afford.testing import Client, check_disjoint, client

EXAMPLE = Path(__file__).parents[2] / "examples" / "hoteling"
POSTGRESQL = "postgresql+asyncpg://postgres@127.0.0.1"

GUEST = Principal("guest-1", ["guest"])
RIVAL = Principal("guest-2", ["guest"])
STAFF = Principal("staff-1", ["staff"])

PUBLIC = {"check_availability", "hotel_detail", "hotel_reviews", "search_hotels"}
BOOKING = {"book_room", "cancel_booking", "my_bookings"}
DESK = {"occupancy"}

STAY = {"check_in": "2030-06-12", "check_out": "2030-06-15"}
HOTEL, ROOM = 24, 242


def load_app() -> App:
    """The app as `afford serve` finds it: the file by its path, its siblings by its folder."""
    app = runpy.run_path(str(EXAMPLE / "app.py"))["app"]
    assert isinstance(app, App)
    return app


def forget_example_modules() -> None:
    for path in EXAMPLE.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture
def fresh_modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    forget_example_modules()
    yield
    forget_example_modules()


@pytest.fixture
def app(fresh_modules: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> App:
    monkeypatch.setenv("HOTELING_DATABASE", f"sqlite+aiosqlite:///{tmp_path / 'hoteling.db'}")
    return load_app()


@pytest.fixture
async def postgresql_app(fresh_modules: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    name = f"hoteling_{uuid4().hex}"
    server = create_async_engine(f"{POSTGRESQL}/test", isolation_level="AUTOCOMMIT")
    try:
        async with server.connect() as db:
            await db.execute(text(f"create database {name}"))
    except (OSError, DBAPIError) as error:
        pytest.skip(f"no PostgreSQL on this machine: {type(error).__name__}")
    monkeypatch.setenv("HOTELING_DATABASE", f"{POSTGRESQL}/{name}")
    try:
        yield load_app()
    finally:
        async with server.connect() as db:
            await db.execute(text(f"drop database {name} with (force)"))
        await server.dispose()


async def names_for(app: App, principal: Principal | None) -> set[str]:
    async with client(app, as_=principal) as caller:
        return set(await caller.names())


async def operations_of(app: App) -> list[JsonObject]:
    """What guests and staff are shown together, each operation once."""
    shown: dict[str, JsonObject] = {}
    for principal in (GUEST, STAFF):
        async with client(app, as_=principal) as caller:
            operations = (await caller.manifest())["operations"]
            assert isinstance(operations, list)
            shown |= {str(item["name"]): item for item in operations if isinstance(item, dict)}
    return list(shown.values())


def properties_in(schema: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    if isinstance(schema, list):
        for item in schema:
            yield from properties_in(item)
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from ((name, item) for name, item in properties.items() if isinstance(item, dict))
        for item in schema.values():
            yield from properties_in(item)


async def book(caller: Client, room_id: int, **changes: object) -> JsonObject:
    answer = await caller.call("book_room", {"room_id": room_id, **STAY, **changes})
    assert isinstance(answer.value, dict), answer.error
    return answer.value


async def free_rooms(caller: Client, **changes: object) -> list[JsonValue]:
    answer = await caller.call("check_availability", {"property_id": HOTEL, **STAY, **changes})
    return [row["room_id"] for row in answer.rows]


async def test_each_caller_is_shown_what_the_roles_allow_and_nothing_more(app: App):
    assert await names_for(app, None) == PUBLIC
    assert await names_for(app, GUEST) == PUBLIC | BOOKING
    assert await names_for(app, STAFF) == PUBLIC | BOOKING | DESK


async def test_the_hidden_operation_is_out_of_reach_of_agents_and_not_of_the_application(app: App):
    async with client(app, as_=STAFF) as agent:
        assert (await agent.call("close_season")).code == "unknown_operation"
    async with client(app, as_=STAFF, door="app") as page:
        assert (await page.call("close_season")).code == "ok"
        assert {row["taken_count"] for row in (await page.call("occupancy", STAY)).rows} == {0}
    async with client(app, as_=GUEST, door="app") as page:
        assert (await page.call("close_season")).code == "unknown_operation"


async def test_a_staff_screen_and_its_entry_are_for_staff(app: App):
    for principal, expected in ((None, False), (GUEST, False), (STAFF, True)):
        async with client(app, as_=principal) as caller:
            manifest = await caller.manifest()
        assert ('"desk"' in str(manifest["screens"]).replace("'", '"')) is expected
        assert ('"desk"' in str(manifest["navigation"]).replace("'", '"')) is expected


async def test_every_published_example_is_answered_and_shows_a_row_that_is_served(app: App):
    async with client(app, as_=STAFF, over="http") as staff, client(app, as_=GUEST, over="http") as guest:
        # Reads first: what they show is the sample data, before the writes among the examples change it.
        for operation in sorted(await operations_of(app), key=lambda item: item["kind"] != "query"):
            examples = operation["examples"]
            assert isinstance(examples, list)
            assert examples, operation["name"]
            example = examples[0]
            assert isinstance(example, dict)
            params = example["params"]
            assert isinstance(params, dict)
            name = str(operation["name"])
            caller = staff if name in DESK else guest
            answer = await caller.call(name, params)
            assert answer.code == "ok", name
            row = example.get("row")
            if isinstance(answer.value, list) and row is not None:
                assert row in answer.rows, name
            elif isinstance(answer.value, dict) and isinstance(row, dict):
                assert {**answer.value, "booking_id": row["booking_id"]} == row


async def test_descriptions_name_no_input_and_every_field_has_a_description(app: App):
    for operation in await operations_of(app):
        inputs, text_ = operation["input_schema"], str(operation["description"])
        assert isinstance(inputs, dict)
        own = inputs["properties"]
        assert isinstance(own, dict)
        assert not [name for name in own if re.search(rf"\b{name}\b", text_)], operation["name"]
        for schema in (inputs, operation["output_schema"]):
            assert not [name for name, item in properties_in(schema) if not item.get("description")], operation["name"]


async def test_operations_named_in_descriptions_exist(app: App):
    operations = await operations_of(app)
    names = {str(item["name"]) for item in operations}
    told = " ".join(str(item["description"]) for item in operations)
    assert set(re.findall(r"\b[a-z]+_[a-z_]+\b", told)) <= names


async def test_filters_combine_and_pages_add_up(app: App):
    async with client(app, over="http") as visitor:
        everything = await visitor.all_rows("search_hotels", limit=50)
        assert len({row["property_id"] for row in everything}) == len(everything) == 100

        wanted = {"neighbourhood": "Besiktas", "min_stars": 4, "max_price_cents": 9000, "amenity": "wifi"}
        found = await visitor.all_rows("search_hotels", wanted, limit=1)
        in_area = await visitor.call("search_hotels", neighbourhood="Besiktas")
        assert 0 < len(found) < len(in_area.rows) == in_area.total
        for row in found:
            detail = (await visitor.call("hotel_detail", property_id=row["property_id"])).row
            assert row.items() <= detail.items()
            assert "wifi" in str(detail["amenities"])


async def test_a_page_holds_twenty_hotels_and_never_more_than_fifty(app: App):
    async with client(app, over="http") as visitor:
        assert len((await visitor.call("search_hotels")).rows) == 20
        assert len((await visitor.call("search_hotels", limit=1000)).rows) == 50


async def test_a_misspelt_area_is_refused_with_the_right_one(app: App):
    async with client(app, over="http") as visitor:
        refused = await visitor.call("search_hotels", neighbourhood="Besikta")
        assert refused.fault_codes() == {"/neighbourhood": "not_a_choice"}
        assert refused.faults[0]["suggestion"] == "Besiktas"


async def test_a_hotel_that_does_not_exist_is_not_found(app: App):
    async with client(app) as visitor:
        assert (await visitor.call("hotel_detail", property_id=101)).code == "not_found"
        assert (await visitor.call("hotel_detail", property_id=2**53 - 1)).code == "not_found"


async def test_reviews_are_published_and_marked_as_the_words_of_users(app: App):
    reviews = next(item for item in await operations_of(app) if item["name"] == "hotel_reviews")
    assert reviews["reach"] == "published"
    marked = [name for name, item in properties_in(reviews["output_schema"]) if item.get("x-user-text")]
    assert marked == ["text"]


async def test_a_booked_room_is_not_free_on_any_of_its_nights(app: App):
    async with client(app, as_=GUEST) as guest:
        room, *others = await free_rooms(guest)
        assert isinstance(room, int)
        await book(guest, room)
        assert await free_rooms(guest) == others
        assert room not in await free_rooms(guest, check_in="2030-06-14", check_out="2030-06-16")
        assert room in await free_rooms(guest, check_in="2030-06-15", check_out="2030-06-16")
        assert room in await free_rooms(guest, check_in="2030-06-11", check_out="2030-06-12")


async def test_the_whole_stay_is_priced(app: App):
    async with client(app, as_=GUEST) as guest:
        offer = (await guest.call("check_availability", {"property_id": HOTEL, **STAY})).rows[0]
        booking = await book(guest, int(str(offer["room_id"])))
        assert booking["total_cents"] == 3 * int(str(offer["price_cents"]))
        assert "guest_id" not in booking


@pytest.mark.parametrize("check_out", ["2030-06-12", "2030-06-11", "0001-01-01"])
async def test_a_stay_without_nights_is_refused_at_the_departure(app: App, check_out: str):
    async with client(app, as_=GUEST) as guest:
        for name, place in (("check_availability", {"property_id": HOTEL}), ("book_room", {"room_id": ROOM})):
            refused = await guest.call(name, {**place, **STAY, "check_out": check_out})
            assert (refused.code, refused.fault_codes()) == ("bad_request", {"/check_out": "rule"})


async def test_an_unknown_room_is_refused_and_books_nothing(app: App):
    async with client(app, as_=GUEST) as guest:
        before = await guest.all_rows("my_bookings")
        assert (await guest.call("book_room", {"room_id": 9999, **STAY})).code == "not_found"
        assert await guest.all_rows("my_bookings") == before


async def test_a_booking_whose_answer_breaks_its_contract_is_not_kept(app: App, monkeypatch: pytest.MonkeyPatch):
    async with client(app, as_=GUEST) as guest:
        before = await guest.all_rows("my_bookings")
        with monkeypatch.context() as patch:
            patch.setattr("secrets.token_hex", lambda _: "no hex")
            assert (await guest.call("book_room", {"room_id": ROOM, **STAY})).code == "output_contract"
        assert await guest.all_rows("my_bookings") == before
        assert ROOM in await free_rooms(guest)


async def race_for_one_room(app: App) -> None:
    async with client(app, as_=GUEST) as guest, client(app, as_=RIVAL) as rival:
        callers = [guest, rival] * 4
        answers = await asyncio.gather(*(each.call("book_room", {"room_id": ROOM, **STAY}) for each in callers))
        assert sorted(answer.code for answer in answers) == ["ROOM_TAKEN"] * 7 + ["ok"]
        refused = next(answer.error for answer in answers if answer.error is not None)
        assert "check_availability" in str(refused["fix"])


async def test_only_one_of_many_callers_gets_the_room(app: App):
    await race_for_one_room(app)


async def test_only_one_of_many_callers_gets_the_room_on_postgresql(postgresql_app: App):
    await race_for_one_room(postgresql_app)


async def test_the_same_declarations_answer_alike_on_postgresql(postgresql_app: App):
    async with client(postgresql_app, as_=STAFF, over="http") as staff:
        found = await staff.call("search_hotels", amenity="pool", max_price_cents=2**53 - 1)
        assert found.code == "ok"
        last = {"check_in": "9999-12-30", "check_out": "9999-12-31"}
        assert {row["taken_count"] for row in (await staff.call("occupancy", last)).rows} == {0}
        assert (await staff.call("hotel_detail", property_id=2**53 - 1)).code == "not_found"


async def start_together(app: App) -> None:
    runtimes = [app.runtime() for _ in range(3)]
    await asyncio.gather(*(runtime.start() for runtime in runtimes))
    for runtime in runtimes:
        await runtime.stop()
    async with client(app) as visitor:
        assert (await visitor.call("search_hotels")).total == 100


async def test_workers_that_start_together_fill_an_empty_database_once(app: App):
    await start_together(app)


async def test_workers_that_start_together_fill_an_empty_postgresql_database_once(postgresql_app: App):
    await start_together(postgresql_app)


async def test_guests_see_their_own_bookings_only(app: App):
    report = await check_disjoint(app, "my_bookings", GUEST, RIVAL, over="http")
    assert report.shared == ()


async def test_a_booking_is_cancelled_by_its_owner_alone_and_frees_the_room(app: App):
    async with client(app, as_=GUEST) as guest, client(app, as_=RIVAL) as rival:
        booking = await book(guest, ROOM)
        target = {"booking_id": booking["booking_id"]}
        assert (await rival.call("cancel_booking", target)).code == "not_found"
        assert ROOM not in await free_rooms(guest)

        first, again = [await guest.call("cancel_booking", target) for _ in range(2)]
        assert first.value == again.value == {**booking, "status": "cancelled"}
        assert ROOM in await free_rooms(guest)
        assert first.value in await guest.all_rows("my_bookings")


async def test_occupancy_counts_a_room_on_its_nights_and_not_on_the_day_of_departure(app: App):
    async def taken(staff: Client, check_in: str, check_out: str) -> int:
        rows = (await staff.call("occupancy", check_in=check_in, check_out=check_out)).rows
        return sum(int(str(row["taken_count"])) for row in rows)

    nights = [("2031-01-01", "2031-01-02"), ("2031-01-02", "2031-01-03"), ("2031-01-03", "2031-01-04")]
    async with client(app, as_=STAFF) as staff:
        assert [await taken(staff, *night) for night in nights] == [0, 0, 0]
        await book(staff, ROOM, check_in="2031-01-01", check_out="2031-01-03")
        assert [await taken(staff, *night) for night in nights] == [1, 1, 0]
        assert await taken(staff, "2030-12-01", "2031-02-01") == 1


async def test_occupancy_counts_every_room_of_every_area(app: App):
    async with client(app, as_=STAFF) as staff:
        rows = (await staff.call("occupancy", STAY)).rows
    assert len(rows) == 8
    assert sum(int(str(row["room_count"])) for row in rows) == 400


async def test_data_survives_a_restart_and_is_not_made_twice(app: App):
    async with client(app, as_=GUEST) as guest:
        booking = await book(guest, ROOM)
    async with client(app, as_=GUEST) as guest:
        assert booking in await guest.all_rows("my_bookings")
        assert (await guest.call("search_hotels")).total == 100


def test_why_an_operation_is_missing_can_be_asked(app: App):
    assert str(app.explain("book_room", Caller()).gate) == "access"
    assert str(app.explain("close_season", Caller(STAFF)).gate) == "exposed"
    assert app.explain("occupancy", Caller(STAFF)).offered


def test_the_whole_application_has_fewer_than_300_lines():
    sources = [path for path in EXAMPLE.glob("*.py") if path.name != "demo.py"]
    assert len(sources) > 2
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in sources) < 300


async def test_the_house_rules_are_a_document_that_everybody_is_told_of(app: App):
    for principal in (None, GUEST, STAFF):
        async with client(app, as_=principal) as caller:
            resources = (await caller.manifest())["resources"]
        assert [(item["uri"], item["name"]) for item in resources] == [("hotels://rules", "House rules")]  # type: ignore[union-attr,index,call-overload]


def test_the_demonstration_runs_to_its_end():
    ran = subprocess.run(
        [sys.executable, str(EXAMPLE / "demo.py")], capture_output=True, text=True, timeout=55, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for asked in ("GET /agent/search_hotels", "POST /agent/book_room", "tools/call book_room", "resources/read"):
        assert asked in ran.stdout
