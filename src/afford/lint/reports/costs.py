"""What tools cost, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from afford.display import visible
from afford.errors import JsonObject
from afford.lint.cost import Bill, Cost

Table: TypeAlias = "tuple[str, list[tuple[str, ...]]]"
"""Title, and rows of which the first is the head; no text of a target in it is more than one line."""

_COLUMNS: Final = ("text", "input", "output", "total")
_NOTE: Final = "estimated tokens; not all clients show outputs to their model"


def tables(bills: Sequence[Bill]) -> Iterator[Table]:
    """A table of tools, the most expensive first, and one of audiences where there is more than the whole."""
    whole = bills[0]
    rows = [(visible(cost.name), *_numbers(cost)) for cost in whole.costs]
    yield f"cost per tool ({_NOTE})", [("tool", *_COLUMNS), *rows, (_counted(whole), *_numbers(whole))]
    if len(bills) > 1:
        lines = [(visible(bill.who), str(len(bill.costs)), *_numbers(bill)) for bill in bills[1:]]
        yield "cost per audience, over MCP", [("audience", "tools", *_COLUMNS), *lines]


def document(bills: Sequence[Bill]) -> JsonObject:
    """The same for programs."""
    whole = bills[0]
    return {
        "unit": "estimated tokens",
        "tools": [{"name": cost.name, **_members(cost)} for cost in whole.costs],
        "total": _members(whole),
        "audiences": [
            {"who": bill.who, "tools": [cost.name for cost in bill.costs], **_members(bill)} for bill in bills[1:]
        ],
    }


def _numbers(cost: Cost | Bill) -> tuple[str, ...]:
    return tuple(f"{number:,}" for number in (cost.text, cost.input, cost.output, cost.total))


def _members(cost: Cost | Bill) -> JsonObject:
    return {"text": cost.text, "input": cost.input, "output": cost.output, "total": cost.total}


def _counted(bill: Bill) -> str:
    return "1 tool" if len(bill.costs) == 1 else f"{len(bill.costs)} tools"
