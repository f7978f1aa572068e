"""Tools without an operation behind them, declared or handed out by providers that derive them from live data."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final, TypeAlias

from afford.access import Rule
from afford.caller import Caller
from afford.declare.changes import Change, ChangeKind, Changes
from afford.declare.problems import Problem
from afford.declare.vocabulary import Agent, RiskWord, SafetyWord
from afford.errors import DeclarationError

_log: Final = logging.getLogger("afford.tools")


class FromHandler:
    """Stands for "what the handler's own annotations say"."""


FROM_HANDLER: Final = FromHandler()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool for agents: served over MCP and the command line, never over HTTP."""

    id: str
    """As operations' ids; the wire name replaces `:` by `_`."""
    handler: Callable[..., object]
    """Takes its inputs and injected values by its annotations, or by position under `args`."""
    description: str
    """What it is for and when to reach for it; a tool without one is refused."""
    access: Rule | Callable[[Caller], bool] | None = None
    """Who may call; None: the feature's default, else the app's."""
    safety: SafetyWord | None = None
    """What calling does to the world; None: as `agent` says, else `action`."""
    risk: RiskWord | None = None
    """None: as `agent` says, else from the safety, as for operations."""
    agent: Agent | Mapping[str, object] | None = None
    args: Sequence[object] | None = None
    """Types of positional inputs, published as `arg0`, `arg1`; one model or dataclass alone gives its own fields.

    One whose parameter has a default is optional.
    """
    output: object = FROM_HANDLER
    """The answer's type; by default the handler's annotation. Left open where that is missing or says nothing."""
    input_schema: Mapping[str, object] | None = None
    """Raw JSON Schema; the handler then takes `arguments: dict`."""
    output_schema: Mapping[str, object] | None = None
    raises: Sequence[type[Problem]] = ()
    deadline: float | None = None
    """Seconds; None: the app's."""
    enabled: bool | Callable[[], bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDeclaration:
    """A tool as its feature recorded it."""

    tool: Tool
    feature: str
    feature_access: object
    namespace: Mapping[str, object] | None = None
    location: str | None = None


Provide: TypeAlias = Callable[[Caller], Iterable[Tool]]
"""A plain function of the caller; it is asked whenever tools are listed or one is called, so it must not block."""


class ToolProviders:
    """The providers of one feature; they may come and go while the app runs, from any thread."""

    def __init__(self, feature: str, access: object, changes: Changes) -> None:
        """Start with none.

        Args:
            feature: name of the feature that the tools belong to.
            access: rule of tools that state none.
            changes: told when the tools change.
        """
        self._feature = feature
        self._access = access
        self._changes = changes
        self._lock = Lock()
        self._providers: tuple[ToolProviderHandle, ...] = ()

    def add(self, provide: Provide) -> ToolProviderHandle:
        """Register a provider.

        Raises:
            DeclarationError: it would have to be awaited.
        """
        if inspect.iscoroutinefunction(provide) or inspect.isasyncgenfunction(provide):
            raise DeclarationError("a tool provider is a plain function; keep ready what it would have to wait for")
        handle = ToolProviderHandle(self, provide)
        with self._lock:
            self._providers = (*self._providers, handle)
        self.announce()
        return handle

    def remove(self, handle: ToolProviderHandle) -> bool:
        """Forget a provider; False: it was forgotten already."""
        with self._lock:
            known = handle in self._providers
            self._providers = tuple(item for item in self._providers if item is not handle)
        if known:
            self.announce()
        return known

    def is_registered(self, handle: ToolProviderHandle) -> bool:
        """Whether the provider is still asked."""
        return handle in self._providers

    def announce(self) -> None:
        """Tell clients that the list of tools is another one."""
        self._changes.announce(Change(ChangeKind.TOOLS))

    def is_empty(self) -> bool:
        """Whether nobody has to be asked."""
        return not self._providers

    def tools(self, caller: Caller) -> list[ToolDeclaration]:
        """Every tool that the providers have for a caller, in the order they were registered.

        One that raises, or hands out something that is no `Tool`, loses its own tools, with a line in the log.
        """
        found: list[ToolDeclaration] = []
        for handle in self._providers:
            try:
                found.extend(self._asked(handle, caller))
            except Exception:  # noqa: BLE001 - one provider must not take the list away from the others
                _log.exception("a tool provider of %s failed; its tools are left out", self._feature)
        return found

    def _asked(self, handle: ToolProviderHandle, caller: Caller) -> list[ToolDeclaration]:
        tools: list[object] = list(handle.provide(caller))
        wrong = [item for item in tools if not isinstance(item, Tool)]
        if wrong:
            raise TypeError(f"a tool provider answered {wrong[0]!r}, which is no Tool")
        return [
            ToolDeclaration(tool=item, feature=self._feature, feature_access=self._access)
            for item in tools
            if isinstance(item, Tool)
        ]


class ToolProviderHandle:
    """A registered provider."""

    def __init__(self, providers: ToolProviders, provide: Provide) -> None:
        """Made by `tool_provider`."""
        self._providers = providers
        self.provide = provide

    def notify_changed(self) -> None:
        """Tell connected clients that the tools are different now; silent once unregistered. Any thread may call."""
        if self._providers.is_registered(self):
            self._providers.announce()

    def unregister(self) -> None:
        """Take the tools back; does nothing the second time."""
        self._providers.remove(self)
