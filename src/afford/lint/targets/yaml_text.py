"""YAML as JSON: what a document in YAML says, in the values that JSON has.

Needs PyYAML (extra `afford[lint]`), imported when a document in YAML is read, and not before. Scalars mean what YAML
1.2 says: dates, `yes` and `no` are texts. Nothing is constructed but plain values, whatever a tag asks for.
"""

from __future__ import annotations

import math
import re
from importlib import import_module
from typing import Final, Protocol, cast

from afford.errors import JsonObject, JsonValue

MOST: Final = 2_000_000
"""Values of a document with all its aliases written out; more is a bomb, or nothing that anybody reads."""
_DEEPEST: Final = 256
"""Levels of values in values."""
_CONSTANTS: Final[dict[str, JsonValue]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE: Final = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE: Final = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_MERGE: Final = "<<"
_LONGEST: Final = 18
"""Characters of a whole number that has a place in 64 bits; longer ones are rounded, as in JSON."""


class YamlError(Exception):
    """A text is no YAML, or none that has a form in JSON; says where."""


class _Node(Protocol):
    """What the parser makes of a value: a scalar, a sequence of nodes, or a mapping as pairs of nodes."""

    @property
    def id(self) -> str: ...
    @property
    def value(self) -> object: ...
    @property
    def style(self) -> str | None: ...


def parse_yaml(content: bytes) -> JsonValue:
    """The one document that a text holds.

    Raises:
        YamlError: it is no YAML, contains itself, is too large with its aliases written out, or a key is no text.
        ImportError: PyYAML is not installed.
    """
    yaml = import_module("yaml")
    try:
        root = yaml.compose(content, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except yaml.YAMLError as error:
        raise YamlError(" ".join(str(error).split())) from error
    except RecursionError as error:
        raise YamlError("it is nested too deep") from error
    return None if root is None else _Conversion().of(cast("_Node", root))


class _Conversion:
    """From nodes to values, each node once, however many aliases it has."""

    def __init__(self) -> None:
        self._done: dict[int, tuple[JsonValue, int]] = {}
        self._open: set[int] = set()

    def of(self, node: _Node) -> JsonValue:
        """The value of a node and of everything in it."""
        return self._value(node)[0]

    def _value(self, node: _Node) -> tuple[JsonValue, int]:
        """The value, and how many values it is with all aliases written out."""
        known = self._done.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            raise YamlError("an alias stands in what it stands for")
        if len(self._open) > _DEEPEST:
            raise YamlError("it is nested too deep")
        self._open.add(id(node))
        found = self._inner(node)
        self._open.remove(id(node))
        if found[1] > MOST:
            raise YamlError(f"it has more than {MOST:,} values with all its aliases written out")
        self._done[id(node)] = found
        return found

    def _inner(self, node: _Node) -> tuple[JsonValue, int]:
        if node.id == "sequence":
            parts = [self._value(item) for item in cast("list[_Node]", node.value)]
            return [value for value, _ in parts], 1 + sum(size for _, size in parts)
        if node.id == "mapping":
            return self._mapping(cast("list[tuple[_Node, _Node]]", node.value))
        text = str(node.value)
        return (text if node.style else _scalar(text)), 1

    def _mapping(self, pairs: list[tuple[_Node, _Node]]) -> tuple[JsonObject, int]:
        merged: JsonObject = {}
        own: JsonObject = {}
        size = 1
        for key, inner in pairs:
            if key.id != "scalar":
                raise YamlError("a key is no text")
            value, added = self._value(inner)
            size += added
            if key.value == _MERGE and not key.style:
                for source in reversed(value if isinstance(value, list) else [value]):
                    merged.update(source if isinstance(source, dict) else {})
            else:
                own[str(key.value)] = value
        return {**merged, **own}, size


def _scalar(text: str) -> JsonValue:
    """What a plain scalar means by the core schema of YAML 1.2."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if len(text) <= _LONGEST and _WHOLE.fullmatch(text):
        return int(text)
    if len(text) <= _LONGEST and _OTHER_BASE.fullmatch(text):
        return int(text, 0)
    if _NUMBER.fullmatch(text):
        real = float(text)
        return real if math.isfinite(real) else text
    return text
