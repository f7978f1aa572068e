"""The form of locks: the same bytes everywhere, read back as they were, refused where they are not understood."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest

from afford import App, Choices, anyone, roles
from afford.lock.comparison import compare_records
from afford.lock.record import LockError, Record, Tells, lock_text, read_lock
from afford.lock.recording import record_of_app

HOTELS = Path(__file__).parents[3] / "examples" / "hoteling"


def locked_in_another_process(seed: str) -> bytes:
    words = [sys.executable, "-m", "afford", "lock", str(HOTELS / "app.py"), "-o", "-"]
    ended = subprocess.run(words, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    return ended.stdout


@pytest.mark.requirement("LOCK-02")
def test_every_process_writes_the_same_bytes_and_no_path() -> None:
    first, second = locked_in_another_process("1"), locked_in_another_process("2")
    assert first == second
    assert str(HOTELS).encode() not in first
    assert b"0x" not in first
    assert b"\r" not in first
    assert lock_text(read_lock(first, "a")).encode() == first


@pytest.mark.requirement("LOCK-02")
def test_the_order_of_declarations_does_not_show() -> None:
    def act() -> None:
        """Do nothing."""

    one, other = App("shop", roles=("a", "b")), App("shop", roles=("b", "a"))
    for made, names in ((one, "xy"), (other, "yx")):
        for name in names:
            made.action(id=name, description=f"Do {name}.", access=roles(*names.replace("x", "a").replace("y", "b")))(
                act
            )
    assert lock_text(record_of_app(one.build())) == lock_text(record_of_app(other.build()))


def load() -> list[str]:
    raise AssertionError


def test_nothing_is_loaded_for_a_lock_and_a_derived_set_is_told_as_one() -> None:
    app = App("shop", access=anyone())

    @app.query(description="Find things.")
    def find(area: Annotated[str, Choices(load)] = "a") -> list[str]:
        return []

    document = json.loads(lock_text(record_of_app(app.build())))
    area = document["operations"]["find"]["input_schema"]["properties"]["area"]
    assert area["x-choices"] is True
    assert "enum" not in area


def with_text(text: str) -> Record:
    return Record(name="x", tells=Tells.EVERYTHING, sections={"texts": {"a": {"description": text}}})


def test_what_nobody_sees_is_written_as_an_escape_and_read_back() -> None:
    hidden = "a\u200bb\u202ec\U000e0041d\x1be é 漢"
    text = lock_text(with_text(hidden))
    assert "\\u200b" in text
    assert "\\udb40\\udc41" in text
    assert "é 漢" in text
    assert compare_records(with_text(hidden), read_lock(text.encode(), "x")).changes == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"afford_lock": 2}', "upgrade afford"),
        ('{"afford_lock": true}', "damaged"),
        ('{"afford_lock": 1, "tells": "lies"}', "damaged at `/tells`"),
        ('{"afford_lock": 1, "tells": "mcp", "operations": []}', "damaged at `/operations`"),
        ('{"afford_lock": 1, "tells": "mcp", "operations": {"a": 1}}', "damaged at `/operations/a`"),
        ("{", "not JSON"),
        ("[]", "no lock"),
    ],
)
def test_a_lock_that_is_not_understood_is_refused_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(LockError, match=told):
        read_lock(text.encode(), "afford.lock")
