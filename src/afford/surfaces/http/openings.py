"""What an application opens to whom when it is bound to an address."""

from __future__ import annotations

import ipaddress

from afford.caller import Caller, Door, Surface
from afford.declare.operations import Role
from afford.declare.vocabulary import Safety
from afford.manifest import Manifests, Operation


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address; names other than `localhost` are taken as reachable."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def open_writes(manifests: Manifests, door: Door) -> tuple[Operation, ...]:
    """The writes that an anonymous caller may run through a door, over HTTP or, for agents, over MCP."""
    found: dict[str, Operation] = {}
    for surface in (Surface.HTTP, Surface.MCP) if door is Door.AGENT else (Surface.HTTP,):
        for operation in manifests.of(Caller(None, door, surface)).operations:
            if _writes(operation):
                found[operation.wire_name] = operation
    return tuple(found[name] for name in sorted(found))


def _writes(operation: Operation) -> bool:
    """Whether a call may change something; of a tool, which has no kind of its own, its safety says so."""
    is_reading_tool = operation.role is Role.TOOL and operation.safety is Safety.READ
    return not operation.reads and not is_reading_tool
