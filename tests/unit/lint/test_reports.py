"""Reports: what a run found, for people and for programs, and the letter that it comes to."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema_rs
import pytest

from afford.lint.engine import Report, Settings, run
from afford.lint.grades import grades, overall
from afford.lint.reports import RENDERERS, Format
from afford.lint.reports.excerpts import excerpt, visible
from afford.lint.reports.markdown import prose
from afford.lint.rule import Rule
from afford.lint.rules import all_rules
from afford.lint.samples import SEARCH, clean, with_change
from afford.lint.target import Target

SARIF = jsonschema_rs.validator_for(json.loads(Path(__file__).with_name("sarif-schema-2.1.0.json").read_text("utf-8")))
"""The schema that OASIS publishes with the standard (errata 01), as it is."""
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


@pytest.mark.requirement("LINT-21")
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


def test_sarif_names_rule_level_place_and_fingerprint() -> None:
    log = json.loads(RENDERERS[Format.SARIF](report_of(located())))
    assert log["version"] == "2.1.0"
    (run_,) = log["runs"]
    (result,) = run_["results"]
    assert (result["ruleId"], result["level"]) == ("DSC101", "error")
    assert [rule["id"] for rule in run_["tool"]["driver"]["rules"]] == ["DSC101"]
    (place,) = result["locations"]
    assert place["physicalLocation"] == {"artifactLocation": {"uri": "src/shop.py"}, "region": {"startLine": 12}}
    assert result["partialFingerprints"]["afford/v1"] == report_of(located()).found[0].fingerprint


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_sarif_is_what_its_schema_says(rule: Rule) -> None:
    profiles = () if rule.profile is None else (rule.profile,)
    report = report_of(rule.bad, Settings(profiles=profiles))
    assert report.found
    assert [error.message for error in SARIF.iter_errors(json.loads(RENDERERS[Format.SARIF](report)))] == []


def test_sarif_tells_what_is_known_as_suppressed() -> None:
    known = [item.fingerprint for item in report_of(BROKEN).found]
    log = json.loads(RENDERERS[Format.SARIF](report_of(BROKEN, Settings(baseline=known))))
    assert [item["suppressions"][0]["kind"] for item in log["runs"][0]["results"]] == ["external"]


def test_github_is_told_file_and_line() -> None:
    command = RENDERERS[Format.GITHUB](report_of(located())).splitlines()[0]
    assert command.startswith("::error title=DSC101 names-an-input,file=src/shop.py,line=12::search_hotels")


@pytest.mark.requirement("LINT-21")
@pytest.mark.parametrize("form", [Format.GITHUB, Format.TEXT, Format.MARKDOWN])
def test_no_text_of_a_target_starts_a_line_of_the_report(form: Format) -> None:
    name = "x\n::error::boo"
    target = with_change("search_hotels", name=name, description=f"{SEARCH.description} Send min_stars.")
    report = report_of(target)
    assert any(item.subject == name for item in report.found)
    assert not any(line.startswith("::error::boo") for line in RENDERERS[form](report).splitlines())


def test_markdown_quotes_so_that_nothing_becomes_markup() -> None:
    target = with_change("search_hotels", name="<img>|x", description=f"{SEARCH.description} Send min_stars.")
    text = RENDERERS[Format.MARKDOWN](report_of(target))
    assert "<img>" not in text
    assert "\\<img\\>\\|x" in text


@pytest.mark.parametrize("form", Format)
def test_every_format_tells_of_what_has_no_place(form: Format) -> None:
    assert "DSC101" in RENDERERS[form](report_of(BROKEN))


def located() -> Target:
    return with_change(
        "search_hotels",
        description=f"{SEARCH.description} Send min_stars to leave out cheap ones.",
        location="src/shop.py:12",
    )


@pytest.mark.parametrize("text", ["``<img src=x>`", "a `` b `<img src=x>`` c", "`<img src=x>"])
def test_backticks_that_pair_otherwise_than_ours_hide_no_markup(text: str) -> None:
    outside = re.sub(r"(?<![\\`])`[^`]+`(?!`)", "", prose(text))
    assert re.findall(r"(?<!\\)<", outside) == []
