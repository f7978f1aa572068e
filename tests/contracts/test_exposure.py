"""What agents may see at all: description and `expose`, the hints beside them, and the words that are published."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import httpx
import pytest
from tests.contracts.links import Over, client

from afford import Agent, App, Caller, Door, Kind, Principal, Surface, anyone, roles, signed_in
from afford.errors import JsonObject
from afford.manifest import Operation

KindWord = Literal["query", "static", "action", "event"]
KINDS: tuple[KindWord, ...] = ("query", "static", "action", "event")
READS: tuple[KindWord, ...] = ("query", "static")
WRITES: tuple[KindWord, ...] = ("action", "event")

ADMIN = Principal("ada", ["admin"])


async def read() -> int:
    return 1


async def write() -> None: ...


def app_with(kind: KindWord, **options: object) -> App:
    """An app with one operation called `it`, open to everybody unless the options say otherwise."""
    app = App("widgets", roles=("admin", "user"))
    declare(app, kind, "it", **options)
    return app


def declare(app: App, kind: KindWord, id: str, **options: object) -> None:
    handler: Callable[..., object] = read if kind in READS else write
    options.setdefault("access", anyone())
    getattr(app, kind)(id=id, **options)(handler)


def listed(app: App, caller: Caller | None = None) -> dict[str, Operation]:
    return {operation.id: operation for operation in app.manifest(caller).operations}


def names(app: App, caller: Caller | None = None) -> set[str]:
    return set(listed(app, caller))


@pytest.mark.requirement("EXPO-01", "KUM-01", "DECL-01", "FRAME-07")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"description": ""}, {"description": " \n\t"}, {"agent": {"risk": "low"}}])
def test_without_text_and_without_expose_agents_do_not_see_it(kind: KindWord, options: dict[str, object]) -> None:
    assert names(app_with(kind, **options)) == set()


@pytest.mark.requirement("EXPO-02", "KUM-02")
@pytest.mark.parametrize("kind", KINDS)
def test_a_description_alone_exposes(kind: KindWord) -> None:
    assert listed(app_with(kind, description=" Counts.  "))["it"].agent_description == "Counts."


@pytest.mark.requirement("EXPO-02")
@pytest.mark.parametrize("kind", KINDS)
def test_a_text_for_agents_alone_exposes(kind: KindWord) -> None:
    assert listed(app_with(kind, agent={"description": "Counts."}))["it"].agent_description == "Counts."


@pytest.mark.requirement("EXPO-03", "KUM-03")
@pytest.mark.parametrize("kind", KINDS)
async def test_expose_without_text_publishes_an_empty_description(kind: KindWord, over: Over) -> None:
    async with client(app_with(kind, agent={"expose": True}), over=over) as caller:
        (operation,) = operations_of(await caller.manifest())
        assert operation["description"] == ""
        assert (await caller.call("it")).code == "ok"


@pytest.mark.requirement("EXPO-04", "KUM-04")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("agent", [{"expose": False}, {"expose": False, "description": "Counts."}])
def test_expose_false_hides_in_spite_of_a_text(kind: KindWord, agent: dict[str, object]) -> None:
    app = app_with(kind, description="Internal, not for agents.", agent=agent)
    assert names(app) == set()
    assert names(app, Caller(door=Door.APP)) == {"it"}


@pytest.mark.requirement("EXPO-05")
@pytest.mark.parametrize("agent", [None, {"expose": True}])
def test_an_exposed_operation_appears_only_for_callers_whom_its_rule_allows(agent: dict[str, object] | None) -> None:
    app = app_with("query", description="Counts.", access=roles("admin"), agent=agent)
    assert names(app, Caller(ADMIN)) == {"it"}
    assert names(app, Caller(Principal("eve", ["user"]))) == set()
    assert names(app) == set()


@pytest.mark.requirement("EXPO-05")
def test_being_allowed_does_not_expose() -> None:
    app = app_with("action", access=roles("admin"))
    assert names(app, Caller(ADMIN)) == set()
    assert names(app, Caller(ADMIN, Door.APP)) == {"it"}


@pytest.mark.requirement("EXPO-06", "KUM-08", "KUM-09")
@pytest.mark.parametrize(
    "hints",
    [
        {"expose": True, "risk": "high"},
        {"expose": True, "safety": "destructive"},
        {"expose": False, "description": "For agents."},
        {"title": "Count", "description": "For agents.", "tags": ["b", "a"], "surfaces": ["http"]},
        {"expose": True, "idempotent": True, "open_world": True},
        {},
    ],
)
def test_hints_mean_the_same_as_a_mapping_and_as_an_agent(hints: dict[str, object]) -> None:
    forms: list[Mapping[str, object] | Agent] = [hints, Agent(**hints)]  # type: ignore[arg-type]
    first, second = (app_with("action", description="Counts.", agent=form).build().operations["it"] for form in forms)
    for name in Operation.__dataclass_fields__:
        if name not in ("access", "location"):
            assert getattr(first, name) == getattr(second, name), name


@pytest.mark.requirement("KUM-08")
async def test_hints_of_the_mapping_form_reach_the_served_manifest() -> None:
    hints = {"expose": True, "risk": "high", "safety": "destructive", "description": "For agents."}
    async with client(app_with("action", agent=hints), over="http") as caller:
        (operation,) = operations_of(await caller.manifest())
    assert [operation[key] for key in ("risk", "safety", "description")] == ["high", "destructive", "For agents."]


@pytest.mark.requirement("RISK-01", "KUM-05")
@pytest.mark.parametrize("kind", KINDS)
def test_without_a_stated_risk_reads_are_low_and_writes_mid(kind: KindWord) -> None:
    assert listed(app_with(kind, description="Counts."))["it"].risk == ("low" if kind in READS else "mid")


@pytest.mark.requirement("RISK-01")
@pytest.mark.parametrize("kind", WRITES)
def test_without_a_stated_risk_destructive_operations_are_high(kind: KindWord) -> None:
    app = app_with(kind, description="Deletes.", safety="destructive")
    assert listed(app)["it"].risk == "high"


@pytest.mark.requirement("RISK-02", "KUM-06", "KUM-07")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("risk", ["low", "mid", "high"])
@pytest.mark.parametrize("expose", [None, True, False])
@pytest.mark.parametrize("description", ["", "Counts."])
def test_a_stated_risk_is_kept_and_touches_no_exposure(
    kind: KindWord, risk: str, *, expose: bool | None, description: str
) -> None:
    options: dict[str, object] = {"description": description, "agent": {"expose": expose}}
    app = app_with(kind, risk=risk, **options)
    assert app.build().operations["it"].risk == risk
    assert names(app) == names(app_with(kind, **options))


@pytest.mark.requirement("RISK-02")
def test_the_risk_beside_the_hints_wins_over_the_one_inside() -> None:
    app = app_with("action", description="Counts.", risk="high", agent={"risk": "low"})
    assert listed(app)["it"].risk == "high"


@pytest.mark.requirement("SAFE-01")
@pytest.mark.parametrize("kind", KINDS)
def test_safety_is_inferred_from_the_kind(kind: KindWord) -> None:
    operation = listed(app_with(kind, description="Counts."))["it"]
    assert operation.safety == ("read" if kind in READS else "action")
    assert operation.kind is Kind(kind)


@pytest.mark.requirement("SAFE-02")
@pytest.mark.parametrize("kind", WRITES)
@pytest.mark.parametrize("safety", ["read", "action", "destructive"])
@pytest.mark.parametrize("inside", [False, True])
def test_a_stated_safety_wins_over_the_inferred_one(kind: KindWord, safety: str, *, inside: bool) -> None:
    options: dict[str, object] = {"agent": {"safety": safety}} if inside else {"safety": safety}
    assert listed(app_with(kind, description="Counts.", **options))["it"].safety == safety


@pytest.mark.requirement("DECL-01", "CASE-K01")
async def test_an_unexposed_operation_and_a_plain_helper_are_on_no_list_and_answer_like_no_name() -> None:
    app = App("bank")

    @app.query(access=anyone())
    async def balance(id: int) -> int:
        return id

    def wipe(id: int) -> int:
        return balance.__code__.co_argcount + id

    @app.query(access=anyone(), description="Tells the exchange rate.")
    async def rate() -> float:
        return wipe(1)

    transport = httpx.ASGITransport(app=app.asgi())  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        catalog = (await http.get("/schema")).json()
        assert [item["name"] for item in catalog["queries"]] == ["rate"]
        assert catalog["actions"] == []
        assert list((await http.get("/openapi.json")).json()["paths"]) == ["/rate"]
        assert [item["name"] for item in (await http.get("/manifest")).json()["operations"]] == ["rate"]
        never = await http.get("/nosuch")
        for path in ("/balance", "/wipe", "/balance?id=1", "/balance?id=x", "/balance?foo=1"):
            for method in ("GET", "POST", "PUT"):
                answer = await http.request(method, path)
                assert (answer.status_code, answer.content) == (404, never.content)
                assert answer.headers == never.headers


@pytest.mark.requirement("CASE-K02", "DECL-09")
def test_an_operation_kept_to_one_surface_is_offered_there_alone() -> None:
    app = App("widgets")
    declare(app, "query", "a", description="On MCP.", agent={"surfaces": ["mcp"]})
    declare(app, "query", "b", description="On HTTP.", agent={"surfaces": ["http"]})
    declare(app, "query", "c", description="On both.", agent={"surfaces": ["http", "mcp"]})
    declare(app, "query", "d", description="Anywhere.")
    declare(app, "query", "e", description="Nowhere.", agent={"surfaces": []})
    offered = {surface.value: names(app, Caller(surface=surface)) for surface in Surface}
    assert offered == {"mcp": {"a", "c", "d"}, "http": {"b", "c", "d"}, "webmcp": {"d"}, "cli": {"d"}}
    assert names(app, Caller(door=Door.APP)) == {"a", "b", "c", "d", "e"}


@pytest.mark.requirement("CASE-K02", "DECL-09")
async def test_an_operation_kept_to_mcp_is_unknown_over_http() -> None:
    app = app_with("query", description="On MCP.", agent={"surfaces": ["mcp"]})
    declare(app, "query", "other", description="On HTTP.")
    async with client(app, over="http") as caller:
        assert await caller.names() == ["other"]
        assert (await caller.call("it")).error == (await caller.call("xyz")).error


@pytest.mark.requirement("CASE-K08")
async def test_risk_and_safety_are_published_for_every_operation_stated_or_not() -> None:
    app = App("orders")

    @app.action(access=anyone(), description="Deletes an order.")
    async def delete_order(order_id: int) -> None: ...

    declare(app, "query", "orders", description="Lists orders.")
    declare(app, "event", "ping", description="Pings.", risk="low")
    declare(app, "action", "wipe", description="Deletes all.", safety="destructive")
    async with client(app, over="http") as caller:
        published = {item["name"]: (item["risk"], item["safety"]) for item in operations_of(await caller.manifest())}
    assert published == {
        "delete_order": ("mid", "action"),
        "orders": ("low", "read"),
        "ping": ("low", "action"),
        "wipe": ("high", "destructive"),
    }


@pytest.mark.requirement("DECL-07")
@pytest.mark.parametrize(("door", "text"), [("agent", "Call this first."), ("app", "Counts.")])
async def test_the_text_for_agents_is_told_to_agents_and_to_nobody_else(
    door: Literal["agent", "app"], text: str
) -> None:
    app = app_with("query", description="Counts.", agent={"description": "Call this first."})
    transport = httpx.ASGITransport(app=app.asgi(door=door))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        assert (await http.get("/manifest")).json()["operations"][0]["description"] == text
        assert (await http.get("/schema")).json()["queries"][0]["description"] == text
        assert (await http.get("/openapi.json")).json()["paths"]["/it"]["get"]["description"] == text


@pytest.mark.requirement("DECL-07")
def test_a_blank_text_for_agents_leaves_them_the_operation_s_own() -> None:
    app = app_with("query", description="Counts.", agent={"description": "  "})
    assert listed(app)["it"].agent_description == "Counts."


@pytest.mark.requirement("DECL-08")
@pytest.mark.parametrize("door", [Door.AGENT, Door.APP])
@pytest.mark.parametrize("switch", [False, lambda: False])
def test_a_disabled_operation_is_offered_on_no_door(door: Door, *, switch: bool | Callable[[], bool]) -> None:
    app = app_with("query", description="Counts.", enabled=switch)
    assert names(app, Caller(ADMIN, door)) == set()


@pytest.mark.requirement("DECL-08")
def test_a_switch_is_asked_each_time_and_only_true_is_on() -> None:
    state: list[object] = [False]
    app = app_with("query", description="Counts.", enabled=lambda: state[0])
    answers = []
    for value in (False, True, 1, "yes", None, True):
        state[0] = value
        answers.append(names(app) == {"it"})
    assert answers == [False, True, False, False, False, True]


@pytest.mark.requirement("DECL-08")
def test_a_switch_that_raises_is_off(caplog: pytest.LogCaptureFixture) -> None:
    def switch() -> bool:
        raise RuntimeError("the flag service is away")

    app = app_with("query", description="Counts.", enabled=switch)
    assert names(app) == set()
    assert "the switch of it raised" in caplog.text


@pytest.mark.requirement("DECL-08")
@pytest.mark.parametrize("door", [Door.AGENT, Door.APP])
def test_a_denied_operation_is_offered_on_no_door(door: Door) -> None:
    app = App("widgets", deny=["it"])
    declare(app, "action", "it", description="Counts.", agent={"expose": True})
    declare(app, "action", "other", description="Counts.")
    assert names(app, Caller(ADMIN, door)) == {"other"}


@pytest.mark.requirement("DECL-08")
async def test_a_denied_operation_cannot_be_called() -> None:
    app = App("widgets", deny=["it"])
    declare(app, "action", "it", description="Counts.", access=signed_in())
    async with client(app, as_=ADMIN, door="app") as caller:
        assert (await caller.call("it")).code == "unknown_operation"


def operations_of(manifest: JsonObject) -> list[JsonObject]:
    operations = manifest["operations"]
    assert isinstance(operations, list)
    return [item for item in operations if isinstance(item, dict)]
