"""`lock`: what an application offers, written down, so that a change of it is seen in review."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from afford.cli.failures import FAILED, CommandError
from afford.cli.printing import put, say
from afford.cli.records import STDIN, record_of, record_of_bound
from afford.cli.target import Address
from afford.lock.changes import Comparison
from afford.lock.comparison import compare_records
from afford.lock.record import MARK, LaterLockError, LockError, Record, lock_text, read_lock
from afford.lock.reports.lines import summary
from afford.lock.reports.text import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options of a run."""

    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The lock; `-` prints it to standard output.")
    ] = Path("afford.lock")
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when the lock is not what would be written.")
    ] = False


def lock(target: Address, wanted: Wanted) -> None:
    """Write down what an app offers, or check what is written down.

    A lock is JSON to be committed beside the code: every operation, tool, resource, prompt and screen with its
    exposure, access rule, risk, safety, reach, texts, schemas, pages and refusals, hidden ones too. The same
    declarations give the same bytes on every machine. Nothing is started, and derived closed sets are not loaded.

    With --check it fails when the lock is stale, and says what changed: run it in CI, so that no change of what agents
    may see and do goes unreviewed. `afford diff` judges changes.

    TARGET is an app (`app.py`, `module:attribute`); for pinning what somebody else serves it may also be a JSON file or
    address (schema catalog, OpenAPI document, `tools/list`, MCP server), or `stdio:COMMAND`.
    """
    record = _record(target)
    text, path = lock_text(record), wanted.output
    if wanted.check:
        _check(record, text, path, target)
    elif str(path) == STDIN:
        put(text.removesuffix("\n"))
    else:
        _write(record, text, path)


def _record(target: Address) -> Record:
    if target.app is not None:
        return record_of_bound(target.app)
    if not target.text:
        raise CommandError("nothing is named; name an app, or a JSON file or address")
    return record_of(target.text)


def _check(record: Record, text: str, path: Path, target: Address) -> None:
    if str(path) == STDIN:
        raise CommandError("`--check` compares with a file; name it with `--output FILE`")
    if not path.is_file():
        raise CommandError(f"there is no `{path}`; write it with `{_command(target, path)}` and commit it")
    held = _held(path)
    # A checkout may have ended the lines in another way.
    if held.replace(b"\r\n", b"\n") == text.encode():
        say(f"{path} is up to date")
        return
    try:
        put(render(_changes(held, record, path)))
    except LockError as error:
        raise CommandError(str(error)) from error
    raise CommandError(
        f"`{path}` is stale; review what changed, write it with `{_command(target, path)}`, and commit it",
        exit_code=FAILED,
    )


def _write(record: Record, text: str, path: Path) -> None:
    told = ""
    if path.exists():
        held = _held(path)
        try:
            told = f": {summary(_changes(held, record, path))}"
        except LaterLockError as error:
            raise CommandError(str(error)) from error
        except LockError as error:
            # A lock that was damaged, by a merge for instance, is mended by writing it; other files are kept.
            if MARK.encode() not in held:
                raise CommandError(f"`{path}` is there and is no lock; name another file") from error
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"`{path}` cannot be written ({error.strerror}); name another file") from error
    say(f"wrote {path}{told}")


def _changes(held: bytes, record: Record, path: Path) -> Comparison:
    return compare_records(replace(read_lock(held, str(path)), name=str(path)), record)


def _held(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"`{path}` cannot be read ({error.strerror}); check the path") from error


def _command(target: Address, path: Path) -> str:
    words = ["afford lock", *([target.text] if target.text else []), *(["-o", str(path)] if path.name else [])]
    return " ".join(words)
