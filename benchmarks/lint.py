"""Linting a thousand operations against building their catalog: `python benchmarks/lint.py [--quick]`."""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, where `http.py` would be taken for the standard library's `http`.
sys.path[0] = str(Path(__file__).parent / "measure")

import linting  # noqa: E402 - found through the line above

if __name__ == "__main__":
    raise SystemExit(linting.main())
