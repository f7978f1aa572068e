"""Ranking short texts by the words of a request: BM25 with weighted fields, over an inverted index in memory.

Knows texts and nothing of operations. Deterministic: equal scores are ordered by name, and nothing depends on hashes
or on the order in which documents are given. What was tried, and what it brought: `benchmarks/README.md`.
"""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

_SATURATION: Final = 0.9
"""BM25's k1: how soon saying a word again stops counting."""
_LENGTH: Final = 0.4
"""BM25's b: how much a long text weighs its words down."""
_MISSPELT: Final = 0.8
"""What a word counts that is one slip away from the one in the request."""
_SHORTEST_MISSPELT: Final = 5
_SHORTEST_STEM: Final = 3

_ASCII_WORDS: Final = re.compile(r"[A-Za-z0-9]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CONTRACTION: Final = re.compile(r"n['\u2019]t\b|['\u2019](?:s|d|m|ll|re|ve)\b", re.IGNORECASE)
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""Kana and Han, between whose words there are no spaces: they are indexed by overlapping pairs."""
_PAIR: Final = re.compile(r"(?=(..))")
_FUNCTION_WORD: Final = re.compile(
    "a|about|am|an|and|any|are|as|at|be|been|but|by|can|could|did|do|does|for|from|had|has|have|he|her|his|how|i|"
    "if|in|is|it|its|me|my|no|not|of|on|or|our|please|she|should|so|some|that|the|their|them|then|there|they|this|"
    "to|us|was|we|were|what|when|where|which|who|why|will|with|would|you|your"
)
"""English words that do not say what is wanted; left out of a request that has others."""
_Gains: TypeAlias = "tuple[array[int], array[float]]"


class Document(NamedTuple):
    """What can be found: a name, and one text for each weight of the index."""

    name: str
    fields: Sequence[str]


class Index:
    """Documents by the words in them; built once, then only read."""

    def __init__(self, documents: Iterable[Document], weights: Sequence[float]) -> None:
        """Index documents of distinct names; `weights` say how much a word counts in each of their fields."""
        ordered = sorted(documents, key=lambda document: document.name)
        self._names = [document.name for document in ordered]
        self._gains = _gains_by_term(ordered, weights)
        self._by_initial = {first: list(terms) for first, terms in groupby(sorted(self._gains), itemgetter(0))}

    def search(self, request: str, limit: int) -> list[str]:
        """Names of at most `limit` documents that share words with a request, the best first."""
        words = words_of(request)
        said = [word for word in words if not _FUNCTION_WORD.fullmatch(word)] or words
        scores: dict[int, float] = {}
        # Each word once and in the order of the request, so that sums of floats come out alike everywhere.
        for term in dict.fromkeys(map(stem, said)):
            for known, weight in self._meant(term):
                for number, gain in zip(*self._gains[known], strict=True):
                    scores[number] = scores.get(number, 0.0) + weight * gain
        best = nsmallest(limit, scores.items(), key=lambda item: (-item[1], item[0]))
        return [self._names[number] for number, _ in best]

    def _meant(self, term: str) -> list[tuple[str, float]]:
        """Indexed words that a word of a request stands for, with what each counts."""
        if term in self._gains:
            return [(term, 1.0)]
        if len(term) < _SHORTEST_MISSPELT or not term.isalpha():
            return []
        return [(known, _MISSPELT) for known in self._by_initial.get(term[0], ()) if _is_slip(term, known)]


def words_of(text: str) -> list[str]:
    """The words of a text or name without case and accents: `openIssues`, `open_issues` and `Open issues` alike."""
    text = _CONTRACTION.sub("", text)
    if text.isascii():
        return _ASCII_WORDS.findall(_HUMP.sub(" ", text).lower())
    plain = "".join(map(_plain, unicodedata.normalize("NFKD", text)))
    words = _HUMP.sub(" ", plain).casefold().split()
    return [part for word in words for part in (_UNSPACED.match(word) and _PAIR.findall(word)) or [word]]


@functools.lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """A word without the endings of English plurals and verb forms; what is not ASCII stays as it is."""
    if not word.isascii() or len(word) <= _SHORTEST_STEM:
        return word
    if word.endswith(("ies", "ches", "shes", "sses", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_STEM and not set(rest).isdisjoint("aeiouy"):
            word = rest
            break
    if len(word) > _SHORTEST_STEM:
        word = word.removesuffix("e") if word[-1] != "y" else word[:-1] + "i"
    # A final consonant may be doubled for the ending alone: `cancelled`, `cancel`.
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word


def _gains_by_term(documents: Sequence[Document], weights: Sequence[float]) -> dict[str, _Gains]:
    """Of each word, the numbers of the documents that have it and what it adds to their scores (BM25F)."""
    counted = [[Counter(map(stem, words_of(text))) for text in document.fields] for document in documents]
    means = [sum(field.total() for field in column) / len(documents) or 1.0 for column in zip(*counted, strict=True)]
    frequencies: dict[str, dict[int, float]] = {}
    for number, fields in enumerate(counted):
        for field, mean, weight in zip(fields, means, weights, strict=True):
            share = weight / (1 - _LENGTH + _LENGTH * field.total() / mean)
            for term, count in field.items():
                column = frequencies.setdefault(term, {})
                column[number] = column.get(number, 0.0) + share * count
    return {term: _gains(column, len(documents)) for term, column in frequencies.items()}


def _gains(column: dict[int, float], documents: int) -> _Gains:
    rarity = math.log(1 + (documents - len(column) + 0.5) / (len(column) + 0.5))
    gains = (rarity * often * (_SATURATION + 1) / (_SATURATION + often) for often in column.values())
    return array("L", column), array("d", gains)


@functools.lru_cache(maxsize=1 << 12)
def _plain(character: str) -> str:
    """A letter, digit or vowel sign as it is; an accent as nothing; anything else as a space."""
    if unicodedata.combining(character):
        return ""
    return character if unicodedata.category(character)[0] in "LMN" else " "


def _is_slip(term: str, known: str) -> bool:
    """Whether one letter too many, too few or another, or two swapped, lead from one word to the other."""
    pairs = enumerate(zip(term, known, strict=False))
    same = next((place for place, (one, other) in pairs if one != other), min(len(term), len(known)))
    longer, shorter = sorted((term[same:], known[same:]), key=len, reverse=True)
    if len(longer) > len(shorter):
        return longer[1:] == shorter
    return longer[1:] == shorter[1:] or longer[1::-1] + longer[2:] == shorter
