"""What an application opens to whom when it is bound to an address."""

from __future__ import annotations

import ipaddress

from afford.caller import Caller, Door, Surface
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
    """The writes that an anonymous caller may run through a door over HTTP or MCP."""
    found: dict[str, Operation] = {}
    for surface in (Surface.HTTP, Surface.MCP):
        for operation in manifests.of(Caller(None, door, surface)).operations:
            if not operation.reads:
                found[operation.wire_name] = operation
    return tuple(found[name] for name in sorted(found))
