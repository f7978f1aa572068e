"""Changing one member of a JSON document and nothing else: comments, order and layout stay as they are. Pure.

Reads what editors write: JSON with `//` and `/* */` comments and commas before a closing bracket. No library does this
for Python and is kept up: those that read such files lose the comments when they write. What has been changed is read
again and compared with what was meant, so a slip here cannot spoil a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from afford.errors import JsonObject, JsonValue

_TRIVIA: Final = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR: Final = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_INDENT: Final = re.compile(r"^([ \t]+)\S", re.MULTILINE)


class DocumentError(ValueError):
    """The document cannot be read, or not be changed as wanted; the text says where and why."""


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    start: int
    """Where its name begins."""
    value: _Node
    comma: int | None
    """Where the comma behind it is."""


@dataclass(frozen=True, slots=True)
class _Node:
    start: int
    end: int
    value: JsonValue
    members: tuple[_Member, ...] = field(default=())
    """Of an object."""


def read(text: str) -> JsonObject:
    """The document; an empty one is an empty object.

    Raises:
        DocumentError: it is no JSON object.
    """
    value = _document(text).value
    if not isinstance(value, dict):
        raise DocumentError("the document is not an object")
    return value


def with_member(text: str, path: Sequence[str], value: JsonValue) -> str:
    """The document with a member that has this value, under objects that are made where they are missing.

    Raises:
        DocumentError: it cannot be read, or something on the path is there twice or is no object.
    """
    text = text if text.strip().removeprefix("\ufeff") else "{}\n"
    found, rest = _found(text, path)
    if not rest:
        changed = text[: found.start] + _written(value, _indent_at(text, found.start), text) + text[found.end :]
    else:
        whole: JsonValue = value
        for name in reversed(rest[1:]):
            whole = {name: whole}
        changed = _inserted(text, found, rest[0], whole)
    expected = read(text)
    _put(expected, path, value)
    return _checked(changed, expected)


def without_member(text: str, path: Sequence[str]) -> str:
    """The document without a member; the same where it is not there.

    Raises:
        DocumentError: it cannot be read, or something on the path is there twice or is no object.
    """
    expected = read(text)
    holder, rest = _found(text, path[:-1])
    position = next((at for at, member in enumerate(holder.members) if member.name == path[-1]), None)
    if rest or position is None:
        return text
    _only(holder, path[-1])
    inner: JsonValue = expected
    for name in path[:-1]:
        assert isinstance(inner, dict)  # noqa: S101 - it was found above
        inner = inner[name]
    assert isinstance(inner, dict)  # noqa: S101 - the same
    del inner[path[-1]]
    return _checked(_cut(text, holder, position), expected)


def _cut(text: str, holder: _Node, position: int) -> str:
    member = holder.members[position]
    end = member.value.end if member.comma is None else member.comma + 1
    start, end = _whole_line(text, member.start, end)
    before = holder.members[position - 1] if position else None
    changed = text[:start] + text[end:]
    if member.comma is None and before is not None and before.comma is not None:
        changed = changed[: before.comma] + changed[before.comma + 1 :]
    return changed


def _whole_line(text: str, start: int, end: int) -> tuple[int, int]:
    """The span grown to its whole lines where nothing else stands on them."""
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    if stop != -1 and not text[begin:start].strip() and not text[end:stop].strip():
        return begin, stop + 1
    return start, end


def _inserted(text: str, holder: _Node, name: str, value: JsonValue) -> str:
    """The document with one member more at the end of an object."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_at(text, holder.start)
    last = holder.members[-1] if holder.members else None
    inner = _own_indent(text, holder, outer)
    member = f"{json.dumps(name, ensure_ascii=False)}: {_written(value, inner, text)}"
    comma = "," if last is not None and last.comma is not None else ""
    close = holder.end - 1
    # What stands before the bracket stays before it, a comment above all.
    at = len(text[:close].rstrip(" \t\r\n"))
    changed = text[:at] + line_end + inner + member + comma + line_end + outer + text[close:]
    if last is not None and last.comma is None:
        changed = changed[: last.value.end] + "," + changed[last.value.end :]
    return changed


def _own_indent(text: str, holder: _Node, outer: str) -> str:
    if holder.members and "\n" in text[holder.start : holder.members[-1].start]:
        return _indent_at(text, holder.members[-1].start)
    return outer + _unit(text)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found.group(1) if found else "  "


def _indent_at(text: str, position: int) -> str:
    """The blanks that begin the line of a position."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _written(value: JsonValue, indent: str, text: str) -> str:
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return (line_end + indent).join(lines)


def _found(text: str, path: Sequence[str]) -> tuple[_Node, list[str]]:
    """The node furthest down a path, and what of the path is missing below it."""
    node = _document(text)
    if not isinstance(node.value, dict):
        raise DocumentError("the document is not an object")
    for depth, name in enumerate(path):
        member = _only(node, name)
        if member is None:
            return node, list(path[depth:])
        node = member.value
        if depth < len(path) - 1 and not isinstance(node.value, dict):
            raise DocumentError(f"`{'.'.join(path[: depth + 1])}` is not an object")
    return node, []


def _only(node: _Node, name: str) -> _Member | None:
    named = [member for member in node.members if member.name == name]
    if len(named) > 1:
        raise DocumentError(f"`{name}` is there twice")
    return named[0] if named else None


def _put(document: JsonObject, path: Sequence[str], value: JsonValue) -> None:
    for name in path[:-1]:
        inner = document.setdefault(name, {})
        assert isinstance(inner, dict)  # noqa: S101 - the path was followed before
        document = inner
    document[path[-1]] = value


def _checked(changed: str, expected: JsonObject) -> str:
    if read(changed) != expected:
        raise DocumentError("it could not be changed without touching something else")
    return changed


def _document(text: str) -> _Node:
    start = 1 if text.startswith("\ufeff") else 0
    at = _skip(text, start)
    if at == len(text):
        return _Node(at, at, {})
    try:
        node = _value(text, at)
    except RecursionError as error:
        raise DocumentError("it is nested too deeply") from error
    if _skip(text, node.end) != len(text):
        raise _fault(text, _skip(text, node.end), "the end")
    return node


def _value(text: str, at: int) -> _Node:
    if text[at : at + 1] == "{":
        return _object(text, at)
    if text[at : at + 1] == "[":
        return _array(text, at)
    found = _STRING.match(text, at) or _SCALAR.match(text, at)
    if found is None:
        raise _fault(text, at, "a value")
    try:
        return _Node(at, found.end(), json.loads(found.group()))
    except ValueError as error:
        raise _fault(text, at, "a value") from error


def _object(text: str, start: int) -> _Node:
    members: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        name = _STRING.match(text, at)
        if name is None or (members and members[-1].comma is None):
            raise _fault(text, at, "`,` or `}`" if members and members[-1].comma is None else "a name in quotes or `}`")
        colon = _skip(text, name.end())
        if text[colon : colon + 1] != ":":
            raise _fault(text, colon, "`:`")
        value = _value(text, _skip(text, colon + 1))
        after = _skip(text, value.end)
        comma = after if text[after : after + 1] == "," else None
        members.append(_Member(str(json.loads(name.group())), at, value, comma))
        at = after if comma is None else _skip(text, comma + 1)
    return _Node(start, at + 1, {member.name: member.value.value for member in members}, tuple(members))


def _array(text: str, start: int) -> _Node:
    items: list[JsonValue] = []
    at, needs_comma = _skip(text, start + 1), False
    while text[at : at + 1] != "]":
        if needs_comma:
            raise _fault(text, at, "`,` or `]`")
        item = _value(text, at)
        items.append(item.value)
        at = _skip(text, item.end)
        needs_comma = text[at : at + 1] != ","
        if not needs_comma:
            at = _skip(text, at + 1)
    return _Node(start, at + 1, items)


def _skip(text: str, at: int) -> int:
    """Past blanks and comments."""
    found = _TRIVIA.match(text, at)
    return at if found is None else found.end()


def _fault(text: str, at: int, wanted: str) -> DocumentError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return DocumentError(f"line {line}, column {column}: expected {wanted}")
