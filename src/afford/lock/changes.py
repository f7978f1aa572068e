"""`Change`: one thing that is another in the newer of two records, and what that means for those who rely on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from afford.errors import JsonValue


class Grade(StrEnum):
    """How much a change asks of people; the worst first."""

    BREAKING = "breaking"
    """Somebody's call, or reading of an answer, may stop working."""
    NEEDS_APPROVAL = "needs-approval"
    """Agents may do or see more, or clients may be less careful; somebody has to want that."""
    COMPATIBLE = "compatible"
    """Nothing that worked stops working, and nobody may do more. Texts are here, and worth reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change. Sentences have no final stop."""

    grade: Grade
    what: str
    """What is different."""
    why: str
    """Why it has that grade."""
    fix: str
    """What to do."""
    subject: str = ""
    """Wire name of an operation, or `screen:home` and the like; empty: the application."""
    pointer: str = ""
    """RFC 6901, into the record of the subject, references followed."""
    before: JsonValue = None
    """None: nothing."""
    after: JsonValue = None
    is_shown: bool = False
    """Whether there is a witness."""
    witness: JsonValue = None
    """Arguments that were accepted and are not, or an answer that was ruled out and is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything that two records differ in."""

    old: str
    new: str
    changes: tuple[Change, ...]
    """The worst grade first, then by subject and pointer."""
    notes: tuple[str, ...] = ()
    """What could not be compared at all."""

    def of(self, grade: Grade) -> tuple[Change, ...]:
        """The changes of a grade."""
        return tuple(change for change in self.changes if change.grade is grade)
