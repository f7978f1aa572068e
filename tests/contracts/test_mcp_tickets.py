"""A ticket carries what a person answered: for one question, one call, one caller, and one action."""

from __future__ import annotations

from typing import Annotated

import httpx
import pytest
from pydantic import BaseModel
from tests.contracts.mcp_wire import CAN_ASK, ask, told
from tests.contracts.wire import served

from afford import ApiKeys, App, Ask, Principal, anyone

STAFF = {"authorization": "Bearer staff-key-1"}
OTHER = {"authorization": "Bearer other-key-1"}


class Sure(BaseModel):
    yes: bool


class Office:
    """An app that asks, and what its handlers did."""

    def __init__(self) -> None:
        keys = ApiKeys({"staff-key-1": Principal("ann"), "other-key-1": Principal("bob")})
        self.app = app = App("office", access=anyone(), authenticate=keys)
        self.done: list[object] = []

        @app.action(description="Pay somebody.")
        async def pay(to: str, sure: Annotated[Sure, Ask("Pay {to}?")]) -> bool:
            self.done.append(to)
            return sure.yes

        @app.action(description="Give something away.")
        async def donate(to: str, sure: Annotated[Sure, Ask("Sure?")], twice: Annotated[Sure, Ask("Really?")]) -> None:
            self.done.append(to)

        @app.query(description="Look somebody up.")
        async def look_up(to: str, sure: Annotated[Sure, Ask("Look up {to}?")]) -> bool:
            self.done.append(to)
            return sure.yes


async def asked(http: httpx.AsyncClient, name: str, to: str, **extra: object) -> dict[str, object]:
    headers = {key: str(extra.pop(key)) for key in list(extra) if key == "authorization"}
    params = {"name": name, "arguments": {"to": to}, **extra}
    answer = await ask(http, "tools/call", params, capabilities=CAN_ASK, **headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


YES = {"sure": {"action": "accept", "content": {"yes": True}}}


@pytest.mark.requirement("SECRET-02")
async def test_an_answer_without_its_ticket_is_to_a_question_that_nobody_put():
    office = Office()
    async with served(office.app.asgi()) as http:
        await asked(http, "pay", "ann")
        # The person was asked about Ann; nothing says that this answer is about Bob.
        bold = await asked(http, "pay", "bob", inputResponses=YES)
        assert (bold["resultType"], office.done) == ("input_required", [])
        paid = await asked(http, "pay", "bob", inputResponses=YES, requestState=bold["requestState"])
    assert paid["structuredContent"] == {"result": True}
    assert office.done == ["bob"]


@pytest.mark.requirement("SECRET-02")
async def test_one_answer_is_good_for_one_action():
    office = Office()
    async with served(office.app.asgi()) as http:
        state = (await asked(http, "pay", "ann"))["requestState"]
        again = [await asked(http, "pay", "ann", inputResponses=YES, requestState=state) for _ in range(3)]
        assert [item["resultType"] for item in again] == ["complete", "input_required", "input_required"]
        fresh = await asked(http, "pay", "ann", inputResponses=YES, requestState=again[1]["requestState"])
        assert fresh["resultType"] == "complete"
        reads = (await asked(http, "look_up", "ann"))["requestState"]
        for _ in range(2):
            seen = await asked(http, "look_up", "ann", inputResponses=YES, requestState=reads)
            assert seen["resultType"] == "complete"
    assert office.done == ["ann"] * 4


@pytest.mark.requirement("SECRET-02")
async def test_answers_that_were_refused_do_not_use_up_the_ticket():
    office = Office()
    async with served(office.app.asgi()) as http:
        state = (await asked(http, "pay", "ann"))["requestState"]
        wrong = {"sure": {"action": "accept", "content": {"yes": "perhaps"}}}
        assert told(await asked(http, "pay", "ann", inputResponses=wrong, requestState=state))["code"] == "bad_request"
        assert (await asked(http, "pay", "ann", inputResponses=YES, requestState=state))["resultType"] == "complete"
    assert office.done == ["ann"]


@pytest.mark.requirement("SECRET-02")
async def test_a_ticket_is_nobody_else_s_and_of_no_other_call():
    office = Office()
    async with served(office.app.asgi()) as http:
        state = (await asked(http, "pay", "ann", **STAFF))["requestState"]
        for name, to, key in (
            ("pay", "ann", OTHER),
            ("pay", "ann", {}),
            ("pay", "bob", STAFF),
            ("look_up", "ann", STAFF),
        ):
            tried = await asked(http, name, to, inputResponses=YES, requestState=state, **key)
            assert tried["resultType"] == "input_required", (name, to, key)
    assert office.done == []


@pytest.mark.requirement("SECRET-02")
async def test_all_tickets_of_one_conversation_are_used_up_together():
    office = Office()
    both = {**YES, "twice": {"action": "accept", "content": {"yes": 10**30}}}
    async with served(office.app.asgi()) as http:
        first = (await asked(http, "donate", "ann"))["requestState"]
        # An answer that no form accepts is kept until all are there, and refused then.
        odd = await asked(http, "donate", "ann", inputResponses={"twice": both["twice"]}, requestState=first)
        assert odd["resultType"] == "input_required"
        both["twice"] = YES["sure"]
        second = await asked(http, "donate", "ann", inputResponses=YES, requestState=first)
        rest = {"inputResponses": {"twice": both["twice"]}, "requestState": second["requestState"]}
        assert (await asked(http, "donate", "ann", **rest))["resultType"] == "complete"
        assert (await asked(http, "donate", "ann", **rest))["resultType"] == "input_required"
        again = await asked(http, "donate", "ann", inputResponses=both, requestState=first)
        assert again["resultType"] == "input_required"
    assert office.done == ["ann"]
