"""Names taken apart: their words, their spelling, and what is left when case and separators are forgotten."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


class Convention(StrEnum):
    """How the words of a name are joined."""

    SNAKE = "snake_case"
    CAMEL = "camelCase"
    PASCAL = "PascalCase"
    KEBAB = "kebab-case"
    DOTTED = "dotted.case"


_CONVENTIONS: Final = (
    (Convention.SNAKE, re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")),
    (Convention.CAMEL, re.compile(r"[a-z]+[0-9]*(?:[A-Z][a-z0-9]*)+")),
    (Convention.PASCAL, re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+")),
    (Convention.KEBAB, re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")),
    (Convention.DOTTED, re.compile(r"[a-z][a-z0-9]*(?:\.[a-z0-9]+)+")),
)


def parts(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: `getUserByID2` is get, user, by, id, 2."""
    return tuple(part.lower() for part in _PART.findall(name))


def convention_of(name: str) -> Convention | None:
    """How the words are joined; None for a single word, and for a mixture."""
    return next((convention for convention, pattern in _CONVENTIONS if pattern.fullmatch(name)), None)


def squashed(name: str) -> str:
    """The name without case and separators; numbers side by side stay apart, so that `1_10` is not `11_0`."""
    joined = "_".join(parts(name))
    return re.sub(r"(?<!\d)_|_(?!\d)", "", joined)


def clashes(names: Iterable[str]) -> dict[str, str]:
    """Names that differ from another by case and separators alone, each with the first other one."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names)):
        groups[squashed(name)].append(name)
    return {
        name: next(other for other in group if other != name)
        for key, group in groups.items()
        if key and len(group) > 1
        for name in group
    }
