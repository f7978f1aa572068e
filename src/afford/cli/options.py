"""Options that several commands share, so that they are spelled and explained alike."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import typer

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON on one line, for programs.")]
Compact: TypeAlias = Annotated[bool, typer.Option("--json", help="Print it on one line; otherwise it is indented.")]

NAME_HELP: Final = "An operation or tool, by id (`feature:verb`) or wire name (`feature_verb`)."
