"""`schema` and `openapi`: the documents that a server would serve, without a server."""

from __future__ import annotations

from typing import Annotated

import typer

from afford.authentication import combine
from afford.caller import Surface
from afford.cli.identity import CallerOptions
from afford.cli.options import Compact
from afford.cli.printing import put_json
from afford.cli.session import current_catalog, manifest_for
from afford.cli.target import Target
from afford.manifest import exposed_operations
from afford.serving import DEFAULT_MOUNT, openapi_of
from afford.surfaces.http.project import catalog_document


def schema(
    target: Target,
    caller: CallerOptions,
    public: Annotated[bool, typer.Option("--public", help="Every exposed operation, whoever may call it.")] = False,  # noqa: FBT002 - an option
    compact: Compact = False,  # noqa: FBT002 - an option
) -> None:
    """Print the schema catalog of a caller.

    It is the JSON document that `GET /schema` serves, and what an agent reads first: every query and action with its
    description, schemas and examples. Commit the output to see in a review what a change means for agents.
    """
    who = caller.caller(target.app, Surface.HTTP)
    if public or target.app.options.get("catalog") == "public":
        operations = exposed_operations(current_catalog(target.app), Surface.HTTP)
    else:
        operations = manifest_for(target.app, who).operations
    put_json(catalog_document(operations, who.door), compact=compact)


def openapi(target: Target, caller: CallerOptions, compact: Compact = False) -> None:  # noqa: FBT002 - an option
    """Print the OpenAPI 3.1 document of a caller.

    It is the JSON document that `GET /openapi.json` serves: what that caller may call, and nothing else. Feed it to a
    client generator or to an API gateway.
    """
    shown = manifest_for(target.app, caller.caller(target.app, Surface.HTTP))
    base = target.app.options.get("public_url") or DEFAULT_MOUNT
    put_json(openapi_of(shown, base, chain=combine(target.app.authenticators)), compact=compact)
