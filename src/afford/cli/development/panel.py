"""What the developer is told when an app is served for the first time: where it is, for whom, and what to mend.

Made from the catalog and the plan; calls nothing of the application.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from afford.app import App
from afford.catalog.model import Catalog
from afford.cli.development.messages import Plan, Ready
from afford.cli.failures import CommandError
from afford.cli.lint import standing
from afford.cli.printing import counted, inventory
from afford.display import visible
from afford.gaps import find_gaps
from afford.lint.reports.text import summary
from afford.lint.settings import SettingsError
from afford.surfaces.http.site import urls

_log: Final = logging.getLogger("afford.dev")


def addresses(plan: Plan, ready: Ready) -> list[tuple[str, str]]:
    """The URLs that a developer opens or hands on."""
    known = urls(plan.mount, plan.url, mcp=ready.mcp is not None)
    console = [] if ready.console is None else [("console", f"{plan.url}{ready.console}#token={plan.token}")]
    mcp = [("MCP", known["mcp"])] if "mcp" in known else [("MCP", "off")]
    return [*console, *mcp, ("catalog", known["schema"]), ("OpenAPI", known["openapi"])]


def rows(app: App, catalog: Catalog, plan: Plan, ready: Ready) -> list[tuple[str, str]]:
    """Everything that the panel shows, by name. Judging the descriptions of a large app takes a while."""
    gaps = len(find_gaps(catalog))
    return [
        *addresses(plan, ready),
        ("token", plan.token),
        ("stands for", _identity(plan)),
        ("offers", ", ".join(_offers(app, catalog))),
        ("gaps", f"{counted(gaps, 'documentation gap')}; `check` lists them" if gaps else "none"),
        ("lint", "; ".join(_lint(catalog))),
    ]


def _identity(plan: Plan) -> str:
    if plan.identity is None:
        return "an anonymous agent; `--as ID --roles a,b` says otherwise"
    return visible(plan.identity) + (f" ({visible(plan.roles)})" if plan.roles else " (no roles)")


def _offers(app: App, catalog: Catalog) -> Iterable[str]:
    yield inventory(catalog)
    if not app.authenticators:
        yield "no authentication"


def _lint(catalog: Catalog) -> Iterable[str]:
    """The summary of a report; whatever goes wrong with judging is no reason not to serve."""
    try:
        yield from summary(standing(catalog))
    except (CommandError, SettingsError) as error:
        yield str(error)
    except Exception:  # noqa: BLE001 - a rule that fails is a bug of ours, and no concern of whoever develops an app
        _log.exception("the app could not be linted")
        yield "failed; the log says why"
