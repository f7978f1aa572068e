"""A description that names a field of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import DETAIL, with_change
from afford.lint.target import Target
from afford.lint.vocabulary import PROTOCOL, is_compound, names, vocabulary


def check(found: Target) -> Iterator[Finding]:
    """Compound names and names in backticks; bare words such as `address` are English nearly always."""
    known = vocabulary(found)
    fields = known.outputs - known.inputs - known.operations - known.values - PROTOCOL
    for item in found.operations:
        text = item.description
        for span in names(text):
            quoted = text[span.start - 1 : span.start] == "`" == text[span.end : span.end + 1]
            if span.text in fields and (quoted or is_compound(span.text)):
                yield at(item, span.place, f"the description names `{span.text}`, a field of an answer")


RULE: Final = Rule(
    code="DSC104",
    name="names-an-output-field",
    severity=Severity.WARNING,
    what="A description names a field of an answer.",
    why="The output schema declares the field; a second place to name it drifts, and nothing checks it.",
    fix="Say what the answer means, and leave the fields to the output schema.",
    source="house style checklist, item 2",
    bad=with_change("hotel_detail", description=f"{DETAIL.description} What a night costs is in price_cents."),
    good=with_change("hotel_detail", description=f"{DETAIL.description} What a night costs is in there too."),
    check=check,
)
