"""The console's interface: who gets in, what it tells, as whom it acts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, SecretStr
from tests.contracts.wire import Exchange, connected, served

from afford import ApiKeys, App, Caller, DeclarationError, NotFoundError, Principal, anyone, claim, roles, signed_in
from afford.caller import Door, Surface
from afford.console.call_log import LONGEST_ARGUMENTS, CallLog
from afford.execute.outcome import CallRecord
from afford.serving import Development
from afford.surfaces.http.site import Site

TOKEN = "instance-token-0123456789"
KEYS = {
    "key-of-the-operator": Principal("olga", ["operator"]),
    "key-of-the-baker": Principal("ben", ["baker"]),
}


class Loaf(BaseModel):
    loaf_id: int = Field(description="The loaf's id.")


def bakery(**options: object) -> App:
    """An app with something of everything that the console shows."""
    app = App("bakery", title="Bakery", roles=["baker", "operator"], authenticate=ApiKeys(KEYS), **options)

    @app.query(description="List every loaf on the shelf, fresh or not.", access=anyone(), entity="loaf")
    def loaves() -> list[Loaf]:
        return [Loaf(loaf_id=1)]

    @app.action(description="Bake one more loaf for the shelf.", access=roles("baker"))
    def bake(caller: Caller, grams: int = 500) -> str:
        return f"{grams} g by {caller.id}"

    @app.action(description="Tell the secret of the oven to the shelf.", access=signed_in())
    def whisper(secret: SecretStr) -> None:
        raise NotFoundError("nobody listens")

    @app.query(description="What is kept for one shop alone.", access=claim("shop", "north"))
    def reserved() -> list[Loaf]:
        return []

    @app.query(access=anyone())
    def hidden() -> list[Loaf]:
        return []

    app.entity("loaf", Loaf, description="Bread.")
    app.screen("shelf", type="list", path="/shelf", description="What is there.", access=roles("baker"))
    app.nav("shelf", label="Shelf", screen="shelf")
    app.shared_state("oven", {"degrees": 20}, description="How hot the oven is.", access=anyone())
    app.tool("heat", handler=lambda: "hot", description="Heat the oven before baking.", access=roles("baker"))
    app.prompt("plan", description="Plans a day.", handler=lambda: "Plan a day.", access=anyone())
    return app


def development(
    principal: Principal | None = None, listener: Callable[[CallRecord], None] = lambda _call: None
) -> Development:
    return Development(token=TOKEN, principal=principal, mcp=True, listener=listener)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def as_developer(app: App, principal: Principal | None = None) -> AsyncIterator[httpx.AsyncClient]:
    async with served(app.asgi(development=development(principal)), **bearer(TOKEN)) as http:
        yield http


def without_trace(answer: httpx.Response) -> tuple[int, str, dict[str, str]]:
    return (
        answer.status_code,
        answer.text.replace("console/api/overview", "?").replace("no/such/path", "?"),
        {name: value for name, value in answer.headers.items() if name != "content-length"},
    )


@pytest.mark.requirement("CONS-01")
@pytest.mark.parametrize(
    "path", ["console", "console/", "console/main.js", "console/api/overview", "console/api/events"]
)
async def test_without_a_rule_the_console_is_unknown(path: str) -> None:
    async with served(bakery().asgi(), **bearer("key-of-the-operator")) as http:
        answer, unknown = await http.get(f"/{path}"), await http.get("/no/such/path")
        assert answer.status_code == unknown.status_code == 404
        assert answer.json()["code"] == unknown.json()["code"] == "unknown_operation"
        assert answer.headers.keys() == unknown.headers.keys()


@pytest.mark.requirement("CONS-01")
async def test_at_the_app_door_there_is_no_console() -> None:
    app = bakery(console=roles("operator"))
    async with served(app.asgi(door="app", development=development()), **bearer("key-of-the-operator")) as http:
        assert (await http.get("/console")).json()["code"] == "unknown_operation"


@pytest.mark.requirement("CONS-02")
@pytest.mark.parametrize("headers", [{}, bearer("key-of-the-baker")])
async def test_whom_the_rule_refuses_is_answered_as_on_an_unknown_path(headers: dict[str, str]) -> None:
    async with served(bakery(console=roles("operator")).asgi(), **headers) as http:
        refused, unknown = await http.get("/console/api/overview"), await http.get("/no/such/path")
        assert without_trace(refused) == without_trace(unknown)
        assert (await http.post("/console/api/call", json={"name": "loaves"})).status_code == 404


@pytest.mark.requirement("CONS-02")
async def test_an_operator_sees_everything_and_acts_as_nobody_else() -> None:
    async with served(bakery(console=roles("operator")).asgi(), **bearer("key-of-the-operator")) as http:
        seen = (await http.get("/console/api/operations", params={"as": "ben", "roles": "baker"})).json()
        assert "bake" in offered(seen)
        call = {"name": "bake", "surface": "http", "arguments": {}}
        others = await http.post("/console/api/call", params={"as": "ben", "roles": "baker"}, json=call)
        assert (others.status_code, others.json()["code"]) == (403, "forbidden")
        uri = {"uri": "afford://state/oven"}
        assert (await http.get("/console/api/document", params={**uri, "as": "ben"})).status_code == 403
        assert (await http.get("/console/api/document", params={**uri, "self": ""})).json()["text"] == '{"degrees":20}'
        own = (await http.post("/console/api/call", params={"self": ""}, json=call)).json()
        assert (own["ok"], own["problem"]["code"]) == (False, "unknown_operation")


@pytest.mark.requirement("CONS-02")
def test_a_console_rule_that_names_an_undeclared_role_or_is_none_is_refused() -> None:
    with pytest.raises(DeclarationError, match="chef"):
        App("bakery", roles=["baker"], console=roles("chef")).asgi()
    with pytest.raises(DeclarationError, match="console"):
        App("bakery", console=["operator"])


@pytest.mark.requirement("CONS-03")
async def test_the_token_stands_for_its_identity_everywhere() -> None:
    async with as_developer(bakery(), Principal("dev", ["baker", "no-such-role"])) as http:
        assert (await http.post("/bake", json={})).json() == "500 g by dev"
        you = (await http.get("/console/api/overview")).json()["you"]
        assert you == {"id": "dev", "roles": ["baker"]}


@pytest.mark.requirement("CONS-03")
async def test_a_token_for_nobody_is_an_anonymous_caller_and_no_bad_credential() -> None:
    async with as_developer(bakery()) as http:
        assert (await http.get("/loaves")).json() == [{"loaf_id": 1}]
        assert (await http.post("/bake", json={})).status_code == 404
        assert (await http.get("/loaves", headers=bearer("nobody-s-key-of-some-length"))).status_code == 401
        assert (await http.post("/bake", json={}, headers=bearer("key-of-the-baker"))).json() == "500 g by ben"


@pytest.mark.requirement("CONS-03")
async def test_the_token_is_not_taken_for_what_was_admitted_without_it() -> None:
    app = App("open", access=anyone(), roles=["baker"])

    @app.event(description="Ring the bell of the shop.")
    def ring() -> None:
        return None

    async with served(app.asgi(development=development(Principal("dev", ["baker"])))) as http:
        for _ in range(2):
            assert (await http.get("/manifest")).json()["built_for_roles"] == []
            assert (await http.get("/manifest", headers=bearer(TOKEN))).json()["built_for_roles"] == ["baker"]


@pytest.mark.requirement("CONS-03")
async def test_a_developer_acts_as_whoever_is_chosen() -> None:
    async with as_developer(bakery()) as http:
        call = {"name": "bake", "surface": "http", "arguments": {"grams": 750}}
        told = (await http.post("/console/api/call", params={"as": "ann", "roles": "baker"}, json=call)).json()
        assert (told["ok"], told["value"]) == (True, "750 g by ann")
        assert (await http.post("/console/api/call", params={"as": "ann"}, json=call)).json()["ok"] is False


@pytest.mark.requirement("CONS-03")
async def test_a_call_by_hand_is_judged_like_any_other() -> None:
    async with as_developer(bakery()) as http:
        call = {"name": "bake", "surface": "http", "arguments": {"grams": "much", "oven": 1}}
        told = (await http.post("/console/api/call", params={"as": "ann", "roles": "baker"}, json=call)).json()
        wire = await http.post("/bake", json=call["arguments"], headers=bearer("key-of-the-baker"))
        assert told["problem"] == wire.json()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": b"{}", "headers": {"content-type": "text/plain"}}, "unsupported_media_type"),
        ({"content": b"{", "headers": {"content-type": "application/json"}}, "bad_request"),
        ({"json": {"name": "bake"}}, "bad_request"),
        ({"json": {"name": "bake", "surface": "http", "as": "ann"}}, "bad_request"),
        ({"json": {"name": "bake", "surface": "http", "answers": {"pickup": 1}}}, "bad_request"),
        ({"json": {"name": "x" * (1 << 20), "surface": "http"}}, "too_large"),
    ],
)
async def test_what_is_no_call_is_refused(body: dict[str, object], code: str) -> None:
    async with as_developer(bakery()) as http:
        assert (await http.post("/console/api/call", **body)).json()["code"] == code


@pytest.mark.parametrize(
    "params", [{"roles": "baker"}, {"as": "ann", "roles": "chef"}, {"as": "ann", "claims": "[]"}, {"claims": "{}x"}]
)
async def test_an_identity_that_cannot_be_is_refused(params: dict[str, str]) -> None:
    async with as_developer(bakery()) as http:
        told = await http.get("/console/api/operations", params=params)
        assert (told.status_code, told.json()["code"]) == (400, "bad_request")


@pytest.mark.parametrize(("path", "status"), [("operation?name=nothing", 404), ("operation", 400), ("nothing", 404)])
async def test_what_there_is_not_is_refused(path: str, status: int) -> None:
    async with as_developer(bakery()) as http:
        assert (await http.get(f"/console/api/{path}")).status_code == status


def offered(document: dict[str, list[dict[str, object]]], surface: str = "http") -> set[str]:
    return {item["name"] for item in document["operations"] if surface in item["offered"]}


@pytest.mark.requirement("CONS-04")
@given(
    who=st.sampled_from(["", "ann"]),
    held=st.sets(st.sampled_from(["baker", "operator"])),
    shop=st.sampled_from(["", "north"]),
)
def test_what_is_offered_and_why_not_is_what_the_manifest_says(who: str, held: set[str], shop: str) -> None:
    app = bakery()
    claims = {"shop": shop} if shop and who else {}
    principal = Principal(who, held, claims) if who else None
    params = {"as": who, "roles": ",".join(sorted(held)) if who else "", "claims": orjson.dumps(claims).decode()}

    async def looked() -> tuple[dict[str, list[dict[str, object]]], dict[str, object]]:
        async with as_developer(app) as http:
            seen = (await http.get("/console/api/operations", params=params)).json()
            return seen, (await http.get("/console/api/places", params=params)).json()

    seen, places = asyncio.run(looked())
    assert {"loaves", "bake", "hidden", "heat", "prompt:plan", "state:oven"} <= {
        it["name"] for it in seen["operations"]
    }
    for surface in (Surface.HTTP, Surface.MCP, Surface.CLI):
        manifest = app.manifest(Caller(principal, Door.AGENT, surface))
        assert offered(seen, surface.value) - {"prompt:plan", "state:oven"} == {
            it.wire_name for it in manifest.operations
        }
        for item in seen["operations"]:
            told, gate = manifest.explain(item["name"]), item["gates"][surface.value]
            assert told.offered == (gate is None)
            assert gate is None or (gate["gate"], gate["message"]) == (told.gate, told.message)
    shown = {screen["id"] for screen in places["screens"] if screen["shown"]}
    assert shown == {screen.id for screen in app.manifest(Caller(principal)).screens}


@pytest.mark.requirement("CONS-04")
async def test_one_operation_is_told_in_full_as_each_surface_has_it() -> None:
    async with as_developer(bakery()) as http:
        told = (await http.get("/console/api/operation", params={"name": "bake", "as": "ann", "roles": "baker"})).json()
        assert told["access"] == "roles('baker')"
        assert told["documents"].keys() == {"http", "mcp", "openapi"}
        assert told["documents"]["mcp"]["name"] == told["documents"]["http"]["name"] == "bake"
        assert told["descriptions"][0]["text"] == "Bake one more loaf for the shelf."
        assert told["location"].startswith("test_console.py:")
        tool = (await http.get("/console/api/operation", params={"name": "heat"})).json()
        assert (tool["documents"].keys(), tool["closed"]["gate"]) == ({"mcp"}, "access")
        assert (await http.get("/console/api/operation", params={"name": "prompt:plan"})).json()["documents"] == {}


@pytest.mark.requirement("CONS-04")
async def test_findings_costs_and_documents_are_told() -> None:
    async with as_developer(bakery()) as http:
        found = (await http.get("/console/api/findings")).json()
        assert ("hidden", "GAP101") in {(item["subject"], item["code"]) for item in found["found"]}
        assert found["grades"].keys() >= {"loaves", "bake"}
        people = {it["who"]: it for it in (await http.get("/console/api/costs")).json()["callers"]}
        assert people.keys() == {"anonymous", "signed in", "role baker", "role operator", "chosen"}
        assert people["role baker"]["tokens"] > people["anonymous"]["tokens"] == people["chosen"]["tokens"] > 0
        states = (await http.get("/console/api/documents")).json()["resources"]
        assert [it["documents"] for it in states] == [[{"uri": "afford://state/oven", "name": "oven"}]]
        state = (await http.get("/console/api/document", params={"uri": "afford://state/oven"})).json()
        assert (state["text"], state["version"]) == ('{"degrees":20}', 1)
        assert (await http.get("/console/api/document", params={"uri": "afford://state/x"})).status_code == 404


async def test_a_prompt_can_be_filled_in() -> None:
    async with as_developer(bakery()) as http:
        told = (await http.post("/console/api/call", json={"name": "prompt:plan", "surface": "mcp"})).json()
        assert told["value"] == [{"role": "user", "content": {"type": "text", "text": "Plan a day."}}]


@pytest.mark.requirement("CONS-05")
async def test_files_have_types_tags_and_a_strict_policy() -> None:
    async with served(bakery(console=roles("operator")).asgi()) as http:
        page = await http.get("/console")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        script = await http.get("/console/main.js")
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        for answer in (page, script):
            assert answer.status_code == 200
            assert answer.headers["x-content-type-options"] == "nosniff"
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
        again = await http.get("/console/main.js", headers={"If-None-Match": script.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        moved = await http.get("/console/")
        assert (moved.status_code, moved.headers["location"]) == (308, "../console")


@pytest.mark.requirement("CONS-05")
@pytest.mark.parametrize("path", ["/console/../app.py", "/console/%2e%2e/surface.py", "/console/page", "/console/api/"])
async def test_nothing_but_the_page_s_files_is_served(path: str) -> None:
    async with served(bakery(console=roles("operator")).asgi()) as http:
        assert (await http.get(path)).status_code == 404


@pytest.mark.requirement("CONS-05")
async def test_files_are_for_hosts_and_origins_that_the_app_answers_for() -> None:
    async with served(bakery(console=roles("operator")).asgi()) as http:
        assert (await http.get("/console", headers={"Host": "evil.example"})).status_code == 421
        assert (await http.get("/console", headers={"Origin": "http://evil.example"})).status_code == 403


async def events(
    surface: object, until: str, query: bytes = b"", headers: dict[str, str] | None = None
) -> list[tuple[str, dict[str, object]]]:
    """What a page is told until some event has come, which it then leaves."""
    told: list[tuple[str, dict[str, object]]] = []
    gone = asyncio.Event()
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": "/console/api/events",
        "query_string": query,
        "headers": [(b"host", b"127.0.0.1"), *((k.lower().encode(), v.encode()) for k, v in (headers or {}).items())],
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> dict[str, object]:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, object]) -> None:
        body = message.get("body", b"")
        if body.startswith(b"event: "):
            name, _, data = body.decode().partition("\n")
            told.append((name.removeprefix("event: "), orjson.loads(data.strip().removeprefix("data: "))))
        if any(name == until for name, _ in told):
            gone.set()

    async with asyncio.timeout(10):
        await surface(scope, receive, send)
    return told


@pytest.mark.requirement("CONS-06")
async def test_calls_and_changes_are_told_as_they_happen() -> None:
    app = bakery()
    oven = app.shared_state("window", {"open": False}, description="Whether it is open.", access=anyone())
    surface = app.asgi(development=development())
    async with served(surface, **bearer(TOKEN)) as http:
        await http.get("/loaves")
        (_, hello), (_, first) = await events(surface, "calls", headers=bearer(TOKEN))
        assert [(it["operation"], it["code"]) for it in first["calls"]] == [("loaves", "ok")]
        query = f"boot={hello['boot']}&after={first['calls'][-1]['number']}".encode()
        waiting = asyncio.create_task(events(surface, "calls", query, bearer(TOKEN)))
        await asyncio.sleep(0)
        await http.post("/whisper", json={"secret": "yeast"}, headers=bearer("key-of-the-baker"))
        (call,) = (await waiting)[-1][1]["calls"]
        assert (call["caller"], call["code"], call["arguments"]) == ("ben", "not_found", {"secret": "[redacted]"})
        waiting = asyncio.create_task(events(surface, "changed", headers=bearer(TOKEN)))
        while not waiting.done():
            oven.update(lambda now: {"open": not now["open"]})
            await asyncio.sleep(0)
        assert (await waiting)[-1][1]["uris"] == ["afford://state/window"]


@pytest.mark.requirement("CONS-06")
async def test_the_app_s_own_hook_and_the_instance_s_are_told_as_well() -> None:
    own: list[str] = []
    beside: list[str] = []

    def fails(call: CallRecord) -> None:
        own.append(call.code)
        raise ValueError

    app = bakery(record=fails)
    surface = app.asgi(development=development(listener=lambda call: beside.append(call.code)))
    async with served(surface, **bearer(TOKEN)) as http:
        await http.get("/loaves")
    assert (own, beside) == (["ok"], ["ok"])


def record(arguments: dict[str, object]) -> CallRecord:
    return CallRecord(
        operation="bake",
        principal=None,
        door="agent",
        surface="http",
        agent=True,
        arguments=arguments,
        code="ok",
        duration=0.001,
        trace=None,
    )


@pytest.mark.requirement("CONS-06")
@pytest.mark.requirement("CONS-10")
def test_the_ring_forgets_the_oldest_and_says_how_many() -> None:
    log = CallLog(most=3, clock=lambda: 7.0)
    for grams in range(5):
        log.record(record({"grams": grams}))
    calls, missed = log.after(0)
    assert ([it["number"] for it in calls], missed) == ([3, 4, 5], 2)
    assert [it["number"] for it in log.after(4)[0]] == [5]
    assert log.after(5) == ([], 0)
    assert len(log.after(99)[0]) == 3


@pytest.mark.requirement("CONS-06")
def test_large_arguments_are_kept_by_their_names() -> None:
    log = CallLog()
    log.record(record({"note": "x" * LONGEST_ARGUMENTS, "grams": 1}))
    (kept,), _ = log.after(0)
    assert "arguments" not in kept
    assert (kept["names"], kept["bytes"]) == (["grams", "note"], len('{"note":"","grams":1}') + LONGEST_ARGUMENTS)


async def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("afford.console.events.MOST_STREAMS", 0)
    async with as_developer(bakery()) as http:
        assert (await http.get("/console/api/events")).json()["code"] == "unavailable"


async def test_a_method_that_a_path_does_not_answer_is_refused() -> None:
    async with as_developer(bakery()) as http:
        assert (await http.post("/console/api/overview")).status_code == 405
        assert (await http.get("/console/api/call")).status_code == 405
        assert (await http.head("/console/api/events")).status_code == 405
        assert (await http.head("/console/api/overview")).status_code == 200


async def test_the_console_works_under_the_mount_of_a_site() -> None:
    app = bakery()
    site = Site(app.asgi(development=development()), mount="/agent", public_url=None, title=app.title)
    async with connected(site, **bearer(TOKEN)) as http:
        told = (await http.get("/agent/console/api/overview")).json()
        assert (told["mount"], told["mcp"]) == ("/agent", "/agent/mcp")
        assert (await http.get("/agent/console")).status_code == 200


async def test_a_stream_ends_when_the_application_stops() -> None:
    surface = bakery().asgi(development=development())
    runtime = await surface.runtime()
    exchange = Exchange(
        surface,
        path="/console/api/events",
        headers=[(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {TOKEN}".encode())],
    )
    runtime.stop_soon()
    assert (await exchange.run()).status == 200
    await surface.stop()
