"""Who may call: rules as data, where they come from, and that a hidden operation is an unknown one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import httpx
import pytest
from tests.contracts.links import LINKS, MCP, PLAIN, Over, client

from afford import (
    App,
    Caller,
    Door,
    Feature,
    ForbiddenError,
    Principal,
    Rule,
    Surface,
    anyone,
    claim,
    roles,
    signed_in,
)
from afford.manifest import Gate

GUEST = Principal("gus", ["guest"])
STAFF = Principal("sam", ["staff"], {"tenant": "north"})
BOSS = Principal("bea", ["staff", "boss"], {"tenant": ["north", "south"], "level": 3})
NOBODY_SPECIAL = Principal("una")
CALLERS = {"anonymous": None, "gus": GUEST, "sam": STAFF, "bea": BOSS, "una": NOBODY_SPECIAL}


async def it() -> int:
    return 1


def hotel(**options: object) -> App:
    return App("hotel", roles=("guest", "staff", "boss"), **options)  # type: ignore[arg-type]


def guarded(access: object, **options: object) -> App:
    app = hotel()
    app.query(access=access, description="Answers one.", **options)(it)  # type: ignore[arg-type]
    return app


def admitted(app: App, name: str = "it", principals: Mapping[str, Principal | None] = CALLERS) -> set[str]:
    """Who of the callers is offered the operation."""
    return {
        who
        for who, principal in principals.items()
        if name in {item.wire_name for item in app.manifest(Caller(principal)).operations}
    }


@pytest.mark.requirement("ACC-04")
@pytest.mark.parametrize(
    ("rule", "who"),
    [
        (anyone(), {"anonymous", "gus", "sam", "bea", "una"}),
        (~anyone(), set()),
        (signed_in(), {"gus", "sam", "bea", "una"}),
        (~signed_in(), {"anonymous"}),
        (roles("guest"), {"gus"}),
        (roles("guest", "boss"), {"gus", "bea"}),
        (~roles("staff"), {"anonymous", "gus", "una"}),
        (signed_in() & ~roles("staff"), {"gus", "una"}),
        (roles("staff") & roles("boss"), {"bea"}),
        (roles("guest") | claim("level", 3), {"gus", "bea"}),
        (roles("guest") | roles("staff") & roles("boss"), {"gus", "bea"}),
        ((roles("guest") | roles("staff")) & roles("boss"), {"bea"}),
        (claim("tenant"), {"sam", "bea"}),
        (~claim("tenant"), {"anonymous", "gus", "una"}),
        (claim("tenant", "north"), {"sam", "bea"}),
        (claim("tenant", "south", "west"), {"bea"}),
        (claim("tenant", "nor"), set()),
        (claim("level", "3"), set()),
        (claim("nothing"), set()),
        (~(roles("guest") | claim("tenant", "north")), {"anonymous", "una"}),
    ],
    ids=str,
)
def test_a_rule_admits_exactly_the_callers_it_describes(rule: Rule, who: set[str]) -> None:
    assert admitted(guarded(rule)) == who


def is_gus(caller: Caller) -> bool:
    return caller.id == "gus"


@pytest.mark.requirement("ACC-04", "ACC-05")
@pytest.mark.parametrize(
    ("rule", "who"),
    [
        (roles("boss") | is_gus, {"gus", "bea"}),
        (is_gus | roles("boss"), {"gus", "bea"}),
        (roles("guest") & is_gus, {"gus"}),
        (is_gus & roles("staff"), set()),
        (~(is_gus | roles("staff")), {"anonymous", "una"}),
    ],
    ids=str,
)
def test_a_callable_combines_with_rules_on_either_side(rule: Rule, who: set[str]) -> None:
    assert admitted(guarded(rule)) == who


@pytest.mark.parametrize("other", ["staff", None, 3, ["staff"]], ids=repr)
def test_a_rule_combines_with_nothing_else(other: object) -> None:
    with pytest.raises(TypeError):
        roles("staff") & other  # type: ignore[operator]
    with pytest.raises(TypeError):
        other | roles("staff")  # type: ignore[operator]


@pytest.mark.requirement("ACC-04")
@pytest.mark.parametrize(
    ("held", "asked", "allowed"),
    [(True, 1, False), (1, True, False), (0, False, False), ([True], 1, False), (True, True, True), (1, 1, True)],
)
def test_true_is_not_one_in_a_claim(held: object, asked: object, *, allowed: bool) -> None:
    someone = {"someone": Principal("x", claims={"flag": held})}
    assert bool(admitted(guarded(claim("flag", asked)), principals=someone)) is allowed


@pytest.mark.requirement("ACC-04")
def test_rules_over_one_claim_that_differ_in_true_and_one_are_two_rules() -> None:
    app = guarded(claim("flag", 1))
    app.query(id="other", access=claim("flag", True), description="Answers one.")(it)  # noqa: FBT003 - a claim's value
    callers = {"one": Principal("x", claims={"flag": 1}), "true": Principal("y", claims={"flag": True})}
    assert admitted(app, "it", callers) == {"one"}
    assert admitted(app, "other", callers) == {"true"}


@dataclass(frozen=True)
class Tenant:
    """A claim value that looks the same whatever it is."""

    number: int

    def __repr__(self) -> str:
        return "Tenant"


@pytest.mark.requirement("ACC-04")
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (Tenant(1), Tenant(2)),
        (1, True),
        ("1", 1),
        ([Tenant(1)], [Tenant(2)]),
        ({Tenant(1)}, {Tenant(2)}),
        ((1, 2), (2,)),
    ],
    ids=repr,
)
def test_callers_whose_claims_differ_never_share_a_decision(mine: object, theirs: object) -> None:
    asked = next(iter(mine)) if isinstance(mine, Iterable) and not isinstance(mine, str) else mine
    app = guarded(claim("tenant", asked))
    callers = {"mine": Principal("a", claims={"tenant": mine}), "theirs": Principal("b", claims={"tenant": theirs})}
    for order in itertools.permutations(callers):
        assert admitted(app, principals={who: callers[who] for who in order}) == {"mine"}


@pytest.mark.requirement("ACC-04")
@pytest.mark.parametrize("value", [{"plan": ["a"]}, [{"a": 1}], {"deep": {"x": {1, 2}}}, [[1], [2]]], ids=repr)
def test_a_claim_of_any_shape_can_be_asked_for(value: object) -> None:
    app = guarded(claim("account"))
    assert admitted(app, principals={"x": Principal("x", claims={"account": value}), "y": Principal("y")}) == {"x"}


@pytest.mark.requirement("ACC-05")
def test_a_callable_rule_is_asked_each_time() -> None:
    asked: list[str | None] = []

    def odd(caller: Caller) -> bool:
        asked.append(caller.id)
        return len(asked) % 2 == 1

    app = guarded(odd)
    seen = [admitted(app, principals={"gus": GUEST}) == {"gus"} for _ in range(4)]
    assert seen == [True, False, True, False]
    assert asked == ["gus"] * 4


@pytest.mark.requirement("ACC-05")
@pytest.mark.parametrize("answer", [1, "yes", None, [True], object()], ids=repr)
def test_anything_but_true_refuses(answer: object) -> None:
    assert admitted(guarded(lambda _caller: answer)) == set()


def broken(caller: Caller) -> bool:
    raise RuntimeError("the directory is away")


@pytest.mark.requirement("ACC-05")
@pytest.mark.parametrize(
    "combine",
    [
        lambda rule: rule,
        lambda rule: ~rule,
        lambda rule: rule | anyone(),
        lambda rule: ~(rule & anyone()),
        lambda rule: ~(~rule),
    ],
    ids=["alone", "not", "or", "not and", "not not"],
)
def test_a_rule_that_raises_refuses_whatever_surrounds_it(
    combine: Callable[[Rule], Rule], caplog: pytest.LogCaptureFixture
) -> None:
    rule = next(iter(guarded(broken).build().operations.values())).access
    assert admitted(guarded(combine(rule))) == set()
    assert "the directory is away" in caplog.text


@pytest.mark.requirement("ACC-05")
def test_a_callable_object_without_a_hash_can_be_a_rule() -> None:
    @dataclass
    class Is:
        name: str

        def __call__(self, caller: Caller) -> bool:
            return caller.id == self.name

    assert admitted(guarded(Is("gus"))) == {"gus"}


@pytest.mark.requirement("ACC-05")
async def test_a_callable_rule_decides_about_the_call_too(over: Over) -> None:
    app = guarded(lambda caller: caller.id == "gus")
    for principal, code in ((GUEST, "ok"), (STAFF, "unknown_operation")):
        async with client(app, as_=principal, over=over) as caller:
            assert (await caller.call("it")).code == code


@pytest.mark.requirement("ACC-02")
def test_the_rule_of_the_operation_wins_over_the_feature_s_and_that_over_the_app_s() -> None:
    app = hotel(access=roles("boss"))
    feature, plain = Feature("desk", access=roles("staff")), Feature("menu")
    feature.query(id="own", access=roles("guest"), description="Own rule.")(it)
    feature.query(id="inherited", description="The feature's rule.")(it)
    feature.query(id="unstated", access=None, description="The feature's rule.")(it)  # type: ignore[typeddict-item]
    plain.query(id="default", description="The app's rule.")(it)
    app.query(id="direct", description="The app's rule.")(it)
    app.include(feature, plain)
    found = {name: admitted(app, name) for name in app.build().operations}
    assert found == {
        "desk_own": {"gus"},
        "desk_inherited": {"sam", "bea"},
        "desk_unstated": {"sam", "bea"},
        "menu_default": {"bea"},
        "direct": {"bea"},
    }


@pytest.mark.requirement("ACC-06")
@pytest.mark.parametrize("kind", ["query", "action"])
async def test_a_hidden_operation_answers_exactly_like_one_that_does_not_exist(over: Over, kind: str) -> None:
    hidden, absent = hotel(), hotel()
    getattr(hidden, kind)(id="book_room", access=roles("staff"), description="Books.")(it)
    for app in (hidden, absent):
        app.query(id="book_rooms", access=anyone(), description="Lists.")(it)
    async with client(hidden, as_=GUEST, over=over) as first, client(absent, as_=GUEST, over=over) as second:
        for name in ("book_room", "book_roo", "x"):
            mine, theirs = await first.call(name, {"n": 1}), await second.call(name, {"n": 1})
            assert mine.code == "unknown_operation"
            assert mine == theirs
        told = str((await first.call("book_roo")).error)
    assert over in MCP or "book_rooms" in told
    assert "`book_room`" not in told


@pytest.mark.requirement("ACC-06")
async def test_over_http_a_hidden_operation_differs_from_an_unknown_one_in_no_byte_and_no_method() -> None:
    hidden, absent = hotel(), hotel()
    hidden.action(id="drop", access=roles("staff"), description="Drops.")(it)
    hidden.query(id="peek", description="Peeks.", access=anyone(), agent={"expose": False})(it)
    for app in (hidden, absent):
        app.query(id="ping", access=anyone(), description="Pings.")(it)
    paths = ["/drop", "/peek", "/drop?x=1", "/peek?%zz", "/drop/", "/DROP", "/drop%00", "/peek/../drop"]
    for method, path in itertools.product(("GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE"), paths):
        answers = [await raw(app, method, path, b'{"a": 1, "a": 2}') for app in (hidden, absent)]
        assert answers[0] == answers[1], (method, path)
        assert answers[0][0] == 404


async def raw(app: App, method: str, path: str, body: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    transport = httpx.ASGITransport(app=app.asgi())  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        answer = await http.request(method, path, content=body, headers={"content-type": "application/json"})
        return answer.status_code, answer.headers.raw, answer.content


@pytest.mark.requirement("ACC-07")
@pytest.mark.parametrize("who", CALLERS)
@pytest.mark.parametrize(("over", "door"), [*itertools.product(LINKS, ["agent"]), *itertools.product(PLAIN, ["app"])])
async def test_what_a_caller_is_shown_is_what_that_caller_can_call(
    over: Over, who: str, door: Literal["agent", "app"]
) -> None:
    app = hotel()
    rules = [anyone(), signed_in(), roles("guest"), roles("staff") & claim("tenant", "south"), ~signed_in()]
    for index, rule in enumerate(rules):
        app.query(id=f"read{index}", access=rule, description="Reads.")(it)
        app.action(id=f"write{index}", access=rule, description="Writes.", agent={"expose": index % 2 == 0})(it)
    async with client(app, as_=CALLERS[who], over=over, door=door) as caller:
        shown = await caller.names()
        called = [name for name in app.build().operations if (await caller.call(name)).code == "ok"]
    assert shown == called
    assert shown == sorted(shown)
    assert shown


@pytest.mark.requirement("ACC-08")
@pytest.mark.parametrize(
    ("id", "caller", "gate"),
    [
        ("open", Caller(), None),
        ("nothing", Caller(), Gate.DECLARED),
        ("off", Caller(), Gate.ENABLED),
        ("denied", Caller(), Gate.DENIED),
        ("staff", Caller(GUEST), Gate.ACCESS),
        ("staff", Caller(STAFF), None),
        ("quiet", Caller(GUEST), Gate.EXPOSED),
        ("quiet", Caller(GUEST, Door.APP), None),
        ("web", Caller(GUEST, Door.AGENT, Surface.HTTP), Gate.SURFACE),
        ("web", Caller(GUEST, Door.AGENT, Surface.WEBMCP), None),
        ("open", Caller(Principal("bot", agent=True), Door.APP), Gate.DOOR),
        ("worst", Caller(), Gate.ENABLED),
    ],
)
def test_explain_names_the_first_gate_that_closes(id: str, caller: Caller, gate: Gate | None) -> None:
    app = hotel(deny=["denied"])
    app.query(id="open", access=anyone(), description="Answers one.")(it)
    app.query(id="off", access=anyone(), description="Answers one.", enabled=False)(it)
    app.query(id="denied", access=anyone(), description="Answers one.")(it)
    app.query(id="staff", access=roles("staff"), description="Answers one.")(it)
    app.query(id="quiet", access=anyone())(it)
    app.query(id="web", access=anyone(), description="Answers one.", agent={"surfaces": ["webmcp"]})(it)
    app.query(id="worst", access=roles("staff"), enabled=False)(it)
    told = app.explain(id, caller)
    assert (told.gate, told.offered, told.id) == (gate, gate is None, id)
    assert told.message
    assert (told.fix is None) == (gate is None)


@pytest.mark.requirement("ACC-08")
def test_explain_agrees_with_the_manifest_for_every_operation_and_caller() -> None:
    app = hotel(deny=["b"])
    for id, options in {
        "a": {"access": roles("staff")},
        "b": {"access": anyone()},
        "c": {"access": lambda caller: caller.id == "gus"},
        "d": {"access": claim("tenant"), "agent": {"expose": False}},
        "e": {"access": ~signed_in(), "enabled": lambda: True},
    }.items():
        app.action(id=id, description="Writes.", **options)(it)  # type: ignore[arg-type]
    for principal, door in itertools.product(CALLERS.values(), Door):
        caller = Caller(principal, door)
        explained = {id for id in "abcde" if app.explain(id, caller).offered}
        assert explained == {item.id for item in app.manifest(caller).operations}


@pytest.mark.requirement("ACC-09")
async def test_roles_that_the_app_does_not_declare_are_dropped(over: Over) -> None:
    app = hotel()

    @app.query(access=signed_in(), description="Tells who calls.")
    async def whoami(caller: Caller) -> list[str]:
        return sorted(caller.roles)

    app.query(id="root", access=~roles("guest", "staff", "boss"), description="For callers without roles.")(it)
    stranger = Principal("eve", ["root", "admin", "guest"])
    async with client(app, as_=stranger, over=over) as caller:
        assert (await caller.call("whoami")).value == ["guest"]
        assert over in MCP or (await caller.manifest())["built_for_roles"] == ["guest"]
        assert await caller.names() == ["whoami"]
    assert app.manifest(Caller(stranger)).built_for_roles == ("guest",)


@pytest.mark.requirement("ACC-10")
@pytest.mark.parametrize("over", PLAIN)
async def test_the_app_door_asks_access_alone(over: Over) -> None:
    app = guarded(roles("staff"), agent={"expose": False, "surfaces": ["mcp"]})
    for principal, listed in ((STAFF, ["it"]), (GUEST, [])):
        async with client(app, as_=principal, over=over, door="app") as caller:
            assert await caller.names() == listed
            assert ((await caller.call("it")).code == "ok") == bool(listed)


@pytest.mark.requirement("ACC-10")
@pytest.mark.parametrize("over", PLAIN)
async def test_the_app_door_refuses_agent_credentials(over: Over) -> None:
    app = guarded(roles("staff"))
    bot = Principal("bot", ["staff"], agent=True)
    async with client(app, as_=bot, over=over, door="app") as caller:
        assert await caller.names() == []
        assert not (await caller.call("it")).ok
    async with client(app, as_=bot, over=over) as caller:
        assert (await caller.call("it")).ok


@pytest.mark.requirement("ACC-10")
def test_an_agent_credential_and_a_person_s_with_the_same_roles_share_no_manifest_at_the_app_door() -> None:
    app = guarded(roles("staff"))
    app.screen("desk", type="list", agent={"expose": False})
    person = app.manifest(Caller(Principal("sam", ["staff"]), Door.APP))
    bot = app.manifest(Caller(Principal("sam", ["staff"], agent=True), Door.APP))
    assert ([item.id for item in person.operations], [item.id for item in person.screens]) == (["it"], ["desk"])
    assert (bot.operations, bot.screens) == ((), ())


@pytest.mark.requirement("ACC-06")
async def test_forbidden_is_for_operations_that_the_caller_can_see(over: Over) -> None:
    app = hotel()

    @app.action(access=anyone(), description="Deletes one's own.")
    async def delete() -> None:
        raise ForbiddenError("that is somebody else's")

    async with client(app, over=over) as caller:
        assert await caller.names() == ["delete"]
        assert (await caller.call("delete")).code == "forbidden"


def test_a_rule_reads_as_it_is_written() -> None:
    rule = (roles("staff", "boss") | ~claim("tenant", "north")) & signed_in()
    assert str(rule) == "(roles('boss', 'staff') | ~claim('tenant', 'north')) & signed_in()"
    assert rule.roles_named() == {"staff", "boss"}
    assert rule.claims_named() == {"tenant"}


def test_one_string_of_roles_is_refused_where_it_is_given() -> None:
    with pytest.raises(TypeError):
        Principal("gus", "guest")
    with pytest.raises(TypeError):
        roles()
