"""Access rules as JSON, and whether one lets callers in that another keeps out.

A rule is a formula over what is true of a caller: being signed in, each role, each claim, each function of the author.
Two rules are compared by trying every combination that a caller can be; an author's function counts as the same where
its name is, and otherwise nobody can tell what it allows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from afford.access import AllOf, AnyOf, Anyone, AnySeparately, Claim, Not, Predicate, Roles, Rule, SignedIn
from afford.errors import JsonObject, JsonValue

_SIGNED_IN: Final = "signed_in"
_MOST_FACTS: Final = 14
"""Every combination of them is tried."""
_IS: Final = "\x1f"
"""Between a claim and its value; in no name."""


@dataclass(frozen=True, slots=True)
class Someone:
    """A caller whom one rule lets in and another keeps out."""

    who: str
    is_certain: bool
    """Whether roles and claims alone decide so; otherwise an author's function may."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What a rule became."""

    let_in: Someone | None
    """Whom the new rule lets in and the old one kept out; None: it is proved that there is nobody."""
    kept_out: Someone | None
    """The other way round."""


def rule_data(rule: Rule) -> JsonValue:
    """A rule as JSON, the same in every process."""
    if isinstance(rule, Anyone):
        return "anyone"
    if isinstance(rule, SignedIn):
        return _SIGNED_IN
    if isinstance(rule, Roles):
        return {"roles": [*sorted(rule.names)]}
    if isinstance(rule, Claim):
        return {"claim": rule.name, "values": [_value(value) for value in rule.values]}
    if isinstance(rule, AllOf):
        return {"all": [rule_data(part) for part in rule.parts]}
    if isinstance(rule, AnyOf | AnySeparately):
        return {"any": [rule_data(part) for part in rule.parts]}
    if isinstance(rule, Not):
        return {"not": rule_data(rule.part)}
    return {"code": code_name(rule.function if isinstance(rule, Predicate) else rule)}


def code_name(function: object) -> str:
    """The name of an author's function, or of the type of an object that is called like one; never an address."""
    name: object = getattr(function, "__qualname__", None)
    return name if isinstance(name, str) else type(function).__qualname__


def rule_text(data: JsonValue) -> str:
    """A recorded rule as it is written in Python."""
    if isinstance(data, str):
        return f"{data}()"
    rule = data if isinstance(data, dict) else {}
    if "roles" in rule:
        return f"roles({', '.join(map(repr, _list(rule, 'roles')))})"
    if "claim" in rule:
        return f"claim({', '.join(map(repr, (rule['claim'], *_list(rule, 'values'))))})"
    for key, sign in (("all", " & "), ("any", " | ")):
        if key in rule:
            parts = _list(rule, key)
            return sign.join(f"({rule_text(part)})" if _is_combined(part) else rule_text(part) for part in parts)
    if "not" in rule:
        inner = rule["not"]
        return f"~({rule_text(inner)})" if _is_combined(inner) else f"~{rule_text(inner)}"
    return str(rule.get("code", "an unknown rule"))


def compare_rules(old: JsonValue, new: JsonValue) -> Shift:
    """What the step from one recorded rule to another means for callers."""
    facts = sorted({*_facts(old), *_facts(new)})
    plain = [fact for fact in facts if not fact.startswith("code:")]
    code = [fact for fact in facts if fact.startswith("code:")]
    if len(facts) > _MOST_FACTS:
        return Shift(Someone("", is_certain=False), Someone("", is_certain=False))
    return Shift(_differing(new, old, plain, code), _differing(old, new, plain, code))


def _differing(allowing: JsonValue, refusing: JsonValue, plain: list[str], code: list[str]) -> Someone | None:
    """Somebody whom one rule allows and the other refuses."""
    found: Someone | None = None
    for held in _callers(plain):
        verdicts = [
            _allows(allowing, held | said) and not _allows(refusing, held | said)
            for said in map(frozenset, _subsets(code))
        ]
        if all(verdicts):
            return Someone(_described(held), is_certain=True)
        if any(verdicts) and found is None:
            found = Someone(_described(held), is_certain=False)
    return found


def _callers(facts: list[str]) -> Iterator[frozenset[str]]:
    """Everything that can be true of a caller at once, the least first."""
    for subset in _subsets(facts):
        held = frozenset(subset)
        claims = {fact for fact in held if fact.startswith("claim:")}
        # Whoever has a role or a claim is signed in, and whoever has a value of a claim has the claim.
        if claims and not {fact.partition(_IS)[0] for fact in claims} <= held:
            continue
        if _SIGNED_IN in held or not held:
            yield held


def _subsets(facts: list[str]) -> Iterator[tuple[str, ...]]:
    return (subset for size in range(len(facts) + 1) for subset in combinations(facts, size))


def _facts(data: JsonValue) -> Iterator[str]:
    """What a rule looks at, with what follows from it."""
    if data == "anyone":
        return
    if isinstance(data, str):
        yield _SIGNED_IN if data == _SIGNED_IN else f"code:{data}"
        return
    rule = data if isinstance(data, dict) else {}
    if "roles" in rule or "claim" in rule:
        yield _SIGNED_IN
        yield from (f"role:{name}" for name in _list(rule, "roles"))
        yield from ([f"claim:{rule['claim']}"] if "claim" in rule else [])
        yield from (_with_value(rule, value) for value in _list(rule, "values"))
    elif "not" in rule:
        yield from _facts(rule["not"])
    elif "all" in rule or "any" in rule:
        for part in (*_list(rule, "all"), *_list(rule, "any")):
            yield from _facts(part)
    else:
        yield f"code:{rule.get('code')}"


def _allows(data: JsonValue, held: frozenset[str]) -> bool:
    if isinstance(data, str):
        return data == "anyone" or (data if data == _SIGNED_IN else f"code:{data}") in held
    rule = data if isinstance(data, dict) else {}
    if "roles" in rule:
        return any(f"role:{name}" in held for name in _list(rule, "roles"))
    if "claim" in rule:
        values = _list(rule, "values")
        return any(_with_value(rule, value) in held for value in values) if values else f"claim:{rule['claim']}" in held
    if "not" in rule:
        return not _allows(rule["not"], held)
    if "all" in rule:
        return all(_allows(part, held) for part in _list(rule, "all"))
    if "any" in rule:
        return any(_allows(part, held) for part in _list(rule, "any"))
    return f"code:{rule.get('code')}" in held


def _described(held: frozenset[str]) -> str:
    roles = [fact.removeprefix("role:") for fact in sorted(held) if fact.startswith("role:")]
    claims = [fact.removeprefix("claim:") for fact in sorted(held) if fact.startswith("claim:")]
    if not held:
        return "an anonymous caller"
    parts = [
        *(f"the role `{role}`" for role in roles),
        *(f"the claim `{claim.replace(_IS, ' = ')}`" for claim in claims),
    ]
    return f"a caller with {' and '.join(parts)}" if parts else "a caller who is signed in and no more"


def _with_value(rule: JsonObject, value: JsonValue) -> str:
    return f"claim:{rule['claim']}{_IS}{json.dumps(value, sort_keys=True)}"


def _value(value: object) -> JsonValue:
    """A value that a claim is compared with; what is no JSON by its type alone."""
    return value if isinstance(value, str | int | float | bool) or value is None else {"type": type(value).__qualname__}


def _list(rule: Mapping[str, JsonValue], key: str) -> list[JsonValue]:
    found = rule.get(key)
    return found if isinstance(found, list) else []


def _is_combined(data: JsonValue) -> bool:
    return isinstance(data, dict) and ("all" in data or "any" in data)
