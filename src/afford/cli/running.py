"""`@name`: an instance of `afford dev` that runs on this machine, as something that commands talk to.

Imports the records, and with them `psutil`, so it is imported by name where somebody asks for an instance.
"""

from __future__ import annotations

from dataclasses import dataclass

from afford import instances
from afford.cli.failures import CommandError


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Where an instance is reached, and what opens it."""

    url: str
    headers: dict[str, str]


def reached(name: str) -> Reached:
    """The running instance of that name or id.

    Raises:
        CommandError: none or several run under it.
    """
    running = instances.read_all()
    found = [item for item in running if name in (item.name, item.id)]
    if len(found) > 1:
        ids = ", ".join(f"`@{item.id}` ({item.target})" for item in found)
        raise CommandError(f"{len(found)} instances are called `{name}`; name one by its id: {ids}")
    if not found:
        names = ", ".join(sorted({f"`@{item.name}`" for item in running})) or "none"
        raise CommandError(f"no instance `{name}` runs; start it with `afford dev`. Running now: {names}")
    return Reached(url=found[0].url + found[0].mount, headers={"Authorization": f"Bearer {found[0].token}"})


def names() -> list[tuple[str, str]]:
    """How the running instances are named, each with what it serves."""
    return [(f"@{item.name}", item.target) for item in instances.read_all()]
