"""Looking for patterns in descriptions: the finding at a match, and sentences left out of a search."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

from afford.lint.rule import Finding
from afford.lint.target import Described, Target
from afford.lint.words import Span, sentences

DETERMINERS = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "his", "her", "its", "their", "our", "your", "my"),
        *("whose", "which", "what", "each", "every", "any", "some", "no", "another", "one", "two", "three", "all"),
        *("both", "new", "other", "same", "own"),
    )
)
"""A word after one of these is a noun in a sentence, and no name."""
_ENGLISH = re.compile(
    r"\b(?:the|a|an|of|to|for|and|or|is|are|this|that|with|when|from|by|it|its|on|at|not|all|every)\b", re.IGNORECASE
)
_FOREIGN = re.compile(
    r"\b(?:der|das|dem|den|und|oder|für|eine?[nrms]?|wenn|nicht|wird|sind|auch|mit|von|vor|bei|aus|ist|zu[rm]?|"
    r"les?|la|des|du|aux?|une|pour|avec|dans|sur|est|sont|qui|que|pas|quand|et|ou|en|"
    r"el|los|las|una|para|con|del|por|como|cuando|se|y|il|gli|della|per|che|di|"
    r"het|een|voor|niet|op|och|för|ett|att|som|inte|um|uma|os|ao|não|do|da)\b",
    re.IGNORECASE,
)
_TELLING_APART = 2
"""So many foreign words for each English one: `a`, `on`, `do` and others are words elsewhere, too."""
_SHARE = 5
"""One letter in so many may be foreign, as in a name."""
_FILLER = re.compile(
    r"(?:this|the|it|a|an|our|your)?\s*(?:operation|tool|query|action|endpoint|function|method|api|one)?\s*"
    r"(?:is|are|was|has been)\b[^.]*\b(?:useful|helpful|powerful|easy|simple|robust|reliable|great|handy|convenient|"
    r"popular|flexible|modern|best)\b[^.]*[.!]?",
    re.IGNORECASE,
)


def may_judge(item: Described) -> bool:
    """Whether rules that miss words may judge a description: it says something, and says it in English."""
    return _may_judge(item.text)


@functools.lru_cache(maxsize=1 << 13)
def _may_judge(text: str) -> bool:
    english, foreign = len(_ENGLISH.findall(text)), len(_FOREIGN.findall(text))
    if not text.strip() or (foreign > 1 and foreign >= english * _TELLING_APART):
        return False
    letters = 0 if text.isascii() else sum(letter.isalpha() and not letter.isascii() for letter in text)
    return bool(english) or letters * _SHARE <= len(text)


def at(item: Described, place: tuple[int, int], message: str) -> Finding:
    """A finding about a part of a description."""
    return Finding(subject=item.name, message=message, pointer="/description", span=place)


def about(item: Described, message: str) -> Finding:
    """A finding about a description as a whole."""
    return Finding(subject=item.name, message=message, pointer="/description")


def each_match(
    found: Target, pattern: re.Pattern[str], message: str, *, but: Callable[[str, re.Match[str]], bool] | None = None
) -> Iterator[Finding]:
    """A finding for each match in each description.

    Args:
        found: what is linted.
        pattern: what is looked for; with a group, that group is what offends.
        message: with `{}` for what was found.
        but: says of a text and a match that it is innocent.
    """
    for item in found.operations:
        for match in pattern.finditer(item.description):
            if but is None or not but(item.description, match):
                place = match.span(match.lastindex or 0)
                yield at(item, place, message.format(item.description[slice(*place)]))


def sentence_at(text: str, position: int) -> str:
    """The sentence that a position lies in; empty between sentences."""
    return next((span.text for span in sentences(text) if span.start <= position < span.end), "")


def without(text: str, pattern: re.Pattern[str]) -> str:
    """The text with each sentence blanked that the pattern is found in, so that places stay what they are."""
    for span in sentences(text):
        if pattern.search(span.text):
            text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def telling(text: str) -> Iterator[Span]:
    """Sentences that say something: praise is left out, so that it neither helps nor hurts."""
    return (span for span in sentences(text) if not _FILLER.fullmatch(span.text))


def word_before(text: str, position: int) -> str:
    """The word that ends before a position, in lower case; empty where none does."""
    found = re.search(r"([\w'\u2019-]+)\s+$", text[max(0, position - 40) : position])
    return found.group(1).lower() if found else ""


def is_noun(text: str, position: int) -> bool:
    """Whether what starts at a position reads as a noun of the sentence, by the word before it."""
    before = word_before(text, position)
    return before in DETERMINERS or before.endswith(("'s", "\u2019s", "s'", "s\u2019"))
