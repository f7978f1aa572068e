"""Any Python value as JSON, for answers whose type nobody stated.

Writes and never judges: what is no JSON afterwards is refused by whoever writes it out.
"""

from __future__ import annotations

from pydantic_core import PydanticSerializationError, to_jsonable_python

from afford.schema.dump_values import DumpError


class AnyDumper:
    """Models, dataclasses, dates, decimals and the like by their usual JSON form."""

    native = True

    def dump(self, value: object) -> object:
        """The JSON values.

        Raises:
            DumpError: something has no JSON form, or holds itself.
        """
        try:
            dumped: object = to_jsonable_python(value, by_alias=True)
        except (PydanticSerializationError, ValueError, RecursionError) as error:
            raise DumpError("a value has no JSON form") from error
        return dumped
