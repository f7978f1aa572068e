"""Putting a refused call right, from what the refusal says. Knows the members of a refusal, and no operation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Final, cast

import orjson

from afford.errors import FaultCode, JsonObject, JsonValue

_BOUND: Final = re.compile(r"(at least|at most|more than|less than|a multiple of) (-?\d+(?:\.\d+)?)")
_CHOICES: Final = re.compile(r"one of: ([^,]+)")
_STEP: Final = {"more than": 1, "less than": -1}


class UnrepairableError(ValueError):
    """A refusal does not say how the call should have been."""


def repaired(
    arguments: Mapping[str, JsonValue], refusal: Mapping[str, JsonValue], known: Mapping[str, JsonValue] | None = None
) -> JsonObject:
    """The arguments as a refusal says they should have been.

    Each fault is mended by its `suggestion`, else by its `expected`, else, where it points at an argument whose value
    the caller knows, by that value. An argument that is unknown and resembles none is left out.

    Args:
        arguments: what was sent.
        refusal: what came back, with `errors` of `pointer`, `code` and perhaps `suggestion` and `expected`.
        known: values by name that the caller has from elsewhere, such as the published example.

    Raises:
        UnrepairableError: there are no faults, or one says nothing that helps.
    """
    faults = refusal.get("errors")
    if not isinstance(faults, list) or not faults:
        raise UnrepairableError("the refusal names no place of the input")
    fixed = deepcopy(dict(arguments))
    for fault in faults:
        if not isinstance(fault, dict) or not isinstance(fault.get("pointer"), str):
            raise UnrepairableError("a fault of the refusal has no pointer")
        _mend(fixed, fault, known or {})
    return fixed


def _mend(arguments: JsonObject, fault: JsonObject, known: Mapping[str, JsonValue]) -> None:
    path = [step.replace("~1", "/").replace("~0", "~") for step in str(fault["pointer"]).split("/")[1:]]
    if not path:
        raise UnrepairableError("a fault is about the whole input, and names no part of it")
    holder = _at(arguments, path[:-1])
    name = path[-1]
    if fault.get("code") == FaultCode.UNKNOWN_ARGUMENT:
        value = _taken(holder, name)
        meant = fault.get("suggestion")
        if isinstance(meant, str) and isinstance(holder, dict) and meant not in holder:
            holder[meant] = value
        return
    value = fault["suggestion"] if "suggestion" in fault else _expected(str(fault.get("expected", "")))
    if value is not None or "suggestion" in fault:
        _put(holder, name, value)
    elif path[0] in known:
        arguments[path[0]] = known[path[0]]
    else:
        raise UnrepairableError(f"the refusal does not say what `{path[0]}` should be")


def _expected(text: str) -> str | float | None:
    """A value that the words of `expected` describe; None where they describe a kind alone."""
    choice = _CHOICES.match(text)
    if choice is not None:
        return choice[1]
    bound = _BOUND.match(text)
    if bound is None:
        return None
    number = cast("int | float", orjson.loads(bound[2]))
    return number + _STEP.get(bound[1], 0)


def _at(value: JsonValue, path: list[str]) -> JsonValue:
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            value = None
    return value


def _taken(holder: JsonValue, name: str) -> JsonValue:
    if not isinstance(holder, dict) or name not in holder:
        raise UnrepairableError(f"the refusal names `{name}`, which was not sent")
    return holder.pop(name)


def _put(holder: JsonValue, name: str, value: JsonValue) -> None:
    if isinstance(holder, dict):
        holder[name] = value
    elif isinstance(holder, list) and name.isdigit() and int(name) < len(holder):
        holder[int(name)] = value
    else:
        raise UnrepairableError(f"the refusal points at `{name}`, which is no place of what was sent")
