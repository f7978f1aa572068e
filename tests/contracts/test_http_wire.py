"""The wire of the HTTP surface: methods, spellings, bodies, documents, hosts and origins."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import AsyncGenerator
from typing import Annotated, Literal
from urllib.parse import urljoin

import httpx
import jsonschema_rs
import orjson
import pytest
from pydantic import BaseModel, Field
from tests.contracts.clock import Clock
from tests.contracts.wire import LOCAL, Exchange, connected, served

from afford import App, Call, Choices, Page, PageRequest, Paging, Principal, Request, anyone, roles, signed_in
from afford.surfaces.http.project import CATALOG_SCHEMA
from afford.surfaces.http.surface import HttpSurface


class Lamp(BaseModel):
    """A lamp."""

    number: Annotated[int, Field(description="The lamp's number.")]
    shade: str = "plain"


class Connection:
    """A provided value."""


class Size(BaseModel):
    width: int
    depth: float = 1.0


def shop(**options: object) -> App:
    app = App("shop", **{"access": anyone(), "secret": "s", "roles": ("staff",), **options})

    @app.query(description="Search the lamps.", paging=Paging(default=2, max=3))
    async def lamps(
        *,
        least: int = 0,
        share: float = 0.0,
        lit: bool = False,
        shade: str = "plain",
        rooms: list[int] | None = None,
        size: Size | None = None,
        page: PageRequest[int],
    ) -> Page[Lamp]:
        start = page.after or 0
        numbers = [number for number in range(start, start + page.limit) if number < 5]
        return Page(
            [Lamp(number=number, shade=shade) for number in numbers],
            next=numbers[-1] + 1 if numbers and numbers[-1] < 4 else None,
            total=5,
        )

    @app.action(description="Mend a lamp.")
    async def mend(lamp: Lamp) -> int:
        return lamp.number

    @app.event(description="Tell that a lamp broke.")
    async def broke(number: int = 0) -> None: ...

    @app.static(description="See the shades.")
    async def shades() -> list[str]:
        return ["plain", "silk"]

    @app.action(description="Close the shop.", access=roles("staff"))
    async def close() -> None: ...

    return app


def problem_of(response: httpx.Response) -> dict[str, object]:
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == response.status_code
    return problem


def faults_of(response: httpx.Response) -> dict[str, str]:
    assert response.status_code == 400
    return {fault["pointer"]: fault["code"] for fault in problem_of(response)["errors"]}


@pytest.mark.requirement("HTTP-01")
async def test_reads_answer_get_and_head_and_writes_answer_post():
    async with served(shop().asgi()) as http:
        got, head = await http.get("/lamps"), await http.head("/lamps")
        assert (got.status_code, len(got.json())) == (200, 2)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers == got.headers
        assert (await http.get("/shades")).json() == ["plain", "silk"]
        assert (await http.post("/mend", json={"number": 7})).json() == 7
        told = await http.post("/broke")
        assert (told.status_code, told.json()) == (200, None)


@pytest.mark.requirement("HTTP-01")
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "BREW"])
async def test_another_method_on_a_read_is_refused_with_what_is_allowed(method: str):
    async with served(shop().asgi()) as http:
        for path in ("/lamps", "/shades", "/schema", "/manifest", "/openapi.json", "/health"):
            exchange = await Exchange(http._transport.app, method=method, path=path).run()
            assert exchange.status == 405, path
            assert exchange.header("allow") == "GET, HEAD"


@pytest.mark.requirement("HTTP-01")
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
async def test_another_method_on_a_write_is_refused_with_what_is_allowed(method: str):
    async with served(shop().asgi()) as http:
        response = await http.request(method, "/mend")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


@pytest.mark.requirement("HTTP-01")
async def test_a_query_reads_no_body_and_an_action_no_query_string():
    async with served(shop().asgi()) as http:
        body = orjson.dumps({"least": "nonsense"})
        assert (await http.request("GET", "/lamps", content=body)).status_code == 200
        assert faults_of(await http.post("/mend?number=7")) == {"/number": "missing"}


@pytest.mark.requirement("HTTP-08", "QRY-01")
@pytest.mark.parametrize(
    "query",
    [
        "",
        "&",
        "&&least=5&",
        "least=-5",
        "least=0",
        "least=-0",
        "least=9007199254740991",
        "share=1",
        "share=-0.5e3",
        "share=1E-2",
        "lit=true",
        "lit=false",
        "shade=",
        "shade",
        "shade=a+b%20c",
        "shade=%C3%A4",
        "shade=ä",
        "shade=a=b",
        "shade=null",
        "rooms[]=1&rooms[]=2",
        "rooms%5B%5D=1&rooms%5b%5d=2",
        "rooms=1&rooms=2",
        "rooms=1",
        "size[width]=5",
        "size%5Bwidth%5D=5&size[depth]=0.5",
        "limit=5&cursor",
        "limit=-99999999999999999999999999",
    ],
)
async def test_the_one_spelling_of_each_type_is_read(query: str):
    async with served(shop().asgi()) as http:
        response = await http.get(f"/lamps?{query}".removesuffix("&cursor"))
    assert response.status_code == 200, response.text


@pytest.mark.requirement("HTTP-08", "HTTP-09")
@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("least=", "/least"),
        ("least", "/least"),
        ("least=01", "/least"),
        ("least=1e3", "/least"),
        ("least=2.0", "/least"),
        ("least=+5", "/least"),
        ("least=%2B5", "/least"),
        ("least=%205", "/least"),
        ("least=5%0A", "/least"),
        ("least=1_000", "/least"),
        ("least=%EF%BC%95", "/least"),
        ("least=0x10", "/least"),
        ("least=null", "/least"),
        ("least=9007199254740992", "/least"),
        ("least=" + "9" * 5000, "/least"),
        ("share=.5", "/share"),
        ("share=5.", "/share"),
        ("share=nan", "/share"),
        ("share=inf", "/share"),
        ("share=1e400", "/share"),
        ("share=0x1A", "/share"),
        ("lit=1", "/lit"),
        ("lit=True", "/lit"),
        ("lit=yes", "/lit"),
        ("lit=", "/lit"),
        ("least=1&least=2", "/least"),
        ("least=1&least=1", "/least"),
        ("shade=a&shade=b", "/shade"),
        ("shade=%zz", "/shade"),
        ("shade=%", "/shade"),
        ("shade=%FF", "/shade"),
        ("shade=%ED%A0%80", "/shade"),
        ("least[]=1", "/least"),
        ("least[a]=1", "/least"),
        ("rooms[]=1&rooms=2", "/rooms"),
        ("rooms[0]=1", "/rooms"),
        ("rooms[]=a", "/rooms/0"),
        ("rooms[][a]=1", "/rooms"),
        ("size=5", "/size"),
        ("size[]=5", "/size"),
        ("size[width]=x", "/size/width"),
        ("size[width]=1&size[width]=2", "/size/width"),
        ("size[width][a]=1", "/size"),
        ("size[wdth]=1&size[width]=1", "/size/wdth"),
        ("size[depth]=1", "/size/width"),
        ("limit=abc", "/limit"),
        ("limit=", "/limit"),
        ("limit=1.5", "/limit"),
        ("limit=1&limit=2", "/limit"),
        ("limit[]=1", "/limit"),
        ("cursor=", "/cursor"),
        ("cursor=garbage", "/cursor"),
        ("cursor=a&cursor=b", "/cursor"),
        ("unknown=1", "/unknown"),
        ("Least=1", "/Least"),
    ],
)
async def test_every_other_spelling_is_a_fault_of_its_place(query: str, pointer: str):
    async with served(shop().asgi()) as http:
        exchange = await Exchange(http._transport.app, path="/lamps", query_string=query.encode()).run()
    problem = orjson.loads(exchange.body)
    assert exchange.status == 400
    assert [fault["pointer"] for fault in problem["errors"]] == [pointer]


@pytest.mark.requirement("HTTP-09")
@pytest.mark.parametrize("query", [b"%zz=1", b"\xff\xfe=1", b"a=1&" * 2000, b"%00", b"[]=1", b"[=1", b"]"])
async def test_a_query_string_that_is_none_is_refused_as_a_whole(query: bytes):
    async with served(shop().asgi()) as http:
        exchange = await Exchange(http._transport.app, path="/lamps", query_string=query).run()
    assert exchange.status == 400
    assert orjson.loads(exchange.body)["errors"]


@pytest.mark.requirement("HTTP-10")
@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b"[]",
        b'[{"number": 1}]',
        b'"text"',
        b"5",
        b"null",
        b"true",
        b'{"number": 1} {}',
        b'{"number": 1, "number": 2}',
        b'{"number": 1, "\\u006eumber": 2}',
        b'{"number": NaN}',
        b'{"number": Infinity}',
        b'{"number": -Infinity}',
        b'{"number": 1e400}',
        b'{"number": 01}',
        b'{"number": 1,}',
        b'{"shade": "\\ud800"}',
        b'{"shade": "\xff"}',
        b"\xef\xbb\xbf{}",
        b'{"shade": ' + b"[" * 100 + b"]" * 100 + b"}",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"number": ' + b"9" * 10_000 + b"}",
        b"{'number': 1}",
        b"number=1",
    ],
    ids=lambda body: repr(body[:30]),
)
async def test_a_body_that_is_not_one_plain_json_object_is_refused(body: bytes):
    async with served(shop().asgi(), content_type="application/json") as http:
        response = await http.post("/mend", content=body)
    assert response.status_code == 400
    assert problem_of(response)["code"] == "bad_request"


@pytest.mark.requirement("HTTP-10")
@pytest.mark.parametrize("body", [b"", b"  \r\n\t ", b"{}"])
async def test_an_empty_body_is_the_empty_object(body: bytes):
    async with served(shop().asgi(), content_type="application/json") as http:
        assert (await http.post("/broke", content=body)).status_code == 200
        assert faults_of(await http.post("/mend", content=body)) == {"/number": "missing"}


@pytest.mark.requirement("HTTP-11")
async def test_an_oversize_body_is_refused_by_its_length_or_by_its_bytes():
    app = shop(max_body=100)
    fits, exceeds = b'{"number": 1}'.ljust(100), b'{"number": 1}'.ljust(101)
    json = (b"content-type", b"application/json")
    async with served(app.asgi(), content_type="application/json") as http:
        assert (await http.post("/mend", content=fits)).status_code == 200
        response = await http.post("/mend", content=exceeds)
        assert (response.status_code, problem_of(response)["code"]) == (413, "too_large")
        for length in (b"101", b"9" * 30, b"9" * 5000):
            headers = [(b"host", b"127.0.0.1"), json, (b"content-length", length)]
            refused = await Exchange(http._transport.app, method="POST", path="/mend", headers=headers).run()
            assert refused.status == 413
        chunks = [{"type": "http.request", "body": b" " * 30, "more_body": True} for _ in range(1000)]
        headers = [(b"host", b"127.0.0.1"), json]
        refused = await Exchange(http._transport.app, method="POST", path="/mend", headers=headers).run(*chunks)
        assert refused.status == 413


@pytest.mark.requirement("HTTP-10")
async def test_a_body_in_pieces_is_put_together():
    async with served(shop().asgi()) as http:
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        pieces = [b'{"num', b"", b'ber": 7', b"}"]
        messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
        messages.append({"type": "http.request"})
        exchange = await Exchange(http._transport.app, method="POST", path="/mend", headers=headers).run(*messages)
    assert (exchange.status, exchange.body) == (200, b"7")


@pytest.mark.requirement("HTTP-10")
async def test_a_client_that_leaves_before_its_body_is_whole_runs_nothing():
    async with served(shop().asgi()) as http:
        cut = {"type": "http.request", "body": b'{"number"', "more_body": True}
        exchange = await Exchange(http._transport.app, method="POST", path="/mend").run(cut)
    assert (exchange.status, exchange.body) == (0, b"")


@pytest.mark.requirement("HTTP-11")
@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("application/merge-patch+json", 200),
        (None, 415),
        ("", 415),
        ("text/plain", 415),
        ("text/json", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/jsonp", 415),
        ("*/*", 415),
        ("application/json, text/plain", 415),
    ],
)
async def test_a_body_of_another_media_type_is_refused(content_type: str | None, status: int):
    headers = {} if content_type is None else {"content-type": content_type}
    async with served(shop().asgi()) as http:
        response = await http.post("/mend", content=b'{"number": 1}', headers=headers)
    assert response.status_code == status
    if status == 415:
        assert problem_of(response)["code"] == "unsupported_media_type"


@pytest.mark.requirement("HTTP-11")
async def test_a_compressed_body_is_not_read_as_if_it_were_plain():
    async with served(shop().asgi(), content_type="application/json", content_encoding="gzip") as http:
        response = await http.post("/mend", content=gzip.compress(b'{"number": 1}'))
    assert response.status_code in {400, 415}


@pytest.mark.requirement("HTTP-12")
async def test_an_error_is_a_problem_document_whose_members_all_say_something():
    async with served(shop().asgi()) as http:
        unknown = problem_of(await http.get("/lampz"))
        refused = problem_of(await http.post("/mend", json={"number": "x", "shad": 1}))
    assert unknown.keys() == {"type", "title", "status", "detail", "code", "fix"}
    assert unknown["type"] == "urn:afford:problem:unknown_operation"
    assert refused.keys() == {"type", "title", "status", "detail", "code", "fix", "errors"}
    for problem in (unknown, refused):
        assert all(value not in (None, "", [], {}) for value in problem.values())


@pytest.mark.requirement("HTTP-12")
@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/lamps/",
        "/lamps/1",
        "/LAMPS",
        "/lamps.json",
        "/lamps%20",
        "/",
        "",
        "/../lamps",
        "/é",
        "/\x00",
    ],
)
async def test_a_path_that_is_no_operation_is_unknown_and_never_redirected(path: str):
    async with served(shop().asgi()) as http:
        exchange = await Exchange(http._transport.app, path=path).run()
    assert exchange.status == 404
    assert orjson.loads(exchange.body)["code"] == "unknown_operation"


@pytest.mark.requirement("HTTP-01")
async def test_a_doubled_slash_before_the_name_is_taken_as_one():
    async with served(shop().asgi()) as http:
        assert (await Exchange(http._transport.app, path="//lamps").run()).status == 200


@pytest.mark.requirement("HTTP-12")
async def test_an_answer_may_be_kept_by_nobody_and_read_as_nothing_else():
    async with served(shop().asgi()) as http:
        for response in (await http.get("/lamps"), await http.post("/broke"), await http.get("/nothing")):
            assert response.headers["cache-control"] == "private, no-store"
            assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.requirement("HTTP-15", "PAGE-04", "PAGE-08")
@pytest.mark.parametrize("public_url", [None, "https://shop.example/agent", "https://shop.example/agent/"])
async def test_the_next_link_leads_from_page_to_page_with_everything_that_was_asked(public_url: str | None):
    options = {} if public_url is None else {"public_url": public_url}
    host = {} if public_url is None else {"host": "shop.example"}
    async with served(shop(**options).asgi(), **host) as http:
        url = "/lamps?shade=%C3%A4&rooms[]=1&rooms[]=2&size%5Bwidth%5D=5"
        numbers = []
        for _ in range(10):
            response = await http.get(url.replace("https://shop.example/agent", LOCAL))
            numbers += [row["number"] for row in response.json()]
            assert response.headers["x-total-count"] == "5"
            if "link" not in response.headers:
                break
            link = response.links["next"]["url"]
            assert link.startswith("?" if public_url is None else "https://shop.example/agent/lamps?")
            url = urljoin("/lamps", link)
    assert numbers == [0, 1, 2, 3, 4]


@pytest.mark.requirement("HTTP-15")
async def test_the_next_link_is_a_uri_whatever_stands_in_the_query_string():
    async with served(shop().asgi()) as http:
        app = http._transport.app
        first = await Exchange(app, path="/lamps", query_string=b'shade=<">;\xc3\xa4[]').run()
        link = first.header("link")
        assert link is not None
        assert link.startswith("<?shade=%3C%22%3E;%C3%A4%5B%5D&cursor=")
        assert link.endswith('>; rel="next"')
        query = link[2 : link.index(">")].encode()
        second = await Exchange(app, path="/lamps", query_string=query.replace(b"cursor=", b"%63ursor=")).run()
        assert orjson.loads(second.body)[0] == {"number": 2, "shade": '<">;ä[]'}
        third = second.header("link")
        assert third is not None
        assert third.count("cursor=") == 1


@pytest.mark.requirement("HTTP-02", "DESC-03")
async def test_the_documents_are_filtered_for_their_caller_and_private():
    app = shop()
    for principal, sees_close in ((None, False), (Principal("sam", ["staff"]), True)):
        surface = app.asgi(authenticate=[as_whoever(principal)])
        async with served(surface) as http:
            for path in ("/schema", "/manifest", "/openapi.json"):
                response = await http.get(path)
                assert ("close" in response.text) is sees_close
                assert response.headers["content-type"] == "application/json"
                assert response.headers["cache-control"] == "private, no-cache"
                assert response.headers["vary"] == "x-whoever"
            assert jsonschema_rs.is_valid(CATALOG_SCHEMA, (await http.get("/schema")).json())


def as_whoever(principal: Principal | None) -> object:
    def authenticate(request: Request) -> Principal | None:
        request.headers.get("X-Whoever")
        return principal

    return authenticate


@pytest.mark.requirement("HTTP-02", "DESC-03")
async def test_the_catalog_says_where_its_own_schema_is():
    async with served(shop().asgi()) as http:
        catalog = await http.get("/schema")
        found = await http.get(urljoin("/schema", catalog.links["describedby"]["url"]))
    assert found.headers["content-type"] == "application/schema+json"
    assert jsonschema_rs.is_valid(found.json(), catalog.json())


@pytest.mark.requirement("HTTP-03")
async def test_a_public_catalog_shows_every_exposed_operation_to_everybody():
    areas = ["harbour"]

    async def load() -> list[str]:
        return areas

    app = shop(catalog="public", deny=["shades"])

    @app.query(description="Search an area.")
    async def by_area(area: Annotated[str, Choices(load)]) -> list[str]:
        return []

    @app.action(access=anyone())
    async def undescribed() -> None: ...

    bodies = []
    for principal in (None, Principal("ada"), Principal("sam", ["staff"])):
        async with served(app.asgi(authenticate=[as_whoever(principal)])) as http:
            response = await http.get("/schema")
            assert response.headers["cache-control"].startswith("public")
            assert "vary" not in response.headers
            bodies.append(response.content)
            assert ("close" in (await http.get("/manifest")).text) is (principal == Principal("sam", ["staff"]))
    assert len(set(bodies)) == 1
    catalog = orjson.loads(bodies[0])
    assert [item["name"] for item in catalog["queries"]] == ["by_area", "lamps"]
    assert [item["name"] for item in catalog["actions"]] == ["broke", "close", "mend"]
    (area,) = [item for item in catalog["queries"] if item["name"] == "by_area"]
    assert area["input_schema"]["properties"]["area"]["enum"] == ["harbour"]


@pytest.mark.requirement("HTTP-04")
@pytest.mark.parametrize("path", ["/schema", "/manifest", "/openapi.json", "/schema.schema.json"])
async def test_a_document_has_a_strong_tag_and_answers_304_to_it(path: str):
    async with served(shop().asgi()) as http:
        full = await http.get(path)
        tag = full.headers["etag"]
        assert tag.startswith('"')
        assert (await http.get(path)).content == full.content
        for condition in (tag, f"W/{tag}", "*", f'"other", {tag}'):
            response = await http.get(path, headers={"if-none-match": condition})
            assert (response.status_code, response.content) == (304, b"")
            assert response.headers["etag"] == tag
            assert response.headers["cache-control"] == full.headers["cache-control"]
            assert "content-length" not in response.headers
        for condition in ('"other"', "", tag.strip('"')):
            assert (await http.get(path, headers={"if-none-match": condition})).status_code == 200
        assert (await http.head(path, headers={"if-none-match": tag})).status_code == 304


@pytest.mark.requirement("HTTP-04", "SCH-05")
async def test_the_tag_moves_with_what_the_document_says(clock: Clock):
    areas = ["harbour"]

    async def load() -> list[str]:
        return list(areas)

    app = shop()

    @app.query(description="Search an area.")
    async def by_area(area: Annotated[str, Choices(load)]) -> list[str]:
        return []

    async with served(app.asgi()) as http:
        before = (await http.get("/schema")).headers["etag"]
        areas.append("suburb")
        clock.forward(61)
        for _ in range(100):
            await asyncio.sleep(0)
            after = await http.get("/schema", headers={"if-none-match": before})
            if after.status_code != 304:
                break
    assert after.status_code == 200
    assert "suburb" in after.text


@pytest.mark.requirement("HTTP-05")
async def test_the_openapi_document_describes_what_is_served():
    app = App("shop", access=anyone(), title="Lamps", version="2.1.0", description="A shop.")
    broken = app.problem("LAMP_BROKEN", status=410, title="The lamp is broken", fix="mend it")

    @app.action(description="Light a lamp.", raises=[broken])
    async def light(lamp: Lamp) -> Lamp:
        raise broken("it is broken")

    @app.query(description="Search the lamps.")
    async def lamps(shade: str) -> list[Lamp]:
        return []

    async with served(app.asgi()) as http:
        document = (await http.get("/openapi.json")).json()
        response = await http.post("/light", json={"number": 1})
    assert document["openapi"] == "3.1.0"
    assert document["info"] == {"title": "Lamps", "version": "2.1.0", "description": "A shop."}
    assert document["servers"] == [{"url": "."}]
    assert {path: list(item) for path, item in document["paths"].items()} == {"/lamps": ["get"], "/light": ["post"]}
    reference = document["paths"]["/light"]["post"]["responses"][str(response.status_code)]["$ref"]
    described = document["components"]["responses"][reference.rpartition("/")[2]]
    content = described["content"]["application/problem+json"]["schema"]
    schemas = {"components": document["components"], **content}
    assert jsonschema_rs.is_valid(schemas, response.json())
    assert "LAMP_BROKEN" in reference


@pytest.mark.requirement("HTTP-06")
async def test_health_says_alive_and_ready_and_nothing_else():
    async with served(shop(access=signed_in(), authenticate=lambda _request: None).asgi()) as http:
        response = await http.get("/health")
        assert (response.status_code, response.json()) == (200, {"status": "ok"})
        assert (await http.head("/health")).content == b""


@pytest.mark.requirement("HTTP-06")
async def test_an_app_that_did_not_start_is_alive_and_not_ready(caplog: pytest.LogCaptureFixture):
    def lifespan(_app: App) -> object:
        raise RuntimeError("password=hunter2")

    async with served(shop(lifespan=lifespan).asgi()) as http:
        response = await http.get("/health")
        assert (response.status_code, problem_of(response)["code"]) == (503, "unavailable")
        call = await http.get("/lamps")
    assert call.status_code >= 500
    assert "hunter2" not in response.text + call.text


@pytest.mark.requirement("HTTP-07", "FRAME-39")
@pytest.mark.parametrize("door", ["agent", "app"])
async def test_what_a_door_does_not_serve_is_not_advertised_at_it(door: Literal["agent", "app"]):
    site = shop().site("/agent", door=door)
    async with connected(site) as http:
        urls = (await http.get("/.well-known/afford.json")).json()["urls"]
        answer = await http.post("/agent/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    await site._surface.stop()
    assert ("mcp" in urls, answer.status_code) == ((True, 200) if door == "agent" else (False, 404))


@pytest.mark.requirement("HTTP-07")
@pytest.mark.parametrize("public_url", [None, "https://shop.example/agent"])
async def test_the_documents_at_the_root_name_every_url(public_url: str | None):
    options = {} if public_url is None else {"public_url": public_url}
    site = shop(**options).site("/agent")
    base = "https://shop.example" if public_url else ""
    http = connected(site)
    async with http:
        index, discovery = await http.get("/"), await http.get("/.well-known/afford.json")
        catalog = await http.get("/.well-known/api-catalog")
        assert index.json() == discovery.json()
        urls = discovery.json()["urls"]
        assert urls["schema"] == f"{base}/agent/schema"
        for name in ("schema", "manifest", "openapi", "health"):
            assert (await http.get(urls[name].removeprefix(base))).status_code == 200
        assert catalog.headers["content-type"] == "application/linkset+json"
        (link,) = catalog.json()["linkset"]
        assert link["service-desc"][0]["href"] == f"{base}/agent/openapi.json"
        for path in ("/", "/.well-known/afford.json"):
            refused = await http.post(path)
            assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")
        assert (await http.get("/agent/lamps")).status_code == 200
        for path in ("/lamps", "/agentlamps", "/nothing", "/agent"):
            assert (await http.get(path)).status_code == 404
    await site._surface.stop()


@pytest.mark.requirement("HTTP-07")
@pytest.mark.parametrize(("door", "status"), [("agent", 405), ("app", 404)])
async def test_mcp_is_named_where_it_is_served(door: str, status: int):
    site = shop().site("/agent", door=door)  # type: ignore[arg-type]
    async with connected(site) as http:
        urls = (await http.get("/.well-known/afford.json")).json()["urls"]
        assert (await http.get("/agent/mcp")).status_code == status
    assert ("mcp" in urls) is (door == "agent")
    await site._surface.stop()


@pytest.mark.requirement("HTTP-07")
async def test_a_site_may_stand_at_the_root_of_its_origin():
    site = shop().site("/")
    async with connected(site) as http:
        urls = (await http.get("/.well-known/afford.json")).json()["urls"]
        assert urls["schema"] == "/schema"
        assert (await http.get("/schema")).status_code == 200
        assert (await http.get("/lamps")).status_code == 200
    await site._surface.stop()


def with_identity(principal: Principal, *, by_cookie: bool) -> object:
    def authenticate(request: Request) -> Principal | None:
        if by_cookie:
            return principal if request.cookies.get("session") == "s1" else None
        return principal if request.headers.get("authorization") == "Bearer s1" else None

    return authenticate


@pytest.mark.requirement("HTTP-13")
async def test_the_app_door_requires_json_for_every_write():
    async with served(shop().asgi(door="app")) as http:
        assert (await http.post("/broke")).status_code == 415
        assert (await http.post("/broke", headers={"content-type": "text/plain"})).status_code == 415
        assert (await http.post("/broke", json={})).status_code == 200
        assert (await http.get("/lamps")).status_code == 200


@pytest.mark.requirement("HTTP-13")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"cookie": "session=s1"}, 403),
        ({"cookie": "session=s1", "origin": LOCAL}, 200),
        ({"cookie": "session=s1", "origin": "http://evil.example"}, 403),
        ({"cookie": "session=s1", "origin": "null"}, 403),
        ({"cookie": "session=s1", "origin": "http://127.0.0.1:8080"}, 403),
        ({"cookie": "session=s1", "origin": "http://127.0.0.1.evil.example"}, 403),
        ({"cookie": "session=s1", "origin": "https://page.example"}, 200),
    ],
)
async def test_a_write_on_a_cookie_s_behalf_needs_an_origin_that_matches(headers: dict[str, str], status: int):
    app = shop(access=signed_in(), allowed_origins=["https://page.example"])
    surface = app.asgi(door="app", authenticate=[with_identity(Principal("ada"), by_cookie=True)])
    async with served(surface) as http:
        assert (await http.post("/broke", json={}, headers=headers)).status_code == status
        if "origin" not in headers:
            assert (await http.get("/lamps", headers=headers)).status_code == 200


@pytest.mark.requirement("HTTP-13")
async def test_a_write_with_a_token_needs_no_origin():
    app = shop(access=signed_in())
    surface = app.asgi(door="app", authenticate=[with_identity(Principal("ada"), by_cookie=False)])
    async with served(surface, authorization="Bearer s1") as http:
        assert (await http.post("/broke", json={})).status_code == 200


@pytest.mark.requirement("HTTP-13", "ACC-10")
async def test_agent_credentials_open_nothing_at_the_app_door():
    app = shop(access=signed_in())
    surface = app.asgi(door="app", authenticate=[as_whoever(Principal("bot", agent=True))])
    async with served(surface) as http:
        for path in ("/lamps", "/schema", "/manifest", "/openapi.json", "/nothing"):
            assert (await http.get(path)).status_code == 403


@pytest.mark.requirement("HTTP-14")
async def test_cors_is_off_unless_an_origin_is_listed():
    page = {"origin": "https://page.example"}
    ask = {**page, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    async with served(shop().asgi()) as http:
        for response in (await http.get("/lamps", headers=page), await http.options("/mend", headers=ask)):
            assert response.status_code == 403
            assert not [name for name in response.headers if name.startswith("access-control")]
        assert not [name for name in (await http.get("/lamps")).headers if name.startswith("access-control")]
    async with served(shop(allowed_origins=["https://page.example"]).asgi()) as http:
        preflight = await http.options("/mend", headers=ask)
        assert (preflight.status_code, preflight.content) == (204, b"")
        assert preflight.headers["access-control-allow-origin"] == "https://page.example"
        assert "POST" in preflight.headers["access-control-allow-methods"]
        assert "authorization" in preflight.headers["access-control-allow-headers"]
        assert "access-control-allow-credentials" not in preflight.headers
        asked = {**ask, "access-control-request-headers": "content-type, Mcp-Method,mcp-param-region, x-evil"}
        allowed = (await http.options("/mcp", headers=asked)).headers["access-control-allow-headers"]
        assert "mcp-method" in allowed
        assert "mcp-param-region" in allowed
        assert "x-evil" not in allowed
        discovered = await http.post("/mcp", headers=page, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert discovered.headers["access-control-allow-origin"] == "https://page.example"
        assert "content-length" not in preflight.headers
        for response in (
            await http.get("/lamps", headers=page),
            await http.get("/nothing", headers=page),
            await http.get("/schema", headers=page),
        ):
            assert response.headers["access-control-allow-origin"] == "https://page.example"
            assert "origin" in response.headers["vary"].lower()
        assert (await http.get("/lamps", headers={"origin": "https://other.example"})).status_code == 403
        assert "access-control-allow-origin" not in (await http.get("/lamps")).headers


@pytest.mark.requirement("HTTP-16")
@pytest.mark.parametrize("path", ["/console", "/webmcp.js", "/approvals/5", "/approvals"])
async def test_the_paths_of_surfaces_to_come_run_nothing(path: str):
    async with served(shop().asgi()) as http:
        for method in ("GET", "POST"):
            assert (await http.request(method, path)).status_code == 404


@pytest.mark.requirement("CASE-K39")
@pytest.mark.parametrize(
    ("allowed", "host", "status"),
    [
        (None, "127.0.0.1", 200),
        (None, "127.0.0.1:8000", 200),
        (None, "localhost:8000", 200),
        (None, "LocalHost", 200),
        (None, "[::1]:8000", 200),
        (None, "evil.example", 421),
        (None, "127.0.0.1.evil.example", 421),
        (None, "localhost.evil.example", 421),
        (None, "evil.example:127.0.0.1", 421),
        (None, "", 421),
        (None, "::1", 421),
        (["api.example"], "api.example", 200),
        (["api.example"], "api.example:443", 200),
        (["API.example"], "api.EXAMPLE:8443", 200),
        (["api.example"], "127.0.0.1", 200),
        (["api.example"], "evil.example", 421),
        (["api.example"], "api.example.evil.example", 421),
        (["api.example"], "xapi.example", 421),
        ([".example"], "api.example", 200),
        ([".example"], "api.badexample", 421),
        (["*"], "anything.at.all", 200),
        ([], "evil.example", 421),
    ],
)
async def test_a_foreign_host_is_misdirected_before_anything_runs(allowed: list[str] | None, host: str, status: int):
    app = shop() if allowed is None else shop(allowed_hosts=allowed)
    ran = []

    @app.action(description="Run.")
    async def run() -> None:
        ran.append(1)

    async with served(app.asgi()) as http:
        headers = [(b"host", host.encode()), (b"content-type", b"application/json")]
        exchange = await Exchange(http._transport.app, method="POST", path="/run", headers=headers).run()
    assert exchange.status == status
    assert len(ran) == (status == 200)
    if status == 421:
        assert "allowed_hosts" in orjson.loads(exchange.body)["fix"]


@pytest.mark.requirement("CASE-K39")
@pytest.mark.parametrize("hosts", [[], [b"127.0.0.1", b"evil.example"], [b"evil.example", b"127.0.0.1"]], ids=str)
async def test_a_request_that_names_no_host_or_two_is_misdirected(hosts: list[bytes]):
    async with served(shop().asgi()) as http:
        headers = [(b"host", host) for host in hosts]
        exchange = await Exchange(http._transport.app, path="/lamps", headers=headers).run()
    assert exchange.status == 421


@pytest.mark.requirement("CASE-K39", "FRAME-64")
@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000", 200),
        ("127.0.0.1", "http://127.0.0.1:80", 200),
        ("api.example", "https://api.example", 200),
        ("api.example:443", "https://api.example", 200),
        ("api.example", "https://api.example:443", 200),
        ("127.0.0.1:8000", "http://evil.example", 403),
        ("127.0.0.1:8000", "http://127.0.0.1:9000", 403),
        ("127.0.0.1:8000", "http://localhost:8000", 403),
        ("127.0.0.1:8000", "null", 403),
        ("127.0.0.1:8000", "", 403),
        ("127.0.0.1:8000", "file://127.0.0.1:8000", 403),
        ("127.0.0.1:8000", "http://127.0.0.1:8000@evil.example", 403),
        ("127.0.0.1:8000", "http://127.0.0.1.evil.example:8000", 403),
        ("127.0.0.1:8000", "http://evil.example#http://127.0.0.1:8000", 403),
    ],
)
async def test_a_foreign_origin_is_forbidden_before_anything_runs(host: str, origin: str, status: int):
    async with served(shop(allowed_hosts=["api.example"]).asgi()) as http:
        headers = [(b"host", host.encode()), (b"origin", origin.encode())]
        exchange = await Exchange(http._transport.app, path="/lamps", headers=headers).run()
    assert exchange.status == status


@pytest.mark.requirement("CASE-K39")
async def test_the_documents_at_the_root_and_health_are_guarded_too():
    site = shop().site()
    for path in ("/", "/.well-known/afford.json", "/agent/health", "/agent/schema", "/agent/lamps"):
        exchange = await Exchange(site, path=path, headers=[(b"host", b"evil.example")]).run()
        assert exchange.status == 421, path


@pytest.mark.requirement("EXEC-02", "INJ-03")
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_client_that_leaves_in_mid_call_cancels_it_and_rolls_back(clock: Clock, method: str):
    app = App("shop", access=anyone())
    log: list[str] = []
    begun = asyncio.Event()

    async def connection() -> AsyncGenerator[Connection]:
        try:
            yield Connection()
        except BaseException as error:
            log.append(type(error).__name__)
            raise
        log.append("committed")

    app.provide(Connection, connection)

    async def slow(connection: Connection, call: Call) -> list[str]:
        begun.set()
        await asyncio.Event().wait()
        return []

    (app.query if method == "GET" else app.action)(description="Take long.")(slow)
    async with served(app.asgi()) as http:
        exchange = Exchange(http._transport.app, method=method, path="/slow")
        running = asyncio.create_task(exchange.run())
        await begun.wait()
        for _ in range(3):
            clock.forward(0.2)
            await asyncio.sleep(0)
        await running
    assert (exchange.status, exchange.body) == (0, b"")
    assert log == ["CancelledError"]


@pytest.mark.requirement("EXEC-04", "CASE-K27")
async def test_what_breaks_outside_of_a_call_leaks_nothing(caplog: pytest.LogCaptureFixture):
    class Broken:
        reads = frozenset({"x-key"})
        challenge = ""

        async def __call__(self, request: Request) -> Principal | None:
            raise RuntimeError("password=hunter2")

    with caplog.at_level(logging.ERROR):
        async with served(shop(authenticate=Broken()).asgi()) as http:
            response = await http.get("/lamps")
    assert response.status_code == 503
    assert "hunter2" not in response.text
    assert "RuntimeError" in caplog.text


async def test_a_websocket_is_closed_and_nothing_runs():
    surface = shop().asgi()
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    await surface({"type": "websocket", "path": "/lamps", "headers": []}, receive, send)
    assert [message["type"] for message in sent] == ["websocket.close"]
    assert isinstance(surface, HttpSurface)
