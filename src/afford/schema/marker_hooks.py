"""What `UserText` and `Choices` put into a JSON Schema, inside the author's own models too.

The markers know nothing of pydantic. Pydantic asks every member of `Annotated[...]` for a hook of this name while it
builds a model, so the hooks have to be there before an author can import a marker; importing any module of this package
sees to that.
"""

from __future__ import annotations

from typing import Final, cast

from pydantic import GetJsonSchemaHandler
from pydantic_core.core_schema import CoreSchema

from afford.errors import JsonObject, JsonValue
from afford.schema.document import CHOICES_KEY, USER_TEXT_KEY
from afford.schema.markers import Choices, UserText


def _publish_user_text(_: UserText, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonObject:
    return {**cast("JsonObject", handler(core)), USER_TEXT_KEY: True}


def _publish_choices(marker: Choices, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonObject:
    # The marker itself stands here until the document is complete and its closed sets can be numbered.
    here: JsonObject = {CHOICES_KEY: cast("JsonValue", marker)}
    published = cast("JsonObject", handler(core))
    branches = published.get("anyOf")
    if not isinstance(branches, list):
        return {**published, **here}
    # On a nullable text the set closes the text, not the null.
    closed = [
        {**branch, **here} if isinstance(branch, dict) and branch.get("type") == "string" else branch
        for branch in branches
    ]
    return {**published, "anyOf": cast("JsonValue", closed)}


_HOOK_NAME: Final = "__get_pydantic_json_schema__"
_HOOKS: Final = {UserText: _publish_user_text, Choices: _publish_choices}


def install() -> None:
    """Give the markers their hooks; doing it again changes nothing."""
    for marker, hook in _HOOKS.items():
        setattr(marker, _HOOK_NAME, hook)
