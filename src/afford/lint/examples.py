"""Examples of an operation against its own schemas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from afford.errors import Fault, FaultCode, JsonObject, JsonValue
from afford.lint.judging import faults_of
from afford.lint.nodes import nodes, required_and_undeclared
from afford.lint.schemas import escaped
from afford.lint.target import Described
from afford.lint.vocabulary import RESERVED


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of an example that holds no others."""

    name: str
    """Of the closest member that it belongs to; empty where the example itself is the value."""
    pointer: str
    """RFC 6901, from the operation."""
    value: JsonValue


def params_faults(item: Described) -> tuple[Fault, ...]:
    """What the input schema finds wrong with the example; a query may show how it is paged."""
    if item.example_params is None or item.input_schema is None:
        return ()
    ignored = RESERVED - item.inputs.keys() if item.reads else frozenset[str]()
    judged = {name: value for name, value in item.example_params.items() if name not in ignored}
    return _of_example(faults_of(item.input_schema, item.input_schema, judged), item.input_schema)


def row_faults(item: Described) -> tuple[Fault, ...]:
    """What the output schema finds wrong with the example, which is a row of a list or the answer as a whole."""
    whole, row = item.output_schema, item.row
    if item.example_row is None or whole is None or row is None:
        return ()
    found = faults_of(row, whole, item.example_row)
    return _of_example(found and faults_of(whole, whole, item.example_row) and found, whole)


def _of_example(faults: tuple[Fault, ...], schema: JsonObject) -> tuple[Fault, ...]:
    """The faults of the example itself: a schema that requires what it does not declare is at fault alone."""
    impossible = {name for node in nodes(schema) for name in required_and_undeclared(node)}
    about = frozenset({FaultCode.MISSING, FaultCode.UNKNOWN_ARGUMENT})
    return tuple(
        fault for fault in faults if fault.code not in about or fault.pointer.rpartition("/")[2] not in impossible
    )


def leaves(item: Described) -> Iterator[Leaf]:
    """Every value in the examples."""
    yield from _leaves("", "/example_params", item.example_params)
    yield from _leaves("", "/example_row", item.example_row)


def has_example(item: Described) -> bool:
    """Whether there is an example of the answer, and of the inputs where there are any."""
    return item.example_row is not None and (item.example_params is not None or not item.inputs)


def _leaves(name: str, pointer: str, value: JsonValue) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(key, f"{pointer}/{escaped(key)}", part)
    elif isinstance(value, list):
        for position, part in enumerate(value):
            yield from _leaves(name, f"{pointer}/{position}", part)
    elif value is not None:
        yield Leaf(name, pointer, value)
