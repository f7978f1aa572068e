"""Judges do not outlive the schemas that they judge by, however many there were."""

from __future__ import annotations

import gc

import pytest

from afford.schema.judge import _MOST_KNOWN, Judge, judge_for


@pytest.mark.requirement("HARD-03")
def test_judges_of_schemas_that_are_gone_are_forgotten() -> None:
    for number in range(_MOST_KNOWN * 3):
        judge_for({"const": f"forgotten {number}"})
    gc.collect()
    known = [item for item in gc.get_objects() if isinstance(item, Judge) and "forgotten" in str(item._schema)]
    assert len(known) <= _MOST_KNOWN


def test_equal_schemas_share_a_judge_while_one_of_them_lives() -> None:
    first = judge_for({"const": "shared"})
    assert judge_for({"const": "shared"}) is first
