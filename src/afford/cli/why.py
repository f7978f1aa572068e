"""`why`: the first gate that keeps an operation from a caller."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

import typer

from afford.app import App
from afford.caller import Surface
from afford.cli.failures import FAILED
from afford.cli.identity import CallerOptions
from afford.cli.options import NAME_HELP, AsJson
from afford.cli.printing import put, put_json
from afford.cli.session import manifest_for
from afford.cli.target import Target
from afford.manifest import Explanation, Gate


def why(
    target: Target,
    id: Annotated[str, typer.Argument(metavar="ID", help=NAME_HELP)],
    caller: CallerOptions,
    surface: Annotated[Surface, typer.Option("--surface", help="The surface that the caller uses.")] = Surface.HTTP,
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Say what keeps an operation from a caller.

    Names the first gate that closes; the gates, in order, are declared, loaded, enabled, denied, access, exposed and
    surface. Use it when an agent does not see what it should, or sees what it should not. Exits 0 when the operation is
    offered and 1 when it is not.
    """
    found = manifest_for(target.app, caller.caller(target.app, surface)).explain(id)
    if as_json:
        put_json(
            {"id": found.id, "offered": found.offered, "gate": found.gate, "message": found.message, "fix": found.fix},
            compact=True,
        )
    else:
        put(f"{found.id}: {found.message}" if found.gate is None else f"{found.id}: not offered ({found.gate})")
        _put_reason(target.app, found)
    if not found.offered:
        raise typer.Exit(FAILED)


def _put_reason(app: App, found: Explanation) -> None:
    if found.offered:
        return
    put(f"  {found.message}")
    close = get_close_matches(found.id, app.build().ids, n=3) if found.gate is Gate.DECLARED else []
    if close:
        put(f"  fix: did you mean {' or '.join(f'`{name}`' for name in close)}?")
    elif found.fix:
        put(f"  fix: {found.fix}")
