"""Living in somebody else's application: any prefix, any framework, no wiring."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator
from urllib.parse import urljoin

import httpx
import pytest
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from tests.contracts.wire import Exchange, connected, running

from afford import App, JWTBearer, Page, PageRequest, Paging, Principal, anyone, signed_in
from afford.surfaces.asgi import Receive, Scope, Send


class Lamp(BaseModel):
    number: int


class PassingOn(BaseHTTPMiddleware):
    """A host's middleware of the kind that wraps the receiving side too."""

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        return await call_next(request)


def shop(log: list[str] | None = None, **options: object) -> App:
    kept = [] if log is None else log

    @contextlib.asynccontextmanager
    async def lifespan(_app: App) -> AsyncGenerator[None]:
        kept.append("shop opens")
        yield
        kept.append("shop closes")

    app = App("shop", title="Lamps", **{"access": anyone(), "secret": "s", "lifespan": lifespan, **options})

    @app.query(description="Search the lamps.", paging=Paging(default=2))
    async def lamps(shade: str = "plain", *, page: PageRequest[int]) -> Page[Lamp]:
        start = page.after or 0
        return Page([Lamp(number=start), Lamp(number=start + 1)], next=start + 2 if start < 4 else None)

    @app.action(description="Mend a lamp.")
    async def mend(number: int) -> int:
        return number

    return app


def host_lifespan(log: list[str]) -> object:
    @contextlib.asynccontextmanager
    async def lifespan(_host: object) -> AsyncGenerator[dict[str, object]]:
        log.append("host opens")
        yield {"from_the_host": True}
        log.append("host closes")

    return lifespan


async def works_below(http: httpx.AsyncClient, prefix: str) -> None:
    """Everything answers below the prefix, and every link stays there."""
    numbers: list[int] = []
    url = f"{prefix}/lamps?shade=silk"
    for _ in range(5):
        response = await http.get(url)
        assert response.status_code == 200, response.text
        assert not response.history
        numbers += [row["number"] for row in response.json()]
        if "link" not in response.headers:
            break
        url = urljoin(url, response.links["next"]["url"])
    assert numbers == [0, 1, 2, 3, 4, 5]
    mended = await http.post(f"{prefix}/mend", json={"number": 7})
    assert (mended.status_code, mended.json()) == (200, 7)
    for document in ("schema", "manifest", "openapi.json", "health"):
        assert (await http.get(f"{prefix}/{document}")).status_code == 200
    openapi = (await http.get(f"{prefix}/openapi.json")).json()
    server = urljoin(f"{prefix}/openapi.json", openapi["servers"][0]["url"])
    described = server.rstrip("/") + next(iter(openapi["paths"]))
    assert (await http.get(described)).status_code == 200
    missing = await http.get(f"{prefix}/nothing")
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown_operation")


@pytest.mark.requirement("CASE-K38", "INJ-06")
@pytest.mark.parametrize("path", ["/api", "/api/", "/deep/down"])
async def test_mounted_in_starlette_without_wiring_it_works(path: str):
    log: list[str] = []
    surface = shop(log).asgi()
    host = Starlette(
        routes=[Route("/own", lambda _request: PlainTextResponse("own")), Mount(path, surface)],
        lifespan=host_lifespan(log),
    )
    async with running(host), connected(host) as http:
        await works_below(http, path.rstrip("/"))
        assert (await http.get("/own")).text == "own"
    assert log == ["host opens", "shop opens", "host closes"]
    await surface.stop()
    assert log[-1] == "shop closes"


@pytest.mark.requirement("CASE-K38")
async def test_mounted_in_fastapi_with_its_own_lifespan_and_forgotten_wiring_it_works():
    log: list[str] = []
    surface = shop(log).asgi()
    host = FastAPI(lifespan=host_lifespan(log))
    host.mount("/agent", surface)

    @host.get("/own")
    async def own() -> str:
        return "own"

    async with running(host), connected(host) as http:
        await works_below(http, "/agent")
        assert (await http.get("/own")).json() == "own"
        assert "/agent/lamps" not in (await http.get("/openapi.json")).json()["paths"]
    await surface.stop()
    assert log == ["host opens", "shop opens", "host closes", "shop closes"]


@pytest.mark.requirement("CASE-K38")
async def test_mounted_without_any_lifespan_at_all_it_starts_once_with_the_first_request():
    log: list[str] = []
    surface = shop(log).asgi()
    async with connected(Starlette(routes=[Mount("/agent", surface)])) as http:
        for _ in range(3):
            assert (await http.get("/agent/lamps")).status_code == 200
    assert log == ["shop opens"]
    await surface.stop()


def stripping(app: object, prefix: str, *, tell: bool) -> object:
    """A host, or a proxy with the same effect, that takes the prefix off the path."""

    async def host(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = scope["path"].removeprefix(prefix)
            scope = {**scope, "path": path, **({"root_path": prefix} if tell else {})}
        await app(scope, receive, send)

    return host


def keeping(app: object, prefix: str) -> object:
    """A host that tells where the application is and leaves the path whole, as the ASGI specification asks."""

    async def host(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "root_path": prefix} if scope["type"] == "http" else scope, receive, send)

    return host


@pytest.mark.requirement("CASE-K38")
@pytest.mark.parametrize("prefix", ["/api", "/l", "/lam"])
@pytest.mark.parametrize("kind", ["strips silently", "strips and tells", "keeps and tells"])
async def test_every_way_of_telling_the_prefix_is_understood(prefix: str, kind: str):
    surface = shop().asgi()
    host = {
        "strips silently": stripping(surface, prefix, tell=False),
        "strips and tells": stripping(surface, prefix, tell=True),
        "keeps and tells": keeping(surface, prefix),
    }[kind]
    async with connected(host) as http:
        await works_below(http, prefix)
    await surface.stop()


@pytest.mark.requirement("CASE-K38")
@pytest.mark.parametrize("path", ["/api/lamps", "/lamps"])
async def test_a_prefix_with_a_trailing_slash_is_the_same_prefix(path: str):
    surface = shop().asgi()
    exchange = await Exchange(surface, path=path, root_path="/api/").run()
    assert exchange.status == 200
    await surface.stop()


@pytest.mark.requirement("CASE-K38", "CASE-K39")
async def test_a_mounted_app_leaves_hosts_to_its_host_and_says_so_once(caplog: pytest.LogCaptureFixture):
    surface = shop().asgi()
    strict = shop(allowed_hosts=["api.example"]).asgi()
    host = Starlette(routes=[Mount("/agent", surface), Mount("/strict", strict)])
    with caplog.at_level(logging.WARNING, logger="afford"):
        for path, status in (("/agent/lamps", 200), ("/agent/mend", 405), ("/strict/lamps", 421)):
            exchange = await Exchange(host, path=path, headers=[(b"host", b"shop.example")]).run()
            assert exchange.status == status
    warnings = [record for record in caplog.records if "allowed_hosts" in record.getMessage()]
    assert len(warnings) == 1
    await surface.stop()
    await strict.stop()


@pytest.mark.requirement("CASE-K39")
async def test_a_mounted_app_still_refuses_foreign_origins():
    surface = shop().asgi()
    host = Starlette(routes=[Mount("/agent", surface)])
    for origin, status in ((b"http://shop.example", 200), (b"http://evil.example", 403)):
        headers = [(b"host", b"shop.example"), (b"origin", origin)]
        assert (await Exchange(host, path="/agent/lamps", headers=headers).run()).status == status
    await surface.stop()


@pytest.mark.requirement("LIB-02")
@pytest.mark.parametrize("make", [Starlette, FastAPI])
@pytest.mark.parametrize("path", ["/agent", "agent/", "/deep/down"])
async def test_mount_on_adds_the_root_documents_and_composes_the_lifespans(make: type, path: str):
    log: list[str] = []
    host = make(lifespan=host_lifespan(log))
    shop(log).mount_on(host, path)
    prefix = f"/{path.strip('/')}"
    async with running(host), connected(host) as http:
        assert log == ["host opens", "shop opens"]
        await works_below(http, prefix)
        urls = (await http.get("/.well-known/afford.json")).json()["urls"]
        assert urls["schema"] == f"{prefix}/schema"
        catalog = await http.get("/.well-known/api-catalog")
        assert catalog.headers["content-type"] == "application/linkset+json"
        assert (await http.head("/.well-known/api-catalog")).content == b""
        assert (await http.post("/.well-known/api-catalog")).status_code == 405
    assert log == ["host opens", "shop opens", "shop closes", "host closes"]


@pytest.mark.requirement("LIB-02")
async def test_mount_on_the_root_names_urls_that_exist():
    host = Starlette()
    shop().mount_on(host, "/")
    async with running(host), connected(host) as http:
        urls = (await http.get("/.well-known/afford.json")).json()["urls"]
        assert urls["schema"] == "/schema"
        assert (await http.get("/schema")).status_code == 200
        assert (await http.get("/lamps")).status_code == 200


@pytest.mark.requirement("LIB-02")
async def test_a_lifespan_that_fails_stops_the_host_from_starting_and_what_began_is_ended():
    log: list[str] = []

    def lifespan(_app: App) -> object:
        raise OSError("the database is away")

    host = Starlette(lifespan=host_lifespan(log))
    shop(lifespan=lifespan).mount_on(host)
    with pytest.raises(OSError, match="away"):
        async with host.router.lifespan_context(host):
            pass
    assert log == ["host opens"]


@pytest.mark.requirement("LIB-02")
def test_mount_on_something_else_says_what_to_do_instead():
    with pytest.raises(TypeError, match="asgi"):
        shop().mount_on(object())


@pytest.mark.requirement("INJ-06")
async def test_the_asgi_lifespan_starts_and_stops_the_app_once():
    log: list[str] = []
    surface = shop(log).asgi()
    async with running(surface), connected(surface) as http:
        assert log == ["shop opens"]
        assert (await http.get("/lamps")).status_code == 200
    assert log == ["shop opens", "shop closes"]


@pytest.mark.requirement("INJ-06")
async def test_a_failed_start_is_told_to_the_server_without_its_text():
    def lifespan(_app: App) -> object:
        raise RuntimeError("password=hunter2")

    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "lifespan.startup"}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    await shop(lifespan=lifespan).asgi()({"type": "lifespan"}, receive, send)
    assert [message["type"] for message in sent] == ["lifespan.startup.failed"]
    assert "hunter2" not in str(sent)


@pytest.mark.requirement("CASE-K38", "ACC-10")
async def test_one_app_may_be_mounted_for_agents_and_for_its_own_people_side_by_side():
    app = shop(access=signed_in())

    @app.query()
    async def undescribed() -> str:
        return "for the page"

    surfaces = {
        "/agent": app.asgi(authenticate=[lambda _request: Principal("bot", agent=True)]),
        "/page": app.asgi(door="app", authenticate=[lambda _request: Principal("ada")]),
    }
    host = Starlette(routes=[Mount(path, surface) for path, surface in surfaces.items()])
    async with connected(host) as http:
        assert (await http.get("/agent/undescribed")).status_code == 404
        assert (await http.get("/page/undescribed")).json() == ["for the page"]
        assert (await http.get("/agent/lamps")).status_code == 200
    for surface in surfaces.values():
        await surface.stop()


@pytest.mark.requirement("CASE-K38")
@pytest.mark.parametrize("middleware", [PassingOn, GZipMiddleware])
async def test_middleware_of_the_host_does_not_get_in_the_way(middleware: type):
    surface = shop().asgi()
    host = Starlette(routes=[Mount("/agent", surface)], middleware=[Middleware(middleware)])
    async with connected(host) as http:
        await works_below(http, "/agent")
        condition = (await http.get("/agent/schema")).headers["etag"].removeprefix("W/")
        assert (await http.get("/agent/schema", headers={"if-none-match": condition})).status_code == 304
    await surface.stop()


@pytest.mark.requirement("CASE-K38")
async def test_a_site_behind_a_server_that_knows_its_prefix_works():
    site = shop().site("/agent")
    for host in (keeping(site, "/api"), stripping(site, "/api", tell=True)):
        async with connected(host) as http:
            await works_below(http, "/api/agent")
            assert (await http.get("/api/.well-known/afford.json")).status_code == 200
    await site._surface.stop()


@pytest.mark.requirement("HTTP-07")
async def test_the_authorization_server_behind_the_mcp_endpoint_is_named_at_the_root():
    bearer = JWTBearer(key="a-shared-secret-of-32-characters!", issuer="https://id.example", audience="shop")
    app = App("shop", title="Lamps", access=anyone(), authenticate=bearer, public_url="https://shop.example/agent")
    async with connected(app.site()) as http:
        answer = await http.get("/.well-known/oauth-protected-resource/agent/mcp")
    assert answer.json() == {
        "resource": "https://shop.example/agent/mcp",
        "resource_name": "Lamps",
        "authorization_servers": ["https://id.example"],
        "bearer_methods_supported": ["header"],
    }
    async with connected(App("open", access=anyone()).site()) as http:
        assert (await http.get("/.well-known/oauth-protected-resource/agent/mcp")).status_code == 404
