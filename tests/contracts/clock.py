"""Time that a test moves by itself."""

from __future__ import annotations

import asyncio

import pytest


class Clock:
    """The running event loop's clock, which goes on and can be put forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take over the clock of the running loop."""
        loop = asyncio.get_running_loop()
        self._ahead = 0.0
        real = loop.time
        monkeypatch.setattr(loop, "time", lambda: real() + self._ahead)

    def forward(self, seconds: float) -> None:
        """Let that much time have passed; what is due runs at the loop's next turn."""
        self._ahead += seconds
