"""Tables, transactions and sample data: the part that would look the same without agents."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date
from itertools import product
from typing import Any, Literal, get_args

from sqlalchemy import JSON, BigInteger, Column, Date, Executable, ForeignKey, MetaData, Table, Text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

Amenity = Literal["breakfast", "gym", "parking", "pool", "rooftop", "spa", "wifi"]
Area = Literal["Balat", "Besiktas", "Beyoglu", "Eminonu", "Kadikoy", "Sisli", "Sultanahmet", "Uskudar"]

Db = AsyncConnection
Int = BigInteger  # so that an id nobody has is simply not found, however large
engine = create_async_engine(os.environ.get("HOTELING_DATABASE", "sqlite+aiosqlite:///hoteling.db"))
metadata = MetaData()


def table(name: str, /, **columns: type[Any] | ForeignKey) -> Table:
    """A table whose first column is its key."""
    key, *_ = columns
    return Table(name, metadata, *(Column[Any](each, kind, primary_key=each == key) for each, kind in columns.items()))


hotels = table("hotel", property_id=Int, name=Text, neighbourhood=Text, stars=Int, from_price_cents=Int, amenities=JSON)
rooms = table("room", room_id=Int, property_id=ForeignKey("hotel.property_id"), sleeps=Int, price_cents=Int)
reviews = table("review", review_id=Int, property_id=ForeignKey("hotel.property_id"), rating=Int, text=Text)
stay = {"guest_id": Text, "check_in": Date, "check_out": Date, "total_cents": Int, "status": Text}
bookings = table("booking", booking_id=Text, property_id=Int, room_id=ForeignKey("room.room_id"), **stay)


@asynccontextmanager
async def lifespan(_app: object) -> AsyncGenerator[None]:
    """Make the tables and fill them where there are none; close the connections at the end."""
    take_turns = {"sqlite": "begin immediate", "postgresql": "select pg_advisory_xact_lock(1453)"}
    async with engine.begin() as db:
        await db.exec_driver_sql(take_turns[engine.dialect.name])  # workers start at the same time
        await db.run_sync(metadata.create_all)
        if not await fetch(db, hotels.select().limit(1)):
            for target, rows in sample().items():
                await db.execute(target.insert().values(rows))
    yield
    await engine.dispose()


async def fetch(db: Db, statement: Executable) -> list[Any]:
    """Rows as they are: afford picks what the declared answer names, and checks it."""
    return list(await db.execute(statement))


FIRST_WORDS = "Amber Blue Bosphorus Cedar Golden Ivory Olive Saffron Tulip Walnut"
LAST_WORDS = "Court Garden House Inn Lodge Palace Rooms Suites Terrace Yard"
OPINIONS = (5, "Breakfast on the roof, ferries below."), (4, "Spotless and quiet."), (2, "Thin walls, tiny lift.")


def sample() -> dict[Table, list[tuple[Any, ...]]]:
    """A hundred hotels, always the same, so that the published examples stay true."""
    rng = random.Random(1453)
    made: dict[Table, list[tuple[Any, ...]]] = {hotels: [], rooms: [], reviews: [], bookings: []}
    for property_id, words in enumerate(product(FIRST_WORDS.split(), LAST_WORDS.split()), start=1):
        stars, area = rng.randint(2, 5), rng.choice(get_args(Area))
        amenities, cents = sorted(rng.sample(get_args(Amenity), stars)), stars * 2000 + rng.randrange(0, 2000, 500)
        made[hotels].append((property_id, " ".join(words), area, stars, cents, amenities))
        made[rooms] += [(property_id * 10 + n, property_id, n, cents * (1 + n) // 2) for n in range(1, 5)]
        made[reviews] += [(property_id * 10 + n, property_id, *rng.choice(OPINIONS)) for n in range(rng.randint(0, 9))]
        first_stay = f"guest-{property_id}", date(2030, 6, 10), date(2030, 6, 10 + stars), stars * cents, "confirmed"
        made[bookings].append((f"bk_{property_id:08x}", property_id, property_id * 10 + 1, *first_stay))
    return made
