"""Six scenes over plain HTTP, by an assistant that knows the origin alone.

It knows operation names, as a reader of the catalog's descriptions does, and two words of the protocol, `limit` and
`cursor`. Everything else, each argument and each way out of a refusal, is read from what the server says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

import httpx
from demonstration.transcript import Json, Row, Transcript, expect

from afford.testing import repaired


class Assistant:
    """Somebody who has read the catalog and nothing else."""

    def __init__(self, http: httpx.Client, transcript: Transcript, token: str | None = None) -> None:
        """Start with an origin and, for a guest or staff, a credential; know no operation yet."""
        self._http = http
        self._who = token or "visitor"
        self._headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._transcript = transcript
        self.urls: dict[str, str] = {}
        self.operations: dict[str, Row] = {}

    def read_catalog(self) -> None:
        """Find the catalog from the origin alone, and read it."""
        self.urls = self.urls or self._get("/.well-known/afford.json").json()["urls"]
        catalog = self._get(self.urls["schema"]).json()
        reads = {item["name"]: {**item, "method": "GET"} for item in catalog["queries"]}
        writes = {item["name"]: {**item, "method": "POST"} for item in catalog["actions"]}
        self.operations = reads | writes

    def signed_in(self, token: str) -> Assistant:
        """Somebody with a credential who has heard where the catalog is."""
        other = Assistant(self._http, self._transcript, token)
        other.urls = self.urls
        other.read_catalog()
        return other

    def offered_beyond(self, other: Assistant) -> str:
        """Names of what is offered here and not to the other."""
        return ", ".join(sorted(self.operations.keys() - other.operations.keys()))

    def inputs(self, name: str) -> Row:
        """The published inputs of an operation: argument to schema."""
        properties: Row = self.operations[name]["input_schema"]["properties"]
        return properties

    def example(self, name: str) -> Row:
        """The published call that works."""
        params: Row = self.operations[name].get("example_params", {})
        return dict(params)

    def arguments(self, name: str, *known: Mapping[str, Json]) -> Row:
        """Arguments for a call: the published example, and over it what is known under the same names."""
        chosen = self.example(name)
        for facts in known:
            chosen |= {key: facts[key] for key in self.inputs(name) if key in facts}
        return chosen

    def send(self, name: str, arguments: Mapping[str, Json]) -> httpx.Response:
        """Call an operation; what it answers is the caller's to judge."""
        if self.operations.get(name, {}).get("method", "POST") == "GET":
            return self._get(f"{self.urls['root']}{name}", arguments)
        response = self._http.post(f"{self.urls['root']}{name}", json=arguments, headers=self._headers)
        self._tell(response)
        return response

    def call(self, name: str, arguments: Mapping[str, Json]) -> Json:
        """Call an operation that has to succeed."""
        response = self.send(name, arguments)
        expect(response.is_success, f"`{name}` succeeds")
        return response.json()

    def pages(self, name: str, arguments: Mapping[str, Json]) -> tuple[list[Row], int]:
        """Every row, by following `Link rel="next"` until there is none; and how many the server said there are."""
        response = self.send(name, arguments)
        rows: list[Row] = response.json()
        while "next" in response.links:
            response = self._get(str(response.url.join(response.links["next"]["url"])))
            rows += response.json()
        return rows, int(response.headers["x-total-count"])

    def _get(self, url: str, arguments: Mapping[str, Json] | None = None) -> httpx.Response:
        response = self._http.get(url, params=arguments, headers=self._headers)
        self._tell(response)
        return response

    def _tell(self, response: httpx.Response) -> None:
        request, answer = response.request, response.json()
        body = f" {request.content.decode()}" if request.content else ""
        more = ' (Link rel="next")' if "next" in response.links else ""
        asked = f"{self._who}: {request.method} {request.url.raw_path.decode()}{body}"
        refusal = None if response.is_success else {**answer, "message": answer["detail"]}
        self._transcript.exchange(asked, f"{response.status_code}{more}", answer, refusal)


def look_around(say: Transcript, visitor: Assistant) -> None:
    """What somebody without credentials finds, starting from the origin."""
    say.heading("1. A visitor without credentials reads the catalog")
    say.comment("One address is known: the origin. It names the rest.")
    visitor.read_catalog()
    for name, operation in visitor.operations.items():
        lead = operation["description"].partition(". ")[0]
        print(f"  {name:<20} {operation['safety']}, {operation['risk']} risk: {lead}.")
    expect("book_room" not in visitor.operations, "a visitor is not offered what takes an account")
    print()
    say.comment("What is not offered is not there: a guess is answered like any name that nobody declared.")
    guess = visitor.send("book_room", {})
    expect(guess.json()["code"] == "unknown_operation", "an operation out of reach looks like none at all")


def search(say: Transcript, visitor: Assistant) -> Row:
    """From the published example to a hotel; answers its row."""
    say.heading("2. Search, as the catalog's own example shows")
    example = visitor.example("search_hotels")
    found = visitor.call("search_hotels", example)
    expect(found and found[0].keys() == visitor.operations["search_hotels"]["example_row"].keys(), "rows look as shown")

    say.comment("Fewer wishes find more, five at a time; the Link header leads from page to page until it is missing.")
    inputs = visitor.inputs("search_hotels")
    area = {key: value for key, value in example.items() if "enum" in inputs.get(key, {})}
    everything, total = visitor.pages("search_hotels", {**area, "limit": 5})
    expect(len(everything) == total > len(found), "the pages add up to the total")
    print(f"  {len(everything)} hotels on all pages.\n")

    say.comment("Two slips of the pen, and one refusal names both, with what would have been right.")
    wrong = {key: value[:-1] if key in area else value for key, value in example.items()}
    misspelt = next(key for key in wrong if key in inputs and key not in area)
    wrong[misspelt[:-1]] = wrong.pop(misspelt)
    refused = visitor.send("search_hotels", wrong)
    expect(refused.status_code == HTTPStatus.BAD_REQUEST, "a call that does not fit is refused, not guessed at")
    say.comment("The retry is built from the refusal alone.")
    expect(visitor.call("search_hotels", repaired(wrong, refused.json())) == found, "the retry finds the same hotels")
    return dict(found[0])


def inspect(say: Transcript, visitor: Assistant, hotel: Row) -> list[Row]:
    """From a hotel to its free rooms; answers their rows."""
    say.heading("3. One hotel: the row's id has the same name wherever it goes in")
    detail = visitor.call("hotel_detail", visitor.arguments("hotel_detail", hotel))
    expect(len(detail) == 1 and hotel.items() <= detail[0].items(), "one row answers, and agrees with the summary")
    say.comment("Reviews are other people's words, and the schema says so.")
    visitor.call("hotel_reviews", visitor.arguments("hotel_reviews", hotel))
    marked = visitor.operations["hotel_reviews"]["output_schema"]
    expect('"x-user-text": true' in json.dumps(marked), "text by users is marked")
    say.comment("What is free on the dates of the example?")
    free = visitor.call("check_availability", visitor.arguments("check_availability", hotel))
    expect(len(free) > 1, "two rooms are free")
    return list(free)


def book(say: Transcript, guest: Assistant, rival: Assistant, free: list[Row]) -> Row:
    """Two guests want the same room; answers the booking of the first."""
    offer = guest.operations["book_room"]
    say.comment(f"Booking is {offer['risk']} risk. {offer['description'].split('. ')[1]}.")
    say.comment("The first takes the cheapest free room ...")
    wish = guest.arguments("book_room", free[0])
    booking: Row = guest.call("book_room", wish)
    expect(booking.keys() == offer["example_row"].keys(), "a booking looks as shown, and names no account")

    say.comment("... so the second is too late, and is told the way out.")
    refused = rival.send("book_room", wish)
    problem = refused.json()
    expect(refused.status_code == HTTPStatus.CONFLICT and not problem.get("retryable"), "the room is given once")
    way_out = next((name for name in rival.operations if name in problem["fix"]), "")
    left = rival.call(way_out, rival.arguments(way_out, booking))
    expect(left and free[0] not in left, "a held room is not offered any more, and another is")
    rival.call("book_room", rival.arguments("book_room", booking, left[0]))
    return booking


def cancel(say: Transcript, guest: Assistant, rival: Assistant, booking: Row) -> None:
    """Own bookings are seen and cancelled by their owner only."""
    say.heading("5. Own bookings, and nobody else's")
    mine = guest.call("my_bookings", guest.example("my_bookings"))
    theirs = rival.call("my_bookings", rival.example("my_bookings"))
    expect(booking in mine and booking not in theirs, "each guest sees the own bookings")
    say.comment("Another guest's booking might as well not exist.")
    target = guest.arguments("cancel_booking", booking)
    expect(rival.send("cancel_booking", target).status_code == HTTPStatus.NOT_FOUND, "a stranger cannot cancel it")
    say.comment("Its owner can, once for good.")
    expect(guest.operations["cancel_booking"]["safety"] == "destructive", "the catalog says that it cannot be undone")
    cancelled = guest.call("cancel_booking", target)
    changed = [key for key in booking if cancelled[key] != booking[key]]
    expect(len(changed) == 1, "the booking is kept, and only its state has changed")
    say.comment(f"The booking's {changed[0]} was {booking[changed[0]]} and is {cancelled[changed[0]]}.")


def staff_view(say: Transcript, guest: Assistant, staff: Assistant) -> None:
    """What staff are offered on top."""
    say.comment(f"New to the guests: {staff.offered_beyond(guest)}.")
    for name in staff.offered_beyond(guest).split(", "):
        expect(staff.call(name, staff.example(name)), f"`{name}` answers rows")
    say.comment("Closing the season is for the application's own pages; no assistant is offered it.")
    expect("close_season" not in staff.operations, "an operation that opted out is not in any catalog")
    expect(staff.send("close_season", {}).json()["code"] == "unknown_operation", "nor can it be called")


def play(say: Transcript, origin: str) -> str:
    """The scenes, against a running server; answers where MCP is served."""
    with httpx.Client(base_url=origin, timeout=10) as http:
        visitor = Assistant(http, say)
        look_around(say, visitor)
        free = inspect(say, visitor, search(say, visitor))
        say.heading("4. Two guests sign in, and want the same room")
        guest, rival = visitor.signed_in("demo-guest-1"), visitor.signed_in("demo-guest-2")
        say.comment(f"New to the visitor: {guest.offered_beyond(visitor)}.")
        booking = book(say, guest, rival, free)
        cancel(say, guest, rival, booking)
        say.heading("6. Staff sign in: more operations, and still not all of them")
        staff_view(say, guest, visitor.signed_in("demo-staff"))
        return visitor.urls["mcp"]
