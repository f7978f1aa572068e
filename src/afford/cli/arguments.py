"""`key=value` words to JSON arguments, as the published schema wants them spelled.

Pure. Only spelling is decided here: a word that spells nothing of its type stays text, and the schema refuses it
together with everything else that is wrong with the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from afford.cli.failures import CommandError
from afford.errors import Fault, FaultCode, JsonObject, JsonValue
from afford.schema.query_string import pointer_to
from afford.schema.strict_json import JsonSyntaxError, parse_json

_COMPOSED: Final = ("anyOf", "oneOf", "allOf")
_TEXT: Final = frozenset({"string", "null"})
_CONTAINERS: Final = frozenset({"array", "object"})


@dataclass(frozen=True, slots=True)
class ReadArguments:
    """What the words spell."""

    arguments: JsonObject
    faults: tuple[Fault, ...]
    """What no value could be made of; an argument with a fault is not among `arguments`."""


def read_arguments(words: Sequence[str], schema: JsonObject) -> ReadArguments:
    """The arguments that `key=value` words spell.

    Text stays as it is where the schema has a string; numbers, booleans and null are written as in JSON; an array is
    written by repeating its key, or as JSON; an object as JSON.

    Args:
        words: as the shell passed them.
        schema: the published input schema.

    Raises:
        CommandError: a word is not `key=value`, or no Unicode.
    """
    texts: dict[str, list[str]] = {}
    for word in words:
        if not _is_unicode(word):
            raise CommandError("an argument is not UTF-8; encode it, or pass it with `--json-args`")
        key, separator, text = word.partition("=")
        if not separator or not key:
            raise CommandError(f"`{word}` is no argument; write `key=value`")
        texts.setdefault(key, []).append(text)
    properties = schema.get("properties")
    declared: JsonObject = properties if isinstance(properties, dict) else {}
    arguments: JsonObject = {}
    faults: list[Fault] = []
    for key, given in texts.items():
        value = _value(key, given, declared.get(key, True), schema)
        if isinstance(value, Fault):
            faults.append(value)
        else:
            arguments[key] = value
    return ReadArguments(arguments, tuple(faults))


def _is_unicode(text: str) -> bool:
    """Whether the shell passed text; what is not text arrives as lone surrogates (PEP 383)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _value(key: str, texts: list[str], schema: JsonValue, root: JsonObject) -> JsonValue | Fault:
    parts = list(_parts(schema, root))
    kinds = _kinds(parts)
    if len(texts) == 1:
        return _from_one(key, texts[0], parts, kinds, root)
    if "array" in kinds:
        return [_item(text, parts, root) for text in texts]
    return Fault(pointer=pointer_to(key), code=FaultCode.DUPLICATE, message=f"`{key}` is given more than once")


def _from_one(
    key: str, text: str, parts: list[JsonObject], kinds: frozenset[str], root: JsonObject
) -> JsonValue | Fault:
    value = _spelled(text, kinds)
    if not isinstance(value, _Unspelled):
        return value
    is_json = text.lstrip().startswith(("[", "{"))
    if "array" in kinds and not is_json:
        return [_item(text, parts, root)]
    if is_json and value.reason and kinds & _CONTAINERS:
        return Fault(pointer=pointer_to(key), code=FaultCode.SYNTAX, message=f"`{key}`: {value.reason}")
    return text


def _item(text: str, parts: list[JsonObject], root: JsonObject) -> JsonValue:
    """One element of an array that is written by repeating its key."""
    kinds = frozenset[str]().union(*(_kinds(list(_parts(part.get("items", True), root))) for part in parts))
    value = _spelled(text, kinds)
    return text if isinstance(value, _Unspelled) else value


@dataclass(frozen=True, slots=True)
class _Unspelled:
    """A text that spells no value of the wanted types."""

    reason: str
    """Why it is no JSON; empty where it is, but no array."""


def _spelled(text: str, kinds: frozenset[str]) -> JsonValue | _Unspelled:
    """The value that the text spells where one of these JSON types is wanted; no types: any.

    JSON of another type is handed over as well, since the schema says best what is wrong with it.
    """
    if "string" in kinds and kinds <= _TEXT:
        return text
    takes_text = not kinds or "string" in kinds
    try:
        value = parse_json(text.encode())
    except JsonSyntaxError as error:
        return text if takes_text else _Unspelled(str(error))
    if not kinds or _kind_of(value) in kinds:
        return value
    if takes_text:
        return text
    return _Unspelled("") if "array" in kinds else value


def _kinds(parts: list[JsonObject]) -> frozenset[str]:
    """JSON types that the schema parts name; none: it does not say."""
    found: set[str] = set()
    for part in parts:
        named = part.get("type")
        found.update(word for word in (named if isinstance(named, list) else [named]) if isinstance(word, str))
        members = part.get("enum")
        found.update(_kind_of(member) for member in (members if isinstance(members, list) else ()))
        if "const" in part:
            found.add(_kind_of(part["const"]))
    return frozenset(found | {"integer"} if "number" in found else found)


def _parts(schema: JsonValue, root: JsonObject, followed: tuple[str, ...] = ()) -> Iterator[JsonObject]:
    """The schema and everything it is composed of, references followed once."""
    if not isinstance(schema, dict):
        return
    yield schema
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in followed:
        yield from _parts(_at(reference, root), root, (*followed, reference))
    for keyword in _COMPOSED:
        choices = schema.get(keyword)
        for choice in choices if isinstance(choices, list) else ():
            yield from _parts(choice, root, followed)


def _at(reference: str, root: JsonObject) -> JsonValue:
    """What a local reference (RFC 6901 in a fragment) leads to; None where it leads nowhere."""
    found: JsonValue = root
    for step in reference.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _kind_of(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    if value is None:
        return "null"
    return "array" if isinstance(value, list) else "object"
