"""Tables on a terminal. The one module that knows Rich; `printing` loads it when there is a terminal to draw on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text


def draw_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draw to stdout; cells are text, never markup, and the last column takes what is left of the width."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for position, column in enumerate(columns):
        is_last = position == len(columns) - 1
        table.add_column(column, no_wrap=not is_last, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
