"""Tools as operations: declared ones at build time, provided ones whenever a provider hands one out."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from threading import Lock
from typing import Final

from afford.caller import Caller
from afford.catalog.findings import Findings
from afford.catalog.names import check_names, wire_name
from afford.catalog.operation import Operation
from afford.catalog.operations import OperationReader
from afford.declare.operations import OperationDeclaration, OperationOptions, Role
from afford.declare.tools import Tool, ToolDeclaration, ToolProviders
from afford.declare.vocabulary import Agent, Kind
from afford.errors import Diagnostic

_log: Final = logging.getLogger("afford.tools")

_REMEMBERED: Final = 4096
"""Provided tools that are kept ready; beyond, the least recently used is built again."""


def as_operation(declaration: ToolDeclaration, findings: Findings, tool_id: str) -> OperationDeclaration:
    """A tool as the declaration of an operation, which it is in all but where it is served."""
    tool = declaration.tool
    text: object = tool.description
    if not isinstance(text, str) or not text.strip():
        findings.add("DEC123", tool_id, "the tool has no description", location=declaration.location)
    options = OperationOptions(
        description=tool.description,
        safety=tool.safety,
        agent=Agent() if tool.agent is None else tool.agent,
        raises=tool.raises,
        enabled=tool.enabled,
    )
    if tool.access is not None:
        options["access"] = tool.access
    if tool.risk is not None:
        options["risk"] = tool.risk
    if tool.input_schema is not None:
        options["input_schema"] = tool.input_schema
    if tool.output_schema is not None:
        options["output_schema"] = tool.output_schema
    if tool.deadline is not None:
        options["deadline"] = tool.deadline
    return OperationDeclaration(
        kind=Kind.ACTION,
        name=tool.id,
        handler=tool.handler,
        feature=declaration.feature,
        feature_access=declaration.feature_access,
        options=options,
        namespace=declaration.namespace,
        location=declaration.location,
        role=Role.TOOL,
        args=None if tool.args is None else tuple(tool.args),
        output=tool.output,
    )


class ToolSource:
    """Provided tools as operations, each built once while providers keep handing out equal ones.

    What is wrong with one tool is logged and costs that tool alone.
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
        self._built: OrderedDict[object, tuple[Tool, Operation | None]] = OrderedDict()
        self._clashes: set[str] = set()
        self._lock = Lock()

    def is_empty(self) -> bool:
        """Whether nobody has to be asked."""
        return all(providers.is_empty() for _, providers in self._providers)

    def tools(self, caller: Caller) -> list[Operation]:
        """The tools that providers have for a caller now; a declared name wins, then the one provided first."""
        found: dict[str, Operation] = {}
        for prefix, providers in self._providers:
            if providers.is_empty():
                continue
            for declaration in providers.tools(caller):
                operation = self._operation(prefix, declaration)
                if operation is None:
                    continue
                name = operation.wire_name.lower()
                if name in self._taken or name in found:
                    self._warn_of_clash(operation.id)
                    continue
                found[name] = operation
        return list(found.values())

    def _warn_of_clash(self, tool_id: str) -> None:
        """Once for each tool, since lists are asked for all the time."""
        if tool_id not in self._clashes:
            self._clashes.add(tool_id)
            _log.warning("the provided tool %s is left out: its name is taken", tool_id)

    def _operation(self, prefix: str, declaration: ToolDeclaration) -> Operation | None:
        tool = declaration.tool
        key = (prefix, _identity(tool))
        with self._lock:
            known = self._built.get(key)
            # The identity of an unhashable tool may be given to another one once it is gone, so it is kept as well.
            if known is None:
                known = self._built[key] = (tool, self._build(prefix, declaration))
                if len(self._built) > _REMEMBERED:
                    self._built.popitem(last=False)
            else:
                self._built.move_to_end(key)
        return known[1]

    def _build(self, prefix: str, declaration: ToolDeclaration) -> Operation | None:
        findings = Findings()
        tool_id = f"{prefix}{declaration.tool.id}"
        operation: Operation | None = None
        try:
            check_names([(tool_id, None)], findings)
            stated = replace(as_operation(declaration, findings, tool_id), name=tool_id)
            operation = self._make_reader(findings).read(tool_id, stated)
        except Exception:  # noqa: BLE001 - a tool made of the wrong things must not take the others along
            _log.exception("the provided tool %s cannot be read; it is left out", tool_id)
            return None
        for diagnostic in findings.diagnostics:
            _log.error("a provided tool is left out: %s", _told(diagnostic))
        return None if findings.diagnostics else operation


def _identity(tool: Tool) -> object:
    """What tells a tool from others: its content where that can be hashed."""
    try:
        hash(tool)
    except TypeError:
        return id(tool)
    return tool


def _told(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.code} {diagnostic.subject}: {diagnostic.message} ({diagnostic.fix})"


def taken_names(operations: Collection[str]) -> frozenset[str]:
    """The wire names that are taken, folded as clashes are judged."""
    return frozenset(wire_name(name).lower() for name in operations)
