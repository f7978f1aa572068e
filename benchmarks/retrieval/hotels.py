"""Ten operations of a hotel booking service."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from afford import Feature

hotels = Feature("hotels", description="Find a hotel, stay in it, and look after who stays.")

HotelId = Annotated[int, Field(description="The hotel's id, as search_hotels lists it.")]
BookingId = Annotated[str, Field(description="The booking's id, as my_bookings lists it.")]
Arrival = Annotated[date, Field(description="First night of the stay.")]
Departure = Annotated[date, Field(description="Day of departure; this night is not part of the stay.")]


class Hotel(BaseModel):
    hotel_id: int
    name: str
    stars: int


class Room(BaseModel):
    room_id: int
    sleeps: int
    price_cents: int


class Booking(BaseModel):
    booking_id: str
    room_id: int
    status: str


class Review(BaseModel):
    score: int
    text: str


class Rate(BaseModel):
    night: date
    price_cents: int


@hotels.query(
    description="Find hotels that match what the traveller wants. Call it first, when somebody looks for a place to "
    "stay and names a city or an area, and narrow it with filters rather than reading everything."
)
async def search_hotels(
    city: Annotated[str, Field(description="City to look in.")],
    neighbourhood: Annotated[str | None, Field(description="Exact name of the area.")] = None,
    min_stars: Annotated[int | None, Field(ge=1, le=5, description="Star rating at least.")] = None,
    amenities: Annotated[
        list[Literal["pool", "parking", "breakfast", "pets", "gym"]] | None,
        Field(description="What the hotel must offer."),
    ] = None,
) -> list[Hotel]: ...


@hotels.query(
    description="List the rooms of one hotel that are free on every night of a stay. Call it once the hotel is chosen "
    "and before book_room, which takes a room from here."
)
async def check_availability(
    hotel_id: HotelId,
    check_in: Arrival,
    check_out: Departure,
    guests: Annotated[int, Field(ge=1, description="How many people sleep in the room.")] = 1,
) -> list[Room]: ...


@hotels.query(
    description="Show what a hotel charges night by night over a month, whether or not rooms are free. For questions "
    "about price and which dates are cheaper; it holds nothing."
)
async def room_rates(
    hotel_id: HotelId, month: Annotated[str, Field(description="Month as YYYY-MM, such as 2026-11.")]
) -> list[Rate]: ...


@hotels.action(
    description="Reserve a room in the traveller's own name once dates and price are settled. The room is held at once "
    "and the stay is owed at the desk.",
    risk="high",
)
async def book_room(
    room_id: Annotated[int, Field(description="The room's id, as check_availability lists it.")],
    check_in: Arrival,
    check_out: Departure,
) -> Booking: ...


@hotels.query(
    description="List the traveller's own bookings, past and coming, cancelled ones too. For what somebody has booked, "
    "and to find the booking before it is changed or cancelled."
)
async def my_bookings() -> list[Booking]: ...


@hotels.action(
    description="Give an existing booking other dates, in the same room where it is free. Use it to extend or shorten "
    "a stay or to come another week, instead of cancelling and booking again."
)
async def change_stay(booking_id: BookingId, check_in: Arrival, check_out: Departure) -> Booking: ...


@hotels.action(
    description="Cancel one of the traveller's bookings before arrival and free its room. Nothing is owed any more and "
    "it cannot be undone.",
    safety="destructive",
)
async def cancel_booking(booking_id: BookingId) -> Booking: ...


@hotels.action(
    description="Record that a guest never arrived. The room is freed from the next morning and the first night stays "
    "owed. For the front desk, after the day of arrival; a guest who says so beforehand cancels instead."
)
async def mark_no_show(booking_id: BookingId) -> Booking: ...


@hotels.action(
    description="Ask the house to do something for a guest who is staying: extra towels, cleaning, a wake-up call, "
    "breakfast in the room, a repair."
)
async def request_service(
    booking_id: BookingId,
    service: Annotated[
        Literal["towels", "cleaning", "wake_up_call", "room_service", "repair"], Field(description="What is wanted.")
    ],
    note: Annotated[str | None, Field(description="Details for the staff, such as the time.")] = None,
) -> str: ...


@hotels.query(
    description="Read what earlier guests wrote about a hotel and how they scored it. For questions about quality, "
    "noise, cleanliness or service that the facts about the hotel do not answer."
)
async def hotel_reviews(
    hotel_id: HotelId,
    min_score: Annotated[int | None, Field(ge=1, le=10, description="Leave out lower scores.")] = None,
) -> list[Review]: ...
