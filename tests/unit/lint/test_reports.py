"""Reports: what a run found, for people and for programs, and the letter that it comes to."""

from __future__ import annotations

import json

import pytest

from afford.lint.engine import Report, Settings, run
from afford.lint.grades import grades, overall
from afford.lint.reports import RENDERERS, Format
from afford.lint.reports.excerpts import excerpt, visible
from afford.lint.rules import all_rules
from afford.lint.samples import SEARCH, clean, with_change
from afford.lint.target import Target

BROKEN = with_change("search_hotels", description=f"{SEARCH.description} Send min_stars to leave out cheap ones.")


def report_of(target: Target, settings: Settings | None = None) -> Report:
    return run(target, all_rules(), settings)


def test_nothing_found_is_an_a() -> None:
    assert overall(report_of(clean())) == "A"


def test_one_error_is_a_d_for_its_operation_and_no_good_letter_for_all() -> None:
    report = report_of(BROKEN)
    assert grades(report)["search_hotels"] == "D"
    assert grades(report)["hotel_detail"] == "A"
    assert overall(report) == "C"


def test_text_marks_the_offending_words_under_their_line() -> None:
    lines = RENDERERS[Format.TEXT](report_of(BROKEN)).splitlines()
    marks = next(index for index, line in enumerate(lines) if line.strip() and set(line.strip()) == {"^"})
    start = lines[marks].index("^")
    assert lines[marks - 1][start : start + lines[marks].count("^")] == "min_stars"


def test_json_holds_every_finding_with_its_words() -> None:
    found = json.loads(RENDERERS[Format.JSON](report_of(BROKEN)))
    assert [(item["code"], item["words"]) for item in found["found"]] == [("DSC101", "min_stars")]
    assert found["counts"]["error"] == 1


def test_what_the_baseline_holds_is_known_and_not_found() -> None:
    known = [item.fingerprint for item in report_of(BROKEN).found]
    report = report_of(BROKEN, Settings(baseline=known))
    assert not report.found
    assert [item.code for item in report.known] == ["DSC101"]


@pytest.mark.parametrize("hidden", ["\x1b[31m", "\u200b", "\u202e", "\n", "\U000e0041"])
def test_no_text_of_a_target_steers_a_terminal(hidden: str) -> None:
    assert visible(f"a{hidden}b").isprintable()
    assert visible(f"a{hidden}b") != f"a{hidden}b"


@pytest.mark.parametrize("before", ["", "short ", "long words " * 40, "\u200b", "日本 "])
@pytest.mark.parametrize("after", ["", " short", " long words" * 40])
def test_marks_stand_under_their_words_wherever_they_are(before: str, after: str) -> None:
    line, marks = excerpt(f"{before}OFFENDING{after}", (len(before), len(before) + 9), 60)
    assert marks.strip() == "^" * 9
    wide = sum(character in "日本" for character in line)
    assert line.index("OFFENDING") + wide == marks.index("^")
