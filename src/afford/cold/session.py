"""One whole cold run: the catalog as it is, then copies of it with one thing broken, then the goals."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from afford.cold.ablation import Ablation, ablations
from afford.cold.goals import Goal, ModelError, misfits
from afford.cold.replies import Link, Meter, OutOfCallsError, Progress
from afford.cold.report import AblationReport, Check, Finding, Notebook, OperationReport, PickReport, Report
from afford.cold.retrieval import Bm25, Embed, Embeddings, Retriever, measured
from afford.cold.run import Allow, Extent, run
from afford.errors import JsonObject
from afford.lint.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run does."""

    allow: Allow = Allow.READS
    most_calls: int = 1000
    timeout: float = 15.0
    """Seconds for one call."""
    seed: int = 0
    """Which of the things that can be broken are."""
    ablate: bool = False


Play = Callable[[Target, Meter], Awaitable[PickReport]]
"""Lets a model make the calls for the goals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aims:
    """What people want of the catalog, and who picks the operation for it, apart from BM25."""

    goals: tuple[Goal, ...] = ()
    embed: Embed | None = None
    play: Play | None = None
    floor: float = 0.0
    """Share of the goals whose operation has to come first, whoever picks."""


class ColdRun:
    """A run over one target; whatever ends it, `report` answers what is known."""

    def __init__(self, target: Target, link: Link, plan: Plan, aims: Aims, told: Progress) -> None:
        """Take the catalog as served, and how its operations are called; `told` hears of each call."""
        self.target = target
        self.plan = plan
        self.aims = aims
        self.notebook = Notebook()
        self.meter = Meter(link, plan.most_calls, plan.timeout, told)

    async def run(self) -> None:
        """Try everything that the plan allows; ends early, and says so, when there are no calls left."""
        facts: JsonObject = {}
        self._find()
        names = frozenset(item.name for item in self.target.operations)
        try:
            await run(self.target, self.meter, Extent(allow=self.plan.allow, names=names), self.notebook, facts)
            if self.plan.ablate:
                for ablation in self._chosen():
                    self.notebook.ablations.append(await self._ablated(ablation, facts))
            if self.aims.play is not None:
                await self._play(self.aims.play)
        except OutOfCallsError:
            self.notebook.stopped = f"{self.plan.most_calls} calls were made; raise `--max-calls` for the rest"

    def report(self) -> Report:
        """What is known by now."""
        notebook = self.notebook
        names = [item.name for item in self.target.operations]
        operations = [
            notebook.tallies[name].report(name)
            if name in notebook.tallies
            else OperationReport(name=name, not_called="the run ended before its turn")
            for name in names
        ]
        return Report(
            target=self.target.name,
            origin=self.target.origin.value,
            allowed=self.plan.allow.value,
            seed=self.plan.seed,
            calls=self.meter.calls,
            stopped=notebook.stopped,
            operations=tuple(operations),
            findings=tuple(sorted(notebook.findings, key=lambda item: (item.operation, item.check, item.message))),
            ablations=tuple(notebook.ablations),
            not_ablated=tuple(notebook.not_ablated),
            picks=tuple(notebook.picks),
        )

    def _find(self) -> None:
        """Look for the operation of each goal, which takes no calls."""
        goals = self.aims.goals
        if not goals:
            return
        self.notebook.findings.extend(misfits(goals, self.target))
        retrievers: list[Retriever] = [Bm25(self.target)]
        if self.aims.embed is not None:
            retrievers.append(Embeddings(self.target, self.aims.embed))
        for retriever in retrievers:
            self._keep(measured(goals, retriever))

    async def _play(self, play: Play) -> None:
        """A model that cannot be asked is a failure, and no reason to lose what is known."""
        try:
            self._keep(await play(self.target, self.meter))
        except ModelError as error:
            self.notebook.fail("", Check.GOAL, str(error))

    def _keep(self, pick: PickReport) -> None:
        self.notebook.picks.append(pick)
        if pick.hit1 < self.aims.floor * pick.goals:
            message = f"{pick.by} finds {pick.hit1} of {pick.goals}, under the floor; tell apart what is confused"
            self.notebook.fail("", Check.GOAL, message)

    def _lost(self, ablation: Ablation) -> Iterator[Finding]:
        """Goals of the operation that words lead to only while it is whole."""
        broken, whole = Bm25(ablation.target(self.target)), Bm25(self.target)
        for goal in self.aims.goals:
            is_found = whole.ranked(goal.text)[:1] == [goal.call]
            if goal.call == ablation.operation and is_found and broken.ranked(goal.text)[:1] != [goal.call]:
                message = f"{goal.text!r} does not lead to it any more; say what it is for"
                yield Finding(operation=goal.call, check=Check.GOAL, message=message)

    def _chosen(self) -> list[Ablation]:
        """One of each kind, by the seed; a kind that nothing can suffer is written down."""
        chance = random.Random(self.plan.seed)  # noqa: S311 - a choice that can be made again, and no secret
        chosen: list[Ablation] = []
        for kind, candidates in ablations(self.target, self.notebook).items():
            if candidates:
                chosen.append(chance.choice(candidates))
            else:
                self.notebook.not_ablated.append(kind)
        return chosen

    async def _ablated(self, ablation: Ablation, facts: JsonObject) -> AblationReport:
        """Only what was broken is tried again, with what live rows told before."""
        notes = Notebook()
        extent = Extent(allow=Allow.READS, names=frozenset({ablation.operation}), with_mistakes=False)
        await run(ablation.target(self.target), self.meter, extent, notes, dict(facts))
        before = {(item.check, item.message) for item in self.notebook.failed() if item.operation == ablation.operation}
        new = [item for item in notes.failed() if (item.check, item.message) not in before]
        new.extend(self._lost(ablation))
        return AblationReport(
            kind=ablation.kind,
            operation=ablation.operation,
            place=ablation.place,
            red=tuple(sorted(new, key=lambda item: (item.check, item.message))),
        )
