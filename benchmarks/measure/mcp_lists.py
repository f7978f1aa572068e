"""The list of a thousand equal tools, warm, over one connection: the whole list, however many pages it takes.

The other sides list what ours publishes: the same names, texts, schemas and hints. They answer it in one piece; ours
answers pages of a hundred beyond two hundred tools, so its pages are followed to the end and counted together.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from afford_listing import COUNT
from fastmcp_thousands import compiled_tools
from figures import VERDICT_HEAD, Verdict, print_table, ratios, spread
from keep_alive import KeepAlive
from listed_tools import TOOLS_VARIABLE
from load import LOAD_CORE, Pace, Server, serving
from mcp_calls import FASTMCP, LOW, OURS
from mcp_wire import TARGET, listing, result_of
from peers import peers_python
from thousands import KEY
from thousands_text import CODE_VARIABLE, keep_code

PROVIDED: Final = "afford, with a provider"
DERIVED: Final = "FastMCP, own schemas"
"""The same operations declared to FastMCP as typed functions; not judged, since its schemas are larger or smaller."""
PEERS: Final = {LOW: "sdk_server:listing", FASTMCP: "fastmcp_server:listing", DERIVED: "fastmcp_thousands:started"}
TARGETS: Final = {(OURS, LOW): 50.0, (OURS, FASTMCP): 150.0, (PROVIDED, LOW): 5.0, (PROVIDED, FASTMCP): 15.0}
"""How many times faster; with a provider a tenth of that."""
SAME: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""Members of a tool that have to be the same on all sides."""
_PATIENCE: Final = 180.0
"""Seconds that a side may take to declare a thousand tools."""
CREDENTIALS: Final = {"Authorization": f"Bearer {KEY}"}


@dataclass(frozen=True, slots=True)
class ListSample:
    """What listing over and over measured."""

    milliseconds: float
    """Per whole list."""
    cpu: float
    """Milliseconds of the server's processor time per whole list."""


class _Lister:
    """Lists everything that one side has."""

    def __init__(self, server: Server, headers: dict[str, str]) -> None:
        """List once, following the pages; what was asked is asked again by `measure`."""
        self._server = server
        self._requests: list[bytes] = []
        self.tools: list[dict[str, Any]] = []
        self.size = 0
        """Bytes of all answers together."""
        cursor: str | None = None
        with KeepAlive(server.port) as connection:
            while not self._requests or cursor is not None:
                page = listing(cursor)
                request = connection.request(TARGET, {**page.headers, **headers}, page.body(1))
                answer = connection.answer(request)
                self._requests.append(request)
                self.size += len(answer)
                result = result_of(answer)
                self.tools += result["tools"]
                cursor = result.get("nextCursor")

    @property
    def pages(self) -> int:
        """How many answers make the list."""
        return len(self._requests)

    def measure(self, seconds: float) -> ListSample:
        """Lists for that long, and at least three times, over one connection."""
        lists = 0
        with KeepAlive(self._server.port) as connection:
            spent = self._server.cpu_seconds()
            started = now = perf_counter()
            while lists < 3 or now - started < seconds:
                for request in self._requests:
                    connection.drain(request)
                lists += 1
                now = perf_counter()
            cpu = self._server.cpu_seconds() - spent
        return ListSample((now - started) / lists * 1e3, cpu / lists * 1e3)


def run_lists(pace: Pace) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the targets."""
    with ExitStack() as stack:
        stack.enter_context(_on_load_core())
        listers = stack.enter_context(_all_listers())
        for side, lister in listers.items():
            pages = f"{lister.pages} answers" if lister.pages > 1 else "one answer"
            print(f"{side}: {len(lister.tools):,} tools in {pages}, {lister.size:,} bytes")
        for lister in listers.values():
            lister.measure(pace.warm_up)
        samples: dict[str, list[ListSample]] = {side: [] for side in listers}
        for number in range(pace.rounds):
            print(f"round {number + 1} of {pace.rounds}", file=sys.stderr, flush=True)
            for side, lister in listers.items():
                samples[side].append(lister.measure(pace.seconds))
    return _judged(samples, {side: lister.size for side, lister in listers.items()})


@contextmanager
def _all_listers() -> Iterator[dict[str, _Lister]]:
    python = peers_python()
    with ExitStack() as stack:
        ours = _Lister(stack.enter_context(serving("afford_listing:listing", patience=_PATIENCE)), CREDENTIALS)
        assert len(ours.tools) == COUNT, f"{len(ours.tools)} tools are listed"
        listers = {OURS: ours}
        listers[PROVIDED] = _Lister(
            stack.enter_context(serving("afford_listing:listing_with_provider", patience=_PATIENCE)), CREDENTIALS
        )
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        tools = folder / "tools.json"
        tools.write_text(json.dumps(ours.tools), encoding="utf-8")
        code = keep_code(compiled_tools(COUNT), folder / "code")
        variables = {TOOLS_VARIABLE: str(tools), CODE_VARIABLE: str(code)}
        for side, factory in PEERS.items():
            server = stack.enter_context(serving(factory, python=python, patience=_PATIENCE, **variables))
            listers[side] = _Lister(server, {})
            _must_agree(side, listers[side].tools, ours.tools)
        yield listers


def _must_agree(side: str, theirs: list[dict[str, Any]], ours: list[dict[str, Any]]) -> None:
    keys = ("name",) if side == DERIVED else SAME
    wanted = {tool["name"]: {key: tool[key] for key in keys} for tool in ours}
    found = {tool["name"]: {key: tool.get(key) for key in keys} for tool in theirs}
    assert found == wanted, f"{side} lists other tools"


def _judged(
    samples: Mapping[str, list[ListSample]], sizes: Mapping[str, int]
) -> tuple[dict[str, object], list[Verdict]]:
    times = {side: [sample.milliseconds for sample in taken] for side, taken in samples.items()}
    cpus = {side: [sample.cpu for sample in taken] for side, taken in samples.items()}
    rows = [(side, f"{sizes[side]:,}", str(spread(times[side])), str(spread(cpus[side]))) for side in samples]
    print_table((f"tools/list, {COUNT:,} tools", "bytes", "ms for the whole list", "server CPU ms"), rows)
    verdicts = [
        Verdict(
            f"tools/list, {COUNT:,} tools, {side} over {peer}",
            ratios(times[peer], times[side]),
            "x",
            "at least",
            target,
        )
        for (side, peer), target in TARGETS.items()
    ]
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    by_cpu = {f"{side} over {peer}": asdict(ratios(cpus[peer], cpus[side])) for side, peer in TARGETS}
    lines = {side: [asdict(sample) for sample in taken] for side, taken in samples.items()}
    return {"samples": lines, "bytes": dict(sizes), "cpu_ratios": by_cpu}, verdicts


@contextmanager
def _on_load_core() -> Iterator[None]:
    """Stay off the servers' core meanwhile."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {int(LOAD_CORE)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
