"""Which files an application's code was read from: those that its author edits, as far as they are imported.

Reads `sys.modules`, and forgets what Python compiled of such files.
"""

from __future__ import annotations

import contextlib
import sys
import sysconfig
from collections.abc import Iterable
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

_AFFORD: Final = str(Path(__file__).parents[2])
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})


def authored_files() -> list[str]:
    """Absolute paths of the imported modules that are no part of Python, of an installed package or of afford."""
    foreign = (*(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")), _AFFORD)
    files = {getattr(module, "__file__", None) for module in tuple(sys.modules.values())}
    return sorted(
        file
        for file in files
        if isinstance(file, str)
        and file.endswith(".py")
        and not file.startswith(foreign)
        and _INSTALLED.isdisjoint(Path(file).parts)
    )


def forget_compiled(files: Iterable[Path]) -> None:
    """Have files read anew: Python believes a compiled copy if the source has the size and the second of before."""
    for file in files:
        with contextlib.suppress(OSError, NotImplementedError):
            Path(cache_from_source(str(file))).unlink(missing_ok=True)
