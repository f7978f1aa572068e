"""URI templates of RFC 6570, level 1: literal text and `{name}`.

Stricter than the RFC where a template has to be read backwards: whatever was expanded is matched to the same values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote

_EXPRESSION: Final = re.compile(r"\{([^{}]*)\}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACE: Final = re.compile(r"[{}]")
_ALWAYS_ENCODED: Final = re.compile(r"[^A-Za-z0-9\-._~%]")
"""What never occurs in an expanded value: whatever is not unreserved (RFC 3986, section 2.3), but for `%` itself."""


@dataclass(frozen=True, slots=True)
class UriTemplate:
    """A template such as `notes://{owner}/{title}`; without variables it stands for its own text.

    Names are those of Python, since values are passed as keyword arguments. Between two variables stands a character
    that expanded values cannot hold, such as `/` or `:`; otherwise two sets of values would share one text.
    """

    text: str
    names: tuple[str, ...] = field(init=False, compare=False)
    """The variables, in order of appearance."""
    _literals: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The text around the variables: one more than there are names."""
    _pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read the template.

        Raises:
            ValueError: it is empty or holds unprintable characters; a brace is nested or has no counterpart; a
                variable is empty, repeated, of a higher level of RFC 6570, or not told apart from the one before it.
        """
        parts = _EXPRESSION.split(self.text)
        literals, names = tuple(parts[::2]), tuple(parts[1::2])
        fault = _fault(self.text, literals, names)
        if fault is not None:
            raise ValueError(f"`{self.text}` is no URI template: {fault}")
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "_literals", literals)
        object.__setattr__(self, "_pattern", _pattern(literals))

    @property
    def is_plain(self) -> bool:
        """Whether it has no variables."""
        return not self.names

    def match(self, uri: str) -> dict[str, str] | None:
        """The values that a URI has for the variables, percent-decoded; None where it does not fit.

        A value is not empty and holds no `/` that is not percent-encoded, nor unencoded the character that tells it
        from the next one; other characters may come as they are. Bad percent-encoding, also of what is no UTF-8, does
        not fit. Literal text compares exactly. Takes time proportional to the URI.
        """
        found = self._pattern.fullmatch(uri)
        if found is None:
            return None
        try:
            return {
                name: unquote(value, errors="strict") for name, value in zip(self.names, found.groups(), strict=True)
            }
        except UnicodeDecodeError:
            return None

    def expand(self, values: Mapping[str, str]) -> str:
        """The text with its variables filled; everything but the unreserved characters of RFC 3986 is percent-encoded.

        Raises:
            TypeError: other names than those of the template, or a value that is no text.
            ValueError: a value is empty, or holds a lone surrogate.
        """
        if set(values) != set(self.names):
            takes = ", ".join(f"`{name}`" for name in self.names) or "no names"
            raise TypeError(f"`{self.text}` takes {takes}, not {', '.join(map(repr, values)) or 'nothing'}")
        parts = [self._literals[0]]
        for name, literal in zip(self.names, self._literals[1:], strict=True):
            parts += _encoded(name, values[name]), literal
        return "".join(parts)


def _fault(text: str, literals: tuple[str, ...], names: tuple[str, ...]) -> str | None:
    """What is wrong with a template, and what to write instead."""
    if not text.isprintable() or not text:
        return "write at least one character, and printable ones only"
    if any(map(_BRACE.search, literals)):
        return "a brace is nested or has no counterpart; write `{name}`"
    for name in names:
        if not _NAME.fullmatch(name):
            return f"`{{{name}}}` is not of level 1 of RFC 6570; write `{{name}}`, with letters, digits and `_`"
    if len(set(names)) < len(names):
        return "a name is repeated; give each variable its own"
    if not all(map(_ALWAYS_ENCODED.search, literals[1:-1])):
        return "values of two variables would run together; write `/` or another reserved character between them"
    return None


def _pattern(literals: tuple[str, ...]) -> re.Pattern[str]:
    """What matches the template. A value ends at the first character that tells it from the next: no backtracking."""
    parts = [re.escape(literals[0])]
    for position, literal in enumerate(literals[1:], start=2):
        delimiter = None if position == len(literals) else _ALWAYS_ENCODED.search(literal)
        stops = re.escape(delimiter.group()) if delimiter else ""
        parts += rf"((?:[^/%{stops}]|%[0-9A-Fa-f]{{2}})+)", re.escape(literal)
    return re.compile("".join(parts))


def _encoded(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"`{name}` is text, not {type(value).__name__}")
    if not value:
        raise ValueError(f"`{name}` is empty, which no URI can say; give it at least one character")
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise ValueError(f"`{name}` holds a lone surrogate, which is no text; leave it out") from None
