"""`diff`: what changed in what is offered, and whom it concerns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final

import typer

from afford.cli.failures import FAILED, CommandError
from afford.cli.printing import put
from afford.cli.records import STDIN, is_app, record_elsewhere, record_of, record_of_bound
from afford.cli.target import Address
from afford.lock.changes import Grade
from afford.lock.comparison import compare_records
from afford.lock.record import Record
from afford.lock.reports import RENDERERS, Format

_GRADES: Final = tuple(Grade)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options of a run."""

    form: Annotated[Format, typer.Option("--format", help="How the changes are written.")] = Format.TEXT
    fail_on: Annotated[Grade, typer.Option("--fail-on", help="Exit 1 on a change of this grade or a worse one.")] = (
        Grade.NEEDS_APPROVAL
    )
    as_json: Annotated[bool, typer.Option("--json", help="The same as `--format json`.")] = False


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="What was: a lock, or anything that NEW may be.")],
    new: Address,
    wanted: Wanted,
) -> None:
    """Sort what changed into breaking, needs-approval and compatible.

    breaking: a call that worked, or a reader of an answer, may stop working; something is gone. needs-approval: agents
    may do or see more than was agreed to (exposure, access, risk, safety, reach), or clients guard a call less.
    compatible: the rest. Texts are among it: read them, since what a model is told decides what it does, and use
    `--fail-on compatible` for servers that are not yours.

    OLD and NEW are locks, apps (`app.py`, `module:attribute`), or what somebody serves: a JSON file or address with a
    schema catalog, an OpenAPI document or a saved `tools/list`, the address of an MCP server, or `stdio:COMMAND`; `-`
    reads JSON from standard input. Only what both of them tell is compared.

    A change of a schema counts as compatible when it is proved that whatever was accepted still is. Where nobody can
    tell, it counts as breaking, and says so.
    """
    comparison = compare_records(*_records(old, new))
    put(RENDERERS[Format.JSON if wanted.as_json else wanted.form](comparison))
    failing = _GRADES[: _GRADES.index(wanted.fail_on) + 1]
    if any(comparison.of(grade) for grade in failing):
        raise typer.Exit(FAILED)


def _records(old: str, new: Address) -> tuple[Record, Record]:
    if new.app is not None:
        first = record_elsewhere(old) if is_app(old) else record_of(old)
        return _called(first, old), record_of_bound(new.app)
    if not new.text:
        raise CommandError("only one side is named; name OLD and NEW, such as `afford.lock app.py`")
    if old == new.text == STDIN:
        raise CommandError("standard input holds one document; name a file for the other side")
    # Two versions of one app have modules of the same names, so they are not imported by one process.
    first = record_elsewhere(old) if is_app(old) and is_app(new.text) else record_of(old)
    return _called(first, old), _called(record_of(new.text), new.text)


def _called(record: Record, text: str) -> Record:
    """The record under the name by which the person knows its source."""
    return replace(record, name="standard input" if text == STDIN else text)
