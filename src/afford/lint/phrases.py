"""Phrases that a text for a model may hold, looked for in every text of a target; what they are is the rules' own.

A phrase is written with single blanks. Where a sentence forbids what a phrase says, it is no match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from afford.lint.passages import Passage, passages
from afford.lint.rule import Finding
from afford.lint.target import Target

PERSON: Final = (
    r"(?:(?:the|your|their|any|a) )?(?:(?:end[- ]?)?users?|humans?|persons?|people|principals?|operators?)(?!'|-|\w)"
)
"""Whom an assistant works for. Customers, guests and members are the service's own."""
NOT: Final = (
    r"(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|need not|needn't|no need to|cannot|can't)"
)
ORDER: Final = r"(?:(?:^|[.!?:;,\n(>\-\]\"'\u2014]) ?|\b(?:and|then|first|please|must|should|always|also|now|you|may) )"
"""What stands before a verb that tells somebody to do something; `reads` and `it can read` tell what happens."""
GAP: Final = r"(?:[^.;!?\n]|\.(?=\w))"
"""Any character within a sentence; a dot inside a word ends none."""
_LEAD: Final = " \n.,:;!?()>-]\"'\u2014"
_BOUNDS: Final = re.compile(r"[.;!?:\n\u2014]")
_NO: Final = re.compile(
    r"\b(?:do not|don't|does not|doesn't|did not|never|must not|mustn't|should not|shouldn't|shall not|cannot|can't|"
    r"can not|may not|might not|will not|won't|not|nobody|no one|nothing|refuses? to|refused|avoid|forbidden|"
    r"prohibited|instead of|rather than|nor|neither|(?:is|are) no)\b"
    r"(?! (?:hesitate|worry|bother|wait|need|mind|only|just|care|be afraid|forget|fail|stop)\b)"
)
_ABOUT: Final = re.compile(
    r"\b(?:detect\w*|flags?|flagged|scans? for|block\w*|reject\w*|filters? out|classif\w+|recogni[sz]\w+|prevent\w*|"
    r"moderat\w+|injections?|phishing|jailbreak\w*|attempts? to|(?:try|tries|trying) to|phrases? (?:such as|like))\b"
)
"""Words of a service that looks for such phrases itself."""


class Form(NamedTuple):
    """A pattern, with what a text has to hold before the pattern is tried."""

    pattern: re.Pattern[str]
    needles: tuple[str, ...]


Phrases: TypeAlias = tuple[Form, ...]


def phrases(needles: str, *alternatives: str) -> Phrases:
    """Phrases in any of the forms; more of them are added with `+`.

    Args:
        needles: texts of which each match holds at least one, separated by bars; they are quicker to look for.
        alternatives: regular expressions over the plain form; a blank stands for any white space, and `$` for the end
            of a paragraph.
    """
    pattern = "|".join(f"(?:{form})" for form in alternatives).replace(" ", r"\s").replace("$", r"\Z|\n")
    return (Form(re.compile(pattern), tuple(needles.split("|"))),)


def each_phrase(found: Target, wanted: Phrases, message: str) -> Iterator[Finding]:
    """A finding for each match that its sentence does not forbid, in each text of a target.

    Args:
        found: what is linted.
        wanted: what is looked for.
        message: with `{}` for the words that were found, as they are in the plain form.
    """
    for passage in passages(found):
        for start, end in matches(passage.plain, wanted):
            yield from findings(passage, passage.span(start, end), message.format(_quoted(passage.plain[start:end])))


def findings(passage: Passage, span: tuple[int, int], message: str) -> Iterator[Finding]:
    """A finding for each place where a text stands; a place that has no pointer can mark no words."""
    for subject, pointer in passage.places:
        yield Finding(subject=subject, message=message, pointer=pointer, span=span if pointer else None)


def matches(text: str, wanted: Phrases) -> Iterator[tuple[int, int]]:
    """Where a plain text says one of the phrases, and does not forbid it; what overlaps is told once."""
    told: list[tuple[int, int]] = []
    for form in wanted:
        for match in form.pattern.finditer(text) if any(needle in text for needle in form.needles) else ():
            start, end = match.end() - len(match.group().lstrip(_LEAD)), match.end()
            if not any(first < end and start < last for first, last in told) and not is_denied(text, start):
                told.append((start, end))
    yield from told


def is_denied(text: str, position: int) -> bool:
    """Whether the sentence up to a position says no to what comes, or is about texts that say it."""
    before = _BOUNDS.split(text[max(0, position - 120) : position])[-1]
    if _NO.search(before):
        return True
    sentence = text[max(text.rfind(". ", 0, position), text.rfind("\n", 0, position), 0) : position]
    return _ABOUT.search(sentence) is not None


def _quoted(words: str) -> str:
    return " ".join(words.split()).strip(" .,:;").replace("`", "'")
