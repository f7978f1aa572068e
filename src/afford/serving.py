"""How one application is put behind HTTP: the surface with its guard, its documents and its security schemes.

The only place that sees all projections at once; they do not know each other.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Final, Protocol

from afford.access import Rule
from afford.authentication import AuthenticatorChain, InstanceToken
from afford.caller import Door, Principal
from afford.errors import DeclarationError, JsonObject
from afford.execute.outcome import CallRecord
from afford.manifest import Manifest
from afford.runtime import Runtime
from afford.surfaces.http.console import Console
from afford.surfaces.http.documents import Document, Documents
from afford.surfaces.http.guard import Guard
from afford.surfaces.http.project import CATALOG_SCHEMA, catalog_document, manifest_document
from afford.surfaces.http.surface import Endpoint, HttpSettings, HttpSurface
from afford.surfaces.mcp.http import McpHttp
from afford.surfaces.mcp.stateful import SessionLimits, StatefulMcp
from afford.surfaces.openapi.project import SecurityScheme, openapi_document

_log: Final = logging.getLogger("afford.mcp")
_hooks_log: Final = logging.getLogger("afford.executor")

DEFAULT_MOUNT: Final = "/agent"
"""Where an application is served unless the operator says otherwise."""

MAX_BODY: Final = 1 << 20
"""Bytes of a request body, unless the app says otherwise."""

MAX_MCP_BODY: Final = 4 << 20
"""Bytes of an MCP request, which may carry embedded content."""

MAX_SESSIONS: Final = 1000
"""Sessions of older MCP clients that may be open at the same time, unless the app says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """What a development server adds to an app that it serves."""

    token: str = field(repr=False)
    """Opens the instance, as `Authorization: Bearer <token>`."""
    principal: Principal | None
    """Whom the token stands for; None: an anonymous agent."""
    mcp: bool
    """Whether agents can speak MCP with it."""
    listener: Callable[[CallRecord], None]
    """Told of every finished call, besides the app's own record hook; must not block."""
    has_console: bool = True
    """Whether who has the token may open the console."""

    def authenticators(self, own: Sequence[object]) -> tuple[object, ...]:
        """The app's own, with the token asked for first; an app where everybody is anonymous stays one."""
        if self.principal is None and not own:
            return ()
        return (self.instance_token, *own)

    @property
    def instance_token(self) -> InstanceToken:
        """What knows the token."""
        return InstanceToken(self.token, self.principal)


class RecordingConsole(Console, Protocol):
    """The console, which keeps the calls of a while."""

    def record(self, call: CallRecord) -> None:
        """Take note of one finished call."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What decides how an app is served over HTTP."""

    make_runtime: Callable[[], Runtime]
    authenticate: AuthenticatorChain
    door: Door
    hosts: Collection[str] | None
    origins: Collection[str]
    public_url: str | None
    max_body: int
    is_catalog_public: bool
    """Whether the catalog shows every exposed operation to everybody; otherwise each caller is shown its own."""
    mcp: bool
    """Whether agents can speak MCP with it; the agent door alone has that."""
    sessions: int
    """Older MCP clients that may keep a session; 0: all are served without."""
    token: InstanceToken | None = None
    """Of a development instance: who has it may open the console."""
    console: Console | None = None


def http_surface(serving: Serving) -> HttpSurface:
    """The ASGI application."""
    settings = HttpSettings(
        make_runtime=serving.make_runtime,
        authenticate=serving.authenticate,
        guard=Guard(hosts=serving.hosts, origins=serving.origins, public_url=serving.public_url),
        door=serving.door,
        documents=Documents(_documents(serving)),
        max_body=serving.max_body,
        public_url=serving.public_url,
        endpoints={"mcp": _mcp(serving.sessions)} if serving.mcp else {},
        token=serving.token,
        console=serving.console,
    )
    return HttpSurface(settings)


def open_console(rule: Rule | None, door: Door, development: Development | None) -> RecordingConsole | None:
    """The console, where somebody may open it; None: there is none, and its path is unknown.

    Args:
        rule: who may open it.
        door: the console shows what agents see, and is behind their door alone.
        development: whether a developer may.
    """
    is_wanted = rule is not None or (development is not None and development.has_console)
    if door is not Door.AGENT or not is_wanted:
        return None
    # By name, since it stands above everything that it shows, and loads the linter.
    make: Callable[[Rule | None], RecordingConsole] = import_module("afford.console.surface").ConsoleSurface
    return make(rule)


def one_hook(*hooks: Callable[[CallRecord], None] | None) -> Callable[[CallRecord], None] | None:
    """One record hook that tells all of them, in order; None where there are none.

    One that raises keeps no other from being told.
    """
    told = [hook for hook in hooks if hook is not None]
    if len(told) < 2:  # noqa: PLR2004 - one needs nobody to pass it on
        return told[0] if told else None

    def record(call: CallRecord) -> None:
        for hook in told:
            try:
                hook(call)
            except Exception:  # noqa: BLE001 - a record hook may not fail a call, nor hush another one
                _hooks_log.exception("a record hook failed")

    return record


def most_sessions(*, stated: bool | int | None, workers: int) -> int:
    """How many older MCP clients may keep a session, whose state is in one process; 0: none.

    Args:
        stated: what the app says; None: as many as usual where one process serves and the package is installed.
        workers: processes that serve the same address.

    Raises:
        DeclarationError: the app insists and the package is not installed.
    """
    installed = find_spec("mcp") is not None
    if stated and not installed:
        raise DeclarationError("MCP sessions need the package `mcp`; install it with `pip install 'afford[sessions]'`")
    if stated is None and (workers > 1 or not installed):
        why = "several processes serve" if workers > 1 else "`pip install 'afford[sessions]'` brings them"
        _log.info("MCP sessions are off (%s); older clients are served without pushes and questions", why)
        return 0
    return MAX_SESSIONS if stated is None or stated is True else int(stated)


def security_schemes(chain: AuthenticatorChain) -> tuple[SecurityScheme, ...]:
    """OpenAPI security schemes for the headers that the authenticators read."""
    if chain.is_empty():
        return ()
    schemes: list[SecurityScheme] = []
    for header in sorted(chain.reads):
        if header == "authorization":
            schemes.append(SecurityScheme("bearer", {"type": "http", "scheme": "bearer"}))
        elif header != "cookie":
            schemes.append(SecurityScheme(header, {"type": "apiKey", "in": "header", "name": header}))
    # What a callable reads is not known beforehand; like its challenge, it is described as a bearer credential.
    return tuple(schemes) or (SecurityScheme("bearer", {"type": "http", "scheme": "bearer"}),)


def openapi_of(manifest: Manifest, base: str, *, chain: AuthenticatorChain) -> JsonObject:
    """The caller's OpenAPI document.

    Args:
        manifest: what the caller may call.
        base: path or URL under which the application is reached. Empty: at a root, perhaps behind a proxy that strips
            a prefix; then the server is where the document is (RFC 3986 reference).
        chain: how callers are identified.
    """
    return openapi_document(manifest, server_url=base.rstrip("/") or ".", security=security_schemes(chain))


def _mcp(sessions: int) -> Endpoint:
    plain = McpHttp(max_body=MAX_MCP_BODY)
    if sessions < 1:
        return plain
    # By name, since it imports the official package, which costs more than everything here together.
    load = functools.partial(import_module, "afford.surfaces.mcp.sessions")
    return StatefulMcp(plain, load, SessionLimits(sessions=sessions, body=MAX_MCP_BODY))


def _documents(serving: Serving) -> dict[str, Document]:
    openapi = functools.partial(openapi_of, chain=serving.authenticate)
    return {
        "schema": _catalog(serving),
        "schema.schema.json": Document(
            project=lambda _manifest, _base: CATALOG_SCHEMA, media_type="application/schema+json", is_public=True
        ),
        "manifest": Document(project=lambda manifest, _base: manifest_document(manifest)),
        "openapi.json": Document(project=openapi),
    }


def _catalog(serving: Serving) -> Document:
    links = ((b"link", b'<schema.schema.json>; rel="describedby"'),)
    if serving.is_catalog_public:
        return Document(project=_public_catalog, is_public=True, headers=links)
    return Document(project=_own_catalog, headers=links)


def _public_catalog(manifest: Manifest, _base: str) -> JsonObject:
    return catalog_document(manifest.exposed, manifest.caller.door)


def _own_catalog(manifest: Manifest, _base: str) -> JsonObject:
    return catalog_document(manifest.operations, manifest.caller.door)
