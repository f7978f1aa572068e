"""`manifest`: what one caller may see and call."""

from __future__ import annotations

from typing import Annotated

import typer

from afford.caller import Caller, Surface
from afford.cli.identity import CallerOptions
from afford.cli.options import AsJson
from afford.cli.printing import counted, heading, put, put_json, put_table
from afford.cli.session import manifest_for
from afford.cli.target import Target
from afford.manifest import Manifest
from afford.surfaces.http.project import manifest_document
from afford.surfaces.wire import description


def manifest(
    target: Target,
    caller: CallerOptions,
    surface: Annotated[Surface, typer.Option("--surface", help="The surface that the caller uses.")] = Surface.HTTP,
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Show what a caller may see and call.

    Lists the operations, screens and entities of one caller: anonymous, unless --as says who it is. What is listed is
    exactly what that caller can call; everything else does not exist for it. With --json it prints the very document
    that `GET /manifest` serves to that caller.
    """
    shown = manifest_for(target.app, caller.caller(target.app, surface))
    if as_json:
        put_json(manifest_document(shown), compact=True)
    else:
        _put_tables(shown)


def _put_tables(shown: Manifest) -> None:
    who = _who(shown.caller)
    door = shown.caller.door
    put(heading(f"{counted(len(shown.operations), 'operation')} for {who}"))
    if shown.operations:
        rows = [
            (
                item.wire_name,
                item.kind.value,
                item.safety.value,
                item.risk.value,
                item.reach.value,
                first_sentence(description(item, door)),
            )
            for item in shown.operations
        ]
        put_table(("name", "kind", "safety", "risk", "reach", "description"), rows)
    if shown.screens:
        put()
        put(heading(counted(len(shown.screens), "screen")))
        places = [(item.id, item.type, item.path or "", first_sentence(item.description)) for item in shown.screens]
        put_table(("id", "type", "path", "description"), places)
    if shown.entities:
        put()
        put(heading("1 entity" if len(shown.entities) == 1 else f"{len(shown.entities)} entities"))
        put_table(("name", "description"), [(item.name, first_sentence(item.description)) for item in shown.entities])


def first_sentence(text: str) -> str:
    """The text up to the end of its first sentence, on one line."""
    line = " ".join(text.split())
    head, end, _ = line.partition(". ")
    return head + end.rstrip()


def _who(caller: Caller) -> str:
    name = "an anonymous caller" if caller.id is None else f"`{caller.id}`"
    held = f" with {', '.join(sorted(caller.roles))}" if caller.roles else ""
    return f"{name}{held} through the {caller.door.value} door on {caller.surface.value}"
