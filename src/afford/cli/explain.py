"""`explain`: what a code means, from the tables that the program itself goes by."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Final

import typer

from afford.catalog.rules import RULES, BuildRule
from afford.cli.failures import CommandError
from afford.cli.options import AsJson
from afford.cli.printing import heading, put, put_json
from afford.errors import TABLE, Code, JsonObject
from afford.lint.rule import Rule
from afford.lint.rules import all_rules

GAPS: Final = (
    BuildRule(
        "GAP101",
        "undescribed-operation",
        "An operation has no description, and nobody decided that agents shall not see it.",
        "Without one agents do not see it, or see a name and have to guess what it does.",
        "Write `description=`, or exclude it with `agent={'expose': False}`.",
    ),
    BuildRule(
        "GAP102",
        "undescribed-screen",
        "A `custom` screen has no description.",
        "Its type says nothing, so an agent cannot know when to send somebody there.",
        "Write `description=`, or exclude it with `agent={'expose': False}`.",
    ),
    BuildRule(
        "GAP103",
        "undescribed-entity",
        "An operation that agents see is about an entity that has no description.",
        "Agents read its rows and have to guess what one of them is.",
        "Write `description=` on `app.entity(...)`.",
    ),
)
"""The documentation gaps that `check` reports."""

_KINDS: Final[Mapping[str, str]] = {
    "rule": "build rule",
    "lint": "lint rule",
    "gap": "documentation gap",
    "error": "error code",
}


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE|NAME", help="Such as DEC101, missing-access or bad_request.")],
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Say what a code means and what to do.

    Codes are those of build rules, lint rules, documentation gaps and failed calls, as `check`, `lint` and refused
    calls print them. The
    name of a rule will do as well; case does not matter.
    """
    known = _known()
    found = known.get(code.lower())
    if found is None:
        close = get_close_matches(code.lower(), known, n=3)
        names = " or ".join(f"`{_title(known[name])}`" for name in dict.fromkeys(close))
        hint = f"did you mean {names}?" if names else "codes look like DEC101 or bad_request"
        raise CommandError(f"nothing is called `{code}`; {hint}")
    if as_json:
        put_json(found, compact=True)
        return
    put(f"{heading(_title(found))} ({_KINDS[str(found['kind'])]})")
    for name, value in found.items():
        if name not in ("code", "name", "kind"):
            put(f"  {name}: {value}")


def _title(entry: JsonObject) -> str:
    return f"{entry['code']} {entry['name']}" if "name" in entry else str(entry["code"])


def _known() -> dict[str, JsonObject]:
    """Everything that has a code, by its code and by its name, in lower case."""
    entries = [
        *(_rule_entry("rule", rule) for rule in RULES.values()),
        *(_rule_entry("gap", rule) for rule in GAPS),
        *(_lint_entry(rule) for rule in all_rules()),
        *(_error_entry(code) for code in TABLE),
    ]
    return {str(entry[key]).lower(): entry for entry in entries for key in ("code", "name") if key in entry}


def _rule_entry(kind: str, rule: BuildRule) -> JsonObject:
    return {
        "code": rule.code,
        "name": rule.name,
        "kind": kind,
        "what": rule.what,
        "why": rule.why,
        "fix": rule.fix,
    }


def _lint_entry(rule: Rule) -> JsonObject:
    entry: JsonObject = {
        "code": rule.code,
        "name": rule.name,
        "kind": "lint",
        "severity": rule.severity.value,
        "what": rule.what,
        "why": rule.why,
        "fix": rule.fix,
    }
    if rule.profile is not None:
        entry["profile"] = rule.profile
    if rule.source:
        entry["source"] = rule.source
    return entry


def _error_entry(code: Code) -> JsonObject:
    row = TABLE[code]
    return {
        "code": code.value,
        "kind": "error",
        "what": f"{row.title}.",
        "http": row.status,
        "mcp": row.mcp.value,
        "exit": row.exit_code,
        "retry": "the same call may succeed later" if row.retryable else "the same call will fail again",
    }
