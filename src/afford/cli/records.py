"""How a person names something to record or compare, and the record of it.

An app (`module:attribute`, `app.py`), a JSON file or address, `-` for JSON on standard input, or `stdio:COMMAND` for an
MCP server that is started. Every mistake is a `CommandError` that says what to do.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from afford.app import App
from afford.cli.failures import CommandError
from afford.cli.target import load_target
from afford.errors import JsonValue
from afford.lint.targets.reading import TargetError, from_document, is_address, read_server, read_target
from afford.lock.record import LockError, Record, is_lock, read_lock
from afford.lock.recording import record_of_app, record_of_target
from afford.schema.strict_json import JsonSyntaxError, parse_json

STDIN: Final = "-"
_STDIO: Final = "stdio:"
_DOCUMENTS: Final = frozenset({".json", ".lock", ".yaml", ".yml"})
_DEEPEST: Final = 512


def record_of(text: str) -> Record:
    """The record of whatever a text names.

    Raises:
        CommandError: there is no such thing, or it is nothing that can be recorded.
        CatalogError: it is an app that does not build.
    """
    if is_app(text):
        return record_of_app(load_target(text).app.build())
    try:
        if text.startswith(_STDIO):
            return record_of_target(read_server(text.removeprefix(_STDIO), is_command=True))
        if is_address(text):
            return record_of_target(read_target(text))
        return _record_in(sys.stdin.buffer.read() if text == STDIN else _loaded(Path(text)), text)
    except (LockError, TargetError) as error:
        raise CommandError(str(error)) from error


def record_of_bound(app: App) -> Record:
    """The record of an application's own program."""
    return record_of_app(app.build())


def record_elsewhere(text: str) -> Record:
    """The record of an app that a process of its own imports, so that two versions of one app can be compared.

    Raises:
        CommandError: the app cannot be recorded.
    """
    words = [sys.executable, "-m", "afford", "lock", text, "--output", STDIN]
    ended = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - ourselves
    if ended.returncode != 0:
        detail = ended.stderr.decode(errors="replace").rstrip()
        raise CommandError(f"`{text}` cannot be recorded; correct what is said above", detail=detail)
    try:
        return read_lock(ended.stdout, text)
    except LockError as error:
        raise CommandError(str(error)) from error


def is_app(text: str) -> bool:
    """Whether a text names an app rather than a document or a server."""
    if text == STDIN or text.startswith(_STDIO) or is_address(text):
        return False
    path = Path(text)
    return path.suffix not in _DOCUMENTS and (path.suffix == ".py" or not path.is_file())


def _record_in(content: bytes, name: str) -> Record:
    """The record that a document holds."""
    shown = "standard input" if name == STDIN else name
    try:
        document: JsonValue = parse_json(content, max_depth=_DEEPEST)
    except JsonSyntaxError as error:
        raise CommandError(f"`{shown}` is not JSON ({error.message}); name a JSON document") from error
    if is_lock(document):
        return read_lock(content, shown)
    try:
        return record_of_target(from_document(document, shown))
    except TargetError as error:
        raise CommandError(
            f"`{shown}` is nothing that can be compared; name a lock, a schema catalog, an OpenAPI 3 document or a "
            "saved `tools/list`"
        ) from error


def _loaded(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"`{path}` cannot be read ({error.strerror}); check the path") from error
