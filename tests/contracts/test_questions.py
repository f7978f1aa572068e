"""Questions to a person: asked before anything runs, answered once, and only for the call that they were about."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Annotated, Literal

import httpx
import jsonschema_rs
import orjson
import pytest
from pydantic import BaseModel, Field, field_validator
from tests.contracts.mcp_wire import CAN_ASK, OLDER, ask, ask_older, told
from tests.contracts.wire import served

from afford import (
    ApiKeys,
    App,
    Ask,
    Caller,
    CatalogError,
    Choices,
    Door,
    Page,
    PageRequest,
    Paging,
    Principal,
    Surface,
    anyone,
)
from afford.execute.tickets import LIFETIME, Tickets
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.lane import Lane
from afford.surfaces.mcp.protocol import Era, Incoming, ProtocolError
from afford.testing import client

ANN = {"authorization": "Bearer ann-key-1"}
BEN = {"authorization": "Bearer ben-key-1"}


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


class Address(BaseModel):
    street: Annotated[str, Field(min_length=2, description="Street and number.")]
    floor: Annotated[int, Field(ge=0, le=99)] = 0

    @field_validator("street")
    @classmethod
    def _is_no_box(cls, street: str) -> str:
        if street.startswith("PO"):
            raise ValueError("a parcel fits into no box")
        return street


class Consent(BaseModel):
    sure: bool


class Everything(BaseModel):
    text: str = "John"
    number: float = 9.5
    kind: Literal["a", "b"] = "a"
    size: Size | None = None
    several: list[Literal["x", "y"]] = []


class Sent:
    """What a shop has sent, as its handlers say it."""

    def __init__(self) -> None:
        self.parcels: list[str] = []

    def send(self, parcel: str) -> str:
        self.parcels.append(parcel)
        return parcel


def shop(sent: Sent | None = None) -> App:
    keys = ApiKeys({"ann-key-1": Principal("ann"), "ben-key-1": Principal("ben")})
    app = App("shop", access=anyone(), authenticate=keys, secret="a secret of the tests")
    log = sent or Sent()

    @app.action(description="Send an order.")
    async def send(
        order: int,
        address: Annotated[Address, Ask("Where should {count} of order {order} be sent?")],
        count: int = 1,
    ) -> str:
        return log.send(f"{count} of {order} to {address.street}, floor {address.floor}")

    @app.action(description="Return an order.")
    async def give_back(order: int, address: Annotated[Address, Ask("Where is it?")]) -> str:
        return log.send(f"{order} from {address.street}")

    @app.action(description="Cancel an order.")
    def cancel(
        order: int,
        consent: Annotated[Consent, Ask("Cancel {order}?")],
        address: Annotated[Address, Ask("Refund where?")],
    ) -> str:
        return log.send(f"{order} {consent.sure} {address.street}")

    return app


def answered(**content: object) -> dict[str, object]:
    return {"action": "accept", "content": content}


async def call(http: httpx.AsyncClient, name: str, arguments: dict[str, object], **more: object) -> dict[str, object]:
    """A modern call by a client that can ask; the whole JSON-RPC response."""
    params = {"name": name, "arguments": arguments, **{key: more[key] for key in more if key != "headers"}}
    headers: dict[str, str] = more.get("headers", {})  # type: ignore[assignment]
    return (await ask(http, "tools/call", params, capabilities=CAN_ASK, **headers)).json()


def asked(response: dict[str, object]) -> tuple[dict[str, dict[str, object]], str]:
    """What a result asks, by name of the question, and its state."""
    result = response["result"]
    assert result["resultType"] == "input_required", result
    assert {request["method"] for request in result["inputRequests"].values()} == {"elicitation/create"}
    state = result["requestState"]
    assert isinstance(state, str)
    assert state
    return {name: request["params"] for name, request in result["inputRequests"].items()}, state


# Asking


@pytest.mark.requirement("ASK-01")
async def test_a_modern_client_is_answered_with_the_question_and_calls_again_with_the_answer():
    sent = Sent()
    async with served(shop(sent).asgi()) as http:
        questions, state = asked(await call(http, "send", {"order": 7}))
        assert sent.parcels == []
        reply = {"address": answered(street="Elm 1", floor=2)}
        done = await call(http, "send", {"order": 7}, inputResponses=reply, requestState=state)
    assert questions == {
        "address": {
            "mode": "form",
            "message": "Where should 1 of order 7 be sent?",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "street": {"type": "string", "minLength": 2, "description": "Street and number."},
                    "floor": {"type": "integer", "minimum": 0, "maximum": 99, "default": 0},
                },
                "required": ["street"],
            },
        }
    }
    assert done["result"]["resultType"] == "complete"
    assert done["result"]["structuredContent"] == {"result": "1 of 7 to Elm 1, floor 2"}
    assert sent.parcels == ["1 of 7 to Elm 1, floor 2"]


async def older(
    app: App,
    arguments: dict[str, object],
    reply: Callable[[dict[str, object]], Awaitable[dict[str, object]]] | None,
    name: str = "send",
) -> dict[str, object]:
    """A call over the lane of the handshake revisions, whose client may be asked while the call waits."""
    runtime = app.runtime()
    await runtime.start()
    params = {"name": name, "arguments": arguments}
    incoming = Incoming(id=1, method="tools/call", params=params, era=Era.HANDSHAKE, version=OLDER)  # type: ignore[arg-type]
    exchange = Exchange(caller=Caller(None, Door.AGENT, Surface.MCP), ask=reply)  # type: ignore[arg-type]
    try:
        return orjson.loads(await Lane(runtime).answer(incoming, exchange))
    finally:
        await runtime.stop()


@pytest.mark.requirement("ASK-01")
async def test_an_older_client_is_asked_one_question_after_the_other_while_the_call_waits():
    sent = Sent()
    messages: list[object] = []

    async def reply(params: dict[str, object]) -> dict[str, object]:
        messages.append(params["message"])
        assert sent.parcels == []
        return answered(sure=True) if len(messages) == 1 else answered(street="Elm 1")

    result = await older(shop(sent), {"order": 7}, reply, "cancel")
    assert messages == ["Cancel 7?", "Refund where?"]
    assert result["structuredContent"] == {"result": "7 True Elm 1"}
    assert sent.parcels == ["7 True Elm 1"]


@pytest.mark.requirement("ASK-01")
async def test_several_questions_are_put_together_and_may_be_answered_in_several_rounds():
    sent = Sent()
    async with served(shop(sent).asgi()) as http:
        questions, first = asked(await call(http, "cancel", {"order": 7}))
        assert list(questions) == ["consent", "address"]
        reply = {"consent": answered(sure=False)}
        questions, second = asked(await call(http, "cancel", {"order": 7}, inputResponses=reply, requestState=first))
        assert list(questions) == ["address"]
        assert second != first
        reply = {"address": answered(street="Elm 1")}
        done = await call(http, "cancel", {"order": 7}, inputResponses=reply, requestState=second)
        assert done["result"]["structuredContent"] == {"result": "7 False Elm 1"}
        together = {"consent": answered(sure=True), "address": answered(street="Oak 2"), "more": answered()}
        _, third = asked(await call(http, "cancel", {"order": 8}))
        done = await call(http, "cancel", {"order": 8}, inputResponses=together, requestState=third)
    assert done["result"]["structuredContent"] == {"result": "8 True Oak 2"}
    assert sent.parcels == ["7 False Elm 1", "8 True Oak 2"]


@pytest.mark.requirement("ASK-01")
async def test_the_message_holds_the_arguments_as_they_were_sent_and_nothing_out_of_them():
    app = App("shop", access=anyone())

    @app.action(description="Send.")
    async def send(
        to: str,
        parts: list[int],
        consent: Annotated[Consent, Ask("Send {parts} to {to}, {fast}? {{to}} {to")],
        fast: bool = False,  # noqa: FBT001, FBT002 - an argument
    ) -> str:
        return to

    async with served(app.asgi()) as http:
        questions, _ = asked(await call(http, "send", {"to": "{fast} {parts}", "parts": [1, 2]}))
        long_questions, _ = asked(await call(http, "send", {"to": "x" * 100_000, "parts": []}))
    assert questions["consent"]["message"] == "Send [1,2] to {fast} {parts}, false? {{fast} {parts}} {to"
    assert len(long_questions["consent"]["message"]) < 3000


@pytest.mark.requirement("ASK-01")
async def test_a_form_says_only_what_the_protocol_lets_a_form_say():
    app = App("shop", access=anyone())

    @app.action(description="Ask everything.")
    async def everything(form: Annotated[Everything, Ask("Please check.")]) -> str:
        return form.model_dump_json()

    async with served(app.asgi()) as http:
        questions, state = asked(await call(http, "everything", {}))
        reply = {"form": answered(size="large", several=["y"])}
        done = await call(http, "everything", {}, inputResponses=reply, requestState=state)
    assert questions["form"]["requestedSchema"] == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "default": "John"},
            "number": {"type": "number", "default": 9.5},
            "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "size": {"type": "string", "enum": ["small", "large"]},
            "several": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}, "default": []},
        },
    }
    answer = json.loads(done["result"]["structuredContent"]["result"])
    assert answer == {"text": "John", "number": 9.5, "kind": "a", "size": "large", "several": ["y"]}


@pytest.mark.requirement("ASK-01")
async def test_tools_documents_and_prompts_ask_like_operations():
    app = App("shop", access=anyone())

    def labelled(label: str, consent: Annotated[Consent, Ask("Show {label}?")]) -> str:
        return f"{label}: {consent.sure}"

    app.tool("label", handler=labelled, description="Label.")
    app.resource("label", name="Label", read=labelled, uri_template="label://{label}")
    app.prompt("label", handler=labelled)
    requests = (
        ("tools/call", {"name": "label", "arguments": {"label": "a"}}),
        ("resources/read", {"uri": "label://a"}),
        ("prompts/get", {"name": "label", "arguments": {"label": "a"}}),
    )
    async with served(app.asgi()) as http:
        for method, params in requests:
            questions, state = asked((await ask(http, method, params, capabilities=CAN_ASK)).json())
            assert questions["consent"]["message"] == "Show a?"
            more = {"inputResponses": {"consent": answered(sure=True)}, "requestState": state}
            done = await ask(http, method, {**params, **more}, capabilities=CAN_ASK)
            assert "a: True" in done.text
            assert done.json()["result"]["resultType"] == "complete"


async def test_a_page_is_asked_for_and_followed_with_a_question_in_between():
    app = App("shop", access=anyone())

    @app.query(description="List.", paging=Paging(default=1, max=3))
    async def orders(page: PageRequest[int], consent: Annotated[Consent, Ask("List?")]) -> Page[int]:
        start = page.after or 0
        return Page(list(range(start, start + page.limit)), next=start + page.limit)

    reply = {"consent": answered(sure=True)}
    async with served(app.asgi()) as http:
        _, state = asked(await call(http, "orders", {"limit": 2}))
        more = {"inputResponses": reply, "requestState": state}
        first = await call(http, "orders", {"limit": 2}, **more)
        cursor = first["result"]["structuredContent"]["next_cursor"]
        second = await call(http, "orders", {"limit": 2, "cursor": cursor}, **more)
    assert second["result"]["structuredContent"]["rows"] == [2, 3]


# Not asking


@pytest.mark.requirement("ASK-01")
async def test_arguments_are_judged_before_anybody_is_asked():
    async def never(_params: dict[str, object]) -> dict[str, object]:
        raise AssertionError("nobody is to be asked")

    async with served(shop().asgi()) as http:
        modern = told((await call(http, "send", {"order": "7"}))["result"])
    assert modern["code"] == told(await older(shop(), {"order": "7"}, never))["code"] == "bad_request"
    assert [item["pointer"] for item in modern["errors"]] == ["/order"]


@pytest.mark.requirement("ASK-02")
@pytest.mark.parametrize("capabilities", [{}, {"sampling": {}}, {"elicitation": {"url": {}}}, {"elicitation": True}])
async def test_a_modern_client_that_cannot_ask_is_told_what_it_lacks(capabilities: dict[str, object]):
    sent = Sent()
    async with served(shop(sent).asgi()) as http:
        params = {"name": "send", "arguments": {"order": 7}}
        answer = await ask(http, "tools/call", params, capabilities=capabilities)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32021)
    assert error["data"]["requiredCapabilities"] == {"elicitation": {}}
    assert error["data"]["error"]["code"] == "input_required"
    assert sent.parcels == []


@pytest.mark.requirement("ASK-02")
@pytest.mark.parametrize("capability", [{}, {"form": {}}, {"form": {}, "url": {}}])
async def test_a_client_says_in_several_ways_that_it_shows_forms(capability: dict[str, object]):
    async with served(shop().asgi()) as http:
        params = {"name": "send", "arguments": {"order": 7}}
        answer = await ask(http, "tools/call", params, capabilities={"elicitation": capability})
    asked(answer.json())


@pytest.mark.requirement("ASK-02")
async def test_an_older_client_that_cannot_be_asked_gets_a_failed_result_and_http_a_428():
    sent = Sent()
    failed = told(await older(shop(sent), {"order": 7}, None))
    async with served(shop(sent).asgi()) as http:
        plain = (await ask_older(http, "tools/call", {"name": "send", "arguments": {"order": 7}})).json()["result"]
        web = await http.post("/send", json={"order": 7})
        wrong = await http.post("/send", json={"order": 7, "address": {"street": "Elm 1"}})
    assert failed["code"] == told(plain)["code"] == "input_required"
    assert (web.status_code, web.json()["code"]) == (428, "input_required")
    assert "Where should 1 of order 7 be sent?" in web.json()["detail"]
    # An answer is no argument: nobody answers for the person.
    assert (wrong.status_code, wrong.json()["errors"][0]["code"]) == (400, "unknown_argument")
    async with client(shop(sent)) as caller:
        assert (await caller.call("send", order=7)).code == "input_required"
    assert sent.parcels == []


@pytest.mark.requirement("ASK-01")
@pytest.mark.parametrize(("action", "code"), [("decline", "declined"), ("cancel", "cancelled")])
async def test_a_person_who_says_no_is_heard_in_both_eras(action: str, code: str):
    sent = Sent()

    async def reply(_params: dict[str, object]) -> dict[str, object]:
        return {"action": action}

    async with served(shop(sent).asgi()) as http:
        _, state = asked(await call(http, "send", {"order": 7}))
        replies = {"address": {"action": action, "content": {"street": "Elm 1"}}}
        done = await call(http, "send", {"order": 7}, inputResponses=replies, requestState=state)
    assert told(done["result"])["code"] == told(await older(shop(sent), {"order": 7}, reply))["code"] == code
    assert sent.parcels == []


@pytest.mark.requirement("ASK-01")
async def test_a_no_to_a_prompt_or_a_document_is_a_coded_error_of_the_callers():
    app = App("shop", access=anyone())

    def labelled(consent: Annotated[Consent, Ask("Show?")]) -> str:
        return f"{consent.sure}"

    app.resource("label", name="Label", read=labelled, uri="label://it")
    app.prompt("label", handler=labelled)
    async with served(app.asgi()) as http:
        for action, code in (("decline", "declined"), ("cancel", "cancelled")):
            for method, params in (("resources/read", {"uri": "label://it"}), ("prompts/get", {"name": "label"})):
                question = (await ask(http, method, params, capabilities=CAN_ASK)).json()
                more = {"inputResponses": {"consent": {"action": action}}, "requestState": asked(question)[1]}
                answer = (await ask(http, method, {**params, **more}, capabilities=CAN_ASK)).json()["error"]
                assert (answer["code"], answer["data"]["error"]["code"]) == (-32602, code)


# Answers


@pytest.mark.requirement("ASK-01", "ERR-03")
@pytest.mark.parametrize(
    ("content", "faults"),
    [
        ({}, {"/address/street": "missing"}),
        ({"street": 7}, {"/address/street": "wrong_type"}),
        ({"street": "E", "floor": 100}, {"/address/street": "wrong_length", "/address/floor": "out_of_range"}),
        ({"street": "Elm 1", "flor": 1}, {"/address/flor": "unknown_argument"}),
        ({"street": "PO 1"}, {"/address/street": "rule"}),
        ({"street": "Elm 1", "floor": None}, {"/address/floor": "wrong_type"}),
    ],
)
async def test_an_answer_outside_its_form_is_refused_by_question_and_field(
    content: dict[str, object], faults: dict[str, str]
):
    sent = Sent()

    async def reply(_params: dict[str, object]) -> dict[str, object]:
        return {"action": "accept", "content": content}

    async with served(shop(sent).asgi()) as http:
        _, state = asked(await call(http, "send", {"order": 7}))
        replies = {"address": {"action": "accept", "content": content}}
        done = await call(http, "send", {"order": 7}, inputResponses=replies, requestState=state)
    for failed in (told(done["result"]), told(await older(shop(sent), {"order": 7}, reply))):
        assert failed["code"] == "bad_request"
        assert {item["pointer"]: item["code"] for item in failed["errors"]} == faults
    assert sent.parcels == []


@pytest.mark.requirement("ASK-03")
@pytest.mark.parametrize(
    "more",
    [
        {"inputResponses": []},
        {"inputResponses": None},
        {"inputResponses": {"address": "Elm 1"}},
        {"inputResponses": {"address": {"action": "agree"}}},
        {"inputResponses": {"address": {"content": {"street": "Elm 1"}}}},
        {"inputResponses": {"address": {"action": "accept", "content": "Elm 1"}}},
        {"requestState": 7},
        {"requestState": ""},
        {"requestState": "x" * 100_000},
        {"requestState": "köy"},
        {"requestState": "YWJj"},
    ],
)
async def test_malformed_answers_and_forged_states_are_protocol_errors(more: dict[str, object]):
    sent = Sent()
    async with served(shop(sent).asgi()) as http:
        response = await call(http, "send", {"order": 7}, **more)
    assert response["error"]["code"] == -32602
    assert sent.parcels == []


@pytest.mark.requirement("ASK-03")
async def test_a_state_that_was_tampered_with_is_refused_wherever_it_was_touched():
    sent = Sent()
    reply = {"address": answered(street="Elm 1")}
    async with served(shop(sent).asgi()) as http:
        _, state = asked(await call(http, "send", {"order": 7}))
        middle = len(state) // 2
        swapped = "A" if state[middle] != "A" else "B"
        for forged in (
            f"{state}x",
            state[:-2],
            f"{state[:middle]}{swapped}{state[middle + 1 :]}",
            f"A{state}",
            state.upper(),
        ):
            response = await call(http, "send", {"order": 7}, inputResponses=reply, requestState=forged)
            assert response["error"]["code"] == -32602
    assert sent.parcels == []


@pytest.mark.requirement("ASK-03")
@pytest.mark.parametrize(
    ("name", "arguments", "headers"),
    [
        ("send", {"order": 8}, ANN),
        ("send", {"order": 7, "count": 2}, ANN),
        ("give_back", {"order": 7}, ANN),
        ("send", {"order": 7}, BEN),
        ("send", {"order": 7}, {}),
    ],
)
async def test_the_state_of_another_call_or_caller_asks_again(
    name: str, arguments: dict[str, object], headers: dict[str, str]
):
    sent = Sent()
    reply = {"address": answered(street="Elm 1")}
    async with served(shop(sent).asgi()) as http:
        _, state = asked(await call(http, "send", {"order": 7}, headers=ANN))
        again = await call(http, name, arguments, inputResponses=reply, requestState=state, headers=headers)
        questions, fresh = asked(again)
        assert list(questions) == ["address"]
        done = await call(http, name, arguments, inputResponses=reply, requestState=fresh, headers=headers)
    assert done["result"]["isError"] is False
    assert len(sent.parcels) == 1


@pytest.mark.requirement("ASK-03")
async def test_an_expired_state_asks_again():
    sent = Sent()
    reply = {"address": answered(street="Elm 1")}
    now = 1_000_000.0
    surface = shop(sent).asgi()
    async with served(surface) as http:
        (await surface.runtime()).tickets = Tickets(b"secret", clock=lambda: now)
        _, state = asked(await call(http, "send", {"order": 7}))
        now += LIFETIME + 1
        _, fresh = asked(await call(http, "send", {"order": 7}, inputResponses=reply, requestState=state))
        assert sent.parcels == []
        now += LIFETIME - 1
        done = await call(http, "send", {"order": 7}, inputResponses=reply, requestState=fresh)
    assert done["result"]["isError"] is False
    assert len(sent.parcels) == 1


@pytest.mark.requirement("ASK-03")
async def test_sending_a_default_or_leaving_it_out_is_the_same_call():
    sent = Sent()
    async with served(shop(sent).asgi()) as http:
        _, state = asked(await call(http, "send", {"order": 7}))
        reply = {"address": answered(street="Elm 1")}
        done = await call(http, "send", {"count": 1, "order": 7}, inputResponses=reply, requestState=state)
    assert done["result"]["isError"] is False


@pytest.mark.requirement("ASK-03")
async def test_workers_with_one_secret_take_each_others_states_and_others_do_not():
    sent = Sent()
    reply = {"address": answered(street="Elm 1")}
    async with served(shop(sent).asgi()) as one, served(shop(sent).asgi()) as other:
        _, state = asked(await call(one, "send", {"order": 7}))
        done = await call(other, "send", {"order": 7}, inputResponses=reply, requestState=state)
    assert done["result"]["isError"] is False
    stranger = App("shop", access=anyone())
    for operation in shop(sent).declarations.operations:
        stranger.declarations.operations.append(operation)
    async with served(stranger.asgi()) as http:
        refused = await call(http, "send", {"order": 7}, inputResponses=reply, requestState=state)
    assert refused["error"]["code"] == -32602
    assert len(sent.parcels) == 1


async def test_what_an_older_client_answers_outside_the_protocol_is_an_error_and_nothing_runs():
    sent = Sent()

    async def reply(_params: dict[str, object]) -> dict[str, object]:
        return {"action": "perhaps"}

    with pytest.raises(ProtocolError) as failed:
        await older(shop(sent), {"order": 7}, reply)
    assert failed.value.code == -32602
    assert sent.parcels == []


async def test_what_a_person_answered_is_in_no_schema_and_no_argument():
    app = shop()
    async with served(app.asgi()) as http:
        tools = (await ask(http, "tools/list")).json()["result"]["tools"]
    published = {item["name"]: item["inputSchema"] for item in tools}
    assert list(published["send"]["properties"]) == ["order", "count"]
    assert not jsonschema_rs.is_valid(published["send"], {"order": 7, "address": {"street": "Elm 1"}})


# Declaring


class Nested(BaseModel):
    address: Address


class Derived(BaseModel):
    topic: Annotated[str, Choices(lambda: ["art"])]


@pytest.mark.requirement("BUILD-10")
@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Nested, "Where?"),
        (Derived, "Which?"),
        (str, "What?"),
        (Address, " "),
        (Address, "Where should {ordr} go?"),
    ],
)
def test_a_question_that_no_form_can_put_fails_the_build(model: type, message: str):
    app = App("shop", access=anyone())

    async def send(order: int, answer: object) -> str:
        return f"{order} {answer}"

    send.__annotations__["answer"] = Annotated[model, Ask(message)]
    app.action(description="Send.")(send)
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert [item.code for item in failed.value.diagnostics] == ["ASK101"]


@pytest.mark.requirement("DECL-05")
def test_what_is_computed_once_for_everybody_asks_nobody():
    app = App("shop", access=anyone())

    @app.static(description="Rules.")
    async def rules(consent: Annotated[Consent, Ask("Sure?")]) -> str:
        return f"{consent.sure}"

    with pytest.raises(CatalogError) as failed:
        app.build()
    assert [item.code for item in failed.value.diagnostics] == ["DEC110"]
