"""Whether one JSON Schema accepts whatever another accepts, and where it does not.

Knows JSON Schema (draft 2020-12) and the engine that judges values; nothing of operations. Every schema is read as the
engine reads it. What is not proved is told as a gap, with a value that shows it where one was found and tried.
"""

from __future__ import annotations

from afford.lock.inclusion.gaps import Gap
from afford.lock.inclusion.walk import gaps_between

__all__ = ["Gap", "gaps_between"]
