"""The links that every contract is proved over."""

from __future__ import annotations

import pytest
from tests.contracts.clock import Clock

from afford.testing.client import Over


@pytest.fixture(params=["executor", "http"])
def over(request: pytest.FixtureRequest) -> Over:
    """Each link of the testing client: the same test has to hold over both."""
    link: Over = request.param
    return link


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The event loop's clock, to be put forward instead of waiting."""
    return Clock(monkeypatch)
