"""What a shell may propose for a half-written command line: files with apps, operations, arguments and their values.

A proposal is a courtesy: whatever goes wrong on the way, nothing is proposed and nothing is printed. An app is imported
to know its operations, as it would be to call one of them; what is served elsewhere is not asked.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from typing import TypeAlias, cast

import typer

from afford.app import App
from afford.caller import Caller, Door, Principal, Surface
from afford.catalog.names import wire_name
from afford.cli.target import Place, load_running
from afford.errors import JsonObject, JsonValue
from afford.manifest import Manifest, Manifests, Operation

Proposals: TypeAlias = list[tuple[str, str]]
"""Words, each with what it is."""

_LONGEST = 70
"""Characters of a description beside a proposal."""


def target_names(incomplete: str) -> Proposals:
    """Python files of the folder that seem to hold an app, and `@name` of what runs on this machine."""
    if incomplete.startswith("@"):
        with _quietly():
            running = cast("Proposals", load_running().names())
            return [(name, target) for name, target in running if name.startswith(incomplete)]
        return []
    folder, _, begun = incomplete.rpartition("/")
    with _quietly():
        found = sorted(Path(folder or ".").glob(f"{begun}*.py"))
        return [(path.as_posix(), "") for path in found if "App(" in path.read_text(encoding="utf-8", errors="ignore")]
    return []


def operation_names(ctx: typer.Context, incomplete: str) -> Proposals:
    """Wire names of what the stated caller is offered."""
    with _quietly():
        found = [item for item in _manifest(ctx).operations if item.wire_name.startswith(incomplete)]
        return [(item.wire_name, _short(item.description)) for item in found]
    return []


def argument_words(ctx: typer.Context, incomplete: str) -> Proposals:
    """Names of inputs that are not given yet, and the values of closed sets once a name is there.

    Bash takes the equals sign for a word of its own, which the parser may have dropped: what is incomplete then is only
    what follows it, and the word before is a name.
    """
    with _quietly():
        operation = _manifest(ctx).find(wire_name(str(ctx.params.get("name"))))
        if operation is None:
            return []
        args = [str(word) for word in cast("Sequence[object]", ctx.params.get("words") or ())]
        begun, separator, value = incomplete.partition("=")
        if separator and begun:
            return [(f"{begun}={word}", "") for word in _values(operation, begun) if word.startswith(value)]
        named = [word for word in args[-2:] if word != "="][-1:]
        if args and named and named[0] in _properties(operation):
            return [(word, "") for word in _values(operation, named[0]) if word.startswith(incomplete)]
        given = {word.partition("=")[0] for word in args}
        names = _properties(operation)
        return [
            (f"{name}=", _told(schema))
            for name, schema in names.items()
            if name.startswith(incomplete) and name not in given
        ]
    return []


def _manifest(ctx: typer.Context) -> Manifest:
    """What the caller of the line is offered, closed sets as far as they are known without starting the app."""
    place = Place(ctx.obj if isinstance(ctx.obj, App) else None, ctx.params.get("target"))
    if place.is_address or place.instance is not None:
        raise LookupError
    app = place.load().app
    identity, roles = ctx.params.get("identity"), str(ctx.params.get("roles") or "")
    principal = Principal(str(identity), [role for role in roles.split(",") if role]) if identity else None
    return Manifests(app.build()).of(Caller(principal, Door(ctx.params.get("door") or Door.AGENT), Surface.CLI))


def _properties(operation: Operation) -> JsonObject:
    properties = operation.input.schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _values(operation: Operation, name: str) -> Iterator[str]:
    """What an input may be, where that is a closed set."""
    yield from _members(_properties(operation).get(name), operation.input.schema)


def _members(schema: JsonValue, root: JsonObject) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    members = schema.get("enum")
    yield from (str(item) for item in (members if isinstance(members, list) else ()) if item is not None)
    if schema.get("type") == "boolean":
        yield from ("true", "false")
    reference, definitions = schema.get("$ref"), root.get("$defs")
    if isinstance(reference, str) and isinstance(definitions, dict):
        yield from _members(definitions.get(reference.rpartition("/")[2]), {})
    for part in ("items", "anyOf", "oneOf"):
        inner = schema.get(part)
        for item in inner if isinstance(inner, list) else [inner]:
            yield from _members(item, root)


def _told(schema: JsonValue) -> str:
    text = schema.get("description") if isinstance(schema, dict) else None
    return _short(text) if isinstance(text, str) else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


@contextmanager
def _quietly() -> Generator[None]:
    """Nothing that goes wrong inside is told: the person is in the middle of a line."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with redirect_stderr(StringIO()):
            yield
    except (Exception, SystemExit):  # noqa: BLE001, S110 - a proposal is a courtesy
        pass
    finally:
        logging.disable(before)
