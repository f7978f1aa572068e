"""What every test runs under: no settings from the machine, and property tests that are the same each time."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# A wall-clock limit per example would make the suite depend on the machine; the number of examples bounds it instead.
settings.register_profile("afford", deadline=None, derandomize=True, database=None)
settings.load_profile("afford")


@pytest.fixture(autouse=True)
def no_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Remove every `AFFORD_` variable, so that neither a developer's shell nor what runs beside decides a test."""
    for name in [name for name in os.environ if name.startswith("AFFORD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AFFORD_INSTANCES_DIR", str(tmp_path_factory.getbasetemp() / "no-instances"))
