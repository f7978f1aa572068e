"""The closed words of one declaration: kind, safety, risk, reach, exposure, read and checked together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar, cast

from afford.caller import Surface
from afford.catalog.contracts import Subject
from afford.declare.operations import Role
from afford.declare.vocabulary import DOC, Agent, Kind, Reach, Risk, Safety

WordT = TypeVar("WordT", bound=StrEnum)

Report: TypeAlias = Callable[[str, str, str | None], None]
"""Where a finding goes: rule code, message, and the fix if the rule's own sentence is not enough."""

_AGENT_KEYS: Final = frozenset(item.name for item in fields(Agent))
_AGENT_TYPES: Final = {"title": str, "description": str, "tags": Iterable, "surfaces": Iterable}
_DEFAULT_RISK: Final = {Safety.READ: Risk.LOW, Safety.ACTION: Risk.MID, Safety.DESTRUCTIVE: Risk.HIGH}


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What an operation does and who may see it, in the design's words."""

    safety: Safety
    risk: Risk
    reach: Reach
    exposed: bool
    opted_out: bool
    surfaces: frozenset[str] | None
    title: str | None
    description: str
    agent_description: str
    tags: tuple[str, ...]
    idempotent: bool
    open_world: bool
    enabled: bool | Callable[[], bool]


def read_words(subject: Subject) -> Words:
    """The words of one declaration, with every wrong one reported."""
    options, kind = subject.declaration.options, subject.declaration.kind
    agent = read_agent(subject.report, options.get("agent"))
    inferred = Safety.READ if kind.reads else Safety.ACTION
    safety = _word(subject, "safety", Safety, options.get("safety", agent.safety)) or inferred
    risk = _word(subject, "risk", Risk, options.get("risk", agent.risk))
    _check_safety(subject, kind, safety, risk)
    description = _description(subject)
    agent_description = (agent.description or "").strip() or description
    return Words(
        safety=safety,
        risk=risk or _DEFAULT_RISK[safety],
        reach=_word(subject, "reach", Reach, options.get("reach")) or Reach.PRINCIPAL,
        exposed=_exposed(subject.declaration.role, agent, agent_description),
        opted_out=agent.expose is False,
        surfaces=_surfaces(subject, agent.surfaces),
        title=agent.title,
        description=description,
        agent_description=agent_description,
        tags=(agent.tags,) if isinstance(agent.tags, str) else tuple(sorted(agent.tags)),
        idempotent=safety is Safety.READ if agent.idempotent is None else agent.idempotent,
        open_world=bool(agent.open_world),
        enabled=_enabled(subject, options.get("enabled", True)),
    )


def read_agent(report: Report, value: object) -> Agent:
    """The agent hints, from an `Agent` or from the dict form; what is wrong is reported and left out."""
    if value is None:
        return Agent()
    if isinstance(value, Mapping):
        value = _agent_of(report, cast("Mapping[str, object]", value))
    if not isinstance(value, Agent):
        report("DEC114", f"`agent={value!r}` is neither `Agent(...)` nor a dict", None)
        return Agent()
    if value.expose is not None and not isinstance(value.expose, bool):
        report("DEC114", f"`expose={value.expose!r}` is not True, False or None", None)
        return Agent(expose=False)
    for name, kind in _AGENT_TYPES.items():
        stated: object = getattr(value, name)
        if stated is not None and not isinstance(stated, kind):
            report("DEC114", f"`{name}={stated!r}` of `agent` is not {kind.__name__}", f"give {kind.__name__}")
            return Agent(expose=False)
    return value


def _agent_of(report: Report, hints: Mapping[str, object]) -> Agent:
    """The dict form as an `Agent`; the values are judged with the others."""
    unknown = sorted(set(hints) - _AGENT_KEYS)
    if unknown:
        message = f"`agent` has unknown keys {', '.join(map(repr, unknown))}"
        report("DEC121", message, f"the keys are {', '.join(sorted(_AGENT_KEYS))}")
    known: dict[str, Any] = {key: item for key, item in hints.items() if key in _AGENT_KEYS}
    return Agent(**known)


def _exposed(role: Role, agent: Agent, description: str) -> bool:
    """Operations are opted in by a description; what is declared for agents alone is opted in by being declared."""
    if agent.expose is not None:
        return agent.expose
    return bool(description) or role is not Role.OPERATION


def _description(subject: Subject) -> str:
    text = subject.declaration.options.get("description")
    if text is DOC:
        paragraph = (inspect.getdoc(subject.declaration.handler) or "").strip().split("\n\n")[0]
        if not paragraph:
            subject.report("DEC122", "`description=DOC`, and the handler has no docstring")
        return " ".join(paragraph.split())
    if text is not None and not isinstance(text, str):
        subject.report("DEC114", f"`description={text!r}` is not text")
        return ""
    return (text or "").strip()


def _word(subject: Subject, option: str, words: type[WordT], value: object) -> WordT | None:
    if value is None:
        return None
    try:
        return words(cast("str", value))
    except ValueError:
        allowed = ", ".join(word.value for word in words)
        subject.report("DEC114", f"`{option}={value!r}` is not one of {allowed}", f"use one of {allowed}")
        return None


def _enabled(subject: Subject, value: object) -> bool | Callable[[], bool]:
    if isinstance(value, bool):
        return value
    if callable(value) and not inspect.iscoroutinefunction(value):
        return cast("Callable[[], bool]", value)
    subject.report("DEC114", f"`enabled={value!r}` is neither True, False nor a plain function that answers one")
    return False


def _surfaces(subject: Subject, value: Iterable[object] | None) -> frozenset[str] | None:
    if value is None:
        return None
    known = {surface.value for surface in Surface}
    names = {value} if isinstance(value, str) else set(value)
    if not names <= known:
        allowed = ", ".join(sorted(known))
        subject.report("DEC114", f"`surfaces={sorted(map(str, names))}` has members outside {allowed}")
    return frozenset(str(name) for name in names & known)


def _check_safety(subject: Subject, kind: Kind, safety: Safety, risk: Risk | None) -> None:
    if kind.reads and safety is not Safety.READ:
        subject.report(
            "DEC115", f"a {kind.value} is declared `{safety.value}`", "make it an `action`, or drop `safety`"
        )
    if safety is Safety.DESTRUCTIVE and risk is Risk.LOW:
        subject.report("DEC115", "it is `destructive` and `low` risk at once", "raise the risk, or correct the safety")
