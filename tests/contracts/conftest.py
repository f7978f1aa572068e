"""The links that every contract is proved over."""

from __future__ import annotations

import pytest
from tests.contracts.clock import Clock
from tests.contracts.links import LINKS, Over


@pytest.fixture(params=LINKS)
def over(request: pytest.FixtureRequest) -> Over:
    """Each link of the testing client: the same test has to hold over all of them."""
    link: Over = request.param
    return link


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The event loop's clock, to be put forward instead of waiting."""
    return Clock(monkeypatch)
