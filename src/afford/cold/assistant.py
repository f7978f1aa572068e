"""A language model in the place of the mechanical caller: one goal, one call, one more after an error.

Speaks to any endpoint that is compatible with OpenAI's `POST /chat/completions` and knows tool calling. Needs httpx
(extra `afford[cold]`). The key is sent to that endpoint, and written nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import httpx
import orjson

from afford.cold.goals import Goal, ModelError
from afford.cold.replies import Meter, Reply, Verdict
from afford.cold.report import PickReport
from afford.cold.run import Allow, why_not
from afford.errors import JsonObject, JsonValue
from afford.lint.judging import faults_of
from afford.lint.target import Target
from afford.lint.targets.members import object_of, objects_of, text_of

_INSTRUCTIONS: Final = (
    "You act for a person through the tools of one service. Answer what the person says with exactly one tool call. "
    "Take values from what the person says and from the tools; invent none."
)
_OPEN: Final[JsonObject] = {"type": "object", "properties": {}}
_LONGEST: Final = 4000
"""Characters of a refusal that the model is shown."""
_GOOD: Final = frozenset({Verdict.OK, Verdict.HELD})


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where the model is."""

    url: str
    """With or without `/chat/completions` at its end."""
    model: str
    key: str | None = None
    seconds: float = 60.0

    @property
    def address(self) -> str:
        """Where requests go."""
        base = self.url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


@dataclass(frozen=True, slots=True)
class _ToolCall:
    id: str
    name: str
    arguments: JsonObject | None
    """None: what the model wrote is no JSON object."""
    written: str


@dataclass(frozen=True, slots=True)
class _Attempt:
    picked: str
    is_right: bool
    told: str
    """What the model is told in place of an answer; empty where it was answered."""


async def play(goals: Sequence[Goal], target: Target, meter: Meter, allow: Allow, endpoint: Endpoint) -> PickReport:
    """How often the model makes the right first call, and how often the right second one after an error.

    A call is right when it is the one that the goal expects, with the arguments it states, which the published schema
    accepts, and, where calls of that kind are allowed, when the server answers it.

    Raises:
        ModelError: the endpoint does not answer as the interface says.
        OutOfCallsError: there are no calls left.
    """
    hits = first = second = 0
    confusions: list[tuple[str, str, str]] = []
    headers = {} if endpoint.key is None else {"authorization": f"Bearer {endpoint.key}"}
    async with httpx.AsyncClient(headers=headers, timeout=endpoint.seconds) as http:
        player = _Player(target=target, meter=meter, allow=allow, endpoint=endpoint, http=http)
        for goal in goals:
            attempt, retried = await player.reach(goal)
            hits += attempt.picked == goal.call
            first += attempt.is_right
            second += retried
            if attempt.picked != goal.call:
                confusions.append((goal.text, goal.call, attempt.picked))
    return PickReport(
        by=endpoint.model,
        goals=len(goals),
        hit1=hits,
        hit3=None,
        reciprocal=round(hits / len(goals), 4) if goals else 0.0,
        confusions=tuple(confusions),
        first_calls=first,
        retries=second,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Player:
    target: Target
    meter: Meter
    allow: Allow
    endpoint: Endpoint
    http: httpx.AsyncClient

    async def reach(self, goal: Goal) -> tuple[_Attempt, bool]:
        """The first attempt, and whether a second one was needed and right."""
        messages: list[JsonValue] = [
            {"role": "system", "content": _INSTRUCTIONS},
            {"role": "user", "content": goal.text},
        ]
        call = await self._asked(messages)
        if call is None:
            return _Attempt("", is_right=False, told=""), False
        first = await self._attempted(goal, call)
        if first.is_right or not first.told:
            return first, False
        messages.extend(
            [
                {"role": "assistant", "content": None, "tool_calls": [_tool_call(call)]},
                {"role": "tool", "tool_call_id": call.id, "content": first.told},
            ]
        )
        again = await self._asked(messages)
        return first, again is not None and (await self._attempted(goal, again)).is_right

    async def _attempted(self, goal: Goal, call: _ToolCall) -> _Attempt:
        item = self.target.find(call.name)
        if item is None:
            return _Attempt(call.name, is_right=False, told=f"there is no tool `{call.name}`")
        if call.arguments is None:
            return _Attempt(call.name, is_right=False, told="the arguments are no JSON object")
        stated = (goal.arguments or {}).items() <= call.arguments.items()
        is_meant = call.name == goal.call and stated
        schema = item.input_schema or _OPEN
        if why_not(item, self.allow):
            faults = faults_of(schema, schema, call.arguments)
            return _Attempt(call.name, is_meant and not faults, "; ".join(fault.message for fault in faults))
        reply = await self.meter.call(item, call.arguments)
        return _Attempt(call.name, is_meant and reply.verdict in _GOOD, _told(reply))

    async def _asked(self, messages: list[JsonValue]) -> _ToolCall | None:
        """The first tool call that the model makes; None where it makes none."""
        body: JsonObject = {
            "model": self.endpoint.model,
            "messages": messages,
            "tools": [_tool(self.target, item.name) for item in self.target.operations],
            "tool_choice": "required",
            "temperature": 0,
        }
        try:
            response = await self.http.post(
                self.endpoint.address, content=orjson.dumps(body), headers={"content-type": "application/json"}
            )
        except httpx.HTTPError as error:
            told = str(error) or type(error).__name__
            raise ModelError(f"the model at `{self.endpoint.address}` does not answer ({told}); check it") from error
        if not response.is_success:
            raise ModelError(
                f"the model at `{self.endpoint.address}` answers with status {response.status_code}; check address, "
                "model and key"
            )
        return _picked(response.content, self.endpoint.address)


def _picked(content: bytes, address: str) -> _ToolCall | None:
    try:
        document: JsonValue = orjson.loads(content)
    except orjson.JSONDecodeError:
        document = None
    choices = objects_of(document, "choices") if isinstance(document, dict) else []
    message = object_of(choices[0], "message") if choices else None
    if message is None:
        raise ModelError(f"the model at `{address}` answers no `choices`; name an endpoint for chat completions")
    calls = objects_of(message, "tool_calls")
    if not calls:
        return None
    function = object_of(calls[0], "function") or {}
    written = text_of(function, "arguments")
    try:
        arguments: JsonValue = orjson.loads(written or "{}")
    except orjson.JSONDecodeError:
        arguments = None
    return _ToolCall(
        text_of(calls[0], "id"),
        text_of(function, "name"),
        arguments if isinstance(arguments, dict) else None,
        written,
    )


def _tool(target: Target, name: str) -> JsonObject:
    item = target.find(name)
    schema = _OPEN if item is None or item.input_schema is None else item.input_schema
    text = "" if item is None else item.text
    return {"type": "function", "function": {"name": name, "description": text, "parameters": schema}}


def _tool_call(call: _ToolCall) -> JsonObject:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.written}}


def _told(reply: Reply) -> str:
    return "" if reply.refusal is None else orjson.dumps(reply.refusal.document()).decode()[:_LONGEST]
