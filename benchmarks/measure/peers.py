"""The other frameworks, in an environment of their own, so that their dependencies cannot disturb ours.

Knows where that environment is and what is in it; nothing of what is measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

VARIABLE: Final = "AFFORD_PEERS"
PACKAGES: Final = ("mcp==2.3.*", "fastmcp>=4,<5", "uvicorn", "uvloop", "httptools", "starlette")
NAMED: Final = ("mcp", "fastmcp", "pydantic", "starlette", "uvicorn", "uvloop", "httptools")
"""Releases that a record states."""

_DEFAULT: Final = Path(__file__).parents[2] / ".venv" / "peers"
_COMPLETE: Final = ".complete"


def peers_python() -> str:
    """The interpreter of the peers' environment, which is made when it is not there.

    The variable `AFFORD_PEERS` names another folder; one that exists is taken as it is.

    Raises:
        subprocess.CalledProcessError: it could not be made, as without a package index.
    """
    stated = os.environ.get(VARIABLE)
    folder = Path(stated) if stated else _DEFAULT
    python = folder / "bin" / "python"
    if not python.exists() or (not stated and not (folder / _COMPLETE).exists()):
        print("installing the other frameworks into an environment of their own (about a minute, once)", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *PACKAGES], check=True
        )
        (folder / _COMPLETE).touch()
    return str(python)


def peers_versions(python: str) -> dict[str, str]:
    """The releases of the other frameworks, by package."""
    code = f"from importlib.metadata import version\nfor name in {NAMED!r}: print(name, version(name))"
    printed = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout
    return dict(line.split(" ", 1) for line in printed.splitlines())
