"""Tools that providers hand out while the app runs, read like declared ones whenever somebody is offered them."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from threading import Lock
from types import FunctionType
from typing import Final, cast, get_origin

from afford.caller import Caller
from afford.catalog.findings import Findings
from afford.catalog.names import check_names, wire_name
from afford.catalog.operation import Operation
from afford.catalog.operations import OperationReader
from afford.catalog.tools import as_operation
from afford.declare.tools import Tool, ToolDeclaration, ToolProviders

_log: Final = logging.getLogger("afford.tools")

_REMEMBERED: Final = 4096
"""Provided tools that are kept ready, and lines that are not logged again; beyond, the oldest are forgotten."""
_TOOL_FIELDS: Final = tuple(item.name for item in fields(Tool))


@dataclass(frozen=True, slots=True)
class _Handed:
    """One tool that a provider handed out, under the id that it would have."""

    id: str
    declaration: ToolDeclaration

    @property
    def folded(self) -> str:
        """The wire name as clashes are judged."""
        return wire_name(self.id).lower()


class ToolSource:
    """Provided tools as operations, each read once while providers keep handing out the like.

    What is wrong with one tool is logged once and costs that tool alone.
    """

    def __init__(
        self,
        providers: Sequence[tuple[str, ToolProviders]],
        taken: Collection[str],
        make_reader: Callable[[Findings], OperationReader],
    ) -> None:
        """Prepare.

        Args:
            providers: of each feature, with the prefix of its ids.
            taken: wire names of what is declared, in lower case.
            make_reader: reads declarations, reporting into the findings it is given.
        """
        self._providers = providers
        self._taken = taken
        self._make_reader = make_reader
        self._read: OrderedDict[Hashable, tuple[Tool, Operation | None]] = OrderedDict()
        self._told: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def is_empty(self) -> bool:
        """Whether nobody has to be asked."""
        return all(providers.is_empty() for _, providers in self._providers)

    def ask(self, caller: Caller) -> HandedTools:
        """Ask every provider what it has for a caller now."""
        handed = [
            _Handed(f"{prefix}{declaration.tool.id}", declaration)
            for prefix, providers in self._providers
            for declaration in providers.tools(caller)
        ]
        return HandedTools(self, handed)

    def operation(self, handed: _Handed) -> Operation | None:
        """The tool as an operation; None after logging what is wrong with it."""
        if handed.folded in self._taken:
            self.warn_of_clash(handed)
            return None
        tool = handed.declaration.tool
        key = (handed.id, _likeness(tool))
        line: str | None = None
        with self._lock:
            known = self._read.get(key)
            if known is None:
                operation, line = self._built(handed)
                # What stands in the key by its identity must live as long as the key, so the tool is kept as well.
                known = self._read[key] = (tool, operation)
                if len(self._read) > _REMEMBERED:
                    self._read.popitem(last=False)
            else:
                self._read.move_to_end(key)
        if line is not None:
            self._warn(line)
        operation = known[1]
        if operation is None or operation.handler is tool.handler:
            return operation
        return replace(operation, handler=tool.handler)

    def warn_of_clash(self, handed: _Handed) -> None:
        """Log that a tool is left out because of its name."""
        self._warn(f"the provided tool {handed.id} is left out: its name is taken")

    def _warn(self, line: str) -> None:
        """Log something once, since lists are asked for all the time."""
        with self._lock:
            if line in self._told:
                return
            self._told[line] = None
            if len(self._told) > _REMEMBERED:
                self._told.popitem(last=False)
        _log.warning("%s", line)

    def _built(self, handed: _Handed) -> tuple[Operation | None, str | None]:
        """The operation, or why there is none."""
        findings = Findings()
        operation: Operation | None = None
        left_out = f"the provided tool {handed.id} is left out"
        try:
            check_names([(handed.id, None)], findings)
            stated = replace(as_operation(handed.declaration, findings, handed.id), name=handed.id)
            operation = self._make_reader(findings).read(handed.id, stated)
        except Exception as error:  # noqa: BLE001 - a tool made of the wrong things must not take the others along
            return None, f"{left_out}: it cannot be read ({error!r})"
        if findings.diagnostics:
            found = "; ".join(f"{item.code} {item.message} ({item.fix})" for item in findings.diagnostics)
            return None, f"{left_out}: {found}"
        if operation is not None and operation.stale:
            return None, f"{left_out}: nobody loads its derived closed set; let the provider state a `Literal` instead"
        return operation, None


class HandedTools:
    """What the providers had for one caller at one moment, read as far as somebody looks."""

    def __init__(self, source: ToolSource, handed: Sequence[_Handed]) -> None:
        """Made by `ToolSource.ask`."""
        self._source = source
        self._handed = handed

    def find(self, name: str) -> Operation | None:
        """The tool of that wire name."""
        folded = name.lower()
        for handed in self._handed:
            operation = self._source.operation(handed) if handed.folded == folded else None
            if operation is not None:
                return operation if operation.wire_name == name else None
        return None

    def all(self) -> list[Operation]:
        """Every tool, at most one of a name: the one provided first."""
        found: dict[str, Operation] = {}
        for handed in self._handed:
            operation = self._source.operation(handed)
            if operation is not None and found.setdefault(handed.folded, operation) is not operation:
                self._source.warn_of_clash(handed)
        return list(found.values())


def taken_names(operations: Collection[str]) -> frozenset[str]:
    """The wire names that are taken, folded as clashes are judged."""
    return frozenset(wire_name(name).lower() for name in operations)


def _likeness(tool: Tool) -> Hashable:
    """What tells a tool from others that would be read differently: all that it states, but for the handler itself.

    Providers make tools anew each time they are asked, handlers too, and reading one takes a thousand times as long as
    looking it up.
    """
    stated = tuple(_frozen(getattr(tool, name)) for name in _TOOL_FIELDS if name != "handler")
    likeness = (_signature_of(tool.handler), stated)
    try:
        hash(likeness)
    except TypeError:
        return id(tool)
    return likeness


def _signature_of(handler: Callable[..., object]) -> Hashable:
    """Equal for functions that differ in nothing but what they close over; anything else equals itself alone."""
    if not isinstance(handler, FunctionType) or handler.__dict__:
        return id(handler)
    annotations = tuple((name, _frozen(value)) for name, value in handler.__annotations__.items())
    defaults = (_frozen(handler.__defaults__), _frozen(handler.__kwdefaults__))
    return (handler.__code__, id(handler.__globals__), annotations, defaults)


def _frozen(value: object) -> Hashable:
    """The value as part of a key; it keeps True from 1, and what cannot be compared equals itself alone."""
    kind = type(value)
    if isinstance(value, (list, tuple)):
        return (kind, tuple(_frozen(item) for item in cast("Sequence[object]", value)))
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return (kind, tuple((_frozen(key), _frozen(item)) for key, item in items))
    if callable(value) and not isinstance(value, type) and get_origin(value) is None:
        return id(value)
    return (kind, value)
