"""An assistant's day at the hotels: starts the example on loopback and drives it from its catalog alone.

Knows operation names, as a reader of the catalog's descriptions does, and two words of the protocol, `limit` and
`cursor`. Everything else, each argument and each way out of a refusal, is read from what the server says.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeAlias

import httpx

Json: TypeAlias = Any
Row: TypeAlias = dict[str, Any]

APP = Path(__file__).with_name("app.py")
START_SECONDS = 30.0
WIDTH = 118


class DemoError(Exception):
    """A step did not go as the catalog promised."""


def expect(holds: object, promise: str) -> None:
    """Stop the demonstration unless what was promised holds."""
    if not holds:
        raise DemoError(f"expected that {promise}")


class Transcript:
    """What the reader sees: headings, requests with trimmed answers, a line of comment each."""

    def __init__(self) -> None:
        """Colour only where somebody watches."""
        self._colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ

    def heading(self, text: str) -> None:
        """A new scene."""
        print(f"\n{self._in(text, '1')}\n")

    def comment(self, text: str) -> None:
        """Why the next request is made, or what its answer means."""
        print(f"  {self._in(text, '3')}")

    def exchange(self, who: str, response: httpx.Response) -> None:
        """One request, and the part of its answer that matters."""
        request = response.request
        body = f" {request.content.decode()}" if request.content else ""
        print(f"  {_trimmed(f'{who}: {request.method} {request.url.raw_path.decode()}{body}')}")
        status = self._in(str(response.status_code), "32" if response.is_success else "33")
        more = ' (Link rel="next")' if "next" in response.links else ""
        first, *others = _told(response.json()) if response.is_success else _refusal(response.json())
        print(f"  {status}{more} {first}")
        for line in others:
            print(f"      {line}")
        print()

    def _in(self, text: str, style: str) -> str:
        return f"\033[{style}m{text}\033[0m" if self._colour else text


def _told(answer: Json) -> list[str]:
    """The start of an answer, in at most two lines."""
    text = _compact(answer)
    if text.startswith("["):
        text = f"{len(answer)} {'row' if len(answer) == 1 else 'rows'}: {text}"
    first, *others = textwrap.wrap(text, WIDTH, initial_indent=" " * 24)
    return [first.lstrip(), *(_trimmed(f"{line} ...") if others[1:] else line for line in others[:1])]


def _refusal(problem: Row) -> list[str]:
    """A refusal in lines: its code, each fault with what it suggests, and the fix."""
    faults = [
        f"{fault['pointer']}: {fault['code']}, suggestion {_compact(fault.get('suggestion'))}"
        for fault in problem.get("errors", [])
    ]
    fix = [_trimmed(f"fix: {problem['fix']}")] if "fix" in problem else []
    return [f"{problem['code']}: {problem['detail']}", *faults, *fix]


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _trimmed(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 4]} ..."


class Assistant:
    """Somebody who has read the catalog and nothing else."""

    def __init__(self, http: httpx.Client, transcript: Transcript, token: str | None = None) -> None:
        """Start with an origin and, for a guest or staff, a credential; know no operation yet."""
        self._http = http
        self._who = token or "visitor"
        self._headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._transcript = transcript
        self._urls: dict[str, str] = {}
        self.operations: dict[str, Row] = {}

    def read_catalog(self) -> None:
        """Find the catalog from the origin alone, and read it."""
        self._urls = self._urls or self._get("/.well-known/afford.json").json()["urls"]
        catalog = self._get(self._urls["schema"]).json()
        reads = {item["name"]: {**item, "method": "GET"} for item in catalog["queries"]}
        writes = {item["name"]: {**item, "method": "POST"} for item in catalog["actions"]}
        self.operations = reads | writes

    def signed_in(self, token: str) -> Assistant:
        """Somebody with a credential who has heard where the catalog is."""
        other = Assistant(self._http, self._transcript, token)
        other._urls = self._urls
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
            return self._get(f"{self._urls['root']}{name}", arguments)
        response = self._http.post(f"{self._urls['root']}{name}", json=arguments, headers=self._headers)
        self._transcript.exchange(self._who, response)
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
        self._transcript.exchange(self._who, response)
        return response


def repaired(arguments: Mapping[str, Json], problem: Row) -> Row:
    """The arguments as a refusal says they should have been, from its pointers and suggestions alone."""
    fixed = dict(arguments)
    for fault in problem["errors"]:
        name = fault["pointer"].removeprefix("/")
        expect("suggestion" in fault, f"the refusal of `{name}` suggests something")
        if fault["code"] == "unknown_argument":
            fixed[fault["suggestion"]] = fixed.pop(name)
        else:
            fixed[name] = fault["suggestion"]
    return fixed


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


def play(origin: str) -> None:
    """The whole demonstration against a running server."""
    say = Transcript()
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
    say.heading("Every step went as the catalog promised.")


@contextmanager
def server() -> Generator[str]:
    """The example on a free loopback port with a fresh database; gives its origin, stops it in any case."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        log = Path(folder, "server.log")
        environment = {**os.environ, "HOTELING_DATABASE": f"sqlite+aiosqlite:///{Path(folder, 'hoteling.db')}"}
        command = [sys.executable, "-m", "afford", "serve", str(APP), "--port", str(port)]
        with log.open("wb") as output:
            process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            origin = f"http://127.0.0.1:{port}"
            wait_until_healthy(origin, process)
            yield origin
        except (DemoError, httpx.HTTPError):
            print(log.read_text(errors="replace"), file=sys.stderr)
            raise
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until_healthy(origin: str, process: subprocess.Popen[bytes]) -> None:
    """Ask for the server's health until it answers."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(f"{origin}/agent/health", timeout=1).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise DemoError("the server starts and is healthy")


def main() -> int:
    """Run the demonstration; 0 when each step went as promised, 1 otherwise."""
    try:
        with server() as origin:
            play(origin)
    except (DemoError, httpx.HTTPError) as error:
        print(f"\nThe demonstration failed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
