"""Documentation gaps: what agents may see and nobody described.

Pure over the catalog. Gaps never stop an app; they are warned about at start, and `afford check` fails on them.
Risk adds no rule. (Handler-slots document, "Boot check and lint".)
"""

from __future__ import annotations

from collections.abc import Iterator

from afford.catalog.model import Catalog
from afford.errors import Diagnostic


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
    reached = {item.entity for item in catalog.operations.values() if item.exposed and item.entity is not None}
    for name in sorted(reached):
        entity = catalog.entities[name]
        if not entity.description:
            yield Diagnostic(
                code="GAP103",
                subject=f"{entity.feature}:entity:{name}",
                message="an operation that agents see is about this entity, and nothing says what it is",
                fix="write `description=` on `app.entity(...)`",
                location=entity.location,
            )
