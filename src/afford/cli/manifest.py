"""`manifest`: what one caller may see and call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

import typer

from afford.caller import Caller, Surface
from afford.cli.identity import CallerOptions
from afford.cli.options import AsJson
from afford.cli.printing import counted, heading, put, put_json, put_table
from afford.cli.session import manifest_for
from afford.cli.target import Target
from afford.declare.operations import Role
from afford.manifest import Manifest, Operation
from afford.surfaces.http.project import manifest_document, resources_of
from afford.surfaces.wire import description

Row: TypeAlias = tuple[str, ...]
Table: TypeAlias = tuple[str, tuple[str, ...], list[Row]]
"""Heading, columns and rows."""


def manifest(
    target: Target,
    caller: CallerOptions,
    surface: Annotated[Surface, typer.Option("--surface", help="The surface that the caller uses.")] = Surface.HTTP,
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Show what a caller may see and call.

    Lists the operations, tools, resources, prompts, screens and entities of one caller: anonymous, unless --as says who
    it is. What is listed is exactly what that caller can call, operations over the surface and the others over MCP;
    everything else does not exist for it. With --json it prints the very document that `GET /manifest` serves to that
    caller.
    """
    shown = manifest_for(target.app, caller.caller(target.app, surface))
    if as_json:
        put_json(manifest_document(shown), compact=True)
    else:
        _put_tables(shown)


def _put_tables(shown: Manifest) -> None:
    operations = [item for item in shown.operations if item.role is Role.OPERATION]
    put(heading(f"{counted(len(operations), 'operation')} for {_who(shown.caller)}"))
    if operations:
        put_table(
            ("name", "kind", "safety", "risk", "reach", "description"), [_line(item, shown) for item in operations]
        )
    for title, columns, rows in (*_offerings(shown), *_places(shown)):
        if rows:
            put()
            put(heading(title))
            put_table(columns, rows)


def _line(item: Operation, shown: Manifest) -> Row:
    text = first_sentence(description(item, shown.caller.door))
    return (item.wire_name, item.kind.value, item.safety.value, item.risk.value, item.reach.value, text)


def _offerings(shown: Manifest) -> Iterator[Table]:
    """What only MCP and the command line have."""
    door, tools, prompts, resources = shown.caller.door, shown.tools, shown.prompts, resources_of(shown)
    yield (
        counted(len(tools), "tool"),
        ("name", "safety", "risk", "description"),
        [
            (item.wire_name, item.safety.value, item.risk.value, first_sentence(description(item, door)))
            for item in tools
        ],
    )
    yield (
        counted(len(resources), "resource"),
        ("uri", "name", "type", "description"),
        [(item.template.text, item.name, item.mime_type or "", first_sentence(item.description)) for item in resources],
    )
    yield (
        counted(len(prompts), "prompt"),
        ("name", "arguments", "description"),
        [(item.name, ", ".join(item.shape.inputs), first_sentence(item.description)) for item in prompts],
    )


def _places(shown: Manifest) -> Iterator[Table]:
    yield (
        counted(len(shown.screens), "screen"),
        ("id", "type", "path", "description"),
        [(item.id, item.type, item.path or "", first_sentence(item.description)) for item in shown.screens],
    )
    yield (
        "1 entity" if len(shown.entities) == 1 else f"{len(shown.entities)} entities",
        ("name", "description"),
        [(item.name, first_sentence(item.description)) for item in shown.entities],
    )


def first_sentence(text: str) -> str:
    """The text up to the end of its first sentence, on one line."""
    line = " ".join(text.split())
    head, end, _ = line.partition(". ")
    return head + end.rstrip()


def _who(caller: Caller) -> str:
    name = "an anonymous caller" if caller.id is None else f"`{caller.id}`"
    held = f" with {', '.join(sorted(caller.roles))}" if caller.roles else ""
    return f"{name}{held} through the {caller.door.value} door on {caller.surface.value}"
