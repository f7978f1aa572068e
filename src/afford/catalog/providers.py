"""Providers, cross-checked: every parameter can be injected, and none waits for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from afford.catalog.findings import Findings
from afford.catalog.model import Provider
from afford.catalog.operation import Parameter, Source
from afford.catalog.signature import read_signature
from afford.declare.providers import ProviderDeclaration, Scope

_INJECTABLE = frozenset({Source.CALLER, Source.CALL, Source.PROVIDED})


def read_providers(declared: Sequence[ProviderDeclaration], findings: Findings) -> dict[object, Provider]:
    """Providers by the type they make."""
    types = {item.type for item in declared}
    providers: dict[object, Provider] = {}
    for item in declared:
        if item.type in providers:
            _report(item, "is provided twice", findings)
        parameters = _parameters(item, types, findings)
        providers[item.type] = Provider(type=item.type, provider=item.provider, parameters=parameters, scope=item.scope)
    _check_circles(declared, providers, findings)
    return providers


def _parameters(item: ProviderDeclaration, types: set[object], findings: Findings) -> tuple[Parameter, ...]:
    if isinstance(item.provider, type):
        return ()
    signature, errors = read_signature(item.provider, provided=types, namespace=None, needs_return=False)
    for error in errors:
        _report(item, f"cannot be made: {error.message}", findings)
    if signature is None:
        return ()
    for parameter in signature.parameters:
        if parameter.source not in _INJECTABLE:
            _report(item, f"needs `{parameter.name}`, which nothing provides", findings)
        elif item.scope is Scope.APP and parameter.source is not Source.PROVIDED:
            _report(item, f"lives as long as the app, and needs `{parameter.name}` of one call", findings)
    return signature.parameters


def _check_circles(
    declared: Sequence[ProviderDeclaration], providers: Mapping[object, Provider], findings: Findings
) -> None:
    for item in declared:
        needed = _needs(providers[item.type])
        pending, seen = list(needed), set(needed)
        while pending:
            for further in _needs(providers[pending.pop()]):
                if further not in seen:
                    seen.add(further)
                    pending.append(further)
        if item.type in seen:
            _report(item, "waits for itself", findings)
        if item.scope is Scope.APP and any(providers[kind].scope is Scope.CALL for kind in seen):
            _report(item, "lives as long as the app, and needs a value that lives for one call", findings)


def _needs(provider: Provider) -> list[object]:
    return [parameter.type for parameter in provider.parameters if parameter.source is Source.PROVIDED]


def _report(item: ProviderDeclaration, what: str, findings: Findings) -> None:
    name = getattr(item.type, "__name__", str(item.type))
    findings.add("DEC120", name, f"the provided `{name}` {what}", location=item.location)
