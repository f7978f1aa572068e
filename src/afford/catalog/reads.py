"""Resources, shared state and prompts as operations with a URI or a name of their own."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final, Union, get_origin

from afford.catalog.findings import Findings
from afford.catalog.model import Prompt, Resource
from afford.catalog.names import MAX_WIRE_NAME, RESERVED_PREFIX, is_id, title_of, wire_name
from afford.catalog.operation import Operation
from afford.catalog.operations import OperationReader
from afford.catalog.signature import SignatureError, bare, resolved_hints
from afford.declare.content import CONTENT_TYPES
from afford.declare.operations import OperationDeclaration, OperationOptions, Role
from afford.declare.resources import Complete, PromptDeclaration, ResourceDeclaration
from afford.declare.states import SharedState, Snapshot
from afford.declare.templates import UriTemplate
from afford.declare.vocabulary import Kind
from afford.errors import JsonObject, NotFoundError
from afford.schema.query_string import QueryShape, query_shape, shape_errors
from afford.schema.text_arguments import text_inputs

_ABSOLUTE_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+")
"""A scheme and something behind it, in the characters that a URI may hold (RFC 3986 sections 2 and 4.3)."""
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
_OPEN_TYPES: Final[tuple[object, ...]] = (None, Any, object, bytes, bytearray, *CONTENT_TYPES)
"""Types of a content that do not say by themselves what it is."""


@dataclass(frozen=True, slots=True)
class ReadReader:
    """Reads resources and prompts of one app."""

    operations: OperationReader
    findings: Findings

    def resources(self, declared: list[tuple[str, ResourceDeclaration]]) -> dict[str, Resource]:
        """Resources by the wire name of their operation, plain URIs before templates, each sorted by URI."""
        found: dict[str, Resource] = {}
        uris: dict[str, str] = {}
        for prefix, declaration in declared:
            resource = self._resource(prefix, declaration)
            if resource is None:
                continue
            uri, name = resource.template.text, resource.operation.wire_name
            if uri in uris or name in found:
                other = uris.get(uri, resource.id)
                message = f"its URI `{uri}` or its id is already that of `{other}`"
                self._report("RES102", resource.id, message, declaration.location)
            uris.setdefault(uri, resource.id)
            found.setdefault(name, resource)
        ordered = sorted(found.values(), key=lambda item: (not item.template.is_plain, item.template.text))
        return {item.operation.wire_name: item for item in ordered}

    def prompts(self, declared: list[tuple[str, PromptDeclaration]]) -> dict[str, Prompt]:
        """Prompts by the wire name of their operation, sorted."""
        found: dict[str, Prompt] = {}
        for prefix, declaration in declared:
            prompt = self._prompt(prefix, declaration)
            if prompt is None:
                continue
            key = prompt.operation.wire_name
            if any(key.lower() == other.lower() for other in found):
                self._report("DEC102", prompt.operation.id, f"two prompts are called `{prompt.name}`", None)
            found.setdefault(key, prompt)
        return {key: found[key] for key in sorted(found)}

    def _resource(self, prefix: str, declaration: ResourceDeclaration) -> Resource | None:
        state = declaration.state
        full_id = declaration.id if state is not None else prefix + declaration.id
        if state is None:
            self._check_id(full_id, declaration.location)
        template = self._template(full_id, declaration)
        operation = self._operation("state" if state is not None else "resource", full_id, declaration)
        if template is None or operation is None:
            return None
        shape = self._shape(full_id, operation, declaration.complete, declaration.location)
        if shape is None:
            return None
        names = set(shape.inputs)
        if names != set(template.names):
            placeholders = ", ".join(template.names) or "none"
            message = (
                f"the placeholders ({placeholders}) and the parameters ({', '.join(sorted(names)) or 'none'}) differ"
            )
            self._report("RES103", full_id, message, declaration.location)
        return Resource(
            id=full_id,
            name=declaration.name,
            description=operation.agent_description,
            mime_type=declaration.mime_type or _implied_type(declaration),
            template=template,
            shape=shape,
            complete=declaration.complete,
            operation=operation,
            state=state,
        )

    def _prompt(self, prefix: str, declaration: PromptDeclaration) -> Prompt | None:
        full_id = prefix + declaration.id
        self._check_id(full_id, declaration.location)
        operation = self._operation("prompt", full_id, declaration)
        if operation is None:
            return None
        shape = self._shape(full_id, operation, declaration.complete, declaration.location)
        if shape is None:
            return None
        return Prompt(
            name=wire_name(full_id),
            title=declaration.title or title_of(full_id),
            description=operation.agent_description,
            shape=shape,
            complete=declaration.complete,
            operation=operation,
        )

    def _operation(
        self, word: str, full_id: str, declaration: ResourceDeclaration | PromptDeclaration
    ) -> Operation | None:
        """Reading or filling in, as an operation whose wire name no operation can have."""
        handler: Callable[..., object] = declaration.handler
        options = OperationOptions()
        if declaration.description is not None:
            options["description"] = declaration.description
        if declaration.access is not None:
            options["access"] = declaration.access
        if declaration.agent is not None:
            options["agent"] = declaration.agent
        if isinstance(declaration, ResourceDeclaration) and declaration.state is not None:
            handler = state_reader(declaration.state)
            options["input_schema"] = _names_schema(declaration.state.template)
        stated = OperationDeclaration(
            kind=Kind.QUERY,
            name=full_id,
            handler=handler,
            feature=declaration.feature,
            feature_access=declaration.feature_access,
            options=options,
            namespace=declaration.namespace,
            location=declaration.location,
            role=Role.PROMPT if isinstance(declaration, PromptDeclaration) else Role.RESOURCE,
        )
        return self.operations.read(f"{word}:{full_id}", stated)

    def _template(self, full_id: str, declaration: ResourceDeclaration) -> UriTemplate | None:
        try:
            template = UriTemplate(declaration.uri)
        except ValueError as error:
            self._report("RES101", full_id, str(error), declaration.location)
            return None
        if not _ABSOLUTE_URI.fullmatch(_PLACEHOLDER.sub("x", declaration.uri)):
            message = f"`{declaration.uri}` is no absolute URI"
            self._report("RES101", full_id, message, declaration.location)
            return None
        return template

    def _shape(
        self, full_id: str, operation: Operation, complete: Mapping[str, Complete], location: str | None
    ) -> QueryShape | None:
        """How its inputs travel as text; one that cannot is reported."""
        errors = shape_errors(operation.input.schema)
        for error in errors:
            self._report("RES103", full_id, f"`{error.pointer or '/'}`: {error.message}", location)
        if errors:
            return None
        shape = query_shape(operation.input.schema)
        for name in text_inputs(shape):
            self._report("RES103", full_id, f"the input `{name}` is more than one piece of text", location)
        for name in sorted(set(complete) - set(shape.inputs)):
            self._report("RES103", full_id, f"`complete` names `{name}`, which is no input", location)
        for name in sorted(name for name, propose in complete.items() if not callable(propose)):
            self._report("RES103", full_id, f"`complete` of `{name}` is no function of what was typed", location)
        return shape

    def _check_id(self, full_id: str, location: str | None) -> None:
        if not is_id(full_id) or len(wire_name(full_id)) > MAX_WIRE_NAME:
            self._report("DEC101", full_id, f"`{full_id}` is not a valid id", location)
        elif wire_name(full_id).lower().startswith(RESERVED_PREFIX):
            self._report("DEC103", full_id, f"the name `{wire_name(full_id)}` is reserved", location)

    def _report(self, code: str, subject: str, message: str, location: str | None) -> None:
        self.findings.add(code, subject, message, location=location)


def state_reader(state: SharedState[object]) -> Callable[[dict[str, str]], Awaitable[object]]:
    """A handler that answers the value under a key, and never makes one."""

    async def read(arguments: dict[str, str]) -> object:
        found = state.read(state.template.expand(arguments))
        if found is None:
            raise NotFoundError("there is no shared state under that key")
        return Snapshot(found[0])

    return read


def _names_schema(template: UriTemplate) -> JsonObject:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in template.names},
        "required": list(template.names),
        "additionalProperties": False,
    }


def _implied_type(declaration: ResourceDeclaration) -> str | None:
    """The media type that the content's own type says; None where each content says it anew."""
    try:
        returns = bare(resolved_hints(declaration.handler, declaration.namespace).get("return"))
    except SignatureError:
        return None
    if returns is str:
        return "text/plain"
    is_open = returns in _OPEN_TYPES or get_origin(returns) in (Union, UnionType)
    return None if is_open else "application/json"
