"""Who calls over HTTP: what good, bad and missing credentials come to."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import jwt
import orjson
import pytest
from tests.contracts.wire import served

from afford import (
    ApiKeys,
    App,
    Caller,
    CredentialsError,
    ForbiddenError,
    JWTBearer,
    Principal,
    Request,
    anyone,
    roles,
    signed_in,
)

ADA_KEY, STAFF_KEY = "ada-key-0001", "staff-key-0001"
KEYS = ApiKeys({ADA_KEY: Principal("ada"), STAFF_KEY: Principal("sam", ["staff", "undeclared"])})
SIGNING_KEY = "a signing key that is long enough for the algorithm"
EVERY_PATH = ["/", "/search", "/whoami", "/private", "/nothing", "/schema", "/manifest", "/openapi.json", "/mcp"]


def shop(*authenticate: object, public: bool = True) -> App:
    app = App("shop", roles=("staff",), authenticate=authenticate or [KEYS])

    @app.query(description="Search.", access=anyone() if public else signed_in())
    async def search() -> list[str]:
        return []

    @app.query(description="Ask who is calling.", access=anyone() if public else signed_in())
    async def whoami(caller: Caller) -> str:
        return f"{caller.id} {sorted(caller.roles)}"

    @app.query(description="See the figures.", access=roles("staff"))
    async def private() -> list[str]:
        return []

    return app


def bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def told(response: httpx.Response) -> tuple[int, bytes, str | None]:
    return response.status_code, response.content, response.headers.get("www-authenticate")


@pytest.mark.requirement("AUTH-02", "ACC-09")
async def test_good_credentials_decide_the_manifest_and_none_mean_the_anonymous_one():
    async with served(shop().asgi()) as http:
        assert (await http.get("/whoami")).json() == ["None []"]
        assert (await http.get("/whoami", headers=bearer(ADA_KEY))).json() == ["ada []"]
        assert (await http.get("/whoami", headers=bearer(STAFF_KEY))).json() == ["sam ['staff']"]
        for headers, status in (({}, 404), (bearer(ADA_KEY), 404), (bearer(STAFF_KEY), 200)):
            assert (await http.get("/private", headers=headers)).status_code == status


@pytest.mark.requirement("AUTH-01")
@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer nobody-s-key",
        "Bearer",
        "Bearer ",
        "bearer nobody-s-key",
        "Bearer a b",
        "Bearer ä",
        "Bearer \x7f",
        ADA_KEY,
    ],
)
@pytest.mark.parametrize("public", [True, False])
async def test_bad_credentials_are_401_on_every_path_before_anything_is_looked_up(
    authorization: str,
    public: bool,  # noqa: FBT001 - a case
):
    headers = {"authorization": authorization.encode()}
    async with served(shop(public=public).asgi()) as http:
        answers = {told(await http.get(path, headers=headers)) for path in EVERY_PATH}
        answers |= {told(await http.post(path, headers=headers, content=b"nonsense")) for path in EVERY_PATH}
    assert len(answers) == 1
    status, body, challenge = answers.pop()
    assert (status, orjson.loads(body)["code"]) == (401, "unauthenticated")
    assert challenge is not None
    assert challenge.startswith("Bearer")


@pytest.mark.requirement("AUTH-01")
async def test_a_refusal_names_neither_the_credential_nor_the_reason(caplog: pytest.LogCaptureFixture):
    def authenticate(request: Request) -> Principal | None:
        raise CredentialsError("the account of hunter2 is locked")

    with caplog.at_level(logging.DEBUG, logger="afford"):
        async with served(shop(authenticate).asgi()) as http:
            response = await http.get("/search", headers=bearer("topsecret-token"))
        async with served(shop().asgi()) as http:
            wrong = await http.get("/search", headers=bearer("topsecret-token"))
    assert (response.status_code, wrong.status_code) == (401, 401)
    assert response.content == wrong.content
    assert "hunter2" not in response.text
    assert "topsecret" not in response.text + wrong.text + caplog.text


@pytest.mark.requirement("AUTH-05")
async def test_keys_are_held_as_digests_and_shown_nowhere(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG):
        async with served(shop().asgi(), **bearer(ADA_KEY)) as http:
            texts = [(await http.get(path)).text for path in EVERY_PATH]
    held = [getattr(KEYS, name) for name in ApiKeys.__slots__]
    assert ADA_KEY not in f"{held} {KEYS!r} {texts} {caplog.text}"


@pytest.mark.requirement("AUTH-06")
async def test_the_first_that_finds_its_own_credentials_decides():
    asked: list[str] = []

    def by_header(name: str, account: str) -> object:
        def authenticate(request: Request) -> Principal | None:
            asked.append(name)
            return Principal(account) if name in request.headers else None

        return authenticate

    app = shop(by_header("x-first", "ada"), KEYS, by_header("x-last", "bob"))
    async with served(app.asgi()) as http:
        both = {"x-first": "1", "x-last": "1", **bearer(STAFF_KEY)}
        assert (await http.get("/whoami", headers=both)).json() == ["ada []"]
        assert asked == ["x-first"]
        assert (await http.get("/whoami", headers={"x-last": "1"})).json() == ["bob []"]
        wrong = await http.get("/whoami", headers={"x-last": "1", **bearer("nobody-s-key")})
        assert wrong.status_code == 401


@pytest.mark.requirement("AUTH-01")
async def test_several_ways_in_are_all_named():
    class Header(ApiKeys):
        @property
        def challenge(self) -> str:
            return 'ApiKey realm="shop"'

    app = shop(KEYS, Header({"other-key-0001": Principal("eve")}, header="x-api-key"))
    async with served(app.asgi()) as http:
        refused = await http.get("/search", headers={"x-api-key": "wrong-key-0001"})
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == 'Bearer realm="afford", ApiKey realm="shop"'
        assert (await http.get("/whoami", headers={"x-api-key": "other-key-0001"})).json() == ["eve []"]
        assert (await http.get("/schema")).headers["vary"] == "authorization, x-api-key"


@pytest.mark.requirement("AUTH-03")
async def test_where_anonymous_callers_may_do_nothing_every_path_answers_the_same_401():
    async with served(shop(public=False).asgi()) as http:
        answers = {told(await http.get(path)) for path in EVERY_PATH}
        answers |= {told(await http.post(path)) for path in EVERY_PATH}
        answers |= {told(await http.delete(path)) for path in EVERY_PATH}
        assert len(answers) == 1
        status, _body, challenge = answers.pop()
        assert (status, challenge) == (401, 'Bearer realm="afford"')
        assert (await http.get("/health")).status_code == 200
        assert (await http.get("/search", headers=bearer(ADA_KEY))).status_code == 200


@pytest.mark.requirement("AUTH-03")
async def test_without_authentication_nobody_is_sent_to_log_in():
    app = App("shop", access=signed_in())

    @app.query(description="Search.")
    async def search() -> list[str]:
        return []

    async with served(app.asgi()) as http:
        assert (await http.get("/search")).status_code == 404
        assert (await http.get("/schema")).json() == {"queries": [], "actions": []}


@pytest.mark.requirement("AUTH-03")
async def test_a_caller_who_is_known_and_may_do_nothing_is_not_sent_to_log_in():
    app = App("shop", access=roles("staff"), roles=("staff",), authenticate=KEYS)

    @app.query(description="Search.")
    async def search() -> list[str]:
        return []

    async with served(app.asgi()) as http:
        assert (await http.get("/search")).status_code == 401
        assert (await http.get("/search", headers=bearer(ADA_KEY))).status_code == 404


@pytest.mark.requirement("AUTH-01", "AUTH-06")
@pytest.mark.parametrize(
    "answer",
    [lambda: 1 / 0, lambda: "ada", lambda: ("ada", []), lambda: next(iter(()))],
    ids=["raises", "text", "tuple", "stop iteration"],
)
async def test_an_authenticator_that_breaks_lets_nobody_in(
    answer: Callable[[], object], caplog: pytest.LogCaptureFixture
):
    def plain(request: Request) -> object:
        return answer()

    async with served(shop(plain).asgi()) as http:
        response = await http.get("/search", headers=bearer("topsecret-token"))
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert "topsecret" not in response.text + caplog.text


@pytest.mark.requirement("AUTH-01", "ERR-02")
async def test_an_authenticator_may_refuse_with_its_own_words():
    def authenticate(request: Request) -> Principal | None:
        raise ForbiddenError("the subscription has ended", fix="renew it")

    async with served(shop(authenticate).asgi()) as http:
        response = await http.get("/search")
    assert (response.status_code, response.json()["fix"]) == (403, "renew it")


@pytest.mark.requirement("HTTP-02", "AUTH-02")
async def test_documents_vary_on_the_headers_that_were_read():
    def by_tenant(request: Request) -> Principal | None:
        tenant = request.headers.get("X-Tenant")
        return None if tenant is None else Principal(f"{tenant}:{request.headers.get('X-User', '')}")

    async with served(shop(by_tenant).asgi()) as http:
        assert (await http.get("/manifest")).headers["vary"] == "x-tenant"
        seen = (await http.get("/manifest", headers={"x-tenant": "a", "x-user": "b"})).headers["vary"]
        assert set(seen.split(", ")) == {"x-tenant", "x-user"}
    async with served(App("shop", access=anyone()).asgi()) as http:
        assert "vary" not in (await http.get("/manifest")).headers


@pytest.mark.requirement("AUTH-04", "AUTH-01")
async def test_a_token_is_good_only_with_its_signature_issuer_audience_and_time():
    authenticate = JWTBearer(
        key=SIGNING_KEY, issuer="https://issuer.example", audience="shop", algorithms=["HS256"], roles_claim="roles"
    )
    now = datetime.now(UTC)
    claims = {
        "iss": "https://issuer.example",
        "aud": "shop",
        "sub": "ada",
        "exp": now + timedelta(hours=1),
        "roles": ["staff", "admin"],
    }

    def token(key: str = SIGNING_KEY, algorithm: str = "HS256", **changes: object) -> dict[str, str]:
        content = {name: value for name, value in {**claims, **changes}.items() if value is not None}
        return bearer(jwt.encode(content, key, algorithm=algorithm))

    async with served(shop(authenticate).asgi()) as http:
        assert (await http.get("/whoami", headers=token())).json() == ["ada ['staff']"]
        for headers in (
            token("another signing key that is long enough as well"),
            token(iss="https://other.example"),
            token(aud="other"),
            token(exp=now - timedelta(hours=1)),
            token(exp=None),
            token(sub=None),
            token(nbf=now + timedelta(hours=1)),
            token("", "none"),
        ):
            assert (await http.get("/whoami", headers=headers)).status_code == 401


@pytest.mark.requirement("ACC-06", "AUTH-02")
async def test_a_hidden_path_answers_byte_for_byte_like_one_that_never_was():
    async with served(shop().asgi()) as http:
        for headers in ({}, bearer(ADA_KEY)):
            for method in ("GET", "POST", "DELETE", "HEAD"):
                hidden = await http.request(method, "/private", headers=headers)
                never = await http.request(method, "/pxyzabc", headers=headers)
                assert (hidden.status_code, hidden.content) == (never.status_code, never.content)
                assert hidden.headers == never.headers
