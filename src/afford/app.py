"""`App`: the composition root. It records what an author declares, builds the catalog once, and hands it to servers.

An app is a feature without a prefix. The surfaces are imported where they are opened, so that declaring an app loads
no web framework.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import secrets
from collections.abc import Callable, Generator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, Literal, Unpack, cast

from afford.access import Rule, as_rule
from afford.authentication import combine
from afford.caller import Caller, Door, Surface
from afford.catalog.build import AppDeclaration, build
from afford.catalog.choices import with_ready_choices
from afford.catalog.model import Catalog
from afford.declare.feature import Feature
from afford.declare.problems import Problem, ProblemDeclaration, make_problem
from afford.declare.providers import ProviderDeclaration, Scope
from afford.errors import CatalogError, DeclarationError, Diagnostic
from afford.execute.outcome import CallRecord
from afford.gaps import find_gaps
from afford.manifest import Explanation, Manifest, Manifests
from afford.options import AppOptions, Authenticate, check_options, shows_state
from afford.runtime import Runtime, RuntimeSettings
from afford.serving import (
    DEFAULT_MOUNT,
    MAX_BODY,
    Development,
    Serving,
    http_surface,
    most_sessions,
    one_hook,
    open_console,
)
from afford.surfaces.http.mounting import mount_on_starlette
from afford.surfaces.http.site import Site
from afford.surfaces.http.surface import HttpSurface
from afford.surfaces.mcp.deferral import DEFAULT_TOKENS
from afford.surfaces.mcp.stdio import serve_stdio

_log: Final = logging.getLogger("afford")

SECRET_VARIABLE: Final = "AFFORD_SECRET"  # noqa: S105 - the name of a variable, not a secret


class App(Feature):
    """An application: its operations, who may call them, and how it is served."""

    def __init__(self, name: str, **options: Unpack[AppOptions]) -> None:
        """Start an application.

        Args:
            name: short name, one id segment.
            **options: see `AppOptions`.

        Raises:
            DeclarationError: an option does not exist.
        """
        check_options(options)
        super().__init__(name, access=None, description=options.get("description"))
        self._options = options
        self._features: list[Feature] = []
        self._providers: list[ProviderDeclaration] = []
        self._problems: list[ProblemDeclaration] = []
        self._overrides: dict[object, object] = {}
        self._catalog: Catalog | None = None
        self._failure: CatalogError | None = None
        self._warned = False

    @property
    def _prefix(self) -> str:
        """An app's own ids stand alone."""
        return ""

    @property
    def options(self) -> AppOptions:
        """The keyword options the app was made with."""
        return self._options

    @property
    def title(self) -> str:
        """The title, else the name."""
        return self._options.get("title", self.name)

    @functools.cached_property
    def secret(self) -> bytes:
        """What cursors are signed with."""
        stated = self._options.get("secret") or os.environ.get(SECRET_VARIABLE)
        if not stated:
            return secrets.token_bytes(32)
        return stated.encode() if isinstance(stated, str) else stated

    @property
    def has_stable_secret(self) -> bool:
        """Whether several workers, or a restart, sign alike."""
        return bool(self._options.get("secret") or os.environ.get(SECRET_VARIABLE))

    @property
    def authenticators(self) -> tuple[Authenticate, ...]:
        """The ways callers are identified, in order."""
        stated = cast("object", self._options.get("authenticate"))
        if isinstance(stated, Sequence):
            return tuple(cast("Sequence[Authenticate]", stated))
        return () if stated is None else (cast("Authenticate", stated),)

    def include(self, *features: Feature) -> None:
        """Let features join; their operations become `feature:name`.

        Raises:
            DeclarationError: the app is already built, or one of them is an app or already joined.
        """
        for feature in features:
            self._must_be_open(f"feature {feature.name!r}")
            if isinstance(feature, App) or feature in self._features:
                raise DeclarationError(f"`{feature.name}` cannot join: it is an app itself, or has joined already")
            self._features.append(feature)
            feature.changes.subscribe(self.changes.announce)

    def provide(
        self,
        type: object,
        provider: Callable[..., object],
        *,
        scope: Literal["call", "app"] = "call",
    ) -> None:
        """Let handlers receive a value by its type.

        Args:
            type: what handlers annotate a parameter with.
            provider: a function, generator or context manager factory, sync or async. Its own parameters are injected
                like a handler's. A generator or context manager is closed when the scope ends and sees the failure,
                if there was one; a value that already is of the type is handed over as it is.
            scope: how long the value lives.
        """
        self._must_be_open(f"provider for {type!r}")
        code = getattr(provider, "__code__", None)
        location = None if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"
        self._providers.append(ProviderDeclaration(type=type, provider=provider, scope=Scope(scope), location=location))

    def problem(
        self,
        code: str,
        *,
        status: int,
        title: str,
        fix: str | None = None,
        docs: str | None = None,
        retryable: bool = False,
    ) -> type[Problem]:
        """Declare a refusal of the application's own; returns the exception class to raise.

        Args:
            code: `[A-Z][A-Z0-9_]*`, unique in the app; callers branch on it.
            status: HTTP status, 400 to 599.
            title: one constant sentence fragment.
            fix: what a caller can do; `{placeholders}` are filled from the keyword values it is raised with.
            docs: URL of a page about it.
            retryable: whether the same call may succeed later.
        """
        self._must_be_open(f"problem {code!r}")
        declaration = ProblemDeclaration(code=code, status=status, title=title, fix=fix, docs=docs, retryable=retryable)
        self._problems.append(declaration)
        return make_problem(declaration)

    @contextlib.contextmanager
    def overrides(self, replacements: Mapping[object, object]) -> Generator[None]:
        """Replace provided values inside a `with` block, for tests.

        Args:
            replacements: type to a value of it, or to a function without parameters that makes one.
        """
        before = dict(self._overrides)
        self._overrides.update(replacements)
        try:
            yield
        finally:
            self._overrides.clear()
            self._overrides.update(before)

    def build(self) -> Catalog:
        """The catalog: everything declared, cross-checked and frozen. The first call builds, later ones return it.

        Raises:
            CatalogError: the declarations do not fit together; carries every diagnostic.
        """
        if self._failure is not None:
            raise self._failure
        if self._catalog is None:
            try:
                self._catalog = with_ready_choices(build(self._declared()))
            except CatalogError as error:
                self._failure = error
                raise
            for feature in (self, *self._features):
                feature.freeze()
        return self._catalog

    def manifest(self, caller: Caller | None = None) -> Manifest:
        """What a caller may see and call; default: an anonymous agent over HTTP."""
        return self._manifests.of(self._known(caller))

    def explain(self, asked: str, caller: Caller | None = None) -> Explanation:
        """Whether the caller is offered something, or the first gate that closes.

        Args:
            asked: id or wire name of an operation or a tool; `resource:ID`, `state:KEY` or `prompt:ID` of the rest.
            caller: default: an anonymous agent over HTTP.
        """
        return self.manifest(caller).explain(asked)

    def asgi(
        self,
        *,
        door: Literal["agent", "app"] = "agent",
        authenticate: Sequence[Authenticate] | None = None,
        public_url: str | None = None,
        workers: int = 1,
        development: Development | None = None,
    ) -> HttpSurface:
        """An ASGI application relative to its own root; mount it anywhere, no lifespan wiring needed.

        Args:
            door: `agent` (exposure applies) or `app` (the application's own people and programs).
            authenticate: instead of the app's own, for a second mount with other credentials.
            public_url: instead of the app's own: where this mount is reached from outside.
            workers: processes that serve the same address; MCP sessions are off where there are several.
            development: what `afford dev` adds; None: nothing is added.

        Raises:
            CatalogError: the app does not build.
            DeclarationError: `mcp_sessions` asks for what is not installed, or `console` names an unknown role.
        """
        self.build()
        options = self._options
        hosts = options.get("allowed_hosts")
        asked: Sequence[object] = self.authenticators if authenticate is None else authenticate
        console = open_console(self._console_rule(), Door(door), development)
        listener = None if development is None else development.listener
        beside = one_hook(None if console is None else console.record, listener)
        serving = Serving(
            make_runtime=functools.partial(self.runtime, beside),
            authenticate=combine(asked if development is None else development.authenticators(asked)),
            door=Door(door),
            hosts=None if hosts is None else tuple(hosts),
            origins=tuple(options.get("allowed_origins", ())),
            public_url=public_url or options.get("public_url"),
            max_body=options.get("max_body", MAX_BODY),
            is_catalog_public=options.get("catalog") == "public",
            mcp=Door(door) is Door.AGENT and (development is None or development.mcp),
            sessions=most_sessions(stated=options.get("mcp_sessions"), workers=workers),
            token=None if development is None else development.instance_token,
            console=console,
        )
        return http_surface(serving)

    def site(
        self,
        mount: str = DEFAULT_MOUNT,
        *,
        door: Literal["agent", "app"] = "agent",
        public_url: str | None = None,
        workers: int = 1,
    ) -> Site:
        """An ASGI application for a whole origin: discovery documents at the root, the app under `mount`."""
        reached = public_url or self._options.get("public_url")
        surface = self.asgi(door=door, public_url=reached, workers=workers)
        return Site(surface, mount=mount, public_url=reached, title=self.title)

    def mount_on(
        self, host: object, path: str = DEFAULT_MOUNT, *, door: Literal["agent", "app"] = "agent"
    ) -> HttpSurface:
        """Mount on a Starlette or FastAPI application, add the root documents and compose the lifespans.

        Args:
            host: the host application.
            path: where the app goes.
            door: see `asgi`.

        Raises:
            TypeError: the host is not a Starlette application; mount `asgi()` by its own means instead.
        """
        surface = self.asgi(door=door)
        mount_on_starlette(host, surface, path=path, title=self.title, public_url=self._options.get("public_url"))
        return surface

    async def run_stdio(self, caller: Caller | None = None) -> None:
        """Serve one MCP client on standard input and output, until the input ends.

        Args:
            caller: who the operator says is calling; default: an anonymous agent. Nobody is trusted for being local.

        Raises:
            CatalogError: the app does not build.
        """
        await serve_stdio(self.runtime, caller or Caller(None, Door.AGENT, Surface.MCP))

    def cli(self, arguments: Sequence[str] | None = None) -> None:
        """Run the command line for this app: `serve`, `check`, `call` and the others, without a target.

        Args:
            arguments: words after the program's name; None: those of the process.

        Raises:
            SystemExit: always, with the command's exit code.
        """
        # By name, because the command line stands above the app and everything below must load without it.
        run_for: Callable[[App, Sequence[str] | None], None] = import_module("afford.cli.main").run_for
        run_for(self, arguments)

    def runtime(self, record: Callable[[CallRecord], None] | None = None) -> Runtime:
        """A runtime on the running event loop, not yet started.

        Args:
            record: told of every finished call, besides the app's own hook; must not block.

        Raises:
            CatalogError: the app does not build.
            RuntimeError: there is no running event loop.
        """
        lifespan = self._options.get("lifespan")
        settings = RuntimeSettings(
            catalog=self.build(),
            secret=self.secret,
            lifespan=None if lifespan is None else functools.partial(lifespan, self),
            choices_refresh=self._options.get("choices_refresh", 60.0),
            overrides=self._overrides,
            record=one_hook(self._options.get("record"), record),
            tool_budget=self._options.get("tool_budget", DEFAULT_TOKENS),
            on_start=self._warn_of_gaps,
            changes=self.changes,
        )
        return Runtime(settings)

    def _console_rule(self) -> Rule | None:
        rule = as_rule(self._options.get("console"))
        unknown = sorted(rule.roles_named() - self.build().roles) if rule is not None else []
        if unknown:
            raise DeclarationError(f"`console` names the role `{unknown[0]}`, which `App(roles=)` does not declare")
        return rule

    @functools.cached_property
    def _manifests(self) -> Manifests:
        return Manifests(self.build())

    def _known(self, caller: Caller | None) -> Caller:
        """The caller, without roles that the app does not declare."""
        if caller is None or caller.principal is None:
            return caller or Caller()
        return Caller(caller.principal.limited_to(self.build().roles), caller.door, caller.surface)

    def _declared(self) -> AppDeclaration:
        options = self._options
        return AppDeclaration(
            name=self.name,
            title=self.title,
            version=options.get("version", "0.0.0"),
            description=options.get("description", ""),
            roles=frozenset(options.get("roles", ())),
            access=options.get("access"),
            deny=frozenset(options.get("deny", ())),
            deadline=options.get("deadline", 60.0),
            features=[("", self), *((f"{feature.name}:", feature) for feature in self._features)],
            providers=self._providers,
            problems=self._problems,
            shows_state=shows_state(options),
        )

    def _warn_of_gaps(self) -> None:
        """One warning per documentation gap, once per process; a gap never stops an app."""
        if not self._warned:
            self._warned = True
            for gap in find_gaps(self.build()):
                _log.warning("documentation gap: %s", gap)


def find_agent_doc_gaps(app: App) -> tuple[Diagnostic, ...]:
    """Every place that agents may see and nobody described, sorted by subject.

    Raises:
        CatalogError: the app does not build.
    """
    return find_gaps(app.build())
