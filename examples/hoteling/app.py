"""The entry, `afford serve app.py`: what guests do with a room, what staff see of it, and where it is on screen."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

from catalogue import STAY, CheckIn, CheckOut, Currency, Neighbourhood, PropertyId, RoomId, app, is_free
from database import Db, bookings, fetch, hotels, rooms
from pydantic import BaseModel, Field
from sqlalchemy import func, select

from afford import DOC, Agent, Caller, Example, NotFoundError, roles, signed_in

BookingId = Annotated[str, Field(pattern="^bk_[0-9a-f]{8}$", description="The booking's id, as in my_bookings.")]


class Booking(BaseModel):
    booking_id: BookingId
    property_id: PropertyId
    room_id: RoomId
    check_in: CheckIn
    check_out: CheckOut
    total_cents: Annotated[int, Field(ge=0, description="Price of the whole stay, EUR cents.")]
    currency: Currency = "eur"
    status: Annotated[Literal["confirmed", "cancelled"], Field(description="Only a confirmed booking holds the room.")]
    guest_id: Annotated[str, Field(exclude=True)]


class Occupancy(BaseModel):
    neighbourhood: Neighbourhood
    room_count: Annotated[int, Field(ge=0, description="How many rooms the area has.")]
    taken_count: Annotated[int, Field(ge=0, description="How many of them are taken.")]


app.entity("booking", Booking, description="A room held for a guest from arrival to departure.")
RoomTaken = app.problem("ROOM_TAKEN", status=409, title="Room is taken", fix="choose another from check_availability")
WISH = {"room_id": 242, **STAY}
BOOKED = {**WISH, "booking_id": "bk_5e0c91d7", "property_id": 24, "total_cents": 38250, "status": "confirmed"}
BOOK = Example(WISH, row=BOOKED)
CANCEL = Example({"booking_id": "bk_00000001"})


@app.action(
    description=DOC, access=roles("guest", "staff"), risk="high", entity="booking", raises=[RoomTaken], example=BOOK
)
async def book_room(db: Db, caller: Caller, room_id: RoomId, check_in: CheckIn, check_out: CheckOut) -> Booking:
    """Book one room in the caller's name, once the dates are settled and check_availability has listed the room. It
    is held at once and the whole stay is owed at the desk; no card is charged and no message is sent. Afterwards
    my_bookings lists the booking, and cancel_booking undoes it."""
    # Writing to the room before looking at its bookings makes callers who want the same room take turns.
    claim = rooms.update().filter_by(room_id=room_id).values(sleeps=rooms.c.sleeps).returning(rooms)
    for room in await fetch(db, claim):
        if not await fetch(db, rooms.select().where(rooms.c.room_id == room_id, is_free(check_in, check_out))):
            raise RoomTaken("another guest has the room on one of these nights")
        stay = caller.id, check_in, check_out, (check_out - check_in).days * room.price_cents, "confirmed"
        row = f"bk_{secrets.token_hex(4)}", room.property_id, room_id, *stay
        booked: list[Booking] = await fetch(db, bookings.insert().values(row).returning(bookings))
        return booked[0]
    raise NotFoundError("there is no such room", fix="take the room from check_availability")


@app.query(description=DOC, access=signed_in(), entity="booking", owner="guest_id", example=Example({}))
async def my_bookings(db: Db, caller: Caller) -> list[Booking]:
    """List the caller's own bookings by day of arrival, cancelled ones too. Call it when somebody asks what they have
    booked, and before cancel_booking to find the booking meant."""
    return await fetch(db, bookings.select().filter_by(guest_id=caller.id).order_by(bookings.c.check_in))


@app.action(description=DOC, access=signed_in(), safety="destructive", entity="booking", example=CANCEL)
async def cancel_booking(db: Db, caller: Caller, booking_id: BookingId) -> Booking:
    """Cancel one of the caller's own bookings, as my_bookings lists them, and free its room. Nothing is owed any more.
    It cannot be undone: another guest may take the room at once, and having it back takes a new book_room."""
    own = bookings.update().filter_by(booking_id=booking_id, guest_id=caller.id)
    cancelled: list[Booking] = await fetch(db, own.values(status="cancelled").returning(bookings))
    if not cancelled:
        raise NotFoundError("the caller has no such booking", fix="take the booking from my_bookings")
    return cancelled[0]


@app.query(description=DOC, access=roles("staff"), example=Example(STAY))
async def occupancy(db: Db, check_in: CheckIn, check_out: CheckOut) -> list[Occupancy]:
    """See how many rooms of each area are taken on one night or several; a room counts that is taken on any of them.
    Call it for planning and pricing questions. Every area with hotels is listed."""
    taken_count = func.count().filter(~is_free(check_in, check_out)).label("taken_count")
    areas = select(hotels.c.neighbourhood, func.count().label("room_count"), taken_count).join(rooms)
    return await fetch(db, areas.group_by(hotels.c.neighbourhood).order_by(hotels.c.neighbourhood))


@app.event(description="Delete every booking.", access=roles("staff"), safety="destructive", agent=Agent(expose=False))
async def close_season(db: Db) -> None:
    await db.execute(bookings.delete())


app.screen("hotel-list", type="list", path="/hotels", description="Search hotels.")
app.screen("stays", type="list", path="/stays", description="See own bookings, cancel them.", access=signed_in())
app.screen("desk", type="dashboard", path="/desk", description="Occupancy by night.", access=roles("staff"))
app.nav("hotels", label="Hotels", screen="hotel-list")
app.nav("stays", label="My stays", screen="stays")
app.nav("desk", label="Front desk", screen="desk")
