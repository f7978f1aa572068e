"""For random apps and random callers: what is listed is what can be called, and the rest might as well not exist.

Every operation carries its own reading of the access rule, written beside the rule and not derived from it, so that the
lists are compared with each other and with what the author meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contracts.links import LINKS, MCP, PLAIN, client
from tests.contracts.wire import LOCAL

from afford import App, Caller, Door, Principal, Request, Rule, Surface, anyone, claim, roles, signed_in
from afford.access import as_rule
from afford.surfaces.http.surface import HttpSurface
from afford.testing import Answer

Kind: TypeAlias = Literal["query", "static", "action", "event"]
DoorWord: TypeAlias = Literal["agent", "app"]
Meaning: TypeAlias = Callable[[Principal | None], bool]
Wire: TypeAlias = tuple[int, list[tuple[bytes, bytes]], bytes]

# No two of them are alike, so that none is suggested for another.
NAMES: Final = ("alpha", "bravo", "echo", "india", "quebec", "uniform", "zulu")
NEVER: Final = "nosuchthing"
DECLARED_ROLES: Final = ("boss", "staff")
SURFACES: Final = ("http", "mcp", "webmcp", "cli")


class BrokenError(Exception):
    """Raised by a rule, or by its meaning, where the author's code is broken."""


@dataclass(frozen=True)
class Access:
    rule: Rule
    meaning: Meaning


@dataclass(frozen=True)
class Spec:
    """One operation as its author would describe it."""

    name: str
    kind: Kind
    access: Access
    described: bool
    expose: bool | None
    surfaces: tuple[str, ...] | None
    denied: bool
    switch: bool
    switch_is_code: bool

    def is_offered(self, principal: Principal | None, door: DoorWord, surface: str = "http") -> bool:
        """What the author means, in one place and in other words than the implementation's."""
        if door == "app" and principal is not None and principal.agent:
            return False
        seen = self.described if self.expose is None else self.expose
        reachable = door == "app" or (seen and (self.surfaces is None or surface in self.surfaces))
        try:
            return self.switch and not self.denied and reachable and self.access.meaning(principal)
        except BrokenError:
            return False


def raising(_caller: object) -> bool:
    raise BrokenError


def held(principal: Principal | None, name: str) -> list[object]:
    value = None if principal is None else principal.claims.get(name)
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def with_roles(names: tuple[str, ...]) -> Access:
    return Access(roles(*names), lambda who: who is not None and not who.roles.isdisjoint(names))


def with_claim(values: tuple[str, ...]) -> Access:
    if not values:
        return Access(claim("tenant"), lambda who: who is not None and "tenant" in who.claims)
    return Access(claim("tenant", *values), lambda who: any(value in values for value in held(who, "tenant")))


def with_code(answer: object, id: str | None) -> Access:
    """A rule of the author's own code, which is right about one account and may answer what is no boolean."""
    rule = as_rule(lambda caller: answer if caller.id == id else False)
    assert rule is not None
    return Access(rule, lambda who: answer is True and (None if who is None else who.id) == id)


LEAVES: Final = st.one_of(
    st.just(Access(anyone(), lambda _who: True)),
    st.just(Access(signed_in(), lambda who: who is not None)),
    st.lists(st.sampled_from(DECLARED_ROLES), min_size=1, unique=True).map(tuple).map(with_roles),
    st.lists(st.sampled_from(["north", "south"]), unique=True).map(tuple).map(with_claim),
    st.builds(with_code, st.sampled_from([True, True, 1, "yes", None]), st.sampled_from(["ada", "bob", None])),
    st.just(Access(as_rule(raising) or anyone(), raising)),
)


def combined(inner: st.SearchStrategy[Access]) -> st.SearchStrategy[Access]:
    def both(a: Access, b: Access) -> Access:
        return Access(a.rule & b.rule, lambda who: a.meaning(who) and b.meaning(who))

    def either(a: Access, b: Access) -> Access:
        return Access(a.rule | b.rule, lambda who: a.meaning(who) or b.meaning(who))

    def negated(a: Access) -> Access:
        return Access(~a.rule, lambda who: not a.meaning(who))

    return st.one_of(st.builds(both, inner, inner), st.builds(either, inner, inner), st.builds(negated, inner))


SPECS: Final = st.builds(
    Spec,
    name=st.sampled_from(NAMES),
    kind=st.sampled_from(["query", "static", "action", "event"]),
    access=st.recursive(LEAVES, combined, max_leaves=5),
    described=st.sampled_from([True, True, False]),
    expose=st.sampled_from([None, None, True, False]),
    surfaces=st.none() | st.lists(st.sampled_from(SURFACES), unique=True).map(tuple),
    denied=st.sampled_from([False, False, False, True]),
    switch=st.sampled_from([True, True, True, False]),
    switch_is_code=st.booleans(),
)
APPS: Final = st.lists(SPECS, min_size=1, max_size=6, unique_by=lambda spec: spec.name)
CLAIMS: Final = st.dictionaries(
    st.just("tenant"), st.sampled_from(["north", "south", "west", ["north", "west"], ["south"], 1, []])
)
PRINCIPALS: Final = st.none() | st.builds(
    Principal,
    st.sampled_from(["ada", "bob", "eve"]),
    st.lists(st.sampled_from([*DECLARED_ROLES, "ghost"]), unique=True),
    CLAIMS,
    agent=st.sampled_from([False, False, True]),
)
DOORS: Final = st.sampled_from(["agent", "app"])


async def read() -> int:
    return 1


async def write() -> None: ...


def ask(_request: Request) -> None:
    """Authentication that finds nobody; tests put the caller in its place."""


def app_of(specs: Iterable[Spec], *, authenticates: bool = False) -> App:
    specs = list(specs)
    app = App(
        "random",
        roles=DECLARED_ROLES,
        deny=[spec.name for spec in specs if spec.denied],
        authenticate=[ask] if authenticates else [],
    )
    for spec in specs:
        declare = getattr(app, spec.kind)(
            id=spec.name,
            access=spec.access.rule,
            description="Does something." if spec.described else "",
            agent={"expose": spec.expose, "surfaces": spec.surfaces},
            enabled=(lambda spec=spec: spec.switch) if spec.switch_is_code else spec.switch,
        )
        declare(read if spec.kind in ("query", "static") else write)
    return app


@pytest.mark.requirement("ACC-06", "ACC-07", "ACC-08")
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(specs=APPS, principal=PRINCIPALS, door=DOORS)
async def test_the_operations_listed_are_those_that_can_be_called(
    specs: list[Spec], principal: Principal | None, door: DoorWord
) -> None:
    app = app_of(specs)
    for over in LINKS if door == "agent" else PLAIN:
        surface = "mcp" if over in MCP else "http"
        offered = sorted(spec.name for spec in specs if spec.is_offered(principal, door, surface))
        async with client(app, as_=principal, over=over, door=door) as caller:
            listed = await caller.names()
            answers = {spec.name: await caller.call(spec.name) for spec in specs}
            never = await caller.call(NEVER)
        assert listed == offered, over
        assert sorted(name for name, answer in answers.items() if answer.ok) == offered, over
        for name in answers.keys() - offered:
            assert told(answers[name], name) == told(never, NEVER), over
        refused = door == "app" and principal is not None and principal.agent
        assert never.code == ("forbidden" if refused else "unknown_operation"), over
        caller_here = Caller(principal, Door(door), Surface(surface))
        assert sorted(spec.name for spec in specs if app.explain(spec.name, caller_here).offered) == offered


def told(answer: Answer, name: str) -> str:
    """What a caller reads, whatever the name it asked for."""
    return str(answer).replace(name, "*")


@pytest.mark.requirement("ACC-05", "ACC-07")
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(specs=APPS, calls=st.lists(st.tuples(PRINCIPALS, DOORS), min_size=2, max_size=8))
def test_one_app_answers_each_of_many_callers_for_itself(
    specs: list[Spec], calls: list[tuple[Principal | None, DoorWord]]
) -> None:
    app = app_of(specs)
    for principal, door in calls:
        listed = [item.wire_name for item in app.manifest(Caller(principal, Door(door))).operations]
        assert listed == sorted(spec.name for spec in specs if spec.is_offered(principal, door))


@pytest.mark.requirement("ACC-07")
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(specs=APPS, principal=PRINCIPALS, door=DOORS, authenticates=st.booleans())
async def test_every_document_lists_the_same_operations(
    specs: list[Spec], principal: Principal | None, door: DoorWord, *, authenticates: bool
) -> None:
    offered = sorted(spec.name for spec in specs if spec.is_offered(principal, door))
    surface = surface_of(app_of(specs, authenticates=authenticates), principal, door, authenticates=authenticates)
    async with browser(surface) as http:
        answers = {name: await http.get(f"/{name}") for name in ("manifest", "openapi.json", "schema")}
    await surface.stop()
    if door == "app" and principal is not None and principal.agent:
        assert {answer.status_code for answer in answers.values()} == {403}
        return
    if principal is None and authenticates and not offered:
        assert {answer.status_code for answer in answers.values()} == {401}
        return
    listed = {name: answer.json() for name, answer in answers.items()}
    assert [item["name"] for item in listed["manifest"]["operations"]] == offered
    assert [path.removeprefix("/") for path in listed["openapi.json"]["paths"]] == offered
    reads = {spec.name for spec in specs if spec.kind in ("query", "static")}
    assert [item["name"] for item in listed["schema"]["queries"]] == [name for name in offered if name in reads]
    assert [item["name"] for item in listed["schema"]["actions"]] == [name for name in offered if name not in reads]


@pytest.mark.requirement("ACC-06")
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(specs=APPS, principal=PRINCIPALS, door=DOORS, authenticates=st.booleans())
async def test_a_hidden_operation_differs_in_no_byte_from_one_that_does_not_exist(
    specs: list[Spec], principal: Principal | None, door: DoorWord, *, authenticates: bool
) -> None:
    shown = [spec for spec in specs if spec.is_offered(principal, door)]
    hidden = [spec.name for spec in specs if spec not in shown]
    mine = await wire(specs, principal, door, [*hidden, NEVER], authenticates=authenticates)
    theirs = await wire(shown, principal, door, [*hidden, NEVER], authenticates=authenticates)
    assert mine == theirs
    for name in hidden:
        assert mine[name] == mine[NEVER]


async def wire(
    specs: Iterable[Spec], principal: Principal | None, door: DoorWord, names: Iterable[str], *, authenticates: bool
) -> dict[str, list[Wire]]:
    """What an app answers to requests for these names, whole."""
    surface = surface_of(app_of(specs, authenticates=authenticates), principal, door, authenticates=authenticates)
    async with browser(surface) as http:
        found = {name: [await sent(http, *request, name) for request in REQUESTS] for name in names}
    await surface.stop()
    return found


REQUESTS: Final = (
    ("GET", "", None),
    ("HEAD", "", None),
    ("GET", "?limit=x&n=%zz", None),
    ("POST", "", b"{}"),
    ("POST", "", b"{not json"),
    ("PUT", "/", b""),
    ("OPTIONS", "", None),
)


async def sent(http: httpx.AsyncClient, method: str, rest: str, body: bytes | None, name: str) -> Wire:
    answer = await http.request(method, f"/{name}{rest}", content=body)
    return answer.status_code, answer.headers.raw, answer.content


def surface_of(app: App, principal: Principal | None, door: DoorWord, *, authenticates: bool) -> HttpSurface:
    known = [lambda _request: principal] if authenticates or principal is not None else []
    return app.asgi(door=door, authenticate=known)


def browser(surface: HttpSurface) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=surface)  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=transport, base_url=LOCAL, headers={"content-type": "application/json"})
