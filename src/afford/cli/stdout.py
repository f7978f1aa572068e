"""Standard output carries what a command answers; what the application prints on the way goes elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def away_from_stdout() -> Generator[None]:
    """What is printed in the block goes to standard error, also below Python and by child processes."""
    if sys.__stdout__ is None:
        # The process was started without one.
        with redirect_stdout(sys.stderr):
            yield
        return
    sys.__stdout__.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        sys.__stdout__.flush()
        os.dup2(kept, 1)
        os.close(kept)
