"""Refusals that the executor itself makes, before or instead of the author's code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from afford.errors import ABSENT, Code, Failure, Fault, FaultCode, failure
from afford.manifest import Manifest

MAX_FAULTS: Final = 20
"""Faults in one answer; a request with more is told the first ones."""
_MAX_COMPARED: Final = 500
"""Names compared with a misspelt one; above, only those with the same first letters."""


def unknown_operation(manifest: Manifest, name: str) -> Failure:
    """The answer to a name outside the manifest: the same for what is hidden and for what never existed.

    Suggestions come from the caller's own manifest and nowhere else.
    """
    names = [operation.wire_name for operation in manifest.operations]
    if len(names) > _MAX_COMPARED:
        names = [known for known in names if known[:3] == name[:3]][:_MAX_COMPARED]
    close = tuple(get_close_matches(name, names, n=3))
    fix = f"did you mean {' or '.join(f'`{item}`' for item in close)}?" if close else "list the catalog for what exists"
    return failure(Code.UNKNOWN_OPERATION, "there is no operation of that name", fix=fix, choices=close)


def bad_request(faults: Sequence[Fault], fix: str | None = None) -> Failure:
    """The refusal of arguments, naming everything that is wrong with them."""
    told = tuple(faults[:MAX_FAULTS])
    count = len(told)
    message = told[0].message if count == 1 else f"{count} arguments are not accepted"
    return failure(Code.BAD_REQUEST, message, fix=fix or _fix(told), faults=told)


def merged(wire: Sequence[Fault], judged: Sequence[Fault]) -> tuple[Fault, ...]:
    """Faults of spelling and faults of the schema; an argument that could not be read is not judged as well."""
    unread = {_first_segment(fault.pointer) for fault in wire}
    return (*wire, *(fault for fault in judged if _first_segment(fault.pointer) not in unread))


def with_trace(told: Failure, trace: str) -> Failure:
    """The failure, with the id under which the log has the rest."""
    return replace(told, trace=trace)


def _first_segment(pointer: str) -> str:
    return pointer.split("/", 2)[1] if pointer else ""


def _fix(faults: Sequence[Fault]) -> str:
    """What to do about the first faults, in one sentence each."""
    steps: list[str] = []
    for fault in faults[:3]:
        name = fault.pointer.removeprefix("/").replace("/", ".") or "the arguments"
        if fault.code is FaultCode.UNKNOWN_ARGUMENT:
            steps.append(f"drop `{name}`" if fault.suggestion is ABSENT else f"rename `{name}` to `{fault.suggestion}`")
        elif fault.code is FaultCode.MISSING:
            steps.append(f"add `{name}`" + (f" ({fault.expected})" if fault.expected else ""))
        elif fault.expected is not None:
            steps.append(f"send `{name}` as {fault.expected}")
        else:
            steps.append(f"correct `{name}`")
    return "; ".join(dict.fromkeys(steps))
