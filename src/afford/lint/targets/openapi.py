"""A target from an OpenAPI document, 3.0 or 3.1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described, Origin, Prose, Target
from afford.lint.targets.components import Components, merged, nullable_as_type
from afford.lint.targets.members import object_of, objects_of, text_of
from afford.lint.targets.paging import without_pages

_METHODS: Final = ("delete", "get", "patch", "post", "put")
_PLACES: Final = frozenset({"path", "query"})
"""Where parameters are that a caller chooses; headers and cookies are the client's business."""
_READING: Final = re.compile(r"(search|query|find|list|lookup|count|check|validate|preview|estimate|calculate|get)\b")
"""What a POST is called that may well only read."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def is_openapi(document: JsonValue) -> bool:
    """Whether it is an OpenAPI document of version 3."""
    return isinstance(document, dict) and text_of(document, "openapi").startswith("3.")


def from_openapi(document: JsonObject, name: str) -> Target:
    """The target that an OpenAPI document describes; what is malformed counts as not said.

    Args:
        document: with its components; references to other documents are left alone.
        name: what to call it.
    """
    components = Components(document)
    described = sorted(_operations(document, components), key=lambda item: item.name)
    info = object_of(document, "info") or {}
    tags = [(text_of(tag, "name"), text_of(tag, "description")) for tag in objects_of(document, "tags")]
    return Target(
        origin=Origin.OPENAPI,
        name=name,
        operations=tuple(described),
        instructions=text_of(info, "description"),
        prose=tuple(Prose(subject=f"tag:{tag}", text=text) for tag, text in sorted(tags) if text),
    )


def _operations(document: JsonObject, components: Components) -> Iterator[Described]:
    for path, item in (object_of(document, "paths") or {}).items():
        shared = components.resolved(item)
        for method in _METHODS:
            operation = object_of(shared, method)
            if operation is not None:
                yield _described(path, method, {**operation, "parameters": _parameters(shared, operation)}, components)


def _parameters(shared: JsonObject, operation: JsonObject) -> list[JsonValue]:
    """Those of the path and of the operation; the latter come last, and win."""
    return [*objects_of(shared, "parameters"), *objects_of(operation, "parameters")]


def _described(path: str, method: str, operation: JsonObject, components: Components) -> Described:
    identifier = text_of(operation, "operationId") or f"{method} {path}"
    summary = text_of(operation, "summary")
    served = text_of(operation, "description") or ("" if _repeats(summary, identifier, path) else summary)
    written, pages = without_pages(served)
    inputs, example = _inputs(operation, components)
    safety = text_of(operation, "x-afford-safety") or ("read" if method == "get" else None)
    schema, row = _answer(operation, components)
    return Described(
        name=identifier,
        title=summary,
        description=written,
        served=served,
        reads=_reads(method, identifier, path),
        input_schema=inputs,
        output_schema=schema,
        safety=safety,
        risk=text_of(operation, "x-afford-risk") or None,
        reach=text_of(operation, "x-afford-reach") or None,
        pages=pages,
        example_params=example,
        example_row=row,
        raw=operation,
    )


def _repeats(summary: str, identifier: str, path: str) -> bool:
    """Whether a summary was made from the name, as frameworks do, and so says nothing."""
    words, known = ({word.lower() for word in _WORD.findall(text)} for text in (summary, f"{identifier} {path}"))
    return words <= known


def _reads(method: str, identifier: str, path: str) -> bool | None:
    if method != "post":
        return method == "get"
    names = (identifier.replace("_", " "), path.rstrip("/").rpartition("/")[2].replace("-", " "))
    return None if any(_READING.match(" ".join(_WORD.findall(name)).lower()) for name in names) else False


def _inputs(operation: JsonObject, components: Components) -> tuple[JsonObject, JsonObject | None]:
    """One object schema of everything that is sent, and an example of it where there is one for each required part."""
    properties: JsonObject = {}
    required: dict[str, None] = {}
    example: JsonObject = {}
    is_ours = "x-afford-kind" in operation
    for reference in objects_of(operation, "parameters"):
        # What every read of ours takes besides its own inputs is shared, and no author's.
        if is_ours and "$ref" in reference:
            continue
        parameter = components.resolved(reference)
        name = text_of(parameter, "name")
        if parameter.get("in") not in _PLACES or not name:
            continue
        properties[name] = _parameter_schema(parameter)
        if parameter.get("required") is True:
            required[name] = None
        examples = _examples(parameter)
        if examples:
            example[name] = examples[0]
    body = components.resolved(operation.get("requestBody"))
    content = _json_content(body)
    if content is not None:
        fields, needed = _body_inputs(content, components)
        properties.update(fields)
        required.update(dict.fromkeys(needed if body.get("required") is True else ()))
        for item in _examples(content)[:1]:
            example.update(item if isinstance(item, dict) and "body" not in fields else {"body": item})
    schema: JsonObject = {"type": "object", "properties": properties, "required": [*required]}
    return components.complete(
        nullable_as_type(schema)
    ), example if example and required.keys() <= example.keys() else None


def _parameter_schema(parameter: JsonObject) -> JsonObject:
    schema = object_of(parameter, "schema")
    if schema is None:
        schema = object_of(_json_content(parameter) or {}, "schema") or {}
    text = text_of(parameter, "description")
    return {**schema, "description": text} if text else schema


def _body_inputs(content: JsonObject, components: Components) -> tuple[JsonObject, list[str]]:
    """The fields of an object, or the whole as one input."""
    schema = merged(object_of(content, "schema") or {}, components)
    properties = object_of(schema, "properties")
    if properties is None:
        return {"body": object_of(content, "schema") or {}}, ["body"]
    sent = {
        name: field
        for name, field in properties.items()
        if not (isinstance(field, dict) and field.get("readOnly") is True)
    }
    needed = schema.get("required")
    return sent, [str(name) for name in needed if name in sent] if isinstance(needed, list) else []


def _answer(operation: JsonObject, components: Components) -> tuple[JsonObject | None, JsonValue]:
    """The schema of the first successful answer, and one row of its example."""
    responses = object_of(operation, "responses") or {}
    for status in sorted(responses):
        content = _json_content(components.resolved(responses[status])) if status.startswith("2") else None
        schema = object_of(content or {}, "schema")
        if content is None or not schema:
            continue
        example = next(iter(_examples(content)), None)
        row = next(iter(example), None) if isinstance(example, list) else example
        return components.complete(nullable_as_type(schema)), row
    return None, None


def _json_content(holder: Mapping[str, JsonValue]) -> JsonObject | None:
    content = object_of(dict(holder), "content") or {}
    for kind, media in content.items():
        if isinstance(media, dict) and (kind.partition(";")[0].endswith("json") or kind == "*/*"):
            return media
    return None


def _examples(holder: JsonObject) -> list[JsonValue]:
    """The examples of a parameter or a body, first that of its own, then those of its schema."""
    found: list[JsonValue] = [holder["example"]] if "example" in holder else []
    named = object_of(holder, "examples") or {}
    found.extend(item["value"] for item in named.values() if isinstance(item, dict) and "value" in item)
    schema = object_of(holder, "schema") or {}
    if "example" in schema:
        found.append(schema["example"])
    listed = schema.get("examples")
    return [*found, *(listed if isinstance(listed, list) else [])]
