"""Entities, screens and navigation, cross-checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, cast, get_args

from afford.access import Rule, anyone, as_rule
from afford.catalog.findings import Findings
from afford.catalog.model import Entity, NavigationEntry, Screen
from afford.catalog.records import field_types
from afford.catalog.signature import bare
from afford.declare.places import EntityDeclaration, NavDeclaration, ScreenDeclaration
from afford.declare.vocabulary import Agent
from afford.errors import JsonObject
from afford.schema import SchemaError, derive_output

_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SCREEN_TYPES: Final = frozenset({"dashboard", "list", "detail", "form", "custom"})


def read_entities(declared: Iterable[EntityDeclaration], findings: Findings) -> dict[str, Entity]:
    """Entities by raw name, sorted, with what their fields refer to."""
    declarations: dict[str, EntityDeclaration] = {}
    for declaration in declared:
        if declaration.name in declarations:
            message = f"the entity `{declaration.name}` is declared twice"
            findings.add("DEC116", declaration.name, message, location=declaration.location)
        declarations.setdefault(declaration.name, declaration)
    names = {declaration.model: name for name, declaration in declarations.items()}
    return {name: _entity(declarations[name], names, findings) for name in sorted(declarations)}


def _entity(declaration: EntityDeclaration, names: Mapping[type, str], findings: Findings) -> Entity:
    held = _classes_in(declaration.model)
    references = sorted({names[item] for item in held if item in names} - {declaration.name})
    return Entity(
        name=declaration.name,
        description=(declaration.description or "").strip(),
        feature=declaration.feature,
        schema=_entity_schema(declaration, findings),
        references=tuple(references),
        location=declaration.location,
    )


def _entity_schema(declaration: EntityDeclaration, findings: Findings) -> JsonObject:
    try:
        return derive_output(declaration.model).schema
    except SchemaError as error:
        findings.add("SCH101", declaration.name, error.message, fix=error.fix, location=declaration.location)
        return {}


def _classes_in(model: type) -> set[type]:
    """Classes that the model's own fields mention, one level deep."""
    found: set[type] = set()
    pending = list((field_types(model) or {}).values())
    while pending:
        annotation = bare(pending.pop())
        pending.extend(get_args(annotation))
        if isinstance(annotation, type):
            found.add(cast("type[object]", annotation))
    return found


def read_screens(
    declared: Sequence[ScreenDeclaration],
    entities: Mapping[str, Entity],
    read_agent: Callable[[ScreenDeclaration], Agent],
    findings: Findings,
) -> tuple[Screen, ...]:
    """Screens sorted by id."""
    seen: set[str] = set()
    screens: list[Screen] = []
    for item in declared:
        _check_screen(item, seen, entities, findings)
        seen.add(item.id)
        agent = read_agent(item)
        screens.append(
            Screen(
                id=item.id,
                type=str(item.type),
                path=item.path,
                parameters=tuple(_PLACEHOLDER.findall(item.path or "")),
                description=(agent.description or item.description or "").strip(),
                panels=item.panels,
                access=_rule(item.id, item.access, item.location, findings),
                exposed=agent.expose is not False,
                opted_out=agent.expose is False,
                entity=item.entity,
                feature=item.feature,
                location=item.location,
            )
        )
    return tuple(sorted(screens, key=lambda screen: screen.id))


def _check_screen(item: ScreenDeclaration, seen: set[str], entities: Mapping[str, Entity], findings: Findings) -> None:
    if item.id in seen:
        findings.add("DEC117", item.id, f"the screen `{item.id}` is declared twice", location=item.location)
    if item.type not in _SCREEN_TYPES:
        allowed = ", ".join(sorted(_SCREEN_TYPES))
        findings.add("DEC114", item.id, f"`type={item.type!r}` is not one of {allowed}", location=item.location)
    if item.entity is not None and item.entity not in entities:
        findings.add("DEC116", item.id, f"there is no entity `{item.entity}`", location=item.location)


def read_navigation(
    declared: Sequence[NavDeclaration], screens: Sequence[Screen], findings: Findings
) -> tuple[NavigationEntry, ...]:
    """Navigation entries sorted by id."""
    targets = {screen.id for screen in screens}
    ids = {item.id for item in declared}
    seen: set[str] = set()
    for item in declared:
        if item.id in seen:
            findings.add("DEC117", item.id, f"the entry `{item.id}` is declared twice", location=item.location)
        seen.add(item.id)
        if item.screen is not None and item.screen not in targets:
            findings.add("DEC117", item.id, f"there is no screen `{item.screen}`", location=item.location)
        if item.parent is not None and item.parent not in ids:
            findings.add("DEC117", item.id, f"there is no entry `{item.parent}`", location=item.location)
    return tuple(
        NavigationEntry(
            id=item.id,
            label=item.label,
            screen=item.screen,
            parent=item.parent,
            access=_rule(item.id, item.access, item.location, findings),
        )
        for item in sorted(declared, key=lambda item: item.id)
    )


def _rule(subject: str, value: object, location: str | None, findings: Findings) -> Rule:
    """The rule; places without one are open to everybody."""
    try:
        return as_rule(value) or anyone()
    except TypeError as error:
        findings.add("ACC103", subject, str(error), location=location)
        return anyone()
