"""The record that a running development server leaves, so that others on the machine find it.

One file `<id>.json` for each instance, in a folder that only its owner can read: it holds the token that opens the
instance. Knows files and processes; nothing of applications, servers or protocols. Needs `psutil` (extra
`afford[connect]`), so it is imported by those who want records and by nobody else.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import secrets
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, TypeGuard, cast
from urllib.parse import urlsplit

import psutil

FORMAT: Final = 1
"""Of the files; a record of another one is not read."""
FOLDER_VARIABLE: Final = "AFFORD_INSTANCES_DIR"
"""The environment variable that names another folder."""

_NEAR: Final = 1.0
"""Seconds by which a process's start may seem to move: systems derive it from a clock that is set now and then."""
_MODE: Final = 0o600
_FOLDER_MODE: Final = 0o700
_ID_BYTES: Final = 6
_LARGEST: Final = 64 << 10
"""Bytes of a file; a longer one is no record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One running server."""

    id: str
    """Twelve hexadecimal digits, made by `new_id`; the name of its file."""
    name: str
    """Of the application."""
    title: str
    pid: int
    started: float
    """When its process began, in seconds since the epoch: what tells it from a later process with the same number."""
    url: str
    """Its origin, such as `http://127.0.0.1:8000`; always of this machine."""
    mount: str
    """Where afford answers below the origin, such as `/agent`."""
    mcp: str | None
    """Path of its MCP endpoint; None: it serves none."""
    console: str | None
    """Path of its console; None: it serves none."""
    token: str = field(repr=False)
    """Opens it, as `Authorization: Bearer <token>`; a secret."""
    target: str
    """What it serves: a file as an absolute path, or `module:attribute`."""
    cwd: str
    """The folder it was started in."""
    version: str
    """Of the application."""
    started_at: str
    """When it was started, as an ISO 8601 instant."""


def folder() -> Path:
    """Where the records are: `AFFORD_INSTANCES_DIR`, or `afford/instances` in the user's state folder."""
    stated = os.environ.get(FOLDER_VARIABLE)
    if stated:
        return Path(stated)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "afford" / "instances"


def new_id() -> str:
    """An id that no other instance has."""
    return secrets.token_hex(_ID_BYTES)


def started(pid: int | None = None) -> float:
    """When a process began, in seconds since the epoch; None: this one.

    Raises:
        psutil.Error: there is no such process, or its start may not be seen.
    """
    return psutil.Process(pid).create_time()


def write(instance: Instance, place: Path | None = None) -> Path:
    """Leave a record, or replace it: whoever reads sees the old one or the new one, whole. Returns its file.

    Args:
        instance: what to write.
        place: the folder, made where it is missing; None: `folder()`.

    Raises:
        OSError: it cannot be written.
    """
    place = folder() if place is None else place
    place.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    if sys.platform != "win32":
        place.chmod(_FOLDER_MODE)
    file = place / f"{instance.id}.json"
    draft = place / f".{instance.id}.{secrets.token_hex(4)}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump({"format": FORMAT, **asdict(instance)}, stream, ensure_ascii=False, indent=1)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return file


def read_all(place: Path | None = None) -> list[Instance]:
    """The instances whose processes live, the oldest first, however slowly they answer.

    A record whose process is gone is removed on the way. Whatever else lies in the folder is left alone and not read:
    a file of somebody else's, one that is no record, and one that leads to another machine.

    Args:
        place: the folder, which need not exist; None: `folder()`.
    """
    place = folder() if place is None else place
    found: list[Instance] = []
    # Only a number of the process that is free proves its end. A start that differs may be a clock that was set, so
    # such a record is not believed, and stays until the number is free.
    for file in sorted(place.glob("*.json")):
        instance = _read(file)
        if instance is None:
            continue
        begun = _begun(instance.pid)
        if begun is None:
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
        elif abs(begun - instance.started) <= _NEAR:
            found.append(instance)
    return sorted(found, key=lambda item: (item.started_at, item.id))


def remove(identity: str, place: Path | None = None) -> None:
    """Take back a record; does nothing where there is none.

    Args:
        identity: of the instance.
        place: the folder; None: `folder()`.
    """
    place = folder() if place is None else place
    (place / f"{identity}.json").unlink(missing_ok=True)


def is_alive(instance: Instance) -> bool:
    """Whether the process that left the record still runs; a paused one does."""
    begun = _begun(instance.pid)
    return begun is not None and abs(begun - instance.started) <= _NEAR


def is_loopback(origin: str) -> bool:
    """Whether an origin is `http` on this machine: an address of its own, or `localhost`, and nothing behind it."""
    try:
        parts = urlsplit(origin)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    if parts.scheme != "http" or host is None or port == 0 or parts.username is not None or parts.password is not None:
        return False
    if parts.path or parts.query or parts.fragment:
        return False
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _begun(pid: int) -> float | None:
    """When a process began; None: it is over, also when nobody has asked for its result yet."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.NoSuchProcess:
        return None
    except psutil.AccessDenied:
        # Somebody else's, so not the one that left a record of ours; but something has the number.
        return float("inf")


def _read(file: Path) -> Instance | None:
    """The record in a file; None: it holds none that can be believed."""
    try:
        with file.open("rb") as stream:
            if not _is_ours(stream.fileno()):
                return None
            document: object = json.loads(stream.read(_LARGEST + 1))
    except (OSError, ValueError):
        return None
    instance = _instance(document)
    if instance is None or instance.id != file.stem or not is_loopback(instance.url):
        return None
    return instance


def _is_ours(descriptor: int) -> bool:
    """Whether a file belongs to this user: another one could send us, and the token, wherever they like."""
    if sys.platform == "win32":
        return True
    return os.fstat(descriptor).st_uid == os.getuid()


def _instance(document: object) -> Instance | None:
    if not isinstance(document, dict):
        return None
    members = cast("dict[object, object]", document)
    if members.get("format") != FORMAT:
        return None
    texts = {key: members.get(key) for key in _TEXTS}
    pid, begun = members.get("pid"), members.get("started")
    mcp, console = members.get("mcp"), members.get("console")
    if not (_all_texts(texts) and _is_path_or_none(mcp) and _is_path_or_none(console)):
        return None
    if not _is_number(pid) or not isinstance(pid, int) or pid <= 0 or not _is_number(begun):
        return None
    if not texts["token"]:
        return None
    return Instance(**texts, pid=pid, started=float(begun), mcp=mcp, console=console)


_TEXTS: Final = ("id", "name", "title", "url", "mount", "token", "target", "cwd", "version", "started_at")


def _all_texts(members: dict[str, object]) -> TypeGuard[dict[str, str]]:
    return all(isinstance(value, str) for value in members.values())


def _is_path_or_none(value: object) -> TypeGuard[str | None]:
    return value is None or (isinstance(value, str) and value.startswith("/") and not value.startswith("//"))


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
