"""What a demonstration prints, and what it insists on."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from typing import Any, TypeAlias

Json: TypeAlias = Any
Row: TypeAlias = dict[str, Any]

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

    def exchange(self, request: str, status: str, answer: Json, refusal: Row | None = None) -> None:
        """One request, and the part of its answer that matters.

        Args:
            request: who asks for what.
            status: what the protocol says of the outcome.
            answer: what came back.
            refusal: what is said in place of an answer, with `code`, `message` and perhaps `errors` and `fix`.
        """
        print(f"  {_trimmed(request)}")
        first, *others = _told(answer) if refusal is None else _refusal(refusal)
        print(f"  {self._in(status, '32' if refusal is None else '33')} {first}")
        for line in others:
            print(f"      {line}")
        print()

    def _in(self, text: str, style: str) -> str:
        return f"\033[{style}m{text}\033[0m" if self._colour else text


def _told(answer: Json) -> list[str]:
    """The start of an answer, in at most two lines."""
    text = compact(answer)
    if text.startswith("["):
        text = f"{len(answer)} {'row' if len(answer) == 1 else 'rows'}: {text}"
    first, *others = textwrap.wrap(text, WIDTH, initial_indent=" " * 24)
    return [first.lstrip(), *(_trimmed(f"{line} ...") if others[1:] else line for line in others[:1])]


def _refusal(told: Row) -> list[str]:
    """A refusal in lines: its code, each fault with what it suggests, and the fix."""
    faults = [
        f"{fault['pointer']}: {fault['code']}, suggestion {compact(fault.get('suggestion'))}"
        for fault in told.get("errors", [])
    ]
    fix = [_trimmed(f"fix: {told['fix']}")] if "fix" in told else []
    return [f"{told['code']}: {told['message']}", *faults, *fix]


def compact(value: Json) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def _trimmed(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 4]} ..."
