"""Arguments that travel as one piece of text each: placeholders of a URI, arguments of a prompt.

The spelling is that of a query string: one for each type, anything else is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping

from afford.errors import Fault, FaultCode, JsonObject
from afford.schema.query_string import Form, QueryShape, pointer_to, scalar_slot


def text_inputs(shape: QueryShape) -> list[str]:
    """Names of the inputs that no single piece of text can carry."""
    return [name for name, declared in shape.inputs.items() if declared.form is not Form.SCALAR]


def read_text_arguments(shape: QueryShape, texts: Mapping[str, str]) -> tuple[JsonObject, tuple[Fault, ...]]:
    """The arguments that texts spell, and a fault for each that spells none.

    A name that the shape does not know keeps its text, for the schema to refuse.
    """
    arguments: JsonObject = {}
    faults: list[Fault] = []
    for name, text in texts.items():
        declared = shape.inputs.get(name)
        if declared is None:
            arguments[name] = text
            continue
        value = scalar_slot(name, declared.scalar).read(text)
        if value is None:
            message = f"`{name}` is no {declared.scalar.value}"
            faults.append(
                Fault(pointer=pointer_to(name), code=FaultCode.SYNTAX, message=message, expected=declared.scalar.value)
            )
        else:
            arguments[name] = value
    return arguments, tuple(faults)
