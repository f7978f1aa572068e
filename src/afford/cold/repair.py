"""Making the second call from the refusal of the first; and whether a refusal names what was wrong. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from afford.cold.replies import Refusal
from afford.errors import JsonObject
from afford.lint.target import Described
from afford.testing.repairs import UnrepairableError, repaired


@dataclass(frozen=True, slots=True)
class Unrepaired:
    """A refusal that does not help."""

    reason: str


def mended(sent: JsonObject, refusal: Refusal, known: JsonObject, operation: Described) -> JsonObject | Unrepaired:
    """The arguments as a refusal says they should have been.

    Args:
        sent: what was refused.
        refusal: what came back. One without faults is read as text: inputs that it names take their known values,
            names that are none are left out.
        known: values by name that the caller has from the catalog and from rows.
        operation: what was called.
    """
    if refusal.faults:
        try:
            return repaired(sent, refusal.document(), known)
        except UnrepairableError as error:
            return Unrepaired(str(error))
    named = [name for name in {*sent, *operation.inputs} if _says(refusal, name)]
    if not named:
        return Unrepaired("it names no input")
    kept = {name: value for name, value in sent.items() if name not in named or name in operation.inputs}
    return {**kept, **{name: known[name] for name in sorted(named) if name in known and name in operation.inputs}}


def names_an_input(refusal: Refusal, names: Iterable[str]) -> bool:
    """Whether a refusal points at one of the inputs, or, without faults, says its name."""
    if not refusal.faults:
        return any(_says(refusal, name) for name in names)
    return not set(map(_input_of, refusal.faults)).isdisjoint(names)


def _input_of(fault: JsonObject) -> str:
    """The input that a fault points into (RFC 6901); empty where it points at none."""
    _, slash, path = str(fault.get("pointer", "")).partition("/")
    return path.partition("/")[0].replace("~1", "/").replace("~0", "~") if slash else ""


def _says(refusal: Refusal, name: str) -> bool:
    text = f"{refusal.message} {refusal.fix}"
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
