"""Tables are drawn for terminals and plain for everything else; cells are never markup."""

from __future__ import annotations

import io
import sys

import pytest

from afford import Diagnostic
from afford.cli.printing import put_diagnostics, put_panel, put_table

ROWS = [("short", "[red]text[/red]"), ("much longer", "q" * 200)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_into_a_pipe_columns_are_aligned_and_nothing_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    put_table(("name", "description"), ROWS)
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["name         description", "short        [red]text[/red]", f"much longer  {'q' * 200}"]


def test_on_a_terminal_a_table_keeps_every_character(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    put_table(("name", "description"), ROWS)
    drawn = terminal.getvalue()
    assert "[red]text[/red]" in drawn
    assert drawn.count("q") == 200
    assert "─" in drawn


def test_diagnostics_of_one_subject_share_its_heading(capsys: pytest.CaptureFixture[str]) -> None:
    found = [
        Diagnostic(code="DEC101", subject="a", message="first", fix="one", location="app.py:1"),
        Diagnostic(code="DEC102", subject="a", message="second", fix="two", location="app.py:9"),
        Diagnostic(code="GAP101", subject="b", message="third", fix="three"),
    ]
    put_diagnostics(found)
    assert capsys.readouterr().out.splitlines() == [
        "a (app.py:1)",
        "  DEC101 invalid-id: first",
        "    fix: one",
        "  DEC102 name-clash: second (app.py:9)",
        "    fix: two",
        "b",
        "  GAP101: third",
        "    fix: three",
    ]


def test_a_panel_is_framed_on_a_terminal_and_plain_elsewhere() -> None:
    rows = [("MCP", "http://127.0.0.1:8000/agent/mcp"), ("as", "[red]ada[/red]")]
    drawn, plain = Terminal(), io.StringIO()
    put_panel("Shop", rows, drawn)
    put_panel("Shop", rows, plain)
    assert plain.getvalue() == "Shop\n  MCP  http://127.0.0.1:8000/agent/mcp\n  as   [red]ada[/red]\n"
    assert all(value in drawn.getvalue() for _name, value in rows)
    assert len(drawn.getvalue().splitlines()) == 4
