"""The HTTP surface: a plain ASGI application over one runtime, relative to its own root.

Per request: guard, authenticate, manifest, route, read, run, render; the first three are not repeated where the header
fields that decide them were seen before. It works mounted under any prefix of any ASGI framework without lifespan
wiring: the runtime starts with the first request when nobody started it before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from afford.authentication import AuthenticatorChain
from afford.authentication.instance_token import InstanceToken
from afford.caller import Caller, Door, Principal, Surface
from afford.declare.vocabulary import Kind
from afford.errors import Code, CredentialsError, Failure, Refusal, failure
from afford.execute.refusals import unknown_operation
from afford.manifest import Manifest
from afford.request import Request
from afford.runtime import Runtime
from afford.surfaces.asgi import ClientGoneError, Header, Message, Receive, Scope, Send
from afford.surfaces.http.admission import Admission, Admissions, admission
from afford.surfaces.http.console import CONSOLE, Console, Visit, below_console
from afford.surfaces.http.cors import preflight_response, sharing_headers
from afford.surfaces.http.documents import Documents
from afford.surfaces.http.exchange import Exchanges
from afford.surfaces.http.guard import Guard, host_of
from afford.surfaces.http.message import (
    Response,
    base_path,
    json_response,
    method_not_allowed,
    problem_response,
    relative_path,
)
from afford.surfaces.wire import unauthenticated, wrong_door

_log: Final = logging.getLogger("afford.http")

# A member of an enum is looked up by its metaclass, which costs as much as making a small object.
_HERE: Final = Surface.HTTP
_READS: Final = ("GET", "HEAD")
_WRITES: Final = ("POST",)
_PREFLIGHT: Final = "OPTIONS"
_HEALTH: Final = "health"


class Endpoint(Protocol):
    """Another surface that speaks HTTP."""

    surface: Surface

    def __call__(
        self, runtime: Runtime, manifest: Manifest, request: Request, connection: tuple[Scope, Receive, Send]
    ) -> Awaitable[None]:
        """Answer one request whose host, origin and credentials were checked; the manifest is of its caller."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """What the surface needs beside a runtime."""

    make_runtime: Callable[[], Runtime]
    authenticate: AuthenticatorChain
    guard: Guard
    door: Door
    documents: Documents
    max_body: int
    """Bytes."""
    public_url: str | None
    endpoints: Mapping[str, Endpoint]
    """Other surfaces behind the same guard and authentication, by path; each answers for itself."""
    token: InstanceToken | None = None
    """Of a development instance: who has it may open the console, whoever it stands for."""
    console: Console | None = None
    """None: there is none, and its path is unknown."""


class HttpSurface:
    """The ASGI application."""

    def __init__(self, settings: HttpSettings) -> None:
        """Prepare; nothing starts before the first event."""
        self._settings = settings
        self._runtime: Runtime | None = None
        self._endpoints = settings.endpoints
        self._lists_origins = settings.guard.lists_origins
        self._console = settings.console
        self._admissions = Admissions(self._settings.authenticate)
        self._exchanges = Exchanges(door=settings.door, max_body=settings.max_body, public_url=settings.public_url)
        ways = {True: (_READS, self._exchanges.query), False: (_WRITES, self._exchanges.action)}
        self._ways = {kind: ways[kind.reads] for kind in Kind}
        """By kind, the methods that an operation answers and how it is run."""
        self._warned = False
        self._vary: Header = (b"vary", ", ".join(sorted(settings.authenticate.reads)).encode("latin-1"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI event stream."""
        if scope["type"] != "http":
            await self._serve_no_request(scope, receive, send)
            return
        try:
            response = await self._answer(scope, receive, send)
        except ClientGoneError:
            return
        except Exception:  # noqa: BLE001 - the last wall: no exception text reaches the wire
            _log.exception("the HTTP surface failed")
            response = problem_response(failure(Code.INTERNAL, "the service failed; its log has the details"))
        if response is None:
            return
        if self._lists_origins:
            response.headers.extend(sharing_headers(scope, self._settings.guard))
        # As `send_response` does, without one more coroutine per answer.
        start, body = response.messages(scope["method"])
        await send(start)
        await send(body)

    @property
    def door(self) -> Door:
        """Whom it is for."""
        return self._settings.door

    @property
    def serves_console(self) -> bool:
        """Whether somebody may open a console of it."""
        return self._console is not None

    @property
    def serves_mcp(self) -> bool:
        """Whether agents can speak MCP with it."""
        return "mcp" in self._endpoints

    @property
    def issuers(self) -> tuple[str, ...]:
        """The authorization servers whose tokens open this application."""
        return self._settings.authenticate.issuers

    async def runtime(self) -> Runtime:
        """The runtime of the running event loop, started."""
        runtime = self._runtime
        if runtime is None or not runtime.is_here():
            runtime = self._runtime = self._settings.make_runtime()
        if not runtime.started:
            await runtime.start()
        return runtime

    async def stop(self) -> None:
        """Stop the runtime, if it ever started on this event loop."""
        runtime, self._runtime = self._runtime, None
        self._admissions = Admissions(self._settings.authenticate)
        if runtime is not None and runtime.loop is asyncio.get_running_loop():
            await runtime.stop()

    async def _serve_no_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        """The ASGI lifespan protocol."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                try:
                    await self.runtime()
                except Exception as error:  # noqa: BLE001 - told to the server, which decides what failing to start means
                    _log.exception("the application did not start")
                    await send({"type": "lifespan.startup.failed", "message": type(error).__name__})
                    return
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _shared(self, scope: Scope, send: Send) -> Send:
        """How another surface sends its answers, so that pages of a listed origin can read them, too."""
        sharing = sharing_headers(scope, self._settings.guard) if self._lists_origins else ()
        if not sharing:
            return send

        async def share(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *sharing]}
            await send(message)

        return share

    def _answer(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[Response | None]:
        """What a request is answered. Callers that were admitted before and call what they are offered go straight."""
        # A server URL that ends with a slash gives clients two of them, which are taken as one.
        name = relative_path(scope).lstrip("/")
        endpoint = self._endpoints.get(name)
        request = Request(scope)
        if self._console is not None:
            below = below_console(name)
            if below is not None:
                return self._console_answer(self._console, below, request, (scope, receive, send))
        found = self._admissions.recall(scope, request, _HERE if endpoint is None else endpoint.surface)
        if isinstance(found, Admission):
            if endpoint is None:
                operation = found.manifest.find(name)
                if operation is not None:
                    methods, run = self._ways[operation.kind]
                    if scope["method"] in methods:
                        return run(found, operation, request, (scope, receive))
            elif scope["method"] != _PREFLIGHT:
                connection = (scope, receive, self._shared(scope, send))
                return endpoint(found.runtime, found.manifest.of_now(), request, connection)
        return self._answer_anew(name, request, (scope, receive, send))

    async def _answer_anew(
        self, name: str, request: Request, connection: tuple[Scope, Receive, Send]
    ) -> Response | None:
        """The same, with everything judged from the start."""
        scope, receive, send = connection
        admitted = await self._admit(scope, request, name)
        if isinstance(admitted, Response):
            return admitted
        endpoint = self._endpoints.get(name)
        if endpoint is not None:
            await endpoint(admitted.runtime, admitted.manifest, request, (scope, receive, self._shared(scope, send)))
            return None
        if self._settings.documents.serves(name):
            return self._document(scope, request, name, admitted)
        operation = admitted.manifest.find(name)
        if operation is None:
            return problem_response(unknown_operation(admitted.manifest, name), *admitted.vary)
        methods, run = self._ways[operation.kind]
        if scope["method"] not in methods:
            return problem_response(method_not_allowed(*methods))
        return await run(admitted, operation, request, (scope, receive))

    async def _console_answer(
        self, console: Console, below: str, request: Request, connection: tuple[Scope, Receive, Send]
    ) -> Response | None:
        """The console to whoever may see it; to everybody else its path is one like any other, its files aside."""
        scope, receive, send = connection
        asset = console.asset(below, request) if scope["method"] in _READS else None
        if asset is not None:
            refusal = self.refuse(scope)
            return asset if refusal is None else problem_response(refusal)
        name = CONSOLE + below
        admitted = await self._admit(scope, request, name)
        if isinstance(admitted, Response):
            return admitted
        is_developer = self._is_developer(request)
        if not below or not console.admits(admitted.caller, is_developer=is_developer):
            return problem_response(unknown_operation(admitted.manifest, name), *admitted.vary)
        visit = Visit(
            admitted=admitted, is_developer=is_developer, request=request, scope=scope, receive=receive, send=send
        )
        return await console.answer(visit, below)

    def _is_developer(self, request: Request) -> bool:
        return self._settings.token is not None and self._settings.token.opens(request)

    async def _admit(self, scope: Scope, request: Request, name: str) -> Admission | Response:
        """Judge from the start whether a request may come in; the answer instead, where it may not or need not."""
        refusal = self.refuse(scope)
        if refusal is not None:
            return problem_response(refusal)
        if name == _HEALTH:
            return await self._health(scope)
        if scope["method"] == _PREFLIGHT:
            preflight = preflight_response(scope, self._settings.guard)
            if preflight is not None:
                return preflight
        runtime = await self.runtime()
        endpoint = self._endpoints.get(name)
        surface = _HERE if endpoint is None else endpoint.surface
        caller = await self._caller(runtime, request, surface)
        if isinstance(caller, Response):
            return caller
        admitted = admission(runtime, caller, self._vary_of(request))
        is_stranger = caller.is_anonymous and not self._settings.authenticate.is_empty()
        is_stranger = is_stranger and not self._is_developer(request)
        if is_stranger and admitted.manifest.is_empty:
            return self._unauthenticated()
        fields = self._admissions.recall(scope, request, surface)
        # What a stranger is offered has to be looked at each time where it may come to nothing.
        if not isinstance(fields, Admission) and not (is_stranger and admitted.manifest.shared_by is None):
            self._admissions.keep(fields, admitted)
        return admitted

    def _document(self, scope: Scope, request: Request, name: str, admitted: Admission) -> Response:
        if scope["method"] not in _READS:
            return problem_response(method_not_allowed(*_READS))
        base = self._settings.public_url or base_path(scope)
        condition = request.headers.get("if-none-match")
        return self._settings.documents.response(name, base, admitted.manifest, condition, admitted.vary)

    async def _caller(self, runtime: Runtime, request: Request, surface: Surface) -> Caller | Response:
        """Who calls, before anything is looked up; or why nobody may."""
        chain = self._settings.authenticate
        if chain.is_empty():
            return Caller(None, self._settings.door, surface)
        try:
            principal = runtime.known_roles(chain.known(request) or await chain.authenticate(request))
        except CredentialsError as error:
            _log.info("credentials refused: %s", error.reason)
            return self._unauthenticated()
        except Refusal as refusal:
            return problem_response(refusal.as_failure())
        caller = Caller(principal, self._settings.door, surface)
        if caller.door is Door.APP and principal is not None:
            refused = _refuse_at_app_door(request, principal)
            if refused is not None:
                return problem_response(refused)
        return caller

    def refuse(self, scope: Scope) -> Failure | None:
        """Host and Origin. A mounted application leaves hosts to its host, unless the operator listed some."""
        guard = self._settings.guard
        host: str | None = None
        origin: str | None = None
        hosts = 0
        for key, value in scope["headers"]:
            if key == b"host":
                hosts += 1
                host = value.decode("latin-1").strip(" \t")
            elif key == b"origin":
                origin = value.decode("latin-1").strip(" \t")
        if hosts != 1:
            # Two hosts are two opinions (RFC 9112 section 3.2); a proxy in front may have read the other one.
            host = None
        server = (scope.get("server") or ("", None))[0] or ""
        if scope.get("root_path") and not guard.states_hosts:
            self._warn_of_mounting()
            server = host_of(host or "")
        refused = guard.refuse_host(host, server)
        if refused is None and origin is not None:
            refused = guard.refuse_origin(origin, host, server)
        return refused

    def _warn_of_mounting(self) -> None:
        if not self._warned:
            self._warned = True
            _log.warning(
                "mounted: the host application decides about Host; list App(allowed_hosts=[...]) to check here"
            )

    async def _health(self, scope: Scope) -> Response:
        """Liveness by answering at all, readiness by having started; open to everybody, tells nothing else."""
        if scope["method"] not in _READS:
            return problem_response(method_not_allowed(*_READS))
        try:
            await self.runtime()
        except Exception:  # noqa: BLE001 - readiness answers no, whatever the reason
            _log.exception("not ready")
            return problem_response(failure(Code.UNAVAILABLE, "the application did not start"))
        return json_response({"status": "ok"}, (b"cache-control", b"no-store"))

    def _unauthenticated(self) -> Response:
        """The one 401: the same on every path, so that clients start their login."""
        return problem_response(
            unauthenticated(), (b"www-authenticate", self._settings.authenticate.challenge.encode("latin-1"))
        )

    def _vary_of(self, request: Request) -> tuple[Header, ...]:
        """The `Vary` field: what authenticators read, known or seen."""
        if self._settings.authenticate.is_empty():
            return ()
        reads = self._settings.authenticate.reads
        seen = request.headers.names_read
        if reads.issuperset(seen):
            return (self._vary,) if reads else ()
        return ((b"vary", ", ".join(sorted(seen | reads)).encode("latin-1")),)


def _refuse_at_app_door(request: Request, principal: Principal) -> Failure | None:
    """The app door is for the application's own people and programs."""
    if principal.agent:
        return wrong_door()
    by_cookie = "cookie" in request.headers.names_read and "authorization" not in request.headers
    if by_cookie and request.method not in _READS and "origin" not in request.headers:
        return failure(Code.FORBIDDEN, "a call on a cookie's behalf must say its origin", fix="send the Origin header")
    return None
