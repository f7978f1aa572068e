"""A description that names an input of some operation."""

from __future__ import annotations

from collections.abc import Iterator

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target
from afford.lint.vocabulary import RESERVED, is_compound, is_marked, names, vocabulary


def check(found: Target) -> Iterator[Finding]:
    """Names that can be nothing but an input: with an underscore, in backticks or quotes, or followed by `=` or `:`."""
    known = vocabulary(found)
    inputs = known.inputs - known.operations - RESERVED
    for item in found.operations:
        text = item.description
        for span in names(text):
            if span.text in inputs and (is_compound(span.text) or is_marked(text, span)):
                message = f"the description names the input `{span.text}`, which a schema already declares"
                yield at(item, span.place, message)


RULE = Rule(
    code="DSC101",
    name="names-an-input",
    severity=Severity.ERROR,
    what="A description names an input.",
    why="Nobody checks a name in prose: it drifts from the schema, and an assistant sends what the prose says.",
    fix="Say what the caller can ask for in plain words; the schema names the inputs.",
    source="house style checklist, item 2",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Send min_stars to leave out cheap ones."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Filter by rating to leave out cheap ones."),
    check=check,
)
