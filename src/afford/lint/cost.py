"""What tools cost: tokens that a model reads before it does anything, estimated from their JSON.

The estimate needs no vocabulary of a model. It was calibrated on 210 tools of eleven MCP servers and of afford, against
`o200k_base` of OpenAI and the tokeniser that Anthropic published for Claude 2: within 6 % of either for a server, and
within 10 % of the former for a tool. Newer tokenisers of Anthropic are not published. For other languages than English
it is a guess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from afford.errors import JsonValue
from afford.lint.remembered import once_per_target
from afford.lint.target import Described, Target

_WORD: Final = re.compile(r"[A-Za-z]+")
_LONG: Final = re.compile(r"[A-Za-z]{7}([A-Za-z]+)")
_DIGITS: Final = re.compile(r"[0-9]{1,3}")
_SIGNS: Final = re.compile(r"[!-/:-@\[-`{-~]+")
_MANY_SIGNS: Final = re.compile(r"[!-/:-@\[-`{-~]{4,}")
_OTHER: Final = re.compile(r"[^\x00-\x7f]+")
_BLANKS: Final = re.compile(r"\n|[ \t\r]{2,}")
_PER_LETTER: Final = 0.11
"""Tokens for each letter of a word behind its seventh; up to there it is one token."""
_SIGNS_PER_TOKEN: Final = 3.2
_BYTES_PER_TOKEN: Final = 4.2
"""Of text in other scripts than English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Tokens of one tool."""

    name: str
    text: int
    """Name and description."""
    input: int
    """The input schema."""
    output: int
    """The output schema, which not all clients show to their model."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.text + self.input + self.output


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """What the tools of one audience cost together."""

    who: str
    costs: tuple[Cost, ...]
    """The most expensive first."""

    @property
    def text(self) -> int:
        """Of names and descriptions."""
        return sum(cost.text for cost in self.costs)

    @property
    def input(self) -> int:
        """Of input schemas."""
        return sum(cost.input for cost in self.costs)

    @property
    def output(self) -> int:
        """Of output schemas."""
        return sum(cost.output for cost in self.costs)

    @property
    def total(self) -> int:
        """Of everything."""
        return self.text + self.input + self.output


def tokens(text: str) -> int:
    """How many tokens a text is, more or less; the same in every process."""
    words, signs = len(_WORD.findall(text)), len(_SIGNS.findall(text))
    tails = sum(map(len, _LONG.findall(text)))
    runs = _MANY_SIGNS.findall(text)
    longer = sum(map(len, runs)) / _SIGNS_PER_TOKEN - len(runs)
    other = 0 if text.isascii() else sum(len(part.encode("utf-8", "replace")) for part in _OTHER.findall(text))
    blanks = len(_BLANKS.findall(text)) / 2
    found = (
        words + tails * _PER_LETTER + len(_DIGITS.findall(text)) + signs + longer + other / _BYTES_PER_TOKEN + blanks
    )
    return round(found)


def cost_of(item: Described) -> Cost:
    """What one operation costs as a tool: as MCP carries it, or as it would."""
    shown = item.tool or {
        "description": item.text,
        "inputSchema": item.input_schema,
        "outputSchema": item.output_schema,
    }
    return Cost(
        name=item.name,
        text=_of({"name": item.name, "description": shown.get("description") or ""}),
        input=_of_schema(shown.get("inputSchema")),
        output=_of_schema(shown.get("outputSchema")),
    )


@once_per_target
def costs(found: Target) -> tuple[Cost, ...]:
    """What each operation costs, the most expensive first."""
    return dearest_first(cost_of(item) for item in found.operations)


def dearest_first(found: Iterable[Cost]) -> tuple[Cost, ...]:
    """The most expensive first; equal ones by name."""
    return tuple(sorted(found, key=lambda cost: (-cost.total, cost.name)))


def _of_schema(schema: JsonValue) -> int:
    return _of(schema) if schema else 0


def _of(value: JsonValue) -> int:
    return tokens(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))
