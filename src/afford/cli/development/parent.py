"""What a parent is made of: the plan for its children, the folders to watch and the record of the instance."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from afford import instances
from afford.cli.dev import DevOptions
from afford.cli.development.messages import Plan, Ready
from afford.cli.development.supervisor import Supervision, supervise
from afford.cli.listening import authority, mount_of
from afford.cli.printing import say
from afford.cli.target import Unloaded, place_of

_TOKEN_BYTES: Final = 24
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - how to reach it, not where to listen


def run_parent(target: Unloaded, options: DevOptions, listener: socket.socket) -> int:
    """Serve until a signal ends it; returns the exit code."""
    host = options.host.strip("[]")
    plan = Plan(
        id=instances.new_id(),
        token=secrets.token_urlsafe(_TOKEN_BYTES),
        listener=listener.fileno(),
        host=options.host,
        url=f"http://{authority(_EVERYWHERE.get(host, host), listener)}",
        mount=mount_of(options.path),
        mcp=options.mcp,
        identity=options.identity,
        roles=options.roles,
        log_level=options.log_level.value,
        epoch=1,
    )
    file, named = place_of(target.address)
    record = _Record(plan, named)
    supervision = Supervision(
        plan=plan,
        listener=listener,
        folders=[Path.cwd() if file is None else file.parent],
        extra=[path.resolve() for path in options.watch or ()],
        serves=record.leave,
    )
    try:
        return supervise(supervision)
    finally:
        record.take_away()


class _Record:
    """The record of this instance, written anew by each reading of the app, whose title may be another one."""

    def __init__(self, plan: Plan, target: str) -> None:
        self._plan = plan
        self._target = target
        self._started_at = datetime.now(UTC).isoformat()
        self._is_told = False

    def leave(self, ready: Ready) -> None:
        """Write it; an instance that cannot be recorded serves all the same."""
        plan = self._plan
        if not instances.is_loopback(plan.url):
            self._tell("only instances that listen on this machine alone, or everywhere, are recorded")
            return
        instance = instances.Instance(
            id=plan.id,
            name=ready.name,
            title=ready.title,
            pid=os.getpid(),
            started=instances.started(),
            url=plan.url,
            mount=plan.mount,
            mcp=ready.mcp,
            console=ready.console,
            token=plan.token,
            target=self._target,
            cwd=str(Path.cwd()),
            version=ready.version,
            started_at=self._started_at,
        )
        try:
            instances.write(instance)
        except OSError as error:
            self._tell(f"no record in {instances.folder()} ({error.strerror})")

    def take_away(self) -> None:
        """Remove it, where it is."""
        with contextlib.suppress(OSError):
            instances.remove(self._plan.id)

    def _tell(self, why: str) -> None:
        if not self._is_told:
            self._is_told = True
            say(f"`connect` will not find this instance: {why}")
