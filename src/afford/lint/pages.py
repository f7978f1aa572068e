"""The pages of the lint rules: one per rule, and the list of them all."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Final, cast

import orjson

from afford.errors import JsonObject, JsonValue
from afford.lint.passages import LOOK_ALIKES
from afford.lint.rule import Rule
from afford.lint.rules import all_rules
from afford.lint.target import Described, Target

FOLDER: Final = "docs/rules"
_NOTE: Final = "<!-- Written by tools/generate.py from afford.lint.rules. Edit that, then run: make generate -->"
_LEFT_OUT: Final = frozenset({"raw", "tool", "location"})


def rule_pages() -> dict[str, str]:
    """Every page by its path below the repository's root."""
    pages = {f"{FOLDER}/{rule.code}.md": "\n".join(_rule_lines(rule)) + "\n" for rule in all_rules()}
    return {f"{FOLDER}/README.md": "\n".join(_list_lines()) + "\n", **pages}


def _list_lines() -> Iterator[str]:
    yield _NOTE
    yield ""
    yield "# Lint rules"
    yield ""
    yield "`afford lint TARGET` judges what an assistant reads. Errors fail a run; warnings are worth a look each time;"
    yield "infos never count. `afford explain CODE` prints what these pages say. [coverage.md](coverage.md) has the"
    yield "checklist of the house style item by item, [measured.md](measured.md) how often the rules are right."
    yield ""
    yield "| code | name | severity | what is wrong |"
    yield "|---|---|---|---|"
    for rule in all_rules():
        yield f"| [{rule.code}]({rule.code}.md) | {rule.name} | {_severity(rule)} | {rule.what} |"


def _rule_lines(rule: Rule) -> Iterator[str]:
    yield _NOTE
    yield ""
    yield f"# {rule.code} {rule.name}"
    yield ""
    yield f"{rule.what} {rule.why}"
    yield ""
    yield f"**Fix:** {rule.fix}"
    yield ""
    yield f"**Severity:** {_severity(rule)}"
    yield ""
    yield f"**Says something about:** {', '.join(sorted(rule.origins))}"
    if rule.profile is not None:
        yield from ("", f"**Only with** `--profile {rule.profile}`.")
    if rule.source:
        yield from ("", f"**Source:** {rule.source}")
    for title, target, other in (("Bad", rule.bad, rule.good), ("Good", rule.good, rule.bad)):
        yield from ("", f"## {title}", "", "```json", _shown(target, other), "```")


def _severity(rule: Rule) -> str:
    elsewhere = [f"{severity} in {origin}" for origin, severity in sorted(rule.by_origin.items())]
    return "; ".join([rule.severity.value, *elsewhere])


def _shown(target: Target, other: Target) -> str:
    """What differs between the two examples of a rule; everything where nothing does."""
    others = {item.name: _members(item) for item in other.operations}
    operations: list[JsonValue] = []
    for item in target.operations:
        members = _members(item)
        differing = _differing(members, others.get(item.name))
        if differing:
            operations.append({"name": item.name, **differing})
    shown: JsonObject = {"operations": operations} if operations else {}
    if target.instructions != other.instructions:
        shown["instructions"] = target.instructions
    if target.prose != other.prose:
        shown["prose"] = [{"subject": prose.subject, "text": prose.text} for prose in target.prose]
    return "".join(map(_visible, orjson.dumps(shown, option=orjson.OPT_INDENT_2).decode()))


def _visible(character: str) -> str:
    """A character of JSON, as an escape where it would not be seen, or be taken for another."""
    is_plain = (character.isprintable() and ord(character) not in LOOK_ALIKES) or character == "\n"
    return character if is_plain else json.dumps(character)[1:-1]


def _differing(members: JsonObject, other: JsonObject | None) -> JsonObject:
    if other is None:
        return members
    keys = [key for key in members if members[key] != other.get(key)]
    return {key: members[key] for key in keys}


def _members(item: Described) -> JsonObject:
    """What an operation says, without what it does not."""
    found: Mapping[str, object] = {
        field.name: getattr(item, field.name) for field in dataclasses.fields(item) if field.name not in _LEFT_OUT
    }
    plain: JsonValue = orjson.loads(orjson.dumps(found, default=_plain))
    assert isinstance(plain, dict)  # noqa: S101 - a mapping was dumped
    return {key: value for key, value in plain.items() if value not in (None, "", [], {}) and key != "name"}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    raise TypeError(f"an example holds {type(value).__name__}")
