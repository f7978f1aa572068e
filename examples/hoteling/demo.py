"""An assistant's day at the hotels: starts the example on loopback and drives it from what it publishes alone.

First over plain HTTP, from the catalog; then over MCP, through the official client (`pip install mcp`).
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
from demonstration import over_http, over_mcp
from demonstration.transcript import DemoError, Transcript

APP = Path(__file__).with_name("app.py")
START_SECONDS = 30.0
FAILURES = (DemoError, httpx.HTTPError, ExceptionGroup)
"""What a step raises that did not go as promised; the client of MCP groups what happens inside of it."""


@contextmanager
def server() -> Generator[tuple[str, dict[str, str]]]:
    """The example on a free loopback port with a fresh database: its origin and its environment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        log = Path(folder, "server.log")
        environment = {**os.environ, "HOTELING_DATABASE": f"sqlite+aiosqlite:///{Path(folder, 'hoteling.db')}"}
        command = [sys.executable, "-m", "afford", "serve", str(APP), "--port", str(port)]
        with log.open("wb") as output:
            process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            origin = f"http://127.0.0.1:{port}"
            wait_until_healthy(origin, process)
            yield origin, environment
        except FAILURES:
            print(log.read_text(errors="replace"), file=sys.stderr)
            raise
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until_healthy(origin: str, process: subprocess.Popen[bytes]) -> None:
    """Ask for the server's health until it answers."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(f"{origin}/agent/health", timeout=1).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise DemoError("the server starts and is healthy")


async def play_over_mcp(say: Transcript, url: str, environment: dict[str, str]) -> None:
    """Both MCP scenes; the second on a server of its own over the same data."""
    booking = await over_mcp.play_over_http(say, url)
    command = [sys.executable, "-m", "afford", "mcp", str(APP), "--as", "guest-1", "--roles", "guest"]
    await over_mcp.play_over_stdio(say, command, environment, booking)


def cause(error: BaseException) -> BaseException:
    """The failure inside of a group of them."""
    return cause(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def main() -> int:
    """Run the demonstration; 0 when each step went as promised, 1 otherwise."""
    say = Transcript()
    try:
        with server() as (origin, environment):
            path = over_http.play(say, origin)
            asyncio.run(play_over_mcp(say, f"{origin}{path}", environment))
    except FAILURES as error:
        print(f"\nThe demonstration failed: {cause(error)}", file=sys.stderr)
        return 1
    say.heading("Every step went as the catalog promised.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
