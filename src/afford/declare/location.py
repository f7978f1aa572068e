"""Where in the author's code a declaration stands, and which names are known there."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, FrameType


def local_names(handler: object, frame: FrameType | None) -> Mapping[str, object] | None:
    """Names that annotations may use and no module holds: only where the handler stands in a function."""
    if frame is None or "<locals>" not in getattr(handler, "__qualname__", ""):
        return None
    # Where a helper declares, the names are those of the function further up that holds the handler's code.
    code = _code_of(handler)
    outer: FrameType | None = frame
    while outer is not None and code not in outer.f_code.co_consts:
        outer = outer.f_back
    return dict((outer or frame).f_locals)


def caller_frame(depth: int) -> FrameType | None:
    """The frame `depth` calls above the caller of this function; None where the interpreter keeps none."""
    frame = inspect.currentframe()
    for _ in range(depth + 1):
        frame = None if frame is None else frame.f_back
    return frame


def location_of(frame: FrameType | None) -> str | None:
    """File and line of a frame, for messages."""
    return None if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def handler_location(handler: object) -> str | None:
    """File and line of a function, for messages; None where it has no code of its own."""
    code = _code_of(handler)
    return None if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"


def _code_of(handler: object) -> CodeType | None:
    return getattr(inspect.unwrap(handler) if callable(handler) else handler, "__code__", None)
