"""What is decided by a request's header fields is decided once, and no longer than it holds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import httpx
import pytest
from tests.contracts.wire import Exchange, served

from afford import ApiKeys, App, Caller, Principal, Request, anyone, roles, signed_in
from afford.authentication import combine
from afford.caller import Surface
from afford.surfaces.http.admission import Admissions, admission
from afford.surfaces.http.surface import HttpSurface

ADA_KEY, STAFF_KEY = "ada-key-0001", "staff-key-0001"
KEYS = ApiKeys({ADA_KEY: Principal("ada"), STAFF_KEY: Principal("sam", ["staff"])})


def bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def shop(**options: object) -> App:
    app = App("shop", roles=("staff",), authenticate=KEYS, **options)

    @app.query(description="Ask who is calling.", access=signed_in())
    async def whoami(caller: Caller) -> str:
        return f"{caller.id} {sorted(caller.roles)}"

    @app.query(description="See the figures.", access=roles("staff"))
    async def private() -> list[str]:
        return []

    return app


async def status(http: httpx.AsyncClient, path: str, headers: Mapping[str, str]) -> int:
    return (await http.get(path, headers=headers)).status_code


async def test_callers_are_told_apart_however_often_they_come():
    async with served(shop().asgi()) as http:
        for _ in range(3):
            assert (await http.get("/whoami", headers=bearer(ADA_KEY))).json() == ["ada []"]
            assert (await http.get("/whoami", headers=bearer(STAFF_KEY))).json() == ["sam ['staff']"]
            assert await status(http, "/private", bearer(ADA_KEY)) == 404
            assert await status(http, "/private", bearer(STAFF_KEY)) == 200
            assert await status(http, "/whoami", bearer("wrong-key-0001")) == 401
            assert await status(http, "/whoami", {}) == 401


async def test_a_known_credential_opens_nothing_for_another_host_or_origin():
    async with served(shop(allowed_hosts=["shop.example"]).asgi()) as http:
        for _ in range(2):
            assert await status(http, "/whoami", bearer(ADA_KEY) | {"host": "shop.example"}) == 200
            assert await status(http, "/whoami", bearer(ADA_KEY) | {"host": "evil.example"}) == 421
            assert await status(http, "/whoami", bearer(ADA_KEY) | {"origin": "https://evil.example"}) == 403


async def test_a_second_host_is_refused_after_each_was_fine_alone():
    surface = shop(allowed_hosts=["shop.example"]).asgi()
    one, other = (b"host", b"127.0.0.1"), (b"host", b"shop.example")
    key = (b"authorization", f"Bearer {ADA_KEY}".encode())
    try:
        for fields, expected in [([one, key], 200), ([other, key], 200), ([one, other, key], 421), ([one, key], 200)]:
            answer = await Exchange(surface, path="/whoami", headers=fields).run()
            assert answer.status == expected
    finally:
        await surface.stop()


@pytest.mark.parametrize("server", [("127.0.0.1", 80), ["127.0.0.1", 80], None])
async def test_a_server_may_say_where_it_is_in_any_form(server: object):
    surface = shop().asgi()
    fields = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {ADA_KEY}".encode())]
    try:
        for _ in range(2):
            assert (await Exchange(surface, path="/whoami", headers=fields, server=server).run()).status == 200
    finally:
        await surface.stop()


async def test_what_the_authors_code_decides_is_asked_for_again_by_callers_who_are_known():
    app = App("shop", authenticate=KEYS)
    switches = {"enabled": True, "access": True}

    @app.query(description="Switched.", access=signed_in(), enabled=lambda: switches["enabled"])
    async def switched() -> list[str]:
        return []

    @app.query(description="Guarded.", access=lambda caller: switches["access"])
    async def guarded() -> list[str]:
        return []

    async with served(app.asgi(), **bearer(ADA_KEY)) as http:
        for name, path in [("enabled", "/switched"), ("access", "/guarded")]:
            assert await status(http, path, {}) == 200
            switches[name] = False
            assert await status(http, path, {}) == 404
            switches[name] = True
            assert await status(http, path, {}) == 200


@pytest.mark.requirement("AUTH-03")
async def test_a_stranger_who_is_offered_nothing_any_more_is_sent_to_log_in():
    app = App("shop", authenticate=KEYS)
    is_open = True

    @app.query(description="Open for a while.", access=anyone(), enabled=lambda: is_open)
    async def search() -> list[str]:
        return []

    async with served(app.asgi()) as http:
        assert await status(http, "/search", {}) == 200
        is_open = False
        assert await status(http, "/search", {}) == 401


async def test_a_lookup_is_asked_for_as_long_as_it_is_told_to():
    known = {ADA_KEY: Principal("ada")}
    app = App("shop", authenticate=ApiKeys(known.get, ttl=0))

    @app.query(description="Ask who is calling.", access=signed_in())
    async def whoami(caller: Caller) -> str | None:
        return caller.id

    async with served(app.asgi(), **bearer(ADA_KEY)) as http:
        assert await status(http, "/whoami", {}) == 200
        known.clear()
        assert await status(http, "/whoami", {}) == 401


@pytest.mark.requirement("AUTH-05")
async def test_what_is_kept_of_a_credential_is_a_digest():
    surface = shop().asgi()
    async with served(surface, **bearer(ADA_KEY)) as http:
        assert await status(http, "/whoami", {}) == 200
        kept = repr(surface._admissions._kept)
    assert "ada" in kept
    assert ADA_KEY not in kept


async def test_a_bounded_number_of_decisions_is_kept():
    surface = shop().asgi()
    runtime = await surface.runtime()
    admissions = Admissions(combine([KEYS]))
    for number in range(5000):
        admissions.keep((number,), admission(runtime, Caller(), ()))
    assert 0 < len(admissions._kept) <= 4096
    await surface.stop()


def test_nothing_is_kept_where_more_than_header_fields_decides():
    scope = {"headers": [(b"host", b"127.0.0.1")], "server": ("127.0.0.1", 80)}

    def by_cookie(request: object) -> None:
        return None

    assert Admissions(combine([KEYS])).recall(scope, Request(scope), Surface.HTTP) != ()
    assert Admissions(combine([KEYS, by_cookie])).recall(scope, Request(scope), Surface.HTTP) == ()
    assert Admissions(combine([ApiKeys(lambda key: None)])).recall(scope, Request(scope), Surface.HTTP) == ()
    assert Admissions(combine([ApiKeys({}, header="cookie")])).recall(scope, Request(scope), Surface.HTTP) == ()


def test_one_surface_serves_one_event_loop_after_another():
    surface: HttpSurface = shop().asgi()

    async def once() -> int:
        async with served(surface, **bearer(ADA_KEY)) as http:
            return await status(http, "/whoami", {})

    async def without_stopping() -> int:
        fields = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {ADA_KEY}".encode())]
        return (await Exchange(surface, path="/whoami", headers=fields).run()).status

    assert [asyncio.run(once()), asyncio.run(without_stopping()), asyncio.run(without_stopping())] == [200, 200, 200]
