"""A development server as the connector sees one: an application behind HTTP, and the record that leads to it.

    python instance.py NAME [--tools N] [--target TEXT] [--port N] [--id ID] [--long] [--no-mcp]

Prints one line of JSON once it serves, and serves until it is killed. On `more` and `less` in its standard input one
of its operations comes and goes; on `note` it declares its notes changed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import socket
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import uvicorn
from pydantic import BaseModel

from afford import ApiKeys, App, Ask, Call, Principal, anyone, instances, roles
from afford.instances import Instance


class Person(BaseModel):
    """Who a person is."""

    name: str


def application(name: str, tools: int, token: str, tail: str) -> tuple[App, dict[str, bool], Callable[[], None]]:
    """The application, the switch of the operation that comes and goes, and what declares the notes changed."""
    switch = {"on": False}
    keys = ApiKeys({token: Principal("dev", ["staff"])})
    app = App(name, title=name.title(), version="1.2.3", roles=("staff",), access=anyone(), authenticate=keys)

    @app.query(description="Who runs this?")
    async def whoami(call: Call, *, loud: bool = False) -> dict[str, str | int | bool | None]:
        return {"id": call.caller.id, "name": name, "pid": os.getpid(), "loud": loud}

    @app.action(description="For staff alone.", access=roles("staff"))
    async def book(room: int) -> str:
        return f"{name} booked {room}"

    async def notes() -> str:
        return f"notes of {name}"

    today = app.resource("today", name="Today", uri=f"notes://{name}/today", description="Of today.", read=notes)

    @app.query(description="Only now and then.", enabled=lambda: switch["on"])
    async def sometimes() -> int:
        return 1

    declare_work(app, name)
    declare_numbered(app, tools, tail)
    return app, switch, today.notify_updated


def declare_work(app: App, name: str) -> None:
    """What takes its time, or needs a person."""
    ended = asyncio.Event()

    @app.action(description="Work in steps.")
    async def work(call: Call, steps: int = 3) -> int:
        for step in range(steps):
            call.progress(step + 1, steps, "working")
        return steps

    @app.action(description="Wait until it is given up.")
    async def wait(call: Call) -> None:
        call.progress(0)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    @app.query(description="Answers once a call of `wait` was given up.")
    async def given_up() -> bool:
        await ended.wait()
        return True

    @app.action(description="Greet somebody.")
    async def greet(person: Annotated[Person, Ask("Who is it?")]) -> str:
        return f"Hello {person.name} from {name}"


def declare_numbered(app: App, tools: int, tail: str) -> None:
    """Many of the same."""

    def declared(number: int) -> None:
        @app.query(id=f"tool_{number:03}{tail}", description=f"Tool {number}.")
        async def tool() -> int:
            return number

    for number in range(tools):
        declared(number)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--tools", type=int, default=0)
    parser.add_argument("--target", default="")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--id", default="")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--no-mcp", action="store_true")
    given = parser.parse_args()
    token = secrets.token_urlsafe(16)
    app, switch, note = application(given.name, given.tools, token, "_and_on" * 6 if given.long else "")
    listener = socket.create_server(("127.0.0.1", given.port))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    record = Instance(
        id=given.id or instances.new_id(),
        name=given.name,
        title=app.title,
        pid=os.getpid(),
        started=instances.started(),
        url=url,
        mount="/agent",
        mcp=None if given.no_mcp else "/agent/mcp",
        console=None,
        token=token,
        target=given.target or f"{given.name}:app",
        cwd=str(Path.cwd()),
        version="1.2.3",
        started_at=datetime.now(UTC).isoformat(),
    )

    def told() -> None:
        for line in sys.stdin:
            if line.strip() == "note":
                note()
            else:
                switch["on"] = line.strip() == "more"

    config = uvicorn.Config(app.site("/agent"), log_config=None, lifespan="on", ws="none")

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            instances.write(record)
            sys.stdout.write(json.dumps({"id": record.id, "url": url, "token": token}) + "\n")
            sys.stdout.flush()
            threading.Thread(target=told, daemon=True).start()

    Server(config).run(sockets=[listener])
    instances.remove(record.id)


if __name__ == "__main__":
    main()
