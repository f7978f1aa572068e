"""`why`: the first gate that keeps something from a caller."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Final

import typer

from afford.caller import Caller, Surface
from afford.catalog.model import Catalog
from afford.cli.failures import FAILED
from afford.cli.identity import CallerOptions
from afford.cli.options import AsJson
from afford.cli.printing import put, put_json
from afford.cli.session import current_catalog
from afford.cli.target import Target
from afford.declare.operations import Role
from afford.manifest import Explanation, Gate, Manifests

_ID_HELP: Final = (
    "An operation or tool, by id (`feature:verb`) or wire name (`feature_verb`); `resource:ID`, `state:KEY` or "
    "`prompt:ID`."
)


def why(
    target: Target,
    id: Annotated[str, typer.Argument(metavar="ID", help=_ID_HELP)],
    caller: CallerOptions,
    surface: Annotated[
        Surface | None,
        typer.Option(
            "--surface", help="The surface that the caller uses; http, or mcp for what is served there alone."
        ),
    ] = None,
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Say what keeps something from a caller.

    Names the first gate that closes; the gates, in order, are declared, loaded, enabled, denied, access, exposed and
    surface. Use it when an agent does not see an operation, tool, resource, shared state or prompt that it should, or
    sees one that it should not. Exits 0 when it is offered and 1 when it is not.
    """
    catalog = current_catalog(target.app)
    if surface is None:
        found = _explained(catalog, id, caller.caller(target.app, Surface.HTTP))
        if found.gate is Gate.SURFACE or found.role not in (None, Role.OPERATION):
            found = _explained(catalog, id, caller.caller(target.app, Surface.MCP))
    else:
        found = _explained(catalog, id, caller.caller(target.app, surface))
    if as_json:
        put_json(
            {"id": found.id, "offered": found.offered, "gate": found.gate, "message": found.message, "fix": found.fix},
            compact=True,
        )
    else:
        put(f"{found.id}: {found.message}" if found.gate is None else f"{found.id}: not offered ({found.gate})")
        _put_reason(catalog, found)
    if not found.offered:
        raise typer.Exit(FAILED)


def _explained(catalog: Catalog, asked: str, caller: Caller) -> Explanation:
    return Manifests(catalog).of(caller).explain(asked)


def _put_reason(catalog: Catalog, found: Explanation) -> None:
    if found.offered:
        return
    put(f"  {found.message}")
    known = [*catalog.ids, *catalog.reads]
    close = get_close_matches(found.id, known, n=3) if found.gate is Gate.DECLARED else []
    if close:
        put(f"  fix: did you mean {' or '.join(f'`{name}`' for name in close)}?")
    elif found.fix:
        put(f"  fix: {found.fix}")
