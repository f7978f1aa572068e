"""Running rules over a target: findings become diagnostics, in one order, with ignores and a baseline applied."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from afford.errors import Diagnostic, JsonValue
from afford.lint.cost import Bill
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.target import Described, Origin, Target

UNUSED_IGNORE = "LNT101"
"""The code of an ignore that nothing needs; found by the engine itself, since no rule knows of the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosed:
    """A finding with the rule that made it and where it stands."""

    code: str
    name: str
    severity: Severity
    subject: str
    message: str
    fix: str
    pointer: str
    span: tuple[int, int] | None
    location: str | None
    text: str
    """What stands at the pointer where that is text; empty otherwise."""

    @property
    def fingerprint(self) -> str:
        """The same for the same finding in every run, also when the text around it moved."""
        marked = self.text[self.span[0] : self.span[1]] if self.span else self.message
        parts = f"{self.code}\x1f{self.subject}\x1f{self.pointer}\x1f{marked}"
        return hashlib.blake2b(parts.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a run looks for."""

    off: Collection[str] = ()
    """Codes or names of rules that are switched off everywhere."""
    profiles: Collection[str] = ()
    """Opt-in sets that are switched on."""
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    """Severities that differ from the rule's own, by code."""
    baseline: Collection[str] = ()
    """Fingerprints of findings that are known, and not reported again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run found."""

    target: Target
    found: tuple[Diagnosed, ...]
    """Sorted by subject, then severity, code and place."""
    ignored: tuple[tuple[Diagnosed, str], ...]
    """What the authors switched off, with their reasons."""
    known: tuple[Diagnosed, ...]
    """What the baseline holds."""
    bills: tuple[Bill, ...] = ()
    """What the tools cost, where that was asked: first those of the whole target, then those of each audience."""

    def of(self, subject: str) -> tuple[Diagnosed, ...]:
        """What was found about one operation."""
        return tuple(item for item in self.found if item.subject == subject)

    def by_subject(self) -> dict[str, tuple[Diagnosed, ...]]:
        """What was found, by the operation or what else it is about."""
        ordered = sorted(self.found, key=_subject)
        return {subject: tuple(group) for subject, group in groupby(ordered, key=_subject)}

    @property
    def has_errors(self) -> bool:
        """Whether the run fails."""
        return any(item.severity is Severity.ERROR for item in self.found)


def _subject(item: Diagnosed) -> str:
    return item.subject


def run(target: Target, rules: Sequence[Rule], settings: Settings | None = None) -> Report:
    """Everything that the rules find in a target."""
    chosen = settings or Settings()
    active = [rule for rule in rules if _is_active(rule, target, chosen)]
    by_name = {item.name: item for item in reversed(target.operations)}
    diagnosed = [
        _diagnosed(rule, finding, target.origin, by_name.get(finding.subject), chosen)
        for rule in active
        for finding in rule.check(target)
    ]
    found: list[Diagnosed] = []
    ignored: list[tuple[Diagnosed, str]] = []
    known: list[Diagnosed] = []
    for item in _in_order(diagnosed):
        described = by_name.get(item.subject)
        reason = None if described is None else _reason(described, item)
        if reason is not None:
            ignored.append((item, reason))
        elif item.fingerprint in chosen.baseline:
            known.append(item)
        else:
            found.append(item)
    found.extend(_unused(target, rules, [item for item, _ in ignored]))
    return Report(target=target, found=tuple(_in_order(found)), ignored=tuple(ignored), known=tuple(known))


def _is_active(rule: Rule, target: Target, settings: Settings) -> bool:
    if target.origin not in rule.origins or rule.code in settings.off or rule.name in settings.off:
        return False
    return rule.profile is None or rule.profile in settings.profiles


def _diagnosed(
    rule: Rule, finding: Finding, origin: Origin, described: Described | None, settings: Settings
) -> Diagnosed:
    return Diagnosed(
        code=rule.code,
        name=rule.name,
        severity=settings.severities.get(rule.code, rule.severity_in(origin)),
        subject=finding.subject,
        message=finding.message,
        fix=finding.fix or rule.fix,
        pointer=finding.pointer,
        span=finding.span,
        location=None if described is None else described.location,
        text="" if described is None else text_at(described, finding.pointer),
    )


def as_finding(item: Diagnostic, name: str, subject: str) -> Diagnosed:
    """A build error or a documentation gap, as reports show what rules find.

    Args:
        item: what was diagnosed.
        name: of its rule; empty where there is none.
        subject: name of the operation, or what else it is about, as the report calls it.
    """
    return Diagnosed(
        code=item.code,
        name=name,
        severity=Severity.ERROR,
        subject=subject,
        message=item.message,
        fix=item.fix,
        pointer="",
        span=None,
        location=item.location,
        text="",
    )


def text_at(described: Described, pointer: str) -> str:
    """The text at a pointer into an operation; empty where there is none."""
    part, *steps = pointer.removeprefix("/").split("/")
    parts: dict[str, JsonValue] = {
        "title": described.title,
        "description": described.text,
        "input_schema": described.input_schema,
        "output_schema": described.output_schema,
        "example_params": described.example_params,
        "example_row": described.example_row,
    }
    value = parts.get(part)
    for step in steps:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return ""
    return value if isinstance(value, str) else ""


def _reason(described: Described, item: Diagnosed) -> str | None:
    return described.ignored.get(item.code) or described.ignored.get(item.name)


def _unused(target: Target, rules: Sequence[Rule], ignored: Collection[Diagnosed]) -> list[Diagnosed]:
    """Ignores that nothing needs any more; they would hide the next finding."""
    used = {(item.subject, word) for item in ignored for word in (item.code, item.name)}
    lint_codes = {word for rule in rules for word in (rule.code, rule.name)}
    return [
        _unused_one(described, word)
        for described in target.operations
        for word in described.ignored
        if word in lint_codes and (described.name, word) not in used
    ]


def _unused_one(described: Described, word: str) -> Diagnosed:
    return Diagnosed(
        code=UNUSED_IGNORE,
        name="unused-ignore",
        severity=Severity.WARNING,
        subject=described.name,
        message=f"`lint_ignore` names `{word}`, which finds nothing here",
        fix="take it out",
        pointer="",
        span=None,
        location=described.location,
        text="",
    )


def _in_order(items: Iterable[Diagnosed]) -> list[Diagnosed]:
    rank = {severity: position for position, severity in enumerate(Severity)}
    return sorted(items, key=lambda i: (i.subject, rank[i.severity], i.code, i.pointer, i.span or (0, 0), i.message))
