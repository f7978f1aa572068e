"""The gates between a caller and an operation, in the one order in which they are judged."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from afford.access import Rule
from afford.caller import Caller, Door, Surface
from afford.catalog.model import Catalog
from afford.catalog.operation import Operation
from afford.declare.operations import Role

_log: Final = logging.getLogger("afford.manifest")

TOOL_SURFACES: Final = frozenset({Surface.MCP, Surface.CLI})
"""Where tools are served that have no operation behind them."""


class Gate(StrEnum):
    """Why an operation is not offered. Judged in this order; the first closed one is the reason."""

    DECLARED = "declared"
    DOOR = "door"
    """An agent's credential came to the app door."""
    LOADED = "loaded"
    """Its derived closed sets have never loaded."""
    ENABLED = "enabled"
    DENIED = "denied"
    ACCESS = "access"
    EXPOSED = "exposed"
    SURFACE = "surface"


def first_closed_gate(operation: Operation, caller: Caller, allows: Callable[[Rule], bool]) -> Gate | None:
    """The first gate that keeps the operation from the caller; None: it is offered.

    Args:
        operation: any declared operation.
        caller: who asks, and through which door and surface.
        allows: the caller's judgement of a rule, which may remember rules already judged.
    """
    if caller.is_agent and caller.door is Door.APP:
        return Gate.DOOR
    if operation.stale:
        return Gate.LOADED
    if not is_enabled(operation):
        return Gate.ENABLED
    if operation.denied:
        return Gate.DENIED
    if not allows(operation.access):
        return Gate.ACCESS
    if caller.door is Door.AGENT:
        if not operation.exposed:
            return Gate.EXPOSED
        if operation.surfaces is not None and caller.surface.value not in operation.surfaces:
            return Gate.SURFACE
    if operation.role is Role.TOOL and caller.surface not in TOOL_SURFACES:
        return Gate.SURFACE
    return None


def exposed_operations(catalog: Catalog, surface: Surface) -> tuple[Operation, ...]:
    """Every operation that agents with enough rights see on a surface: all gates but access."""
    caller = Caller(None, Door.AGENT, surface)
    offered = [item for item in catalog.operations.values() if first_closed_gate(item, caller, any_rule) is None]
    return tuple(offered)


def any_rule(_rule: Rule) -> bool:
    """Allows everything: for asking about all gates but access."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Whether a caller is offered something, and which gate is the first that closes."""

    id: str
    role: Role | None
    """What it is; None where nothing of that id is declared."""
    offered: bool
    gate: Gate | None
    message: str
    fix: str | None = None


def is_enabled(operation: Operation) -> bool:
    """Whether the operation is switched on; a switch that raises is off, and is logged."""
    if isinstance(operation.enabled, bool):
        return operation.enabled
    try:
        return operation.enabled() is True
    except Exception:  # noqa: BLE001 - fail closed, whatever the switch raises
        _log.exception("the switch of %s raised; the operation is off", operation.id)
        return False


def explained(
    asked: str, gate: Gate | None, operation: Operation | None, caller: Caller, reason: Reason | None = None
) -> Explanation:
    """Why something is offered, or not, in words.

    Args:
        asked: the id that was asked for.
        gate: the first that closes.
        operation: what was found under the id.
        caller: who is, or is not, offered it.
        reason: in place of the usual one.
    """
    role = None if operation is None else operation.role
    message, fix = reason or _usual_reason(gate, role, caller.surface)
    who = f"the {caller.door.value} door on {caller.surface.value}"
    text = message.format(who=who, rule=operation.access if operation else "", roles=sorted(caller.roles) or "no roles")
    shown = asked if operation is None else operation.id
    return Explanation(id=shown, role=role, offered=gate is None, gate=gate, message=text, fix=fix)


Reason: TypeAlias = tuple[str, str | None]
"""What is told of a gate, and what to do about it."""

HIDDEN_STATE: Final[Reason] = (
    "the app keeps this shared state from agents",
    "look at its `App(expose_shared_state=)`",
)
_OPTED_OUT: Final[Reason] = ("agents do not see it: it was opted out", "look at its `agent=`")
_NO_TOOLS: Final[Reason] = (
    "tools are reached over MCP and the command line; {who} is neither",
    "ask about the surface `mcp`, or declare an operation instead",
)
_REASONS: Final[Mapping[Gate | None, Reason]] = {
    None: ("offered through {who}", None),
    Gate.DECLARED: ("nothing of that name is declared", "check the id"),
    Gate.DOOR: ("agent credentials do not open the app door", "use the agent door"),
    Gate.LOADED: ("its closed set of choices has never loaded", "see the log for why the loader fails"),
    Gate.ENABLED: ("it is switched off", "look at its `enabled=`"),
    Gate.DENIED: ("the app removes it", "take it out of `App(deny=[...])`"),
    Gate.ACCESS: (
        "the rule `{rule}` does not allow this caller, who has {roles}",
        "call with credentials that satisfy it",
    ),
    Gate.EXPOSED: (
        "agents do not see it: it has no description, or was opted out",
        "write a description, or set `agent={'expose': True}`",
    ),
    Gate.SURFACE: ("agents reach it through other surfaces only ({who} is not one)", "look at its `agent.surfaces`"),
}


def _usual_reason(gate: Gate | None, role: Role | None, surface: Surface) -> Reason:
    if gate is Gate.EXPOSED and role is not Role.OPERATION:
        return _OPTED_OUT
    if gate is Gate.SURFACE and role is Role.TOOL and surface not in TOOL_SURFACES:
        return _NO_TOOLS
    return _REASONS[gate]
