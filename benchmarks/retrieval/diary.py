"""Ten operations of a shared calendar."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field

from afford import Feature

diary = Feature("calendar", description="Appointments and meetings of the people of one company.")

EventId = Annotated[str, Field(description="The event's id, as list_events lists it.")]
Start = Annotated[AwareDatetime, Field(description="When it begins, with the offset from UTC.")]
End = Annotated[AwareDatetime, Field(description="When it ends, with the offset from UTC.")]
People = Annotated[list[str], Field(description="E-mail addresses of the people.")]


class Event(BaseModel):
    event_id: str
    title: str
    starts: AwareDatetime


class Slot(BaseModel):
    starts: AwareDatetime
    ends: AwareDatetime


@diary.query(
    description="List what is in somebody's calendar between two days. For what a day holds, when the next meeting "
    "is, and to find an event before it is changed."
)
async def list_events(
    first: Annotated[date, Field(description="First day.")],
    last: Annotated[date, Field(description="Last day.")],
    owner: Annotated[str | None, Field(description="Whose calendar; one's own without it.")] = None,
) -> list[Event]: ...


@diary.query(
    description="Find times at which all of several people are free. Call before create_event, rather than comparing "
    "calendars by hand."
)
async def find_free_time(
    people: People,
    minutes: Annotated[int, Field(ge=15, le=480, description="How long the meeting lasts.")],
    within_days: Annotated[int, Field(ge=1, le=60, description="How far ahead to look.")] = 14,
) -> list[Slot]: ...


@diary.action(
    description="Put a new appointment or meeting into the calendar and invite the people. Where all are free, "
    "find_free_time knows."
)
async def create_event(
    title: Annotated[str, Field(description="What it is about, in a few words.")],
    starts: Start,
    ends: End,
    people: People,
    repeats: Annotated[Literal["daily", "weekly", "monthly"] | None, Field(description="How often it recurs.")] = None,
) -> Event: ...


@diary.action(
    description="Give an event another time. Everybody who was invited is told and asked again. Use it to postpone or "
    "bring forward, instead of cancelling and creating anew."
)
async def move_event(event_id: EventId, starts: Start, ends: End) -> Event: ...


@diary.action(
    description="Call an event off and take it out of all calendars. Everybody who was invited is told.",
    safety="destructive",
)
async def cancel_event(
    event_id: EventId, message: Annotated[str | None, Field(description="A word to those invited.")] = None
) -> None: ...


@diary.action(
    description="Accept, decline or tentatively accept an invitation that somebody else sent. The organiser is told; "
    "the meeting itself stays as it is."
)
async def answer_invitation(
    event_id: EventId, answer: Annotated[Literal["accept", "decline", "tentative"], Field(description="The answer.")]
) -> Event: ...


@diary.action(description="Add people to an event that exists already. Those invited before are not bothered.")
async def invite_people(event_id: EventId, people: People) -> Event: ...


@diary.action(
    description="Reserve a conference room of the office for a time, with a screen or for a number of seats, for an "
    "event that has none yet."
)
async def book_meeting_room(
    event_id: EventId,
    seats: Annotated[int, Field(ge=1, description="How many people come.")] = 4,
    equipment: Annotated[
        list[Literal["screen", "camera", "whiteboard"]] | None, Field(description="What must be in it.")
    ] = None,
) -> str: ...


@diary.action(
    description="Mark days of absence, such as holidays or illness. Invitations for these days are declined "
    "automatically, with a message."
)
async def set_out_of_office(
    first: Annotated[date, Field(description="First day away.")],
    last: Annotated[date, Field(description="Last day away.")],
    message: Annotated[str | None, Field(description="What people read who write meanwhile.")] = None,
) -> datetime: ...


@diary.action(
    description="Let a colleague see or edit one's own calendar, or take that permission away again.",
    risk="high",
)
async def share_calendar(
    colleague: Annotated[str, Field(description="E-mail address of the colleague.")],
    permission: Annotated[
        Literal["none", "busy_only", "read", "edit"], Field(description="What the colleague may do.")
    ],
) -> None: ...
