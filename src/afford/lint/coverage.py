"""The page that says which rule covers which item of the checklist, and what of an item no machine can judge.

Which rules cover an item follows from their sources; the items and what is left of them are written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from afford.lint.rules import all_rules

_ITEMS_OF_SOURCE: Final = re.compile(r"checklist, items? ([\d, and]+)")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the checklist of the descriptor house style."""

    says: str
    left: str
    """What a person, or a cold run, has to judge."""


ITEMS: Final = (
    Item(
        "The description says what the operation is for and what its result means.",
        "Whether it is true, and what this reader needs. A rule sees only that nothing is added to the name.",
    ),
    Item(
        "The description names no input, type, marker, unit, currency, date format, default or range.",
        "One-word names in flowing prose: `date` is a word before it is an input. Found only where the sentence treats "
        "it as a name. Other languages than English are read for names, units and formats alone.",
    ),
    Item(
        "A list says that it is a page of a larger set, and how to read to the end.",
        "Whether an operation pages that says so nowhere: not in a declaration, its text or an example.",
    ),
    Item(
        "A paging query states default and greatest size of a page.",
        "Whether the numbers are those that the server holds to, where it does not write them itself.",
    ),
    Item("A search tells to filter rather than fetch all.", "Whether the filters are those that people ask for."),
    Item(
        "A write names the operation that comes next.",
        "Whether an action that answers no key has something to follow, and whether what is named is the right thing.",
    ),
    Item(
        "The input schema is there, an object, and closed.",
        "Nothing in what afford serves. Elsewhere an open schema is the custom and not reported.",
    ),
    Item("The input schema declares neither `limit` nor `cursor`.", "Nothing."),
    Item("Inputs of a query fit into a query string.", "Nothing."),
    Item(
        "The output schema declares the full result.",
        "Whether the handler answers more, or less: the server judges each answer, and `afford.testing` tries.",
    ),
    Item(
        "Every field has a type; sets are `enum`, ranges have bounds; each description has unit and form.",
        "Whether a number has bounds in life, and whether a set is closed that its text does not list. A missing "
        "unit is seen only where a name says money or date.",
    ),
    Item(
        "`required` is accurate.",
        "Whether the handler needs an input that the schema leaves optional: a call without it shows.",
    ),
    Item(
        "`reach` is declared where rows are somebody else's, and published rows hold no login identifier.",
        "Whether a handler crosses from one principal to another: two callers' answers compared show, no text does.",
    ),
    Item("There is no `params` key, and names of inputs stand in the input schema only.", "See item 2."),
    Item(
        "No text addresses the assistant's policy, its person or a protocol gate.",
        "A phrasing that no pattern knows; and rows, whose text users write when the linter is long gone.",
    ),
    Item(
        "A row's id is called what the operation calls it that takes it; no id is dead.",
        "Whether two equal names mean the same thing. Ids of people and for the record are left alone by their names.",
    ),
    Item(
        "Example inputs are real values.",
        "Whether a plausible id exists in the data: the cold run calls each example.",
    ),
    Item("An example row has every field, the currency included.", "Whether the values are such as occur."),
    Item("Examples agree with the schemas.", "Nothing."),
    Item(
        "A cold assistant would call it right from the catalog alone.",
        "All of it. The other items are what can be said beforehand; the run itself decides.",
    ),
)


def coverage_page() -> str:
    """The page, one row for each item."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "<!-- Written by tools/generate.py from afford.lint.coverage. Edit that, then run: make generate -->"
    yield ""
    yield "# The checklist of the house style, item by item"
    yield ""
    yield "For each item that has rules, `tests/unit/lint/test_checklist.py` plants faults in a copy of the example's"
    yield "catalog, and sees them found. How often a rule is right is in [measured.md](measured.md)."
    yield ""
    yield "| item | says | rules | what no rule can judge |"
    yield "|---|---|---|---|"
    for number, item in enumerate(ITEMS, start=1):
        codes = ", ".join(f"[{code}]({code}.md)" for code in _codes_of(number)) or "none"
        yield f"| {number} | {item.says} | {codes} | {item.left} |"


def _codes_of(number: int) -> list[str]:
    return [rule.code for rule in all_rules() if number in _items_of(rule.source)]


def _items_of(source: str) -> set[int]:
    found = _ITEMS_OF_SOURCE.search(source)
    return set(map(int, re.findall(r"\d+", found.group(1)))) if found else set()
