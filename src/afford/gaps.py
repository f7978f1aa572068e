"""Documentation gaps: what agents may see and nobody described.

Pure over the catalog. Gaps never stop an app; they are warned about at start, and `afford check` fails on them.
Risk adds no rule. (Handler-slots document, "Boot check and lint".)
"""

from __future__ import annotations

from collections.abc import Iterator

from afford.catalog.model import Catalog
from afford.errors import Diagnostic
from afford.manifest import Operation, reached_entities


def find_gaps(catalog: Catalog) -> tuple[Diagnostic, ...]:
    """Every documentation gap, sorted by what it is about."""
    found = [*_operation_gaps(catalog), *_screen_gaps(catalog), *_entity_gaps(catalog)]
    return tuple(sorted(found, key=lambda gap: (gap.subject, gap.code)))


def _operation_gaps(catalog: Catalog) -> Iterator[Diagnostic]:
    for operation in catalog.operations.values():
        if operation.agent_description or operation.opted_out:
            continue
        if operation.exposed:
            message = "agents see it with an empty description, which says neither what it does nor when to call it"
        else:
            message = "agents do not see it, because it has no description"
        yield Diagnostic(
            code="GAP101",
            subject=operation.id,
            message=message,
            fix="write `description=`, or exclude it with `agent={'expose': False}`",
            location=operation.location,
        )


def _screen_gaps(catalog: Catalog) -> Iterator[Diagnostic]:
    for screen in catalog.screens:
        if screen.type == "custom" and not screen.description and not screen.opted_out:
            yield Diagnostic(
                code="GAP102",
                subject=f"{screen.feature}:screen:{screen.id}",
                message="a custom screen without a description tells an agent nothing",
                fix="write `description=`, or exclude it with `agent={'expose': False}`",
                location=screen.location,
            )


def _entity_gaps(catalog: Catalog) -> Iterator[Diagnostic]:
    for name in reached_entities(filter(_is_seen, catalog.operations.values()), catalog.entities):
        entity = catalog.entities[name]
        if not entity.description:
            yield Diagnostic(
                code="GAP103",
                subject=f"{entity.feature}:entity:{name}",
                message="an operation that agents see reaches this entity, and nothing says what it is",
                fix="write `description=` on `app.entity(...)`",
                location=entity.location,
            )


def _is_seen(operation: Operation) -> bool:
    """Whether some agent may come to see it; what switches and loaders say at this moment does not count."""
    return operation.exposed and not operation.denied and operation.enabled is not False
