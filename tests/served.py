"""An app file behind `afford serve`, in a process of its own: what a person would start."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(file: Path, **environment: str) -> Generator[str]:
    """The URL of the app's MCP endpoint while it is served on a free port of this machine."""
    # What it says besides its addresses belongs on the terminal of whoever runs the tests.
    command = [sys.executable, "-m", "afford", "serve", str(file), "--port", "0"]
    variables = {**os.environ, **environment}
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = next((url for line in process.stdout if (url := _endpoint(line))), "")
            assert url, "the server ended before it said where its MCP endpoint is"
            yield url
        finally:
            process.terminate()


def _endpoint(line: str) -> str:
    found = re.search(r"http://\S+/mcp$", line.rstrip())
    return found.group() if found else ""
