"""Operations that resemble each other: by the words of their descriptions, by their names, by their inputs.

What tells two of them apart is a word of one's name that its description says too, and that the other says nowhere:
creating and deleting the same thing have much the same description, and nobody mixes them up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from afford.lint.naming import parts
from afford.lint.prose import telling
from afford.lint.remembered import once_per_target
from afford.lint.target import Described, Target
from afford.lint.vocabulary import is_compound
from afford.lint.words import code_spans
from afford.ranking import stem, words_of

NEAR: Final = 0.7
"""Share of common words from which two descriptions say the same (mcp-toolgauge's threshold for near-duplicates)."""
RELATED: Final = 0.35
"""Share from which a reader needs to be told which one to take (its threshold for siblings)."""
_MOST_COMPARED: Final = 64
"""Others that one operation is compared with, so that a catalog of equal tools costs no more than another."""
DIRECTIONS: Final = frozenset({"to", "from", "into", "onto", "by", "of", "for", "with", "in", "on", "as", "2"})
"""Words that make the order of a name's words mean something: `html_to_pdf` is not `pdf_to_html`."""
_FEW: Final = 3
"""A description of fewer words is too thin to resemble another; other rules see to it."""
_SAME_VERBS: Final = (
    "get fetch read retrieve load show view describe lookup obtain access return display give inspect",
    "list search find query browse filter discover enumerate",
    "create add make insert register generate",
    "update edit modify change patch adjust alter",
    "delete remove destroy erase drop",
    "run execute start launch trigger invoke perform begin",
    "stop halt abort terminate end",
    "send submit dispatch post",
    "check verify validate test",
    "info information detail data record content",
)
"""Words that a reader takes for one another."""
_ALIKE: Final[Mapping[str, str]] = {
    stem(word): stem(group.split()[0]) for group in _SAME_VERBS for word in group.split()
}
_SPELLED: Final = re.compile(r"[A-Za-z][\w-]*\w")
_FUNCTION: Final = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "of", "for", "to", "from", "in", "on", "by", "at", "and"),
        *("or", "as", "with", "it", "its", "is", "are", "be", "been", "will", "can", "you", "your", "which", "when"),
        *("who", "what", "use", "tool", "operation", "function", "api", "given", "specified", "all", "any"),
    )
)
"""Words that say nothing of what an operation does."""


@dataclass(frozen=True, slots=True, eq=False)
class Sibling:
    """An operation as it is compared with others."""

    item: Described
    name: frozenset[str]
    """Words of its name, those that mean the same made one."""
    words: frozenset[str]
    """Words of its description, in the same way."""
    told: frozenset[str]
    """Words of its name that its description says."""
    inputs: frozenset[str]
    names: frozenset[str]
    """Operations that its description names as they are spelled; said in words they may be mere words."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two operations that resemble each other."""

    one: Sibling
    other: Sibling
    likeness: float
    """Share of the words of either description that are in both; 1 where one says nothing of its own."""


@once_per_target
def pairs(found: Target) -> tuple[Pair, ...]:
    """Operations that nothing tells apart and neither of which names the other; identical descriptions left out.

    Every pair is there once, in the order of names.
    """
    names = frozenset(item.name for item in found.operations)
    siblings = sorted((_sibling(item, names) for item in found.operations), key=lambda each: each.item.name)
    alike = (_pair(one, other) for one, other in _candidates(siblings))
    return tuple(pair for pair in alike if pair is not None)


def said(text: str) -> str:
    """A description as it is compared for being the same: its words alone."""
    return " ".join(words_of(text))


def _sibling(item: Described, names: frozenset[str]) -> Sibling:
    name = _meanings(word for part in parts(item.name) for word in words_of(part))
    words = _meanings(words_of(" ".join(span.text for span in telling(item.description))))
    marked = {span.text for span in code_spans(item.description)}
    spelled = {word for word in _SPELLED.findall(item.description) if is_compound(word)}
    return Sibling(
        item=item,
        name=name,
        words=words,
        told=name & words,
        inputs=frozenset(item.inputs),
        names=names & (marked | spelled),
    )


def _meanings(words: Iterable[str]) -> frozenset[str]:
    stems = (stem(word) for word in words if word not in _FUNCTION)
    return frozenset(_ALIKE.get(word, word) for word in stems)


def _candidates(siblings: list[Sibling]) -> Iterator[tuple[Sibling, Sibling]]:
    """Pairs that may resemble each other, each once.

    Whatever one's name and description both say must be said by the other as well, so it is enough to compare those
    that share the rarest of these words; one without such a word is compared with those that take the same inputs.
    """
    saying: defaultdict[str, list[int]] = defaultdict(list)
    taking: defaultdict[frozenset[str], list[int]] = defaultdict(list)
    for place, each in enumerate(siblings):
        taking[each.inputs].append(place)
        for word in each.name | each.words:
            saying[word].append(place)
    seen: set[tuple[int, int]] = set()
    for place, each in enumerate(siblings):
        rarest = min(each.told, key=lambda word: (len(saying[word]), word), default=None)
        near = taking[each.inputs] if rarest is None else saying[rarest]
        for other in _around(near, place):
            pair = (min(place, other), max(place, other))
            if pair not in seen:
                seen.add(pair)
                yield siblings[pair[0]], siblings[pair[1]]


def _around(near: list[int], place: int) -> list[int]:
    """Those next to one in the order of names, at most so many."""
    others = [other for other in near if other != place]
    if len(others) <= _MOST_COMPARED:
        return others
    return sorted(others, key=lambda other: (abs(other - place), other))[:_MOST_COMPARED]


def _pair(one: Sibling, other: Sibling) -> Pair | None:
    if min(len(one.words), len(other.words)) < _FEW or _is_told_apart(one, other):
        return None
    # Where they take the same and are called alike, a short text that says nothing of its own repeats the long one.
    contained = (
        one.inputs == other.inputs and bool(one.name & other.name) and min(len(one.words), len(other.words)) > _FEW
    )
    is_part = contained and (one.words <= other.words or other.words <= one.words)
    likeness = 1.0 if is_part else share(one.words, other.words)
    if likeness < RELATED or said(one.item.description) == said(other.item.description):
        return None
    return Pair(one, other, likeness)


def _is_told_apart(one: Sibling, other: Sibling) -> bool:
    """Whether one names the other, or says a word of its own name that the other says nowhere."""
    if other.item.name in one.names or one.item.name in other.names:
        return True
    turned = one.name == other.name and parts(one.item.name) != parts(other.item.name)
    if turned and DIRECTIONS & set(parts(one.item.name)):
        return True
    return bool(one.told - other.name - other.words or other.told - one.name - one.words)


def share(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of two sets is in both (Jaccard); 1 where both are empty."""
    either = len(one | other)
    return len(one & other) / either if either else 1.0
