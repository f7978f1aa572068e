"""What `call` talks to: something that offers operations and runs them, in this process or behind an address.

Knows no transport. What a command needs of an operation is here in one form, wherever it was read from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from afford.declare.vocabulary import Risk, Safety
from afford.errors import Failure, Fault, JsonObject, JsonValue
from afford.manifest import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One operation that the caller is offered."""

    name: str
    """Wire name."""
    schema: JsonObject
    """Published input schema."""
    columns: tuple[str, ...]
    """Members of a row, in the order of its schema; empty where rows have none."""
    is_risky: bool
    """Whether a person should be asked before: it destroys something, or its risk is high."""
    operation: Operation | None = None
    """Where it runs in this process: knows its questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One call as the person wrote it."""

    arguments: JsonObject
    faults: tuple[Fault, ...] = ()
    """What no value could be made of."""
    answers: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    limit: int | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a call answered."""

    value: JsonValue
    """Rows of a read, the value of a write."""
    next_cursor: str | None = None
    total: int | None = None


Told: TypeAlias = Answered | Failure


class Callee(Protocol):
    """Something that can be called."""

    async def find(self, name: str) -> Offer | None:
        """The operation of that wire name; None: the caller is not offered it."""
        ...

    async def call(self, name: str, sent: Sent) -> Told:
        """Run it; a name that the caller is not offered is refused like one that does not exist."""
        ...


def is_risky(safety: Safety, risk: Risk) -> bool:
    """Whether a person should be asked before it runs."""
    return safety is Safety.DESTRUCTIVE or risk is Risk.HIGH


def columns_of(output_schema: JsonObject) -> tuple[str, ...]:
    """Members of one row, or of the value, in the order of the schema; references into `$defs` are followed once."""
    items = output_schema.get("items")
    row = items if isinstance(items, dict) else output_schema
    reference, definitions = row.get("$ref"), output_schema.get("$defs")
    if isinstance(reference, str) and isinstance(definitions, dict):
        found = definitions.get(reference.rpartition("/")[2])
        row = found if isinstance(found, dict) else row
    properties = row.get("properties")
    return tuple(properties) if isinstance(properties, dict) else ()
