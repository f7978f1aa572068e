"""The page of the linter's figures says what the linter does now, and the linter is as right as it has to be."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from afford.lint.rule import Severity
from afford.lint.rules import all_rules

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TARGETS = {Severity.ERROR: 0.95, Severity.WARNING: 0.8}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """What the script and its neighbour define."""
    before = list(sys.path)
    try:
        defined = runpy.run_path(str(BENCHMARKS / "lint_corpus.py"))
    finally:
        sys.path[:] = before
    return {**vars(sys.modules["labels"]), **defined}


@pytest.mark.requirement("LINT-23")
def test_the_measured_figures_are_those_of_the_rules_as_they_are(script: dict[str, Any]) -> None:
    assert script["main"](["--check"]) == 0


@pytest.mark.requirement("LINT-23")
def test_the_corpus_is_large_enough_and_half_of_it_clean(script: dict[str, Any]) -> None:
    own = [catalog for catalog in script["catalogs"]() if catalog.part != "foreign"]
    operations = sum(catalog.operations for catalog in own)
    faulty = sum(bool(labels) for catalog in own for name, labels in catalog.faults.items() if name != "*")
    assert len(own) >= 12
    assert operations >= 150
    assert faulty <= operations / 2


@pytest.mark.requirement("LINT-23")
def test_every_label_is_a_rule_or_a_kind_of_fault_and_names_an_operation(script: dict[str, Any]) -> None:
    known = {rule.code for rule in all_rules()} | script["KINDS"].keys()
    for catalog in script["catalogs"]():
        names = {operation.name for operation in catalog.target.operations} | {"*"}
        assert catalog.operations == len(names) - 1
        assert catalog.faults.keys() <= names
        assert {
            label for part in (catalog.faults, catalog.open) for labels in part.values() for label in labels
        } <= known


@pytest.mark.requirement("LINT-23")
@pytest.mark.parametrize("severity", TARGETS)
def test_findings_are_right_as_often_as_promised(script: dict[str, Any], severity: Severity) -> None:
    outcomes = [item for item in script["judged"](script["catalogs"]()) if item.severity is severity]
    assert script["counted"](outcomes).precision >= TARGETS[severity]
