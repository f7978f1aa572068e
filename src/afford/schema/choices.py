"""Derived closed sets: from the place of a marker in a published schema to the members loaded for it.

Knows the key that stands at such a place. Loading, refreshing and when to do so are decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from afford.errors import JsonObject, JsonValue
from afford.schema.document import CHOICES_KEY, SchemaError, ordered, transformed
from afford.schema.markers import Choices


def resolve_choices(schema: JsonObject, members: Sequence[Sequence[str]]) -> JsonObject:
    """A copy of the schema with `enum`, sorted and without repetition, wherever a derived closed set stands.

    Args:
        schema: as derived; not changed.
        members: by the index of the set in `TypeSchema.choices`. An empty set accepts nothing.
    """

    def resolve(place: JsonObject) -> JsonObject:
        index = place.pop(CHOICES_KEY, None)
        if isinstance(index, int):
            place["enum"] = cast("JsonValue", sorted(set(members[index])))
            return ordered(place)
        return place

    return transformed(schema, resolve)


def numbered(schema: JsonObject, choices: list[Choices]) -> JsonObject:
    """A copy of the schema with an index wherever a marker stands; markers that are new are appended to `choices`.

    Raises:
        SchemaError: a marker stands on something that is not text.
    """

    def number(place: JsonObject) -> JsonObject:
        marker = cast("object", place.get(CHOICES_KEY))
        if not isinstance(marker, Choices):
            return place
        if place.get("type") != "string":
            raise SchemaError(
                "`Choices` closes text and nothing else",
                fix="put it on the `str` itself, as in `list[Annotated[str, ...]]`",
            )
        if marker not in choices:
            choices.append(marker)
        place[CHOICES_KEY] = choices.index(marker)
        return place

    return transformed(schema, number)


def renumbered(schema: JsonObject, own: Sequence[Choices], choices: list[Choices]) -> JsonObject:
    """A copy of the schema whose indexes into `own` became indexes into `choices`, which grows by what is new."""
    if not own:
        return schema
    for marker in own:
        if marker not in choices:
            choices.append(marker)

    def renumber(place: JsonObject) -> JsonObject:
        index = place.get(CHOICES_KEY)
        if isinstance(index, int):
            place[CHOICES_KEY] = choices.index(own[index])
        return place

    return transformed(schema, renumber)
