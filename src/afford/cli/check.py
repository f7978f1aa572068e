"""`check`: what a machine can find wrong with the declarations."""

from __future__ import annotations

import dataclasses

import typer

from afford.app import find_agent_doc_gaps
from afford.cli.failures import FAILED
from afford.cli.options import AsJson
from afford.cli.printing import counted, inventory, put, put_diagnostics, put_json
from afford.cli.target import Target
from afford.errors import CatalogError, Diagnostic, JsonObject


def check(target: Target, as_json: AsJson = False) -> None:  # noqa: FBT002 - an option
    """Report build errors, or documentation gaps.

    A build error means that the app cannot be served: something is missing or contradicts itself. A gap is a place that
    agents may see and nobody described. Run it before every commit and in CI: it exits 1 when there is anything to
    correct.
    """
    try:
        found, noun = find_agent_doc_gaps(target.app), "documentation gap"
    except CatalogError as error:
        found, noun = error.diagnostics, "build error"
    if as_json:
        put_json([_document(item) for item in found], compact=True)
    else:
        put_diagnostics(found)
        put(_summary(target, found, noun))
    if found:
        raise typer.Exit(FAILED)


def _document(item: Diagnostic) -> JsonObject:
    return {name: value for name, value in dataclasses.asdict(item).items() if value is not None}


def _summary(target: Target, found: tuple[Diagnostic, ...], noun: str) -> str:
    if found:
        return f"{counted(len(found), noun)}; `explain CODE` says more about one"
    return f"{inventory(target.app.build())}; no build errors, no documentation gaps"
