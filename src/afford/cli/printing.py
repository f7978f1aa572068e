"""Where output goes: data to stdout, everything said about it to stderr.

Colours and drawn tables are for terminals; into a pipe or a file goes plain text. Rich is loaded for a table on a
terminal and not before, since an agent's host starts commands anew for each conversation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import groupby
from typing import TextIO, cast

import orjson
import typer

from afford.catalog.builtins import BUILT_IN
from afford.catalog.model import Catalog
from afford.catalog.rules import RULES
from afford.cli.failures import CommandError
from afford.declare.operations import Role
from afford.errors import Diagnostic


def say(message: str) -> None:
    """Tell the person something; one line or more, to stderr."""
    typer.echo(message, err=True)


def put(text: str = "") -> None:
    """Write data as text, to stdout."""
    typer.echo(text)


def put_json(value: object, *, compact: bool) -> None:
    """Write data as UTF-8 JSON: on one line, or indented for reading."""
    typer.echo(orjson.dumps(value, option=0 if compact else orjson.OPT_INDENT_2))


def heading(text: str) -> str:
    """Text that stands out on a terminal."""
    return typer.style(text, bold=True)


def complain(error: CommandError) -> None:
    """Print why a command ends."""
    if error.detail:
        say(error.detail)
    say(f"{typer.style('error', fg='red', bold=True)}: {error.message}")


def put_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, keeps_words: bool = True) -> None:
    """Write a table: drawn to the width of a terminal, or as aligned columns that nothing cuts.

    Args:
        columns: headings.
        rows: cells.
        keeps_words: whether only the last column gives way on a narrow terminal; else all do.
    """
    if sys.stdout.isatty():
        draw = cast("Callable[..., None]", import_module(_DRAWING).draw_table)
        draw(columns, rows, keeps_words=keeps_words)
        return
    for line in aligned([columns, *rows]):
        put(line)


def put_panel(title: str, rows: Sequence[tuple[str, str]], stream: TextIO) -> None:
    """Write named values under a title: in a frame on a terminal, or as aligned lines."""
    if stream.isatty():
        draw = cast("Callable[[str, Sequence[tuple[str, str]], TextIO], None]", import_module(_DRAWING).draw_panel)
        draw(title, rows, stream)
        return
    typer.echo(title, file=stream)
    for line in aligned([(f"  {name}", value) for name, value in rows]):
        typer.echo(line, file=stream)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines in which every column but the last has one width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def put_diagnostics(diagnostics: Iterable[Diagnostic], *, err: bool = False) -> None:
    """Write diagnostics under what they are about, with place, code and fix.

    Args:
        diagnostics: sorted by subject.
        err: whether they explain why a command cannot go on, and so belong to stderr.
    """
    for subject, group in groupby(diagnostics, key=lambda item: item.subject):
        items = list(group)
        place = items[0].location
        typer.echo(heading(subject) + (f" ({place})" if place else ""), err=err)
        for item in items:
            rule = RULES.get(item.code)
            code = typer.style(item.code, fg="red") + (f" {rule.name}" if rule else "")
            elsewhere = f" ({item.location})" if item.location not in (None, place) else ""
            typer.echo(f"  {code}: {item.message}{elsewhere}", err=err)
            typer.echo(f"    fix: {item.fix}", err=err)


def counted(count: int, noun: str) -> str:
    """A count with its noun: `1 gap`, `2 gaps`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def inventory(catalog: Catalog) -> str:
    """How much of everything an author declared; of what is no operation, only what there is."""
    everything = [item for item in catalog.everything if item.wire_name not in BUILT_IN]
    counts = {role: sum(item.role is role for item in everything) for role in Role}
    told = [counted(counts.pop(Role.OPERATION), Role.OPERATION.value)]
    told.extend(counted(count, role.value) for role, count in counts.items() if count)
    return ", ".join(told)


_DRAWING = "afford.cli.drawing"
