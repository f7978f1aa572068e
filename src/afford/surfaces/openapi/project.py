"""The OpenAPI 3.1 document over one manifest: a pure function of it, in a fixed order.

Knows manifests, the schemas that operations publish, and how HTTP carries them; no transport, no executor, no event
loop. Whatever the document says of an operation is derived from its declaration, so there is nothing to keep in step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from afford.access import judge
from afford.caller import Caller
from afford.errors import JsonObject, JsonValue
from afford.manifest import Answer, CheckedExample, Manifest, Operation
from afford.schema.document import properties_of, transformed
from afford.schema.query_string import Form, QueryInput, query_shape
from afford.surfaces.openapi.definitions import move_definitions
from afford.surfaces.openapi.refusals import FAULT_SCHEMA, PROBLEM_SCHEMA, REFUSAL_HEADERS, refusals_of
from afford.surfaces.wire import http_description

OPENAPI_VERSION: Final = "3.1.0"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_JSON: Final = "application/json"

_PAGE_PARAMETERS: Final[Mapping[str, JsonObject]] = {
    "limit": {
        "name": "limit",
        "in": "query",
        "description": "How many rows to answer at most, clamped to what the operation allows and never refused. "
        "Operations without pages ignore it.",
        "required": False,
        "style": "form",
        "explode": True,
        "schema": {"type": "integer"},
    },
    "cursor": {
        "name": "cursor",
        "in": "query",
        "description": 'Where the page begins, taken from the `Link` header with rel="next" of the page before; leave '
        "it out for the first page. Operations without pages ignore it.",
        "required": False,
        "style": "form",
        "explode": True,
        "schema": {"type": "string"},
    },
}
_PAGE_HEADERS: Final[Mapping[str, JsonObject]] = {
    "Link": {
        "description": 'The URI of the following page, with rel="next" (RFC 8288). Without it the answer is complete.',
        "schema": {"type": "string"},
    },
    "X-Total-Count": {
        "description": "How many rows match in all, where that is known.",
        "schema": {"type": "integer", "minimum": 0},
    },
}
_NULL: Final[JsonObject] = {"type": "null"}
_SMALLEST: Final[Mapping[Form, str]] = {Form.ARRAY: "minItems", Form.OBJECT: "minProperties"}


@dataclass(frozen=True, slots=True)
class SecurityScheme:
    """One way for callers to say who they are."""

    name: str
    """The key under `components/securitySchemes`."""
    definition: JsonObject
    """An OpenAPI security scheme object, such as `{"type": "http", "scheme": "bearer"}`."""


def openapi_document(manifest: Manifest, *, server_url: str, security: Sequence[SecurityScheme] = ()) -> JsonObject:
    """The operations of a manifest as an OpenAPI 3.1.0 document, schemas in the dialect of draft 2020-12.

    Args:
        manifest: what the reader of the document may call.
        server_url: the URL below which the operations are served, absolute or relative to the document.
        security: the credentials that are accepted, any one of them; empty: everybody is anonymous.
    """
    parts = _Parts(manifest.caller, tuple(security))
    paths: JsonObject = {f"/{operation.wire_name}": parts.path_item(operation) for operation in manifest.operations}
    return {
        "openapi": OPENAPI_VERSION,
        "info": _info(manifest),
        "jsonSchemaDialect": DIALECT,
        "servers": [{"url": server_url}],
        "paths": paths,
        "components": parts.components(),
    }


def path_item(operation: Operation, caller: Caller) -> JsonObject:
    """What the document says of one operation; its references point into the document."""
    return _Parts(caller, ()).path_item(operation)


def _info(manifest: Manifest) -> JsonObject:
    title, version, description = manifest.app
    members: JsonObject = {"title": title, "version": version}
    if description:
        members["description"] = description
    return members


@dataclass(slots=True)
class _Parts:
    """What the operations of one document share, gathered while they are written."""

    caller: Caller
    security: tuple[SecurityScheme, ...]
    schemas: JsonObject = field(default_factory=dict[str, JsonValue])
    responses: JsonObject = field(default_factory=dict[str, JsonValue])

    def path_item(self, operation: Operation) -> JsonObject:
        """The one method that the operation's path answers."""
        return {"get" if operation.reads else "post": self._operation(operation)}

    def components(self) -> JsonObject:
        """Everything that the operations refer to, each kind by key in code point order."""
        kinds: dict[str, Mapping[str, JsonValue]] = {
            "schemas": {**_sorted(self.schemas), "Fault": FAULT_SCHEMA, "Problem": PROBLEM_SCHEMA},
            "responses": _sorted(self.responses),
            "parameters": _PAGE_PARAMETERS,
            "headers": {**_PAGE_HEADERS, **REFUSAL_HEADERS},
            "securitySchemes": {scheme.name: scheme.definition for scheme in self.security},
        }
        return {kind: dict(members) for kind, members in kinds.items() if members}

    def _operation(self, operation: Operation) -> JsonObject:
        members: JsonObject = {"operationId": operation.wire_name, "summary": operation.title}
        description = http_description(operation, self.caller.door)
        if description:
            members["description"] = description
        members["tags"] = list(dict.fromkeys((operation.feature, *operation.tags)))
        prefix = f"{operation.wire_name}.input"
        if operation.reads:
            spellable = transformed(operation.input.schema, _without_null)
            members["parameters"] = _parameters(operation, self._moved(spellable, prefix))
        else:
            members["requestBody"] = _request_body(operation, self._moved(operation.input.schema, prefix))
        members["responses"] = self._responses(operation)
        if self.security:
            members["security"] = self._security(operation)
        members["x-afford-kind"] = operation.kind.value
        members["x-afford-reach"] = operation.reach.value
        members["x-afford-risk"] = operation.risk.value
        members["x-afford-safety"] = operation.safety.value
        return members

    def _responses(self, operation: Operation) -> JsonObject:
        schema = self._moved(operation.output.schema, f"{operation.wire_name}.output")
        responses: JsonObject = {"200": _success(operation, schema)}
        for refusals in refusals_of(operation, has_credentials=bool(self.security)):
            if refusals.key not in self.responses:
                self.responses[refusals.key] = refusals.response()
            responses[str(refusals.status)] = {"$ref": f"#/components/responses/{refusals.key}"}
        return responses

    def _security(self, operation: Operation) -> list[JsonValue]:
        """Any one of the alternatives is enough; the empty one says that credentials may be left out."""
        alternatives: list[JsonValue] = [{scheme.name: []} for scheme in self.security]
        anonymous = Caller(None, self.caller.door, self.caller.surface)
        return [{}, *alternatives] if judge(operation.access, anonymous) else alternatives

    def _moved(self, schema: JsonObject, prefix: str) -> JsonObject:
        moved = move_definitions(schema, prefix)
        self.schemas.update(moved.components)
        return moved.schema


def _parameters(operation: Operation, schema: JsonObject) -> list[JsonValue]:
    """The inputs of a read in the schema's order, then the names that every read takes."""
    declared = query_shape(operation.input.schema).inputs
    properties = properties_of(schema)
    own: list[JsonValue] = [_parameter(operation, name, properties.get(name), declared[name]) for name in declared]
    shared: list[JsonValue] = [
        {"$ref": f"#/components/parameters/{name}"} for name in _PAGE_PARAMETERS if name not in declared
    ]
    return own + shared


def _parameter(operation: Operation, name: str, schema: JsonValue, declared: QueryInput) -> JsonObject:
    """One input. `style` and `explode` are always written: readers disagree about what their absence means.

    An input that only a part of a raw schema declares, such as a branch of `allOf`, has no one schema to show.
    """
    told = dict(schema) if isinstance(schema, dict) else {}
    is_required = name in _required(operation.input.schema)
    members: JsonObject = {"name": name, "in": "query"}
    if "description" in told:
        members["description"] = told.pop("description")
    members["required"] = is_required
    if told.get("deprecated") is True:
        members["deprecated"] = True
    members["style"] = "deepObject" if declared.form is Form.OBJECT else "form"
    members["explode"] = True
    if is_required and declared.form in _SMALLEST:
        _raise_minimum(told, _SMALLEST[declared.form])
    members["schema"] = told
    calls = _numbered(operation.examples)
    return members | _examples((index, call.params[name]) for index, call in calls if name in call.params)


def _raise_minimum(schema: JsonObject, keyword: str) -> None:
    """An empty array or object has no spelling in a query string, so a required one cannot be empty."""
    stated = schema.get(keyword)
    schema[keyword] = max(1, stated) if isinstance(stated, int) else 1


def _without_null(schema: JsonObject) -> JsonObject:
    """Of a schema for a query string, which has no spelling for null, what is left to write."""
    types, choices = schema.get("type"), schema.get("enum")
    if isinstance(types, list):
        left = [kind for kind in types if kind != "null"]
        schema["type"] = left[0] if len(left) == 1 else left
    if isinstance(choices, list):
        schema["enum"] = [choice for choice in choices if choice is not None]
    for keyword in ("anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list) and _NULL in branches:
            schema = _with_branches(schema, keyword, [branch for branch in branches if branch != _NULL])
    return schema


def _with_branches(schema: JsonObject, keyword: str, branches: list[JsonValue]) -> JsonObject:
    """The schema with other branches; a single one becomes part of it, unless both speak of the same keyword."""
    others = {key: value for key, value in schema.items() if key != keyword}
    only = branches[0] if len(branches) == 1 else None
    if isinstance(only, dict) and only.keys().isdisjoint(others):
        return {**only, **others}
    return {keyword: branches, **others}


def _request_body(operation: Operation, schema: JsonObject) -> JsonObject:
    """The arguments of a write; the body may be left out where the schema requires nothing."""
    calls = _numbered(operation.examples)
    content: JsonObject = {"schema": schema, **_examples((index, call.params) for index, call in calls)}
    return {"required": bool(_required(schema)), "content": {_JSON: content}}


def _success(operation: Operation, schema: JsonObject) -> JsonObject:
    members: JsonObject = {"description": _success_description(operation)}
    if operation.paging is not None:
        members["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in _PAGE_HEADERS}
    rows = ((index, call.row) for index, call in _numbered(operation.examples) if call.has_row)
    answers = ((index, [row] if operation.reads else row) for index, row in rows)
    content: JsonObject = {"schema": schema, **_examples(answers)}
    members["content"] = {_JSON: content}
    return members


def _success_description(operation: Operation) -> str:
    if operation.paging is not None:
        return "One page of rows."
    if operation.output.answer is Answer.NOTHING:
        return "It is done; the body is `null`."
    if operation.output.answer in (Answer.ROW, Answer.OPTIONAL_ROW):
        return "The one row, in an array."
    return "The rows, complete." if operation.reads else "The result."


def _examples(values: Iterable[tuple[int, JsonValue]]) -> JsonObject:
    """The keyword for one example or for several; equal numbers are parts of the same call."""
    numbered = list(values)
    if not numbered:
        return {}
    if len(numbered) == 1:
        return {"example": numbered[0][1]}
    return {"examples": {f"example-{index}": {"value": value} for index, value in numbered}}


def _numbered(examples: Sequence[CheckedExample]) -> Iterable[tuple[int, CheckedExample]]:
    return enumerate(examples, start=1)


def _required(schema: JsonObject) -> list[JsonValue]:
    required = schema.get("required")
    return required if isinstance(required, list) else []


def _sorted(members: JsonObject) -> JsonObject:
    return dict(sorted(members.items()))
