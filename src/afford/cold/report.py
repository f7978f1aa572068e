"""What a run found: frozen values for the reports, and the notebook that a run writes into as it goes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from afford.cold.replies import Verdict


class Check(StrEnum):
    """What is checked, in the words of the reports."""

    TOLD = "told"
    """The catalog says enough: a description, and something about every input."""
    EXAMPLE = "example"
    """The published example fits the published schemas."""
    FIRST_CALL = "first_call"
    """The first call, made from the catalog alone, is answered."""
    ANSWER = "answer"
    """An answer fits the published output schema."""
    JOIN = "join"
    """An id travels by its name: from the row of one operation into another."""
    REQUIRED = "required"
    """What the schema requires is enough."""
    PAGES = "pages"
    """Pages can be followed to their end, and add up."""
    REFUSAL = "refusal"
    """A call that the schema refuses is refused, and the refusal names the input."""
    RETRY = "retry"
    """The call as the refusal says it should be is answered."""
    ACCEPTED = "accepted"
    """What the schema accepts at its edges is not refused as bad input."""
    GOAL = "goal"
    """A goal's expected call is offered and fits."""


class Source(StrEnum):
    """Where the arguments of a first call come from."""

    EXAMPLE = "example"
    JOIN = "join"
    """Ids from live rows, the rest from the schema."""
    SCHEMA = "schema"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check that failed, or a note that fails nothing."""

    operation: str
    check: Check
    message: str
    """One sentence that ends with what to do."""
    is_note: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationReport:
    """What was tried with one operation."""

    name: str
    reads: bool = False
    """Whether it says that it only reads."""
    not_called: str = ""
    """Why it was not called; empty where it was."""
    source: Source | None = None
    """Of the first call."""
    first: Verdict | None = None
    """What became of the first call; None: there was none."""
    first_retry: bool | None = None
    """Whether the repaired first call was answered; None: there was nothing to repair."""
    mistakes: int = 0
    """Mutated calls."""
    refused: int = 0
    """Of them, refused with the right input named."""
    retried: int = 0
    """Refused calls that were repaired from the refusal, and sent again or judged."""
    mended: int = 0
    """Of them, answered, or accepted by the schema where only that was asked."""
    answers: int = 0
    """Answers judged by the output schema."""
    joins: int = 0
    """Ids taken from live rows."""
    pages: int = 0
    """Pages of the longest walk."""
    rows: int = 0
    """Rows on them."""

    @property
    def met_nothing(self) -> bool:
        """Whether the first call fits, and was about something that need not be there."""
        return self.first is Verdict.STATE and (not self.reads or self.source is Source.SCHEMA)


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationReport:
    """One thing broken in a copy of the catalog, and what came of it."""

    kind: str
    operation: str
    place: str
    """What was changed, in words."""
    red: tuple[Finding, ...]
    """What failed that did not fail before; none: nobody noticed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickReport:
    """What one way of choosing an operation did with the goals."""

    by: str
    """`bm25`, `embeddings`, or the name of the model."""
    goals: int
    hit1: int
    hit3: int | None
    """None for a model, which picks one."""
    reciprocal: float
    """Mean reciprocal rank; for a model, the share of right picks."""
    confusions: tuple[tuple[str, str, str], ...]
    """Goal, expected operation, and the one picked in its place; empty where none was."""
    first_calls: int | None = None
    """For a model: goals whose first call had the right name and arguments, and was answered where it was sent."""
    retries: int | None = None
    """For a model: goals that succeeded at the second call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything."""

    target: str
    origin: str
    allowed: str
    seed: int
    calls: int
    stopped: str
    """Why it ended early; empty: it did not."""
    operations: tuple[OperationReport, ...]
    findings: tuple[Finding, ...]
    ablations: tuple[AblationReport, ...] = ()
    not_ablated: tuple[str, ...] = ()
    """Kinds of ablations that nothing in the catalog can suffer."""
    picks: tuple[PickReport, ...] = ()

    @property
    def failures(self) -> tuple[Finding, ...]:
        """Findings that are no notes."""
        return tuple(item for item in self.findings if not item.is_note)

    @property
    def unnoticed(self) -> tuple[AblationReport, ...]:
        """Ablations that the run did not notice."""
        return tuple(item for item in self.ablations if not item.red)

    @property
    def has_failed(self) -> bool:
        """Whether it ends with exit code 1.

        Something failed or went unnoticed, nothing was called at all, or ablations were wanted and none could be made.
        """
        called = any(item.first is not None for item in self.operations)
        has_no_control = bool(self.not_ablated) and not self.ablations
        return bool(self.failures or self.unnoticed or not called or has_no_control)

    def rate(self) -> tuple[int, int]:
        """First calls that were answered or held for a person, and how many there were.

        Left out is what met nothing to act on by no fault of the catalog: a write, whose example works once, and a read
        that made its ids up.
        """
        tried = [item for item in self.operations if item.first is not None and not item.met_nothing]
        return sum(item.first in (Verdict.OK, Verdict.HELD) for item in tried), len(tried)

    def retry_rate(self) -> tuple[int, int]:
        """Repaired calls that were answered, and how many refusals asked for a repair."""
        first = [item.first_retry for item in self.operations if item.first_retry is not None]
        mended = sum(item.mended for item in self.operations) + sum(first)
        return mended, sum(item.retried for item in self.operations) + len(first)


@dataclass(slots=True, kw_only=True)
class Tally:
    """One operation in the notebook; the fields mean what they mean in the report."""

    reads: bool = False
    not_called: str = ""
    source: Source | None = None
    first: Verdict | None = None
    first_retry: bool | None = None
    mistakes: int = 0
    refused: int = 0
    retried: int = 0
    mended: int = 0
    answers: int = 0
    joins: int = 0
    pages: int = 0
    rows: int = 0

    def report(self, name: str) -> OperationReport:
        """As it stands now."""
        return OperationReport(name=name, **{key: getattr(self, key) for key in Tally.__slots__})


@dataclass(slots=True)
class Notebook:
    """What a run writes into; whatever ends the run early, it holds what is known."""

    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    findings: list[Finding] = field(default_factory=list[Finding])
    ablations: list[AblationReport] = field(default_factory=list[AblationReport])
    not_ablated: list[str] = field(default_factory=list[str])
    picks: list[PickReport] = field(default_factory=list[PickReport])
    stopped: str = ""

    def of(self, operation: str) -> Tally:
        """The tally of one operation."""
        return self.tallies.setdefault(operation, Tally())

    def fail(self, operation: str, check: Check, message: str, *, is_note: bool = False) -> None:
        """Write down a finding, once."""
        finding = Finding(operation=operation, check=check, message=message, is_note=is_note)
        if finding not in self.findings:
            self.findings.append(finding)

    def failed(self) -> frozenset[Finding]:
        """The findings so far that are no notes."""
        return frozenset(item for item in self.findings if not item.is_note)
