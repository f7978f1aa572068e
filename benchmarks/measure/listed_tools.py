"""The tools that every side lists, as our side publishes them: read from a file that the benchmark wrote.

Knows JSON and nothing else.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

TOOLS_VARIABLE: Final = "BENCHMARK_TOOLS"


def listed_tools() -> list[dict[str, Any]]:
    """The tools, in order."""
    tools: list[dict[str, Any]] = json.loads(Path(os.environ[TOOLS_VARIABLE]).read_text(encoding="utf-8"))
    return tools
