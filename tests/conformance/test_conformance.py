"""The official conformance suite against an app of ours, in every revision that is claimed."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.conformance.suite import FIXTURE, REVISIONS, expected, run
from tests.served import served

NOTE = Path(__file__).parents[2] / "docs" / "design" / "0008-mcp-conformance.md"


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    with served(FIXTURE) as endpoint:
        yield endpoint


# The first run installs the suite from the package registry.
@pytest.mark.timeout(300)
@pytest.mark.requirement("MCP-05")
@pytest.mark.parametrize("revision", REVISIONS)
def test_the_conformance_suite_finds_what_is_expected_and_nothing_else(url: str, revision: str) -> None:
    verdict = run(url, revision)
    assert verdict.passed, verdict.summary


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_expected_failure_is_explained(revision: str) -> None:
    entries = re.findall(r"^ +- (\S+)$", expected(revision).read_text(encoding="utf-8"), re.MULTILINE)
    text = NOTE.read_text(encoding="utf-8")
    assert entries
    assert [entry for entry in entries if f"`{entry}`" not in text] == []
