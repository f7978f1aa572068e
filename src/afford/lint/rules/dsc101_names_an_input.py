"""A description that names an input of some operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.schemas import places
from afford.lint.target import Described, Target
from afford.lint.vocabulary import RESERVED, Vocabulary, is_compound, is_marked, names, vocabulary
from afford.lint.words import Span


def check(found: Target) -> Iterator[Finding]:
    """Names that can be nothing but an input: with an underscore, in backticks or quotes, or followed by `=` or `:`."""
    known = vocabulary(found)
    inputs = known.inputs - known.operations - RESERVED
    for item in found.operations:
        text = item.description
        for span in names(text):
            if span.text in inputs and (is_compound(span.text) or _is_name(item, span, known)):
                message = f"the description names the input `{span.text}`, which a schema already declares"
                yield at(item, span.place, message)


def _is_name(item: Described, span: Span, known: Vocabulary) -> bool:
    """Whether an ordinary word is written as the name of an own input; a value of that name may be quoted, too."""
    own = any(place.name == span.text for place in places(item.input_schema))
    return own and span.text not in known.values and is_marked(item.description, span)


RULE: Final = Rule(
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
