"""The application, and what everybody may read: hotels, their free rooms, and what guests say of them."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from database import Amenity, Area, Db, bookings, engine, fetch, hotels, lifespan, reviews, rooms
from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement, Text, cast, exists, func, select

from afford import DOC, ApiKeys, App, Example, InvalidInputError, Page, PageRequest, Paging, Principal, UserText, anyone

KEYS = {
    "demo-guest-1": Principal("guest-1", roles=["guest"]),
    "demo-guest-2": Principal("guest-2", roles=["guest"]),
    "demo-staff": Principal("staff-1", roles=["staff"]),
}
ROLES = ["guest", "staff"]
KEYED = ApiKeys(KEYS)
RULES = "Rooms are ready at 15:00 and left by 11:00. A stay is paid at the desk, in full. Pets are welcome."
app = App("hoteling", title="Istanbul hotels", version="1.0.0", roles=ROLES, authenticate=KEYED, lifespan=lifespan)
app.provide(Db, engine.begin)  # a transaction for each call, committed once the answer has held its contract

PropertyId = Annotated[int, Field(ge=1, description="The hotel's id, as in the rows of search_hotels.")]
RoomId = Annotated[int, Field(ge=1, description="The room's id, as in the rows of check_availability.")]
Neighbourhood = Annotated[Area, Field(description="Area of Istanbul, by its exact name.")]
Stars = Annotated[int, Field(ge=1, le=5, description="Stars out of five.")]
Currency = Annotated[Literal["eur"], Field(description="Currency of every amount in the row.")]
CheckIn = Annotated[date, Field(description="Day of arrival, YYYY-MM-DD.")]
CheckOut = Annotated[date, Field(description="Day of departure, YYYY-MM-DD, after the arrival.")]


class Room(BaseModel):
    room_id: RoomId
    sleeps: Annotated[int, Field(ge=1, description="Most people it takes.")]
    price_cents: Annotated[int, Field(ge=0, description="Price of one night, EUR cents.")]
    currency: Currency = "eur"


class HotelSummary(BaseModel):
    property_id: PropertyId
    name: Annotated[str, Field(description="Name of the hotel.")]
    neighbourhood: Neighbourhood
    stars: Stars
    from_price_cents: Annotated[int, Field(ge=0, description="Price of one night in the cheapest room, EUR cents.")]
    currency: Currency = "eur"


class Hotel(HotelSummary):
    amenities: Annotated[list[Amenity], Field(description="What it offers.")]
    rooms: Annotated[list[Room], Field(description="All its rooms, free or not, smallest first.")]


class Review(BaseModel):
    rating: Stars
    text: Annotated[str, UserText(), Field(description="The guest's own words.")]


ABOUT = "What holds in every hotel. Read it when somebody asks about times, payment or pets."
app.resource("rules", name="House rules", description=ABOUT, uri="hotels://rules", access=anyone(), read=lambda: RULES)
app.entity("hotel", Hotel, description="A hotel in Istanbul.")
app.entity("room", Room, description="A room of a hotel; a booking takes the whole room.")
app.entity("review", Review, description="A guest's opinion of a hotel, published without a name.")
STAY = {"check_in": "2030-06-12", "check_out": "2030-06-15"}  # shown in examples
FOUND = HotelSummary(property_id=24, name="Bosphorus Inn", neighbourhood="Besiktas", stars=4, from_price_cents=8500)
SEARCH = Example({"neighbourhood": "Besiktas", "min_stars": 4, "max_price_cents": 9000, "limit": 20}, row=FOUND)


def is_free(check_in: date, check_out: date) -> ColumnElement[bool]:
    """Whether no booking holds the room on a night of the stay."""
    if check_out <= check_in:
        raise InvalidInputError("a stay has a night", pointer="/check_out", fix="send a departure after the arrival")
    overlap = bookings.c.check_in < check_out, bookings.c.check_out > check_in
    return ~exists().where(bookings.c.room_id == rooms.c.room_id, bookings.c.status == "confirmed", *overlap)


@app.query(description=DOC, access=anyone(), entity="hotel", paging=Paging(default=20, max=50), example=SEARCH)
async def search_hotels(
    db: Db,
    page: PageRequest[int],
    neighbourhood: Neighbourhood | None = None,
    min_stars: Annotated[int, Field(ge=1, le=5, description="Fewest stars out of five.")] = 1,
    max_price_cents: Annotated[int | None, Field(ge=0, description="Cheapest room at most, EUR cents a night.")] = None,
    amenity: Annotated[Amenity | None, Field(description="Something the hotel must offer.")] = None,
) -> Page[HotelSummary]:
    """Find Istanbul hotels that fit what somebody asked for. Filters combine, so send every wish at once instead of
    reading the whole catalogue. A row is a summary and says nothing about dates: hotel_detail and hotel_reviews tell
    more about one hotel, check_availability which of its rooms are free."""
    found = hotels.select().where(hotels.c.stars >= min_stars)
    if neighbourhood is not None:
        found = found.where(hotels.c.neighbourhood == neighbourhood)
    if max_price_cents is not None:
        found = found.where(hotels.c.from_price_cents <= max_price_cents)
    if amenity is not None:
        found = found.where(cast(hotels.c.amenities, Text).contains(f'"{amenity}"'))
    total = await db.scalar(select(func.count()).select_from(found.subquery())) or 0
    start = page.after or 0
    end = start + page.limit
    rows = await fetch(db, found.order_by(hotels.c.property_id).slice(start, end))
    return Page(rows, next=end if end < total else None, total=total)


@app.query(description=DOC, access=anyone(), entity="hotel", example=Example({"property_id": 24}))
async def hotel_detail(db: Db, property_id: PropertyId) -> Hotel | None:
    """Read everything about one hotel that search_hotels found: what it offers, and each of its rooms. Which of them
    are free for a stay is for check_availability to say."""
    own = await fetch(db, rooms.select().filter_by(property_id=property_id).order_by(rooms.c.sleeps))
    found = await fetch(db, hotels.select().filter_by(property_id=property_id))
    return Hotel(**found[0]._asdict(), rooms=[room._asdict() for room in own]) if found else None


@app.query(description=DOC, access=anyone(), entity="room", example=Example({"property_id": 24, **STAY}))
async def check_availability(db: Db, property_id: PropertyId, check_in: CheckIn, check_out: CheckOut) -> list[Room]:
    """See which rooms of one hotel are free for a whole stay, cheapest first. Call it right before book_room: the
    answer is complete and current but holds nothing, so another guest may be faster."""
    free = rooms.select().where(rooms.c.property_id == property_id, is_free(check_in, check_out))
    return await fetch(db, free.order_by(rooms.c.price_cents))


@app.query(description=DOC, access=anyone(), entity="review", reach="published", example=Example({"property_id": 24}))
async def hotel_reviews(db: Db, property_id: PropertyId) -> list[Review]:
    """Read what guests wrote about one hotel, newest first: opinions in their own words, which nobody has checked.
    Call it when somebody asks what a place is really like."""
    return await fetch(db, reviews.select().filter_by(property_id=property_id).order_by(reviews.c.review_id.desc()))
