"""Which operation would be picked, measured without a language model: by words, and by what an embedding makes of them.

A baseline. What it finds is what the descriptions say; whoever reads better does not do worse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from afford.cold.goals import Goal
from afford.cold.report import PickReport
from afford.errors import JsonObject, JsonValue
from afford.lint.schemas import places
from afford.lint.target import Described, Target
from afford.ranking import Document, Index

_WEIGHTS: Final = (1.0, 1.0, 2.0, 1.0, 1.0)
"""Names, titles, descriptions, names of inputs, texts of inputs: as a search among deferred tools weighs them."""
_NEAR: Final = 3

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Vectors of texts."""


class Retriever(Protocol):
    """Orders operations by how well they fit a request."""

    name: str

    def ranked(self, request: str) -> list[str]:
        """Wire names, the best first; those that do not fit at all are left out."""
        ...


class Bm25:
    """By shared words."""

    name = "bm25"

    def __init__(self, target: Target) -> None:
        """Index the operations of a target."""
        documents = [Document(item.name, _fields(item)) for item in target.operations]
        self._index = Index(documents, _WEIGHTS)
        self._count = len(documents)

    def ranked(self, request: str) -> list[str]:
        """Wire names, the best first."""
        return self._index.search(request, self._count)


class Embeddings:
    """By the angle between what a model makes of the request, and of name and description."""

    name = "embeddings"

    def __init__(self, target: Target, embed: Embed) -> None:
        """Embed the operations of a target."""
        self._embed = embed
        self._names = [item.name for item in target.operations]
        texts = [f"{item.name.replace('_', ' ')}. {item.title} {item.text}".strip() for item in target.operations]
        self._vectors = [_unit(vector) for vector in embed(texts)] if texts else []

    def ranked(self, request: str) -> list[str]:
        """Wire names, the best first; equal ones by name."""
        (vector,) = self._embed([request])
        asked = _unit(vector)
        scored = [
            (-sum(map(float.__mul__, asked, other)), name)
            for name, other in zip(self._names, self._vectors, strict=True)
        ]
        return [name for _, name in sorted(scored)]


def measured(goals: Sequence[Goal], retriever: Retriever) -> PickReport:
    """How often the expected operation is first and among the first three, and what came first in its place."""
    hit1 = hit3 = 0
    reciprocal = 0.0
    confusions: list[tuple[str, str, str]] = []
    for goal in goals:
        ranked = retriever.ranked(goal.text)
        rank = ranked.index(goal.call) + 1 if goal.call in ranked else 0
        hit1 += rank == 1
        hit3 += 0 < rank <= _NEAR
        reciprocal += 1 / rank if rank else 0.0
        if rank != 1:
            confusions.append((goal.text, goal.call, ranked[0] if ranked else ""))
    return PickReport(
        by=retriever.name,
        goals=len(goals),
        hit1=hit1,
        hit3=hit3,
        reciprocal=round(reciprocal / len(goals), 4) if goals else 0.0,
        confusions=tuple(confusions),
    )


def _fields(item: Described) -> tuple[str, ...]:
    inputs = [*places(item.input_schema)]
    names = " ".join(place.name for place in inputs)
    texts = " ".join(_words(place.schema) for place in inputs)
    return item.name, item.title, item.text, names, texts


def _words(schema: JsonObject) -> str:
    choices = schema.get("enum")
    texts: list[JsonValue] = [schema.get("description"), *(choices if isinstance(choices, list) else [])]
    return " ".join(text for text in texts if isinstance(text, str))


def _unit(vector: Sequence[float]) -> list[float]:
    numbers = [float(part) for part in vector]
    length = sum(part * part for part in numbers) ** 0.5
    return [part / length for part in numbers] if length else numbers
