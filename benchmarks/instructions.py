"""Instructions per request, which repeat on a busy machine: `python benchmarks/instructions.py [--side NAME ...]`."""

from __future__ import annotations

import sys
from pathlib import Path

# A script's own folder comes first on the path, where `mcp.py` would be taken for the official SDK.
sys.path[0] = str(Path(__file__).parent / "measure")

import counting  # noqa: E402 - found through the line above

if __name__ == "__main__":
    raise SystemExit(counting.main())
