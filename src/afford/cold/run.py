"""The mechanical caller: reads a catalog, makes the calls that it suggests, and believes nothing else.

Decides what is called, in which order, and what is not. The checks on one operation are in `trial`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from afford.cold.reading import ids_of, publishers, read
from afford.cold.replies import Meter
from afford.cold.report import Notebook
from afford.cold.trial import Trial
from afford.errors import JsonObject
from afford.lint.target import Described, Target


class Allow(StrEnum):
    """How much a run may do to what it is pointed at."""

    READS = "reads"
    """Operations that say they only read."""
    ACTIONS = "actions"
    """Also actions that are neither destructive nor of high risk."""
    DESTRUCTIVE = "destructive"
    """Everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much of one run is done."""

    allow: Allow
    names: frozenset[str]
    """Operations that are tried."""
    with_mistakes: bool = True
    """Whether mutated calls are made."""


async def run(target: Target, meter: Meter, extent: Extent, notebook: Notebook, facts: JsonObject) -> None:
    """Try every operation of a target: reads before actions, those that publish an id before those that take it.

    Args:
        target: the catalog as it was served, or a copy with one thing broken.
        meter: how calls are made.
        extent: how much is done.
        notebook: where everything is written.
        facts: values of live rows by name; those that the run learns are added.

    Raises:
        OutOfCallsError: the meter ran out; what was found so far is in the notebook.
    """
    notebook.findings.extend(read(target, extent.names))
    trials: list[Trial] = []
    for item in ordered(target):
        if item.name not in extent.names:
            continue
        reason = why_not(item, extent.allow)
        tally = notebook.of(item.name)
        tally.reads, tally.not_called = item.reads is True, reason
        if not reason:
            trials.append(Trial(target=target, operation=item, meter=meter, notebook=notebook, facts=facts))
            await trials[-1].use()
    # Mistakes come last: where calls run out, every operation was used at least.
    for trial in trials if extent.with_mistakes else ():
        await trial.misuse()


def why_not(item: Described, allow: Allow) -> str:
    """Why an operation is not called; empty where it is."""
    if item.reads is True:
        return ""
    safety, hints = item.safety, item.hints or {}
    if safety is None:
        # The protocol's own defaults: what is not said to be harmless may be anything.
        safety = "action" if hints.get("destructiveHint") is False else "destructive"
    if allow is Allow.DESTRUCTIVE:
        return ""
    if safety == "destructive":
        return "it is destructive, or does not say that it is not; `--allow destructive` calls it"
    if item.risk == "high":
        return "its risk is high; `--allow destructive` calls it"
    return "" if allow is Allow.ACTIONS else "it is an action; `--allow actions` calls it"


def ordered(target: Target) -> list[Described]:
    """Reads first and destructive operations last; within that, who publishes an id before who takes it."""
    offered = publishers(target)
    sources = {
        item.name: [offered.get(name, set()) - {item.name} for name in ids_of(item)] for item in target.operations
    }
    waiting = sorted(target.operations, key=lambda item: (_weight(item), item.name))
    done: list[Described] = []
    while waiting:
        peers = {item.name for item in waiting if _weight(item) == _weight(waiting[0])}
        known = {item.name for item in done}
        ready = next(
            (item for item in waiting if item.name in peers and _is_ready(sources[item.name], known, peers)), None
        )
        # In a circle nobody is ready; then the first begins.
        chosen = ready or waiting[0]
        waiting.remove(chosen)
        done.append(chosen)
    return done


def _is_ready(sources: list[set[str]], known: set[str], peers: set[str]) -> bool:
    """Whether each of its ids was published already, or will be by nobody who is as harmless."""
    return all(source & known or not source & peers for source in sources)


def _weight(item: Described) -> int:
    if item.reads is True:
        return 0
    return 1 if item.safety == "action" else 2
