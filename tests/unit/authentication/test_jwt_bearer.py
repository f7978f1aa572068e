from __future__ import annotations

import asyncio
import base64
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from afford.authentication import ApiKeys, Authenticator, JWTBearer, combine
from afford.authentication.authenticator import UnrecognisedError
from afford.caller import Principal
from afford.errors import CredentialsError, UnavailableError
from afford.request import Request

ISSUER = "https://login.example"
AUDIENCE = "https://hotels.example/agent/mcp"
NOW = 1_800_000_000.0
SECRET = "correct-horse-battery-staple-0123456789"

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
RSA_NEXT = rsa.generate_private_key(public_exponent=65537, key_size=2048)
RSA_SHORT = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 - to be refused
EC = ec.generate_private_key(ec.SECP256R1())
ED = ed25519.Ed25519PrivateKey.generate()


def pem(private) -> bytes:
    return private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def entry(private, kid: str | None, **more: object) -> dict[str, object]:
    kinds = {rsa.RSAPrivateKey: RSAAlgorithm, ec.EllipticCurvePrivateKey: ECAlgorithm}
    algorithm = next((found for kind, found in kinds.items() if isinstance(private, kind)), OKPAlgorithm)
    fields = algorithm.to_jwk(private.public_key(), as_dict=True) | {"use": "sig"} | more
    return fields if kid is None else fields | {"kid": kid}


def token(private=RSA, algorithm: str = "RS256", kid: str | None = "one", without: str = "", **claims: object) -> str:
    content = {"iss": ISSUER, "aud": AUDIENCE, "sub": "guest-1", "exp": int(NOW) + 300} | claims
    content.pop(without, None)
    return jwt.encode(content, private, algorithm=algorithm, headers=None if kid is None else {"kid": kid})


def forged(header: dict[str, object], signature: bytes = b"", **claims: object) -> str:
    """A token put together by hand, as a library would refuse to."""
    content = {"iss": ISSUER, "aud": AUDIENCE, "sub": "guest-1", "exp": int(NOW) + 300} | claims
    parts = (json.dumps(header).encode(), json.dumps(content).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def bearer(value: str) -> Request:
    return Request({"headers": [(b"authorization", f"Bearer {value}".encode())]})


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


class KeyServer:
    """The issuer's key set behind a real HTTP server."""

    def __init__(self) -> None:
        self.keys: list[object] | str = [entry(RSA, "one"), entry(EC, "two", alg="ES256")]
        self.status = 200
        self.requests = 0
        self.open = threading.Event()
        self.open.set()
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.requests += 1
                assert issuer.open.wait(timeout=5)
                body = json.dumps({"keys": issuer.keys}).encode()
                self.send_response(issuer.status)
                self.send_header("Content-Type", "application/jwk-set+json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/keys"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def stop(self) -> None:
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()


@pytest.fixture
def issuer() -> Iterator[KeyServer]:
    server = KeyServer()
    yield server
    server.stop()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def by_url(issuer: KeyServer, clock: Clock, **options) -> JWTBearer:
    return JWTBearer(jwks_url=issuer.url, issuer=ISSUER, audience=AUDIENCE, clock=clock, **options)


def by_key(key: str | bytes, clock: Clock, **options) -> JWTBearer:
    return JWTBearer(key=key, issuer=ISSUER, audience=AUDIENCE, clock=clock, **options)


async def principal_of(authenticator: JWTBearer, value: str) -> Principal:
    found = await authenticator(bearer(value))
    assert found is not None
    return found


async def test_a_good_token_identifies_its_subject_with_all_claims(issuer: KeyServer, clock: Clock) -> None:
    found = await principal_of(by_url(issuer, clock), token(roles=["guest", "staff"], tenant="t1"))
    assert (found.id, found.roles, found.agent) == ("guest-1", {"guest", "staff"}, False)
    assert found.claims["tenant"] == "t1"
    assert found.claims["iss"] == ISSUER


async def test_a_request_without_a_bearer_token_is_nobody_and_fetches_nothing(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock)
    assert await authenticator(Request({"headers": []})) is None
    assert issuer.requests == 0


async def test_an_elliptic_curve_key_of_the_set_verifies(issuer: KeyServer, clock: Clock) -> None:
    assert (await principal_of(by_url(issuer, clock), token(EC, "ES256", "two"))).id == "guest-1"


@pytest.mark.parametrize("algorithm", ["RS256", "RS512", "PS256"])
async def test_a_key_without_an_algorithm_verifies_all_of_its_kind(
    issuer: KeyServer, clock: Clock, algorithm: str
) -> None:
    assert (await principal_of(by_url(issuer, clock), token(algorithm=algorithm))).id == "guest-1"


async def test_a_key_bound_to_an_algorithm_verifies_no_other(issuer: KeyServer, clock: Clock) -> None:
    issuer.keys = [entry(RSA, "one", alg="RS256")]
    with pytest.raises(CredentialsError):
        await by_url(issuer, clock)(bearer(token(algorithm="RS512")))


async def test_a_token_without_a_key_id_is_good_when_only_one_key_fits(issuer: KeyServer, clock: Clock) -> None:
    assert (await principal_of(by_url(issuer, clock), token(kid=None))).id == "guest-1"
    issuer.keys.append(entry(RSA_NEXT, "three"))
    with pytest.raises(CredentialsError):
        await by_url(issuer, clock)(bearer(token(kid=None)))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(token(exp=int(NOW)), id="expired"),
        pytest.param(token(exp=True), id="expiry-is-no-number"),
        pytest.param(token(exp="9999999999"), id="expiry-is-a-string"),
        pytest.param(token(exp=10**400), id="expiry-is-beyond-numbers"),
        pytest.param(token(exp=float("inf")), id="expiry-is-infinite"),
        pytest.param(token(nbf=int(NOW) + 1), id="not-yet"),
        pytest.param(token(nbf="soon"), id="not-before-is-no-number"),
        pytest.param(token(nbf=True), id="not-before-is-true"),
        pytest.param(token(aud="https://other.example"), id="other-audience"),
        pytest.param(token(aud=[]), id="no-audience-in-the-list"),
        pytest.param(token(iss="https://other.example"), id="other-issuer"),
        pytest.param(token(sub=""), id="empty-subject"),
        pytest.param(token(without="exp"), id="without-expiry"),
        pytest.param(token(without="sub"), id="without-subject"),
        pytest.param(token(without="iss"), id="without-issuer"),
        pytest.param(token(without="aud"), id="without-audience"),
        pytest.param(token(RSA_NEXT), id="signed-by-another-key"),
        pytest.param(token(kid="unknown"), id="unknown-key"),
        pytest.param(token(kid="two"), id="key-of-another-kind"),
        pytest.param(token(EC, "ES256", "one"), id="algorithm-of-another-kind"),
        pytest.param(token()[:-8] + "AAAAAAAA", id="damaged-signature"),
        pytest.param(token().rpartition(".")[0] + ".", id="signature-cut-off"),
        pytest.param(token() + ".more", id="a-part-too-many"),
        pytest.param("not-a-token", id="not-a-token"),
        pytest.param("a.b.c", id="three-parts-of-nothing"),
        pytest.param(forged({"alg": "none", "kid": "one"}), id="none"),
        pytest.param(forged({"alg": "None", "kid": "one"}), id="None"),
        pytest.param(forged({"kid": "one"}), id="no-algorithm"),
        pytest.param(forged({"alg": "RS256", "kid": ["one"]}), id="key-id-is-no-string"),
        pytest.param(forged({"alg": ["RS256"], "kid": "one"}), id="algorithm-is-no-string"),
        pytest.param(forged({"alg": "RS256", "kid": "one", "crit": ["x"]}, b"x"), id="unknown-critical-header"),
    ],
)
async def test_a_token_that_is_not_good_is_refused(issuer: KeyServer, clock: Clock, value: str) -> None:
    authenticator = by_url(issuer, clock)
    with pytest.raises(CredentialsError) as refused:
        await authenticator(bearer(value))
    assert value not in repr(refused.value)
    assert refused.value.__context__ is None or value not in repr(refused.value.__context__)


def secret_token(secret: bytes, kid: str) -> str:
    """An HS256 token signed with bytes that a library refuses as a secret because they are a public key."""
    unsigned = forged({"alg": "HS256", "kid": kid}).rpartition(".")[0]
    algorithm = jwt.get_algorithm_by_name("HS256")
    signature = base64.urlsafe_b64encode(algorithm.sign(unsigned.encode(), secret)).rstrip(b"=").decode()
    return f"{unsigned}.{signature}"


async def test_a_public_key_is_never_taken_for_a_shared_secret(issuer: KeyServer, clock: Clock) -> None:
    confused = secret_token(pem(RSA), "one")
    for authenticator in (by_url(issuer, clock), by_key(pem(RSA), clock)):
        with pytest.raises(CredentialsError):
            await authenticator(bearer(confused))


async def test_a_secret_in_a_key_set_verifies_nothing(issuer: KeyServer, clock: Clock) -> None:
    encoded = base64.urlsafe_b64encode(SECRET.encode()).rstrip(b"=").decode()
    issuer.keys.append({"kty": "oct", "k": encoded, "kid": "three", "alg": "HS256"})
    with pytest.raises(CredentialsError):
        await by_url(issuer, clock)(bearer(secret_token(SECRET.encode(), "three")))


@pytest.mark.parametrize(
    "useless",
    [
        pytest.param(entry(RSA_NEXT, "three", use="enc"), id="for-encryption"),
        pytest.param(entry(RSA_NEXT, "three", key_ops=["encrypt"]), id="operations-of-encryption"),
        pytest.param(entry(RSA_NEXT, "three", alg="RSA-OAEP"), id="algorithm-of-encryption"),
        pytest.param(entry(RSA_NEXT, "three", alg="none"), id="none"),
        pytest.param(entry(RSA_NEXT, "three") | {"n": "!"}, id="broken"),
        pytest.param(entry(RSA_NEXT, "three") | {"kty": ["RSA"]}, id="kind-is-no-string"),
        pytest.param(entry(RSA_NEXT, "three") | {"kid": 3}, id="id-is-no-string"),
        pytest.param(
            RSAAlgorithm.to_jwk(RSA_NEXT, as_dict=True) | {"kid": "three", "key_ops": ["sign", "verify"]}, id="private"
        ),
        pytest.param("three", id="no-object"),
    ],
)
async def test_a_useless_entry_of_a_key_set_verifies_nothing_and_spoils_no_other(
    issuer: KeyServer, clock: Clock, useless: object
) -> None:
    issuer.keys.insert(0, useless)
    authenticator = by_url(issuer, clock)
    assert (await principal_of(authenticator, token())).id == "guest-1"
    with pytest.raises(CredentialsError):
        await authenticator(bearer(token(RSA_NEXT, kid="three")))


async def test_a_short_rsa_key_of_a_set_verifies_nothing(issuer: KeyServer, clock: Clock) -> None:
    issuer.keys.append(entry(RSA_SHORT, "short"))
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        signed = token(RSA_SHORT, kid="short")
    with pytest.raises(CredentialsError):
        await by_url(issuer, clock)(bearer(signed))


async def test_a_rotated_key_is_fetched_when_a_token_names_it(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock)
    await authenticator(bearer(token()))
    issuer.keys = [entry(RSA_NEXT, "next")]
    clock.now += 30
    assert (await principal_of(authenticator, token(RSA_NEXT, kid="next"))).id == "guest-1"
    assert issuer.requests == 2


async def test_tokens_with_made_up_key_ids_do_not_hammer_the_issuer(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock)
    for number in range(10):
        with pytest.raises(CredentialsError):
            await authenticator(bearer(token(kid=f"made-up-{number}")))
    assert issuer.requests == 1


async def test_tokens_of_other_issuers_cause_no_fetch(issuer: KeyServer, clock: Clock) -> None:
    with pytest.raises(UnrecognisedError):
        await by_url(issuer, clock)(bearer(token(iss="https://other.example")))
    assert issuer.requests == 0


async def test_first_verifications_at_the_same_time_fetch_once(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock)
    issuer.open.clear()
    waiting = [asyncio.create_task(principal_of(authenticator, token(sub=f"guest-{n}"))) for n in range(20)]
    await asyncio.wait(waiting, timeout=0)
    issuer.open.set()
    assert [found.id for found in await asyncio.gather(*waiting)] == [f"guest-{n}" for n in range(20)]
    assert issuer.requests == 1


async def test_the_event_loop_runs_on_while_keys_are_fetched(issuer: KeyServer, clock: Clock) -> None:
    issuer.open.clear()
    waiting = asyncio.create_task(principal_of(by_url(issuer, clock), token()))
    await asyncio.wait([waiting], timeout=0)
    # Only this loop opens the server: were it blocked by the fetch, the test would not end well.
    issuer.open.set()
    assert (await waiting).id == "guest-1"


@pytest.mark.parametrize("fault", ["stopped", "failing", "empty", "shapeless", "redirecting"])
async def test_without_the_issuers_keys_the_service_is_unavailable(
    issuer: KeyServer, clock: Clock, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    if fault == "stopped":
        issuer.stop()
    elif fault in {"empty", "shapeless"}:
        issuer.keys = [] if fault == "empty" else "keys"
    else:
        issuer.status = 500 if fault == "failing" else 302
    with pytest.raises(UnavailableError):
        await by_url(issuer, clock)(bearer(token()))
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert token() not in caplog.text


async def test_known_keys_go_on_verifying_when_the_issuer_is_down(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock)
    await authenticator(bearer(token()))
    issuer.stop()
    clock.now += 600
    assert (await principal_of(authenticator, token(sub="guest-2", exp=int(NOW) + 900))).id == "guest-2"


async def test_a_remembered_token_is_good_until_it_expires(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock)
    value = token()
    first = await principal_of(authenticator, value)
    clock.now = NOW + 299.9
    assert await principal_of(authenticator, value) is first
    clock.now = NOW + 300
    with pytest.raises(CredentialsError):
        await authenticator(bearer(value))


async def test_a_remembered_token_ends_with_the_key_that_signed_it(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock)
    value = token(exp=int(NOW) + 86_400)
    await authenticator(bearer(value))
    issuer.keys = [entry(RSA_NEXT, "next")]
    clock.now += 600
    assert (await principal_of(authenticator, value)).id == "guest-1"
    await authenticator(bearer(token(RSA_NEXT, kid="next", exp=int(NOW) + 86_400)))
    with pytest.raises(CredentialsError):
        await authenticator(bearer(value))


async def test_leeway_moves_both_ends_of_a_tokens_life(clock: Clock) -> None:
    authenticator = by_key(pem(RSA), clock, leeway=10)
    value = token(nbf=int(NOW) + 10, exp=int(NOW) + 20)
    assert (await principal_of(authenticator, value)).id == "guest-1"
    clock.now = NOW + 29.9
    assert (await principal_of(authenticator, value)).id == "guest-1"
    clock.now = NOW + 30
    with pytest.raises(CredentialsError):
        await authenticator(bearer(value))
    clock.now = NOW - 0.1
    with pytest.raises(CredentialsError):
        await authenticator(bearer(token(nbf=int(NOW) + 10)))


@pytest.mark.parametrize(
    ("path", "claims", "roles"),
    [
        ("roles", {"roles": ["guest", "staff"]}, {"guest", "staff"}),
        ("roles", {"roles": "guest staff"}, {"guest", "staff"}),
        ("roles", {"roles": []}, set()),
        ("roles", {"roles": None}, set()),
        ("roles", {}, set()),
        ("scope", {"scope": "hotels:read", "roles": ["staff"]}, {"hotels:read"}),
        ("realm_access.roles", {"realm_access": {"roles": ["guest"]}}, {"guest"}),
        ("realm_access.roles", {"realm_access": {}}, set()),
        ("realm_access.roles", {"realm_access": ["guest"]}, set()),
        ("https://hotels.example/roles", {"https://hotels.example/roles": ["guest"]}, {"guest"}),
    ],
)
async def test_roles_come_from_the_claim_the_operator_named(
    clock: Clock, path: str, claims: dict[str, object], roles: set[str]
) -> None:
    authenticator = by_key(pem(RSA), clock, roles_claim=path)
    assert (await principal_of(authenticator, token(**claims))).roles == roles


@pytest.mark.parametrize("value", [5, True, {"guest": True}, ["guest", 5]])
async def test_a_roles_claim_of_another_kind_is_refused(clock: Clock, value: object) -> None:
    with pytest.raises(CredentialsError):
        await by_key(pem(RSA), clock)(bearer(token(roles=value)))


@pytest.mark.parametrize(
    ("path", "claims", "agent"),
    [
        (None, {"is_agent": True}, False),
        ("is_agent", {"is_agent": True}, True),
        ("is_agent", {"is_agent": False}, False),
        ("is_agent", {}, False),
        ("act.sub", {"act": {"sub": "assistant"}}, True),
    ],
)
async def test_a_claim_says_that_the_token_belongs_to_an_agent(
    clock: Clock,
    path: str | None,
    claims: dict[str, object],
    agent: bool,  # noqa: FBT001 - a parameter
) -> None:
    assert (await principal_of(by_key(pem(RSA), clock, agent_claim=path), token(**claims))).agent is agent


@pytest.mark.parametrize(("private", "algorithm"), [(RSA, "RS256"), (RSA, "PS512"), (EC, "ES256"), (ED, "EdDSA")])
async def test_a_public_key_verifies_by_the_algorithms_that_fit_it(clock: Clock, private, algorithm: str) -> None:
    authenticator = by_key(pem(private).decode(), clock)
    assert (await principal_of(authenticator, token(private, algorithm, kid="ignored"))).id == "guest-1"


async def test_a_shared_secret_verifies_hs256_and_nothing_else(clock: Clock) -> None:
    authenticator = by_key(SECRET, clock)
    assert (await principal_of(authenticator, token(SECRET, "HS256"))).id == "guest-1"
    long_enough = SECRET * 2
    with pytest.raises(CredentialsError):
        await by_key(long_enough, clock)(bearer(token(long_enough, "HS512")))
    allowed = by_key(long_enough, clock, algorithms=["HS512"])
    assert (await principal_of(allowed, token(long_enough, "HS512"))).id == "guest-1"


async def test_only_listed_algorithms_are_accepted(issuer: KeyServer, clock: Clock) -> None:
    authenticator = by_url(issuer, clock, algorithms=["RS512", "ES256"])
    assert (await principal_of(authenticator, token(algorithm="RS512"))).id == "guest-1"
    with pytest.raises(CredentialsError):
        await authenticator(bearer(token()))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"jwks_url": "https://login.example/keys", "key": SECRET},
        {"key": ""},
        {"key": "short-secret-1"},
        {"key": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"},
        {"key": pem(RSA_SHORT)},
        {"key": pem(RSA), "algorithms": ["HS256"]},
        {"key": pem(RSA), "algorithms": ["ES256"]},
        {"key": pem(RSA), "algorithms": ["RS256", "ES256"]},
        {"key": SECRET, "algorithms": ["RS256"]},
        {"key": SECRET, "algorithms": ["HS512"]},
        {"key": SECRET, "algorithms": ["none"]},
        {"key": pem(RSA), "algorithms": []},
        {"key": pem(RSA), "algorithms": "RS256"},
        {"jwks_url": "https://login.example/keys", "algorithms": ["HS256"]},
        {"jwks_url": "https://login.example/keys", "algorithms": ["RS256", "none"]},
        {"jwks_url": "file:///etc/keys.json"},
        {"jwks_url": "login.example/keys"},
        {"jwks_url": ""},
        {"key": SECRET, "leeway": -1},
        {"key": SECRET, "leeway": float("nan")},
        {"key": SECRET, "issuer": ""},
        {"key": SECRET, "audience": ""},
    ],
)
def test_a_configuration_that_cannot_be_safe_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="=") as refused:
        JWTBearer(**({"issuer": ISSUER, "audience": AUDIENCE} | options))
    assert SECRET not in str(refused.value)
    assert "short-secret-1" not in str(refused.value)


@pytest.mark.parametrize("form", [serialization.Encoding.DER, serialization.Encoding.OpenSSH])
def test_a_public_key_in_another_form_is_not_taken_for_a_secret(form: serialization.Encoding) -> None:
    der = form is serialization.Encoding.DER
    kind = serialization.PublicFormat.SubjectPublicKeyInfo if der else serialization.PublicFormat.OpenSSH
    with pytest.raises(ValueError, match="key="):
        JWTBearer(key=RSA.public_key().public_bytes(form, kind), issuer=ISSUER, audience=AUDIENCE)


def test_a_private_key_is_refused() -> None:
    private = RSA.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(ValueError, match="not a public key"):
        JWTBearer(key=private, issuer=ISSUER, audience=AUDIENCE)


async def test_no_secret_shows_in_a_representation(clock: Clock) -> None:
    authenticator = by_key(SECRET, clock)
    value = token(SECRET, "HS256")
    await authenticator(bearer(value))
    held = " ".join(repr(getattr(authenticator, name)) for name in JWTBearer.__slots__)
    for text in (held, repr(authenticator), repr(authenticator._keys._key)):
        assert SECRET not in text
        assert value not in text


async def test_tokens_and_keys_share_the_header_in_one_chain(clock: Clock) -> None:
    keys, tokens = ApiKeys({"demo-staff-1": Principal("staff-1")}), by_key(pem(RSA), clock)
    for chain in (combine([keys, tokens]), combine([tokens, keys])):
        by_token = await chain.authenticate(bearer(token()))
        key_holder = await chain.authenticate(bearer("demo-staff-1"))
        assert by_token is not None
        assert key_holder is not None
        assert (by_token.id, key_holder.id) == ("guest-1", "staff-1")
        with pytest.raises(CredentialsError):
            await chain.authenticate(bearer(token(exp=int(NOW))))


async def test_several_issuers_share_the_header_in_one_chain(clock: Clock) -> None:
    other = JWTBearer(key=SECRET, issuer="https://other.example", audience=AUDIENCE, clock=clock)
    chain = combine([by_key(pem(RSA), clock), other])
    found = await chain.authenticate(bearer(token(SECRET, "HS256", iss="https://other.example", sub="other-1")))
    assert found is not None
    assert found.id == "other-1"


def test_it_says_which_header_it_reads_and_how_to_log_in(clock: Clock) -> None:
    authenticator = by_key(SECRET, clock)
    assert isinstance(authenticator, Authenticator)
    assert authenticator.reads == {"authorization"}
    assert authenticator.challenge.startswith("Bearer ")


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "afford.authentication.tokens", raising=False)
    monkeypatch.setitem(sys.modules, "jwt", None)
    with pytest.raises(ModuleNotFoundError, match=r"afford\[jwt\]"):
        JWTBearer(key=SECRET, issuer=ISSUER, audience=AUDIENCE)


def test_another_missing_module_is_not_blamed_on_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "afford.authentication.tokens", None)
    with pytest.raises(ModuleNotFoundError) as raised:
        JWTBearer(key=SECRET, issuer=ISSUER, audience=AUDIENCE)
    assert raised.value.name == "afford.authentication.tokens"


def test_importing_authentication_loads_no_token_library() -> None:
    program = "import sys, afford.authentication; print('jwt' in sys.modules, 'cryptography' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.split() == ["False", "False"]
