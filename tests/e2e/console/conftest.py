"""A browser, and apps with their console on real sockets. Without Chromium the tests here are skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

HERE = Path(__file__).parent
HOTELING = HERE.parents[2] / "examples" / "hoteling" / "app.py"
WORKSHOP = HERE / "workshop.py"
TOKEN = "instance-token-0123456789"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Served:
    """One app with its console."""

    page: str
    """The address that opens its page."""
    pid: int = 0

    @property
    def base(self) -> str:
        return self.page.partition("/console#")[0]

    @property
    def port(self) -> str:
        return self.base.rpartition(":")[2].partition("/")[0]


@contextmanager
def console(app: Path, *identity: str, folder: Path, port: str = "0") -> Iterator[Served]:
    """The app in a process of its own, opened by `TOKEN`, which stands for an identity: an id and roles."""
    command = [sys.executable, str(HERE / "serve.py"), str(app), port, TOKEN, *identity]
    database = f"sqlite+aiosqlite:///{folder / 'hoteling.db'}"
    variables = {**os.environ, "HOTELING_DATABASE": database, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, env=variables, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Served(process.stdout.readline().strip(), process.pid)
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """Debian's Chromium, headless."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed; `apt-get install chromium` brings it")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def hoteling(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The hotel example, looked at as a guest."""
    with console(HOTELING, "guest-1", "guest", folder=tmp_path_factory.mktemp("hoteling")) as served:
        yield served


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The app of every kind of input, looked at by nobody in particular."""
    with console(WORKSHOP, folder=tmp_path_factory.mktemp("workshop")) as served:
        yield served


@pytest.fixture
def opened(browser: Browser) -> Generator[Callable[..., Page]]:
    """Opens pages, each in a profile of its own, and fails where one of them complained or asked a stranger."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def opened(
        served: Served,
        part: str = "",
        *,
        forgives: str = "nothing",
        color_scheme: Literal["dark", "light"] = "light",
    ) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 860}, color_scheme=color_scheme)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        host = f"http://127.0.0.1:{served.port}/"

        def look_at(message: ConsoleMessage) -> None:
            if message.type == "error" and forgives not in message.text:
                complaints.append(message.text)

        def follow(request: Request) -> None:
            if not request.url.startswith((host, "data:")):
                complaints.append(f"asked {request.url}")

        page.on("console", look_at)
        page.on("request", follow)
        page.goto(served.page)
        page.get_by_role("heading", name="Operations", exact=True).wait_for()
        if part:
            page.goto(f"{served.base}/console#/{part}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
