"""Findings against labels: what was found and wrong, missed, or found where nothing is.

Knows how the corpus is written (`lint_corpus/README.md`), and nothing of how rules work.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from afford.lint.engine import run
from afford.lint.rule import Rule, Severity
from afford.lint.rules import all_rules
from afford.lint.target import Target
from afford.lint.targets.catalog import from_schema_catalog, is_catalog
from afford.lint.targets.mcp import from_tool_list
from afford.lint.targets.openapi import from_openapi, is_openapi

CORPUS: Final = Path(__file__).parents[1] / "lint_corpus"
WHOLE: Final = "*"
"""Subject of what is wrong with a catalog as a whole, or with a text beside its operations."""
OF_THE_WHOLE: Final = frozenset({"EXM104"})
"""Rules about a catalog as a whole, whichever operation they point at."""
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "hidden-characters": ("TXT",),
    "hint-contradiction": ("SAF",),
    "id-not-required": ("INP116",),
    "login-identifier-published": ("RCH",),
    "name": ("NAM",),
    "policy-text": ("TXT",),
    "safety-contradiction": ("SAF",),
    "secret-in-text": ("TXT",),
    "sibling-duplicate": ("SIB",),
}
"""Kinds of fault that are labelled by a word: how the codes begin that may find one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """One file of the corpus, read."""

    name: str
    part: str
    operations: int
    target: Target
    faults: Mapping[str, frozenset[str]]
    """Labels by subject: codes and kinds."""
    open: Mapping[str, frozenset[str]]
    """Labels that may be seen either way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One label or one finding, judged."""

    verdict: Literal["found", "missed", "false alarm"]
    code: str
    """A rule's code; for a missed kind the word itself."""
    severity: Severity | None
    """None where no rule looks for it."""
    part: str
    catalog: str
    subject: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often a rule, or all rules of a severity, were right."""

    found: int
    missed: int
    false_alarms: int

    @property
    def precision(self) -> float | None:
        """Part of what was found that is wrong indeed; None where nothing was found."""
        return _part(self.found, self.found + self.false_alarms)

    @property
    def recall(self) -> float | None:
        """Part of what is wrong that was found; None where nothing is wrong."""
        return _part(self.found, self.found + self.missed)


def catalogs() -> list[Catalog]:
    """The corpus, by name."""
    return [_read(path) for path in sorted(CORPUS.glob("*/*.json"))]


def judged(corpus: Iterable[Catalog]) -> list[Outcome]:
    """Every label and every finding of the rules that are on without being asked for."""
    rules = {rule.code: rule for rule in all_rules()}
    return [outcome for catalog in corpus for outcome in _judged(catalog, rules)]


def counted(outcomes: Iterable[Outcome]) -> Counts:
    """How many of each verdict."""
    verdicts = [outcome.verdict for outcome in outcomes]
    return Counts(verdicts.count("found"), verdicts.count("missed"), verdicts.count("false alarm"))


def _read(path: Path) -> Catalog:
    written: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    labels: dict[str, list[str]] = written["faults"]
    part = "foreign" if path.parent.name == "foreign" else "held out" if written["held_out"] else "tuned"
    return Catalog(
        name=path.stem,
        part=part,
        operations=written["operations"],
        target=_target(written["document"], path.stem),
        faults={name: frozenset(item for item in items if not item.endswith("?")) for name, items in labels.items()},
        open={name: frozenset(item[:-1] for item in items if item.endswith("?")) for name, items in labels.items()},
    )


def _target(document: dict[str, Any], name: str) -> Target:
    if is_catalog(document):
        return from_schema_catalog(document, name)
    return from_openapi(document, name) if is_openapi(document) else from_tool_list(document, name)


def _judged(catalog: Catalog, rules: Mapping[str, Rule]) -> Iterator[Outcome]:
    names = {operation.name for operation in catalog.target.operations}
    found: dict[str, dict[str, str]] = {}
    for item in run(catalog.target, tuple(rules.values())).found:
        subject = item.subject if item.subject in names and item.code not in OF_THE_WHOLE else WHOLE
        found.setdefault(subject, {}).setdefault(item.code, item.message)
    for subject in sorted(names | {WHOLE}):
        yield from _of_subject(catalog, subject, found.get(subject, {}), rules)


def _of_subject(
    catalog: Catalog, subject: str, found: Mapping[str, str], rules: Mapping[str, Rule]
) -> Iterator[Outcome]:
    labels = catalog.faults.get(subject, frozenset())
    allowed = {code for label in catalog.open.get(subject, frozenset()) for code in _codes(label, rules)}
    meant = {label: _codes(label, rules) for label in labels}
    wrong = {code for codes in meant.values() for code in codes}

    def outcome(verdict: Literal["found", "missed", "false alarm"], code: str) -> Outcome:
        rule = next((rules[item] for item in sorted(_codes(code, rules))), None)
        return Outcome(
            verdict=verdict,
            code=code,
            severity=None if rule is None else rule.severity_in(catalog.target.origin),
            part=catalog.part,
            catalog=catalog.name,
            subject=subject,
            message=found.get(code, ""),
        )

    for code in sorted(found):
        if code in wrong:
            yield outcome("found", code)
        elif code not in allowed:
            yield outcome("false alarm", code)
    for label, codes in sorted(meant.items()):
        if not codes & found.keys():
            yield outcome("missed", label)


def _codes(label: str, rules: Mapping[str, Rule]) -> frozenset[str]:
    """The rules that may find what a label means; none where there is none yet."""
    return frozenset(code for code in rules if code.startswith(KINDS.get(label, (label,))))


def _part(some: int, of: int) -> float | None:
    return some / of if of else None


def codes_of(outcomes: Sequence[Outcome]) -> list[str]:
    """The codes and kinds that occur, in order."""
    return sorted({outcome.code for outcome in outcomes})
