"""Everything that is tried with one operation, from the first call to the last mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from afford.cold.mutations import Mistake, Mutation, edges, mutations
from afford.cold.reading import base_of, example_of, facts_of, ids_of, with_days_apart
from afford.cold.repair import Unrepaired, mended, names_an_input
from afford.cold.replies import Meter, Refusal, Reply, Verdict
from afford.cold.report import Check, Notebook, Source, Tally
from afford.cold.values import value_for
from afford.cold.walk import walk
from afford.errors import JsonObject
from afford.lint.judging import faults_of, refuses
from afford.lint.target import Described, Origin, Target

_GOOD: Final = frozenset({Verdict.OK, Verdict.HELD})
_MOST_TOLD: Final = 3
"""Faults of one answer that are reported."""


@dataclass(slots=True, kw_only=True)
class Trial:
    """One operation, and what is needed to try it."""

    target: Target
    operation: Described
    meter: Meter
    notebook: Notebook
    facts: JsonObject
    """Values of live rows by name; answers add to them."""
    base: JsonObject | None = None
    """Arguments of a call that was answered; None: none was, so far."""
    has_pages: bool = False
    """Whether some answer had another page after it."""

    async def use(self) -> None:
        """Call it as it is meant to be called; raises `OutOfCallsError` when there are no calls left."""
        base = self.base = await self._first_call()
        if base is None:
            return
        await self._join(base)
        if self.operation.reads:
            least = await self._least(base)
            await self._walk(least)
            await self._edges(base)

    async def misuse(self) -> None:
        """Call it with mistakes, once it was used; raises `OutOfCallsError` when there are no calls left."""
        for mutation in mutations(self.operation, self.base) if self.base is not None else ():
            await self._mistake(mutation, self.base or {})

    async def ask(self, arguments: JsonObject, limit: int | None = None) -> Reply:
        """Call it, and judge what comes back."""
        return self.judged(await self.meter.call(self.operation, arguments, limit), arguments)

    def judged(self, reply: Reply, arguments: JsonObject) -> Reply:
        """The reply, after its answer was held against the output schema, and its failure written down."""
        self.has_pages = self.has_pages or reply.following is not None
        if reply.verdict is Verdict.FAILED:
            self.fail(Check.ANSWER, f"{shown(arguments)} got no answer that was promised ({reply.told()}); see its log")
        schema = self.operation.output_schema
        if reply.verdict is not Verdict.OK or schema is None or reply.is_blank:
            return reply
        self.tally.answers += 1
        for fault in faults_of(schema, schema, reply.value)[:_MOST_TOLD]:
            self.fail(
                Check.ANSWER, f"the answer contradicts its schema at `{fault.pointer}`: {fault.message}; correct one"
            )
        return reply

    def fail(self, check: Check, message: str, *, is_note: bool = False) -> None:
        """Write down what failed."""
        self.notebook.fail(self.operation.name, check, message, is_note=is_note)

    @property
    def tally(self) -> Tally:
        """The operation's page of the notebook."""
        return self.notebook.of(self.operation.name)

    def _openings(self) -> Iterator[tuple[Source, JsonObject]]:
        """Arguments for a first call, the most trustworthy first."""
        if self.operation.example_params is not None:
            yield Source.EXAMPLE, self.operation.example_params
            example = example_of(self.operation) or {}
            ids = {name: self.facts[name] for name in ids_of(self.operation) if name in self.facts}
            if ids:
                yield Source.JOIN, {**example, **ids}
        made = base_of(self.operation, self.facts)
        if made is not None:
            has_ids = any(name in self.facts for name in ids_of(self.operation))
            source = Source.JOIN if has_ids else Source.SCHEMA
            yield source, made
            yield source, with_days_apart(self.operation, made)

    async def _first_call(self) -> JsonObject | None:
        """The first call, and others until one is answered; its arguments, or None where none was."""
        base: JsonObject | None = None
        tried: list[JsonObject] = []
        for source, arguments in self._openings():
            sent, limit = self._paged(arguments)
            if sent in tried:
                continue
            tried.append(sent)
            reply = await self.ask(sent, limit)
            if self.tally.first is None:
                self.tally.source, self.tally.first = source, reply.verdict
                base = await self._after_first(source, sent, reply)
            elif reply.verdict in _GOOD:
                self._learn(reply)
                base = sent
            if base is not None:
                return base
            if reply.verdict is Verdict.FAILED and not self.operation.reads:
                # Nobody knows whether it was done, so it is not tried in another way.
                return None
        if self.tally.first is None:
            self.fail(Check.FIRST_CALL, "no first call can be made from what is published; show an example")
            self.tally.first = Verdict.MALFORMED
        return None

    def _paged(self, arguments: JsonObject) -> tuple[JsonObject, int | None]:
        """An example may show how many rows of a page are asked for, which is no input of the operation."""
        limit = arguments.get("limit")
        if "limit" in self.operation.inputs or not self.operation.reads or not isinstance(limit, int):
            return arguments, None
        return {name: value for name, value in arguments.items() if name != "limit"}, limit

    async def _after_first(self, source: Source, sent: JsonObject, reply: Reply) -> JsonObject | None:
        """What the first call comes to: its arguments where it was answered, or could be repaired."""
        if reply.verdict in _GOOD:
            self._learn(reply)
            if not reply.rows and self.operation.reads and reply.verdict is Verdict.OK:
                self.fail(Check.FIRST_CALL, f"{shown(sent)} finds nothing; an example shows more", is_note=True)
            return sent
        if reply.verdict is Verdict.MALFORMED and reply.refusal is not None:
            told = (
                f"the first call {shown(sent)}, made from the {source.value}, is refused ({reply.told()}); correct it"
            )
            # Tools of MCP show no examples, so values that only an author's rule refuses are nobody's mistake.
            is_unlucky = self.target.origin is Origin.MCP and reply.refusal.is_by_rule
            self.fail(Check.FIRST_CALL, told, is_note=is_unlucky)
            return await self._retried(sent, reply.refusal)
        # A write meets the state it changes: its example works once. A read's example has to work each time.
        is_note = not self.operation.reads
        if reply.verdict is Verdict.STATE:
            what = "the first call" if source is not Source.SCHEMA else "a made-up first call"
            is_note = is_note or source is Source.SCHEMA
            self.fail(
                Check.FIRST_CALL, f"{what} {shown(sent)} meets nothing ({reply.told()}); renew it", is_note=is_note
            )
        return None

    async def _retried(self, sent: JsonObject, refusal: Refusal) -> JsonObject | None:
        """The repaired first call; its arguments where it is answered."""
        self.tally.first_retry = False
        repair = mended(sent, refusal, {**sent, **self.facts}, self.operation)
        if isinstance(repair, Unrepaired) or repair == sent:
            return None
        if (await self.ask(repair)).verdict not in _GOOD:
            return None
        self.tally.first_retry = True
        return repair

    async def _join(self, base: JsonObject) -> None:
        """The same call with the ids of live rows in place of those of the example."""
        ids = {name: self.facts[name] for name in ids_of(self.operation) if name in self.facts}
        if not self.operation.reads or not ids or ids.items() <= base.items():
            self.tally.joins += len(ids) if ids else 0
            return
        reply = await self.ask({**base, **ids})
        if reply.verdict in _GOOD:
            self.tally.joins += len(ids)
        elif not (reply.refusal is not None and reply.refusal.is_by_rule):
            names = ", ".join(f"`{name}`" for name in ids)
            self.fail(Check.JOIN, f"{names} of a live row leads nowhere ({reply.told()}); give ids the name they go by")

    async def _least(self, base: JsonObject) -> JsonObject:
        """The call with nothing but what is required; the arguments of the widest call that is answered."""
        least = {name: value for name, value in base.items() if name in self.operation.required}
        if least == base:
            return base
        reply = await self.ask(least)
        if reply.verdict in _GOOD:
            return least
        if reply.verdict is Verdict.MALFORMED and not (reply.refusal is not None and reply.refusal.is_by_rule):
            what = f"{shown(least)} has all that is required"
            self.fail(Check.REQUIRED, f"{what}, and is refused ({reply.told()}); require what is missing")
        return base

    async def _walk(self, arguments: JsonObject) -> None:
        if not self.has_pages and self.operation.pages is None:
            return

        async def follow(sent: JsonObject, limit: int | None, place: str) -> Reply:
            return self.judged(await self.meter.follow(self.operation, sent, limit, place), sent)

        walked = await walk(self.operation, arguments, self.ask, follow)
        self.tally.pages, self.tally.rows = walked.pages, walked.rows
        for message in walked.faults:
            self.fail(Check.PAGES, message)
        for message in walked.notes:
            self.fail(Check.PAGES, message, is_note=True)

    async def _edges(self, base: JsonObject) -> None:
        for name, arguments in edges(self.operation, base):
            reply = await self.ask(arguments)
            refusal = reply.refusal
            if refusal is not None and refusal.verdict is Verdict.MALFORMED and not refusal.is_by_rule:
                self.fail(
                    Check.ACCEPTED,
                    f"`{name}` takes {shown(arguments[name])} by its schema, and it is refused ({reply.told()}); "
                    "publish what is accepted",
                )

    async def _mistake(self, mutation: Mutation, base: JsonObject) -> None:
        """Send a call with a mistake, expect its refusal, and send it again as the refusal says."""
        if not self.meter.spells(self.operation, mutation.arguments):
            return
        tally = self.tally
        tally.mistakes += 1
        reply = await self.meter.call(self.operation, mutation.arguments)
        what = f"{shown(mutation.arguments)} ({mutation.mistake.value.replace('_', ' ')})"
        if reply.refusal is None or reply.verdict is Verdict.HELD:
            self.fail(Check.REFUSAL, f"{what} is accepted against the schema; refuse it")
            return
        if reply.verdict is Verdict.FAILED:
            self.fail(
                Check.REFUSAL, f"{what} is no refusal of bad input ({reply.told()}); answer what is wrong with it"
            )
            return
        if not names_an_input(reply.refusal, mutation.names):
            self.fail(Check.REFUSAL, f"the refusal of {what} does not name the input ({reply.told()}); name it")
            return
        tally.refused += 1
        await self._mend(mutation, reply.refusal, base)

    async def _mend(self, mutation: Mutation, refusal: Refusal, base: JsonObject) -> None:
        """A write is not done again and again: there the schema says whether the repaired call is right."""
        self.tally.retried += 1
        what = f"{shown(mutation.arguments)} ({mutation.mistake.value.replace('_', ' ')})"
        repair = mended(mutation.arguments, refusal, {**_samples(self.operation), **base}, self.operation)
        if isinstance(repair, Unrepaired):
            self.fail(Check.RETRY, f"the refusal of {what} does not tell how to mend it: {repair.reason}; suggest it")
            return
        lost = sorted(base.keys() - repair.keys() - self.operation.required)
        if mutation.mistake is Mistake.MISSPELT and lost:
            self.fail(Check.RETRY, f"the refusal of {what} does not suggest `{lost[0]}`; suggest it", is_note=True)
        schema = self.operation.input_schema or {}
        if not self.operation.reads:
            is_right = not refuses(schema, schema, repair)
            told = "the schema refuses it"
        else:
            reply = await self.ask(repair)
            by_rule = reply.refusal is not None and reply.refusal.is_by_rule
            is_right = reply.verdict in _GOOD or reply.verdict is Verdict.STATE or by_rule
            told = reply.told()
        if is_right:
            self.tally.mended += 1
        else:
            self.fail(Check.RETRY, f"{what}, mended as its refusal says to {shown(repair)}, fails ({told}); correct it")

    def _learn(self, reply: Reply) -> None:
        """Remember what a row says; what an action just made is newer than what was there."""
        known = facts_of(reply.value)
        for name, value in known.items():
            if name not in self.facts or not self.operation.reads:
                self.facts[name] = value


def _samples(operation: Described) -> JsonObject:
    """What the schema alone suggests for each input."""
    root = operation.input_schema or {}
    made = {name: value_for(part, root) for name, part in operation.inputs.items()}
    return {name: found.value for name, found in made.items() if found is not None}


def shown(value: object) -> str:
    """A value in a report, cut where it is long."""
    text = orjson.dumps(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST: Final = 160
