"""Replacing a person's file: with a copy of what it was beside it, and whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from datetime import UTC, datetime
from pathlib import Path


class ChangedError(Exception):
    """Somebody else wrote the file meanwhile."""


def text_of(file: Path) -> str | None:
    """What is in a file, with its line ends as they are; None where there is none.

    Raises:
        OSError: it cannot be read.
        UnicodeDecodeError: it is no UTF-8.
    """
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None


def replace(file: Path, before: str | None, after: str, now: datetime | None = None) -> Path | None:
    """Write a file, and keep what it was; answers where, or None where there was none.

    Args:
        file: what to write; a link is followed.
        before: what was read from it; None: there was none.
        after: what to write.
        now: for the name of the copy; None: the present.

    Raises:
        ChangedError: it is not what was read any more.
        OSError: it cannot be written.
    """
    file = file.resolve()
    file.parent.mkdir(parents=True, exist_ok=True)
    if text_of(file) != before:
        raise ChangedError
    copy = None if before is None else _copied(file, now or datetime.now(UTC))
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    # Such files hold secrets of other servers, so the draft of one is nobody else's to read.
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(after.encode())
        if before is not None:
            shutil.copymode(file, draft)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return copy


def _copied(file: Path, now: datetime) -> Path:
    stamp = f"{now:%Y%m%dT%H%M%SZ}"
    copy = file.with_name(f"{file.name}.{stamp}.bak")
    count = 1
    while copy.exists():
        count += 1
        copy = file.with_name(f"{file.name}.{stamp}-{count}.bak")
    shutil.copy2(file, copy)
    return copy
