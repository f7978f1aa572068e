"""Tables on a terminal. The one module that knows Rich; `printing` loads it when there is a terminal to draw on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
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
