"""Tracebacks of an application's code, without the frames of those who only ran it. Knows nothing of commands."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException
from typing import Final

_AFFORD: Final = str(Path(__file__).parents[1])
_FROZEN: Final = "<frozen importlib"


def users_traceback(error: BaseException) -> str:
    """The error as Python prints it, with the frames that its author wrote.

    Where the application itself is an installed package, all frames but those of the import machinery stay.
    """
    told = TracebackException.from_exception(error)
    for part in _chained(told):
        part.stack = _trimmed(part.stack)
    return "".join(told.format()).rstrip()


def _chained(told: TracebackException) -> Iterator[TracebackException]:
    yield told
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        if other is not None:
            yield from _chained(other)


def _trimmed(stack: StackSummary) -> StackSummary:
    # Asked for here and not on import: finding out where Python is installed takes milliseconds.
    standard, *packages = (sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    machinery = (_AFFORD, _FROZEN, str(Path(standard, "importlib")))
    frames: list[FrameSummary] = [frame for frame in stack if not frame.filename.startswith(machinery)]
    own = [frame for frame in frames if not frame.filename.startswith((standard, *packages))]
    return StackSummary.from_list(own or frames)
