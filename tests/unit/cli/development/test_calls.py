"""Lines of the call log."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import click
import pytest

from afford.cli.development.calls import CallLog, line_of
from afford.execute.outcome import CallRecord

NOON = datetime(2026, 1, 2, 12, 0, 1, tzinfo=UTC)


def record(**stated: Any) -> CallRecord:
    usual = {
        "operation": "echo",
        "principal": None,
        "door": "agent",
        "surface": "mcp",
        "agent": True,
        "arguments": {},
        "code": "ok",
        "duration": 0.0012,
        "trace": None,
    }
    return CallRecord(**{**usual, **stated})


def told(**stated: Any) -> str:
    return " ".join(click.unstyle(line_of(record(**stated), NOON)).split())


@pytest.mark.requirement("DEV-05")
def test_a_line_says_when_what_how_long_and_who() -> None:
    assert told() == "12:00:01 ok echo 1.2 ms anonymous over mcp"
    assert told(principal="ada", duration=2.34, arguments={"n": 1}) == '12:00:01 ok echo 2.3 s ada over mcp {"n":1}'


@pytest.mark.requirement("DEV-05")
def test_a_failure_is_told_with_its_trace_and_an_unknown_name_without_one() -> None:
    assert told(code="internal", trace="ab12") == "12:00:01 internal echo 1.2 ms anonymous over mcp trace ab12"
    assert told(operation=None, code="unknown_operation").startswith("12:00:01 unknown_operation (unknown) ")


def test_what_callers_send_steers_no_terminal_and_fills_no_screen() -> None:
    line = line_of(record(principal="\x1b[2Jada", arguments={"a": "\x1b]0;x\x07\u202e\n" + "b" * 500}), NOON)
    assert not {"\x07", "\u202e", "\n"} & set(line)
    assert "\x1b" not in click.unstyle(line)
    assert len(line) < 400


def test_calls_are_written_in_order_and_a_closed_stream_hurts_nobody() -> None:
    stream = io.StringIO()
    log = CallLog(stream, clock=lambda: NOON)
    for number in range(3):
        log.told(record(operation=f"number_{number}"))
    log.flush()
    assert [line.split()[2] for line in stream.getvalue().splitlines()] == ["number_0", "number_1", "number_2"]
    stream.close()
    log.told(record())
    log.flush()
