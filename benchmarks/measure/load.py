"""Servers and the load on them: one uvicorn process on the first core, wrk on the second.

Knows processes and what they report; nothing of what is compared. Needs Linux, two cores, `taskset` and `wrk`.
"""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from environment import environment

CONNECTIONS: Final = 16
SERVER_CORE: Final = "0"
LOAD_CORE: Final = "1"
HERE: Final = Path(__file__).parent

_TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
_START_SECONDS: Final = 60.0
_ANSWER_SECONDS: Final = 60.0
_SECONDS: Final = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


@dataclass(frozen=True, slots=True)
class Server:
    """A running server process."""

    pid: int
    port: int

    def get(self, target: str, headers: dict[str, str]) -> bytes:
        """The body of one answer; fails unless it is a 200."""
        return self._answer("GET", target, headers, None)

    def post(self, target: str, headers: dict[str, str], body: bytes) -> bytes:
        """The body of one answer to a body; fails unless it is a 200."""
        return self._answer("POST", target, headers, body)

    def _answer(self, method: str, target: str, headers: dict[str, str], sent: bytes | None) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_ANSWER_SECONDS)
        try:
            connection.request(method, target, body=sent, headers=headers)
            response = connection.getresponse()
            body = response.read()
        finally:
            connection.close()
        assert response.status == http.client.OK, f"{method} {target}: {response.status} {body[:500]!r}"
        return body

    def cpu_seconds(self) -> float:
        """Processor time spent so far, in user and system mode."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_SECOND


@dataclass(frozen=True, slots=True)
class Sample:
    """What one run of load measured."""

    rate: float
    """Requests per second."""
    cpu: float
    """Microseconds of the server's processor time per request."""
    p50: float
    """Milliseconds."""
    p99: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How long is measured."""

    rounds: int
    warm_up: int
    """Seconds."""
    seconds: int


FULL: Final = Pace(rounds=5, warm_up=2, seconds=5)
QUICK: Final = Pace(rounds=2, warm_up=1, seconds=2)


def missing() -> str | None:
    """What the machine lacks for measuring, with the remedy; None: nothing."""
    if not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2:
        return "Linux with at least two cores is needed: one for the server, one for the load"
    for tool, package in (("wrk", "wrk"), ("taskset", "util-linux")):
        if shutil.which(tool) is None:
            return f"`{tool}` is missing; install it, on Debian by `apt-get install {package}`"
    return None


@contextmanager
def serving(
    factory: str,
    *,
    python: str = sys.executable,
    under: Sequence[str] = ("taskset", "-c", SERVER_CORE),
    patience: float = _START_SECONDS,
    **variables: str,
) -> Iterator[Server]:
    """Run `module:factory` of this folder under uvicorn, with uvloop and httptools and without an access log.

    Args:
        factory: makes the application.
        python: the interpreter, and with it the environment, that the server runs in.
        under: the command that runs the interpreter.
        patience: seconds until it has to listen.
        **variables: of the environment, which is how a side is told what to answer.
    """
    port = _free_port()
    uvicorn = [python, "-m", "uvicorn", "--app-dir", str(HERE), "--factory", factory]
    options = ["--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "critical"]
    command = [*under, *uvicorn, *options, "--port", str(port)]
    process = subprocess.Popen(command, env=environment(**variables))
    try:
        _wait_until_open(process, port, patience)
        yield Server(process.pid, port)
    finally:
        process.terminate()
        process.wait()


def measure(server: Server, target: str, headers: dict[str, str], pace: Pace, script: Path | None = None) -> Sample:
    """Load one target of a server, first to warm it up, then to measure.

    Args:
        server: what answers.
        target: path and query.
        headers: of every request.
        pace: how long.
        script: Lua that makes the requests; None: `GET`s that are all the same.
    """
    _wrk(server, target, headers, pace.warm_up, script)
    before = server.cpu_seconds()
    report = _wrk(server, target, headers, pace.seconds, script)
    spent = server.cpu_seconds() - before
    requests = int(_found(r"(\d+) requests in", report)[0])
    return Sample(
        rate=float(_found(r"Requests/sec:\s+([\d.]+)", report)[0]),
        cpu=spent / requests * 1e6,
        p50=_milliseconds("50", report),
        p99=_milliseconds("99", report),
    )


def _wrk(server: Server, target: str, headers: dict[str, str], seconds: int, script: Path | None) -> str:
    fields = [] if script is None else ["-s", str(script)]
    fields += [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    wrk = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", *fields]
    command = ["taskset", "-c", LOAD_CORE, *wrk, f"http://127.0.0.1:{server.port}{target}"]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in report, report
    assert "Socket errors" not in report, report
    return report


def _milliseconds(percentile: str, report: str) -> float:
    amount, unit = _found(rf"{percentile}%\s+([\d.]+)(us|ms|s|m)\b", report)
    return float(amount) * _SECONDS[unit] * 1e3


def _found(pattern: str, report: str) -> tuple[str, ...]:
    match = re.search(pattern, report)
    assert match is not None, f"wrk reported nothing like {pattern!r}:\n{report}"
    return match.groups()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_open(process: subprocess.Popen[bytes], port: int, patience: float) -> None:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        assert process.poll() is None, "the server ended before it listened"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise TimeoutError("the server did not listen in time")
