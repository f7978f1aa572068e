"""What a consent check is asked about: the very values that the handler is going to receive.

Knows operations and decoded values; runs nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import cast

from afford.errors import JsonObject
from afford.manifest import Operation


def consent_value(operation: Operation, arguments: JsonObject, values: Mapping[str, object], name: str) -> object:
    """The value of one input, the handler's own default where it was omitted.

    Args:
        operation: the operation that is about to run.
        arguments: its arguments as JSON.
        values: the same, decoded.
        name: the input's name in the handler, or in the one model that stands for all inputs.

    Raises:
        LookupError, AttributeError: there is no such input, so the check cannot be asked.
    """
    contract = operation.input
    if contract.decoder is None:
        return arguments.get(name, contract.defaults.get(name))
    if "" in values:
        model = values[""]
        return cast("Mapping[str, object]", model)[name] if isinstance(model, Mapping) else getattr(model, name)
    if name in values:
        return values[name]
    return inspect.signature(operation.handler).parameters[name].default
