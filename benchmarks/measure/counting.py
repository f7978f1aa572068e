"""Instructions of a server process per request, counted by valgrind: the same number whatever else the machine does.

Counts what runs in the process, the server's own part included, and nothing of the kernel's. Instructions are not time:
compare a change with the state before it, and sides that do like work. Run alone: `python benchmarks/instructions.py`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import http_calls
import mcp_calls
from figures import print_table
from hotel_tools import CURSOR_VARIABLE
from keep_alive import KeepAlive
from load import Server, serving
from mcp_wire import TARGET
from peers import peers_python

WARM_UP: Final = 50
COUNTED: Final = 100
"""Requests."""
_PATIENCE: Final = 300.0
"""Seconds until a server listens, fifty times slower than usual."""
_CURSOR: Final = "A" * 26
"""As long as one that our side signs."""


def count(side: str, factory: str, python: str) -> dict[str, float]:
    """Instructions per request by operation, for one side."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet", f"--callgrind-out-file={out}"]
        variables = {CURSOR_VARIABLE: _CURSOR}
        with serving(factory, python=python, under=tool, patience=_PATIENCE, **variables) as server:
            return {operation: _counted(server, request, out) for operation, request in _requests(side, server).items()}


def _requests(side: str, server: Server) -> Mapping[str, bytes]:
    """What a side is asked, as it goes over the wire."""
    with KeepAlive(server.port) as connection:
        found = {
            operation: connection.request(TARGET, mcp_calls.headers_of(request, side), request.body(1))
            for operation, request in mcp_calls.REQUESTS.items()
            if mcp_calls.is_asked(operation, side)
        }
        if side in (mcp_calls.OURS, mcp_calls.BARE):
            headers = http_calls.HEADERS[http_calls.KEYED] if side == mcp_calls.OURS else {}
            for operation, target in http_calls.OPERATIONS.items():
                found[f"HTTP, {operation}"] = connection.request(target, headers)
    return found


def _counted(server: Server, request: bytes, out: Path) -> float:
    with KeepAlive(server.port) as connection:
        for _ in range(WARM_UP):
            connection.drain(request)
        with _counting(server):
            for _ in range(COUNTED):
                connection.drain(request)
    _control("--dump", server)
    dumps = [path for path in out.parent.iterdir() if path.name.startswith(out.name)]
    newest = max(dumps, key=lambda path: path.stat().st_mtime_ns)
    totals = [line for line in newest.read_text(encoding="utf-8").splitlines() if line.startswith("totals:")]
    return int(totals[-1].split()[1]) / COUNTED


@contextmanager
def _counting(server: Server) -> Iterator[None]:
    _control("--zero", server)
    _control("--instr=on", server)
    yield
    _control("--instr=off", server)


def _control(order: str, server: Server) -> None:
    subprocess.run(["callgrind_control", order, str(server.pid)], check=True, capture_output=True)


def main() -> int:
    """Run from the command line; 2 where the machine lacks something."""
    python = peers_python()
    sides = {
        mcp_calls.OURS: ("afford_server:with_keys", sys.executable),
        mcp_calls.BARE: ("starlette_server:baseline", sys.executable),
        **{side: (factory, python) for side, factory in mcp_calls.PEERS.items()},
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", action="append", choices=sides, help="may be repeated; default: all sides")
    chosen = parser.parse_args().side or list(sides)
    if shutil.which("callgrind_control") is None:
        print("`valgrind` is missing; install it, on Debian by `apt-get install valgrind`", file=sys.stderr)
        return 2
    counts = {side: count(side, *sides[side]) for side in chosen}
    operations = list(dict.fromkeys(operation for found in counts.values() for operation in found))
    rows = [
        (operation, *(f"{found[operation]:,.0f}" if operation in found else "" for found in counts.values()))
        for operation in operations
    ]
    print_table(("instructions per request", *counts), rows)
    return 0
