"""Tables and panels. The one module that knows Rich; `printing` loads it when there is a terminal to draw on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text


def draw_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, keeps_words: bool) -> None:
    """Draw to stdout; cells are text, never markup.

    Args:
        columns: headings.
        rows: cells.
        keeps_words: whether only the last column gives way where the terminal is narrow; else all do.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for position, column in enumerate(columns):
        gives_way = not keeps_words or position == len(columns) - 1
        table.add_column(column, no_wrap=not gives_way, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def draw_panel(title: str, rows: Sequence[tuple[str, str]], stream: TextIO) -> None:
    """Draw named values in a frame; all of it is text, never markup, and an address stays whole on its line."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(Text(name), Text(value))
    Console(file=stream).print(Panel(table, title=Text(title, style="bold"), title_align="left", expand=False))
