"""Examples, checked against the schemas of their operation and held as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic_core import PydanticSerializationError, to_jsonable_python

from afford.catalog.contracts import Subject
from afford.catalog.operation import Answer, CheckedExample, Input, Output
from afford.declare.vocabulary import Example
from afford.errors import JsonObject, JsonValue
from afford.schema import DumpError, judge_for


def read_examples(subject: Subject, contract: Input, output: Output) -> tuple[CheckedExample, ...]:
    """The operation's examples that its schemas accept; the others are reported."""
    given = subject.declaration.options.get("example")
    if given is None:
        return ()
    examples = [given] if isinstance(given, Example) else list(given) if isinstance(given, Sequence) else [given]
    checked = [_check(subject, example, contract, output) for example in examples]
    return tuple(example for example in checked if example is not None)


def _check(subject: Subject, example: object, contract: Input, output: Output) -> CheckedExample | None:
    if not isinstance(example, Example):
        subject.report("DEC113", f"`example={example!r}` is not `Example(params, row=...)`")
        return None
    params = _checked_params(subject, example, contract, pages=output.answer is Answer.PAGE)
    if params is None:
        return None
    if example.row is None:
        return CheckedExample(params=params)
    row, accepted = _checked_row(subject, example, output)
    return CheckedExample(params=params, row=row, has_row=True) if accepted else None


def _checked_params(subject: Subject, example: Example, contract: Input, *, pages: bool) -> JsonObject | None:
    if not isinstance(example.params, Mapping):
        subject.report("DEC113", f"the example's parameters `{example.params!r}` are not a dict of arguments")
        return None
    try:
        params: JsonObject = to_jsonable_python(dict(example.params))
    except PydanticSerializationError as error:
        subject.report("DEC113", f"the example's parameters are not JSON ({error})")
        return None
    judged = {key: value for key, value in params.items() if not (pages and _is_limit(key, value))}
    faults = judge_for(contract.schema).faults(judged)
    for fault in faults:
        subject.report("DEC113", f"the example's parameters at `{fault.pointer}`: {fault.message}")
    return None if faults else params


def _is_limit(name: str, value: JsonValue) -> bool:
    """Whether it is the number of rows wanted, which no schema declares; a cursor belongs to one caller."""
    return name == "limit" and isinstance(value, int) and not isinstance(value, bool)


def _checked_row(subject: Subject, example: Example, output: Output) -> tuple[JsonValue, bool]:
    reads = subject.declaration.kind.reads
    value: object = [example.row] if reads else example.row
    try:
        dumped = output.dumper.dump(value) if output.dumper else to_jsonable_python(value)
    except (DumpError, PydanticSerializationError) as error:
        subject.report("DEC113", f"the example's row cannot be written as its type ({error})")
        return None, False
    faults = judge_for(output.schema).faults(dumped)
    for fault in faults:
        place = fault.pointer.removeprefix("/0") if reads else fault.pointer
        subject.report("DEC113", f"the example's row at `{place or '/'}`: {fault.message}")
    answer = cast("JsonValue", dumped)
    return (answer[0] if reads and isinstance(answer, list) else answer), not faults
