"""The labelled set: sixty operations in six domains, and what people say when they need one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from billing import billing
from builds import builds
from diary import diary
from hotels import hotels
from tracker import tracker
from warehouse import warehouse

from afford import App, anyone

REQUESTS = Path(__file__).parent / "requests.json"
"""Wire name of an operation to requests that it is the answer to."""


@dataclass(frozen=True, slots=True)
class Request:
    text: str
    expected: str
    """Wire name."""
    is_held_out: bool
    """Every second request was never looked at while the ranking was made."""

    @property
    def domain(self) -> str:
        return self.expected.partition("_")[0]


def app() -> App:
    """An app with all the operations, open to everybody."""
    whole = App("office", title="Office", description="Everything a small company runs on.", access=anyone())
    whole.include(billing, builds, diary, hotels, tracker, warehouse)
    return whole


def requests() -> list[Request]:
    """Every labelled request, in the file's order."""
    return [
        Request(text, expected, is_held_out=bool(number % 2)) for number, (text, expected) in enumerate(_labelled())
    ]


def _labelled() -> Iterator[tuple[str, str]]:
    for expected, texts in json.loads(REQUESTS.read_text(encoding="utf-8")).items():
        for text in texts:
            yield text, expected
