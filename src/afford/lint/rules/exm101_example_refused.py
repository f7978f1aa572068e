"""An example that the operation's own schema refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import FaultCode
from afford.lint.examples import params_faults, row_faults
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Formats count; `limit` and `cursor` do not where they are no inputs. What a row lacks is another rule's."""
    for item in found.operations:
        row = (fault for fault in row_faults(item) if fault.code is not FaultCode.MISSING)
        for part, faults in (("/example_params", params_faults(item)), ("/example_row", row)):
            for fault in faults:
                yield Finding(subject=item.name, message=_sentence(fault.message), pointer=f"{part}{fault.pointer}")


def _sentence(message: str) -> str:
    return f"the example is refused: {message.rstrip('.')}"


RULE: Final = Rule(
    code="EXM101",
    name="example-refused",
    severity=Severity.ERROR,
    what="An example is refused by the operation's own schema.",
    why="An assistant copies it and is refused, or learns a shape that never arrives.",
    fix="Correct the example; the schema is the contract.",
    source="house style checklist, item 19",
    bad=with_change("search_hotels", example_params={"neighbourhood": "Taksim", "min_stars": 4}),
    good=with_change("search_hotels", example_params={"neighbourhood": "Kadikoy", "min_stars": 4, "limit": 10}),
    check=check,
)
