"""`Rule` and `Finding`: what is looked for, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from afford.lint.target import Origin, Target


class Severity(StrEnum):
    """How sure a finding is to hurt. Measured false-alarm rates decide, not taste."""

    ERROR = "error"
    """A call goes wrong, or a reader is misled, in all likelihood; fails a run."""
    WARNING = "warning"
    """Likely to hurt; worth a look each time."""
    INFO = "info"
    """Worth knowing; never counted against a grade."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a rule found."""

    subject: str
    """Name of the operation, or what else it is about; empty: the target as a whole."""
    message: str
    """One sentence without a full stop, code in backticks."""
    pointer: str = ""
    """RFC 6901 pointer into the operation: `/description`, `/input_schema/properties/city`."""
    span: tuple[int, int] | None = None
    """Where in the text at the pointer, in code points, end exclusive."""
    fix: str | None = None
    """What to do here; None: the rule's own sentence."""


Check: TypeAlias = Callable[[Target], Iterable[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One lint rule. `bad` yields this rule's code and no other; `good` yields nothing at all."""

    code: str
    """Three letters and three digits; never given to another rule."""
    name: str
    """Lower case, joined by hyphens."""
    severity: Severity
    what: str
    """What is wrong, one sentence."""
    why: str
    """What goes wrong because of it, one sentence."""
    fix: str
    """What to do, one sentence."""
    bad: Target
    good: Target
    check: Check
    source: str = ""
    """Where the rule comes from: an item of the house style's checklist, a convention, a client's documented limit."""
    origins: frozenset[Origin] = frozenset(Origin)
    """What it can say something about."""
    profile: str | None = None
    """Name of the opt-in set it belongs to; None: always on."""
    by_origin: Mapping[Origin, Severity] = field(default_factory=dict[Origin, Severity])
    """Severities that were measured to differ, by what the target was read from."""

    def severity_in(self, origin: Origin) -> Severity:
        """How sure its findings are to hurt in a target of some origin."""
        return self.by_origin.get(origin, self.severity)
