"""Comparisons in every form, with texts of a record that try to be more than text."""

from __future__ import annotations

import json
import re

import pytest

from afford.lock.changes import Change, Comparison, Grade
from afford.lock.reports import RENDERERS, Format

NASTY = "\x1b[31m\n::error::<img src=x>` [a](javascript:x) ``` \u202e @everyone"


def comparison(text: str = "plain") -> Comparison:
    change = Change(
        grade=Grade.BREAKING,
        subject=text,
        pointer=f"/input_schema/properties/{text}",
        what=f"`{text}` is not accepted any more",
        why="calls that were right are refused",
        fix=f"keep `{text}`",
        before=text,
        after={"a": text},
        is_shown=True,
        witness={text: text},
    )
    return Comparison(old=text, new="new", changes=(change,), notes=(f"`{text}` was left out",))


@pytest.mark.requirement("LOCK-06")
@pytest.mark.parametrize("form", [Format.TEXT, Format.MARKDOWN, Format.GITHUB])
def test_text_of_a_record_stays_text(form: Format) -> None:
    written, harmless = RENDERERS[form](comparison(NASTY)), RENDERERS[form](comparison())
    assert "\x1b" not in written
    assert "\u202e" not in written
    assert len(written.splitlines()) == len(harmless.splitlines())
    assert [line for line in written.splitlines() if line.startswith("::error::")] == []
    if form is Format.MARKDOWN:
        outside = re.sub(r"(?<![\\`])`[^`]+`", "", written)
        assert re.findall(r"(?<!\\)(?:<img|`|@)", outside) == []
        assert "[a](" not in outside
    if form is Format.GITHUB:
        assert sum(line.startswith("::") for line in written.splitlines()) == 1


def test_json_holds_everything_that_is_known_of_a_change() -> None:
    document = json.loads(RENDERERS[Format.JSON](comparison()))
    assert document["counts"] == {"breaking": 1, "needs-approval": 0, "compatible": 0}
    (change,) = document["changes"]
    assert change["before"] == "plain"
    assert change["witness"] == {"plain": "plain"}


def test_each_change_is_one_line_with_what_to_do() -> None:
    lines = RENDERERS[Format.TEXT](comparison()).splitlines()
    (line,) = [line for line in lines if line.startswith("  ")]
    assert '"plain" -> {"a": "plain"}' in line
    assert line.endswith("fix: keep `plain`")
    assert lines[-1].endswith("1 breaking")


def test_long_texts_are_shown_from_their_first_difference() -> None:
    long = "A sentence that goes on for quite some time before anything in it is another. "
    change = Change(
        grade=Grade.COMPATIBLE, what="text", why="w", fix="nothing", before=f"{long}Old.", after=f"{long}New."
    )
    written = RENDERERS[Format.TEXT](Comparison(old="a", new="b", changes=(change,)))
    assert "is another. Old." in written
    assert "A sentence" not in written
