"""The site that a server process serves."""

from __future__ import annotations

import sys
from pathlib import Path

import httpx
import pytest

from afford import App, Door, anyone
from afford.cli.worker import VARIABLE, Application, Hosting, hosted, pass_to_workers, worker_site
from afford.surfaces.asgi import Scope

HOSTING = Hosting(target="", mount="/agent", door=Door.AGENT, public_url=None)


def make_app() -> App:
    app = App("shop", access=anyone())

    @app.query(description="Read.")
    def read() -> list[str]:
        return ["row"]

    return app


async def get(application: Application, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=application)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        return await http.get(path)


async def test_the_start_is_told_once_the_lifespan_is_entered_and_not_by_requests() -> None:
    told: list[str] = []
    application = hosted(make_app(), HOSTING, lambda: told.append("started"))
    assert (await get(application, "/agent/read")).json() == ["row"]
    assert told == []

    events = iter(["lifespan.startup", "lifespan.shutdown"])
    sent: list[str] = []

    async def receive() -> Scope:
        return {"type": next(events)}

    async def send(message: Scope) -> None:
        sent.append(message["type"])

    await application({"type": "lifespan"}, receive, send)
    assert told == ["started"]
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


async def test_the_operator_s_public_url_wins() -> None:
    hosting = Hosting(target="", mount="/agent", door=Door.AGENT, public_url="https://shop.example/agent")
    application = hosted(make_app(), hosting, lambda: None)
    assert (await get(application, "/")).json()["urls"]["schema"] == "https://shop.example/agent/schema"


async def test_a_worker_finds_the_app_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cli_target_worker.py"
    path.write_text("from afford import App, anyone\napp = App('worker', title='Found', access=anyone())\n")
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    pass_to_workers(Hosting(target=str(path), mount="", door=Door.APP, public_url=None))
    answer = await get(worker_site(), "/.well-known/afford.json")
    assert (answer.json()["title"], answer.json()["urls"]["schema"]) == ("Found", "/schema")
    assert sys.stdout is sys.stderr
