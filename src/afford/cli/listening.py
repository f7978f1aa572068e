"""The socket that a server listens on: bound before anything starts, so that a taken port is one clear error."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from afford.cli.failures import CommandError

BACKLOG: Final = 2048
"""Connections that may wait to be accepted."""


_MOUNT: Final = re.compile(r"(/[A-Za-z0-9._~-]+)*")


class LogLevel(StrEnum):
    """From which severity on the server and afford write to stderr."""

    CRITICAL = "critical"
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    DEBUG = "debug"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """What a server needs beside the application."""

    listener: socket.socket
    """Bound and listening."""
    workers: int
    log_level: str
    """A level of the standard library's logging, in lower case."""


def listen(host: str, port: int) -> socket.socket:
    """A listening TCP socket; port 0 takes a free one.

    Raises:
        CommandError: the address is taken, or is none of this machine.
    """
    bare = host.strip("[]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        return socket.create_server((bare, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise CommandError(
            f"cannot listen on {host}:{port} ({error.strerror}); choose another address with --host and --port"
        ) from error


def mount_of(path: str) -> str:
    """The path that an app is mounted under, as `--path` states it; empty for the origin root.

    Raises:
        CommandError: it is no path.
    """
    mount = "/" + path.strip("/") if path.strip("/") else ""
    if not _MOUNT.fullmatch(mount):
        raise CommandError(f"`--path {path}` is no path; use segments of letters, digits, `-`, `.`, `_` and `~`")
    return mount


def authority(host: str, listener: socket.socket) -> str:
    """Host and port as they stand in a URL (RFC 3986 section 3.2)."""
    bare = host.strip("[]")
    port: int = listener.getsockname()[1]
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"
