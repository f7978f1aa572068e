"""Resources and prompts on MCP: listing, reading, filling in, completing, following."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import cast

import orjson

from afford.declare.content import Message
from afford.errors import Code, Failure, JsonObject, JsonValue
from afford.execute.contents import Document
from afford.execute.outcome import Invocation, Outcome
from afford.manifest import LONGEST_URI, Manifest, Operation, Prompt, Readable, Resource
from afford.runtime import Runtime
from afford.schema.query_string import QueryShape
from afford.schema.text_arguments import read_text_arguments
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.listening import MAX_FOLLOWED
from afford.surfaces.mcp.project import cursor_of, listing, page_of, prompt, resource, template
from afford.surfaces.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    Era,
    Incoming,
    ProtocolError,
)
from afford.surfaces.mcp.render import block, resource_contents
from afford.surfaces.mcp.replies import asking, cacheable, complete
from afford.surfaces.mcp.running import Questions, run_asking
from afford.surfaces.wire import error_document

_MOST_CANDIDATES = 100
"""Values in one completion (specification, "Completion")."""


class Readings:
    """Answers what begins with `resources/`, `prompts/` and `completion/`."""

    def __init__(self, runtime: Runtime) -> None:
        """Prepare."""
        self._runtime = runtime

    async def resources(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`resources/list`."""
        page, more = page_of(manifest.readables, cursor_of(incoming.params), lambda item: item.uri)
        return cacheable(incoming.era, listing("resources", _written(page, resource), more), manifest)

    async def templates(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`resources/templates/list`."""
        page, more = page_of(manifest.templates, cursor_of(incoming.params), lambda item: item.template.text)
        return cacheable(incoming.era, listing("resourceTemplates", _written(page, template), more), manifest)

    async def prompts(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`prompts/list`."""
        page, more = page_of(manifest.prompts, cursor_of(incoming.params), lambda item: item.name)
        return cacheable(incoming.era, listing("prompts", _written(page, prompt), more), manifest)

    async def read(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> bytes:
        """`resources/read`."""
        uri = incoming.params.get("uri")
        if not isinstance(uri, str):
            raise ProtocolError(INVALID_PARAMS, "params.uri must be the URI of a resource")
        found = manifest.resource(uri)
        if found is None:
            raise _not_found(incoming, uri)
        readable, texts = found
        outcome = await self._run(readable.operation, readable.shape, texts, incoming, exchange, manifest)
        if isinstance(outcome, Questions):
            return asking(outcome.members, manifest)
        if isinstance(outcome, Failure):
            if outcome.code == Code.NOT_FOUND:
                raise _not_found(incoming, uri)
            raise _refusal(outcome)
        document = cast("Document", outcome.value)
        contents = resource_contents(uri, readable.mime_type or document.mime_type, document.data)
        return cacheable(incoming.era, [b'"contents":', orjson.dumps([contents])], manifest, 0)

    async def get(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> bytes:
        """`prompts/get`."""
        found = self._prompt(incoming.params.get("name"), manifest)
        texts = incoming.params.get("arguments", {})
        if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
            raise ProtocolError(INVALID_PARAMS, "params.arguments must be an object of texts")
        outcome = await self._run(
            found.operation, found.shape, cast("dict[str, str]", texts), incoming, exchange, manifest
        )
        if isinstance(outcome, Questions):
            return asking(outcome.members, manifest)
        if isinstance(outcome, Failure):
            raise _refusal(outcome)
        members: JsonObject = {"description": found.description} if found.description else {}
        members["messages"] = [
            {"role": message.role, "content": block(message.content)}
            for message in cast("tuple[Message, ...]", outcome.value)
        ]
        return complete(incoming.era, orjson.dumps(members)[1:-1], manifest)

    async def complete(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`completion/complete`."""
        reference, argument = incoming.params.get("ref"), incoming.params.get("argument")
        if not isinstance(reference, dict) or not isinstance(argument, dict):
            raise ProtocolError(INVALID_PARAMS, "params needs `ref` and `argument`")
        name, typed = argument.get("name"), argument.get("value")
        if not isinstance(name, str) or not isinstance(typed, str):
            raise ProtocolError(INVALID_PARAMS, "params.argument needs a name and the text so far")
        target = self._completed(reference, manifest)
        context = incoming.params.get("context")
        given = context.get("arguments") if isinstance(context, dict) else None
        known = self._known(target, name, manifest)
        values = await self._candidates(target, name, typed, given) if known is None else _starting(known, typed)
        shown = values[:_MOST_CANDIDATES]
        completion: JsonObject = {
            "values": cast("list[JsonValue]", shown),
            "total": len(values),
            "hasMore": len(values) > len(shown),
        }
        return complete(incoming.era, b'"completion":' + orjson.dumps(completion), manifest)

    async def follow(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> bytes:
        """`resources/subscribe` of the handshake revisions."""
        subscriber, uri = exchange.subscriber, incoming.params.get("uri")
        if subscriber is None:
            raise ProtocolError(METHOD_NOT_FOUND, "this connection cannot be told of changes")
        if len(subscriber.uris) >= MAX_FOLLOWED:
            raise ProtocolError(INVALID_PARAMS, f"a client may follow {MAX_FOLLOWED} resources")
        if not isinstance(uri, str) or not subscriber.follow(uri, manifest):
            raise _not_found(incoming, uri if isinstance(uri, str) else "")
        return b"{}"

    async def unfollow(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> bytes:
        """`resources/unsubscribe` of the handshake revisions."""
        uri = incoming.params.get("uri")
        if exchange.subscriber is None:
            raise ProtocolError(METHOD_NOT_FOUND, "this connection cannot be told of changes")
        exchange.subscriber.unfollow(uri if isinstance(uri, str) else "", manifest)
        return b"{}"

    async def _run(
        self,
        operation: Operation,
        shape: QueryShape,
        texts: Mapping[str, str],
        incoming: Incoming,
        exchange: Exchange,
        manifest: Manifest,
    ) -> Outcome | Questions:
        arguments, faults = read_text_arguments(shape, texts)
        invocation = Invocation(
            name=operation.wire_name,
            arguments=arguments,
            faults=faults,
            request=exchange.request,
            watch=exchange.watch,
        )
        return await run_asking(self._runtime, manifest, invocation, incoming, exchange)

    def _prompt(self, name: JsonValue, manifest: Manifest) -> Prompt:
        found = manifest.prompt(name) if isinstance(name, str) else None
        if found is None:
            raise ProtocolError(INVALID_PARAMS, f"Unknown prompt: {name}")
        return found

    def _completed(self, reference: JsonObject, manifest: Manifest) -> Prompt | Resource:
        """The prompt, or the template, whose argument is typed."""
        if reference.get("type") == "ref/prompt":
            return self._prompt(reference.get("name"), manifest)
        uri = reference.get("uri")
        for item in manifest.templates:
            if reference.get("type") == "ref/resource" and item.template.text == uri:
                return item
        raise ProtocolError(INVALID_PARAMS, "params.ref names no prompt and no resource template")

    def _known(self, target: Prompt | Resource, name: str, manifest: Manifest) -> list[str] | None:
        """Values that are known without asking anybody; None: the author's function proposes some."""
        if name in target.complete:
            return None
        if isinstance(target, Resource) and target.state is not None:
            shown = [key for key, shown_by in manifest.states.items() if shown_by is target]
            found = [target.state.template.match(key) or {} for key in shown]
            return sorted({names[name] for names in found if name in names})
        properties = target.operation.input.schema.get("properties")
        part = properties.get(name) if isinstance(properties, dict) else None
        members = part.get("enum") if isinstance(part, dict) else None
        return [str(member) for member in members] if isinstance(members, list) else []

    async def _candidates(self, target: Prompt | Resource, name: str, typed: str, given: JsonValue) -> list[str]:
        propose = target.complete[name]
        beside = given if isinstance(given, dict) else {}
        return await self._runtime.candidates(propose, *((typed, beside) if _takes_two(propose) else (typed,)))


def _written(items: object, project: Callable[..., JsonObject]) -> list[bytes]:
    return [orjson.dumps(project(item)) for item in cast("list[Readable | Resource | Prompt]", items)]


def _takes_two(propose: Callable[..., object]) -> bool:
    """Whether the author's function wants the other arguments too."""
    try:
        return len(inspect.signature(propose).parameters) > 1
    except (TypeError, ValueError):
        # Some functions that are written in C do not tell.
        return False


def _starting(values: list[str], typed: str) -> list[str]:
    """Values that begin with what was typed, else those that contain it; case does not matter."""
    wanted = typed.casefold()
    first = [value for value in values if value.casefold().startswith(wanted)]
    return first or [value for value in values if wanted in value.casefold()]


def _not_found(incoming: Incoming, uri: str) -> ProtocolError:
    """A URI that the caller is offered nothing under, whether or not somebody else is."""
    code = INVALID_PARAMS if incoming.era is Era.MODERN else RESOURCE_NOT_FOUND
    return ProtocolError(code, "Resource not found", {"uri": uri[:LONGEST_URI]})


def _refusal(told: Failure) -> ProtocolError:
    """A failure where the protocol has no result for one: its document travels as data."""
    is_callers = told.status is None or told.status < 500  # noqa: PLR2004 - the server's own faults begin there
    code = INVALID_PARAMS if is_callers else INTERNAL_ERROR
    return ProtocolError(code, told.message, {"error": error_document(told)})
