"""Prompts: listed per caller, filled in from text, and made of messages that every client can read."""

from __future__ import annotations

import base64
import json
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field
from tests.contracts.mcp_wire import ask, ask_older, error, listed, listening, result
from tests.contracts.wire import served

from afford import (
    ApiKeys,
    App,
    Audio,
    Caller,
    CatalogError,
    Choices,
    DeclarationError,
    Embedded,
    Feature,
    Image,
    Message,
    Principal,
    anyone,
    roles,
    signed_in,
)
from afford.declare.changes import Change, ChangeKind

STAFF = {"authorization": "Bearer staff-key-1"}
PIXEL = base64.b64encode(b"\x00").decode()


class Trip(BaseModel):
    city: str


class Odd:
    """No message."""


def agency() -> App:
    keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"])})
    return App("agency", roles=("staff",), access=anyone(), authenticate=keys)


async def filled(
    app: App, name: str, arguments: dict[str, str] | None = None, **headers: str
) -> list[dict[str, object]]:
    params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    async with served(app.asgi()) as http:
        return (await result(http, "prompts/get", params, **headers))["messages"]


async def refused(app: App, name: object, arguments: object = None, **headers: str) -> dict[str, object]:
    params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    async with served(app.asgi()) as http:
        # Older clients repeat nothing in headers, so that any name can be sent.
        return (await ask_older(http, "prompts/get", params, **headers)).json()["error"]


@pytest.mark.requirement("PROMPT-01")
async def test_prompts_are_listed_by_name_with_their_arguments_and_filled_in_in_both_eras():
    app = agency()

    def plan(city: Annotated[str, Field(description="Where to.")], days: int = 3) -> str:
        return f"Plan {days} days in {city}."

    app.prompt("plan_trip", handler=plan, description="Plan a trip.", title="Plan")
    app.prompt("ask", handler=lambda: "Ask me anything.")
    async with served(app.asgi()) as http:
        prompts = await listed(http, "prompts")
        older = (await ask_older(http, "prompts/list")).json()["result"]
        answer = await result(http, "prompts/get", {"name": "plan_trip", "arguments": {"city": "Oslo", "days": "2"}})
        older_answer = (await ask_older(http, "prompts/get", {"name": "ask"})).json()["result"]
    assert list(prompts.values()) == older["prompts"]
    assert prompts == {
        "ask": {"name": "ask", "title": "Ask", "arguments": []},
        "plan_trip": {
            "name": "plan_trip",
            "title": "Plan",
            "description": "Plan a trip.",
            "arguments": [
                {"name": "city", "required": True, "description": "Where to."},
                {"name": "days", "required": False},
            ],
        },
    }
    assert answer["description"] == "Plan a trip."
    assert answer["messages"] == [{"role": "user", "content": {"type": "text", "text": "Plan 2 days in Oslo."}}]
    assert older_answer == {"messages": [{"role": "user", "content": {"type": "text", "text": "Ask me anything."}}]}


@pytest.mark.requirement("PROMPT-02")
@pytest.mark.parametrize(
    ("arguments", "pointer", "code"),
    [
        ({}, "/city", "missing"),
        ({"city": "Oslo", "days": "01"}, "/days", "syntax"),
        ({"city": "Oslo", "days": "9"}, "/days", "out_of_range"),
        ({"city": "Oslo", "mode": "boat"}, "/mode", "not_a_choice"),
        ({"city": "Oslo", "sure": "yes"}, "/sure", "syntax"),
        ({"city": "Oslo", "ctiy": "x"}, "/ctiy", "unknown_argument"),
    ],
)
async def test_arguments_are_judged_before_the_prompt_is_filled_in(arguments: dict[str, str], pointer: str, code: str):
    app = agency()
    ran: list[str] = []

    def plan(
        city: str,
        days: Annotated[int, Field(ge=1, le=7)] = 3,
        mode: Literal["train", "foot"] = "foot",
        sure: bool = False,  # noqa: FBT001, FBT002 - an argument
    ) -> str:
        ran.append(city)
        return f"{city} {days} {mode} {sure}"

    app.prompt("plan", handler=plan)
    refusal = await refused(app, "plan", arguments)
    assert refusal["code"] == -32602
    assert [(item["pointer"], item["code"]) for item in refusal["data"]["error"]["errors"]] == [(pointer, code)]
    assert ran == []
    full = {"city": "Oslo", "days": "7", "mode": "train", "sure": "true"}
    assert (await filled(app, "plan", full))[0]["content"]["text"] == "Oslo 7 train True"


@pytest.mark.parametrize("arguments", [[], "city", {"city": 7}, {"city": None}, {"city": {}}])
async def test_arguments_that_are_no_texts_are_a_protocol_error(arguments: object):
    app = agency()
    app.prompt("plan", handler=lambda city: city)
    refusal = await refused(app, "plan", arguments)
    assert (refusal["code"], "data" in refusal) == (-32602, False)


@pytest.mark.requirement("PROMPT-02", "MCP-08")
async def test_messages_carry_text_pictures_sound_and_documents_for_either_role():
    app = agency()
    app.prompt(
        "show",
        handler=lambda: [
            "Look at this:",
            Message("I am looking.", role="assistant"),
            Image(b"\x00", "image/gif"),
            Message(Audio(b"\x00")),
            Embedded("note://one", "text", "text/plain"),
            Embedded("note://two", b"\x00"),
        ],
    )
    assert await filled(app, "show") == [
        {"role": "user", "content": {"type": "text", "text": "Look at this:"}},
        {"role": "assistant", "content": {"type": "text", "text": "I am looking."}},
        {"role": "user", "content": {"type": "image", "data": PIXEL, "mimeType": "image/gif"}},
        {"role": "user", "content": {"type": "audio", "data": PIXEL, "mimeType": "audio/wav"}},
        {
            "role": "user",
            "content": {
                "type": "resource",
                "resource": {"uri": "note://one", "mimeType": "text/plain", "text": "text"},
            },
        },
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "note://two", "blob": PIXEL}}},
    ]


@pytest.mark.requirement("PROMPT-02")
@pytest.mark.parametrize(
    "answer",
    [
        None,
        7,
        {"role": "user"},
        [Odd()],
        Message("x", role="system"),  # type: ignore[arg-type]
        Message(7),  # type: ignore[arg-type]
        Message(Image("text")),  # type: ignore[arg-type]
        Embedded("no uri", "text"),
        "\ud800",
    ],
)
async def test_what_is_no_message_never_leaves(answer: object, caplog: pytest.LogCaptureFixture):
    app = agency()
    app.prompt("show", handler=lambda: answer)
    refusal = await refused(app, "show")
    assert (refusal["code"], refusal["data"]["error"]["code"]) == (-32603, "output_contract")
    assert refusal["data"]["error"]["trace"] in caplog.text


async def test_what_a_prompt_raises_stays_in_the_log_and_what_it_raises_on_purpose_does_not():
    app = agency()

    async def plan(caller: Caller) -> str:
        raise RuntimeError(f"password=hunter2 of {caller.id}")

    app.prompt("plan", handler=plan)
    refusal = await refused(app, "plan")
    assert (refusal["code"], refusal["data"]["error"]["code"]) == (-32603, "internal")
    assert "hunter2" not in json.dumps(refusal)


@pytest.mark.requirement("PROMPT-01", "ACC-06")
async def test_a_prompt_that_is_not_the_callers_is_like_one_that_does_not_exist():
    app = agency()
    app.prompt("open", handler=lambda: "open")
    app.prompt("staff", handler=lambda text: f"staff {text}", access=roles("staff"))
    app.prompt("gone", handler=lambda: "gone", agent={"expose": False})
    app.prompt("code", handler=lambda: "code", access=lambda caller: caller.id == "ann")
    names = ("staff", "gone", "code", "never", "prompt:open", "")
    refusals = [await refused(app, name) for name in names]
    assert {refusal["code"] for refusal in refusals} == {-32602}
    assert len({refusal["message"].removesuffix(name) for refusal, name in zip(refusals, names, strict=True)}) == 1
    async with served(app.asgi()) as http:
        assert list(await listed(http, "prompts")) == ["open"]
        assert list(await listed(http, "prompts", **STAFF)) == ["code", "open", "staff"]
        argument = {"name": "text", "value": "x"}
        hidden, never = [
            await error(
                http, "completion/complete", {"ref": {"type": "ref/prompt", "name": name}, "argument": argument}
            )
            for name in ("staff", "never")
        ]
    assert hidden["message"].removesuffix("staff") == never["message"].removesuffix("never")
    assert (await filled(app, "staff", {"text": "only"}, **STAFF))[0]["content"]["text"] == "staff only"


async def test_a_prompt_of_a_feature_has_its_name_before_its_own():
    feature = Feature("trips", access=signed_in())
    feature.prompt("plan", handler=lambda: "plan")
    app = agency()
    app.include(feature)
    app.prompt("open", handler=lambda: "open")
    async with served(app.asgi()) as http:
        assert list(await listed(http, "prompts")) == ["open"]
        assert list(await listed(http, "prompts", **STAFF)) == ["open", "trips_plan"]
    assert (await filled(app, "trips_plan", **STAFF))[0]["content"]["text"] == "plan"


@pytest.mark.requirement("PROMPT-01")
async def test_arguments_complete_from_closed_sets_and_from_the_author():
    app = agency()

    def plan(
        mode: Literal["train", "tram", "foot"], city: str, topic: Annotated[str, Choices(lambda: ["art", "food"])]
    ) -> str:
        return f"{mode} {city} {topic}"

    app.prompt("plan", handler=plan, complete={"city": lambda typed: [f"{typed}slo"]})

    async def candidates(name: str, typed: str) -> list[str]:
        params = {"ref": {"type": "ref/prompt", "name": "plan"}, "argument": {"name": name, "value": typed}}
        async with served(app.asgi()) as http:
            return (await result(http, "completion/complete", params))["completion"]["values"]

    assert await candidates("mode", "tr") == ["train", "tram"]
    assert await candidates("city", "o") == ["oslo"]
    assert await candidates("topic", "") == ["art", "food"]


@pytest.mark.requirement("DECL-04", "NAME-03")
def test_prompts_with_one_name_or_with_inputs_that_are_no_text_fail_the_build():
    app = agency()
    app.prompt("plan", handler=lambda: "plan")
    app.prompt("Plan", handler=lambda: "plan")
    app.prompt("two words", handler=lambda: "plan")
    app.prompt("afford_plan", handler=lambda: "plan")

    def travel(trips: list[Trip]) -> str:
        return str(trips)

    app.prompt("travel", handler=travel)
    app.prompt("known", handler=lambda city: city, complete={"city": ["Oslo"]})  # type: ignore[dict-item]
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert sorted(item.code for item in failed.value.diagnostics) == ["DEC101", "DEC102", "DEC103", "RES103", "RES103"]
    built = agency()
    built.build()
    with pytest.raises(DeclarationError):
        built.prompt("late", handler=lambda: "late")


async def test_a_prompt_takes_one_model_apart_into_arguments():
    app = agency()

    def travel(trip: Trip) -> str:
        return f"To {trip.city}"

    app.prompt("travel", handler=travel)
    assert (await filled(app, "travel", {"city": "Oslo"}))[0]["content"]["text"] == "To Oslo"


async def test_clients_hear_of_another_list_of_prompts_and_not_of_the_same_one():
    app = agency()
    guests = ["ann"]
    app.prompt("plan", handler=lambda: "plan", access=lambda caller: caller.id in guests)
    app.prompt("open", handler=lambda: "open")
    told = ("notifications/prompts/list_changed", None)
    async with listening(app, as_=Principal("ben"), promptsListChanged=True) as client:
        app.changes.announce(Change(ChangeKind.PROMPTS))
        app.changes.announce(Change(ChangeKind.TOOLS))
        guests.append("ben")
        app.changes.announce(Change(ChangeKind.PROMPTS))
        assert await client.next() == told
        guests.clear()
        app.changes.announce(Change(ChangeKind.PROMPTS))
        assert await client.next() == told
        assert client.waiting == 0


async def test_a_name_that_is_no_text_is_a_protocol_error():
    app = agency()
    app.prompt("plan", handler=lambda: "plan")
    for name in (None, 7, ["plan"]):
        assert (await refused(app, name))["code"] == -32602
    async with served(app.asgi()) as http:
        assert (await ask(http, "prompts/get", {})).json()["error"]["code"] in (-32602, -32020)
