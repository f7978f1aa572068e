"""One table decides every refusal; enum, rows, pages and statuses agree."""

from __future__ import annotations

import re
from http import HTTPStatus

import pytest
from tests.architecture.source import ROOT
from tools.generate import ADVICE, FAULT_ADVICE

from afford import errors
from afford.errors import TABLE, Code, FaultCode, McpRendering

PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^### `([a-z_]+)`$", PAGE, flags=re.MULTILINE)
DOCSTRING_ROW = re.compile(r"^    ([a-z_]+) +(\d{3}|-) +(result|protocol|none) +(\d) +(yes|no)$", flags=re.MULTILINE)


def test_every_code_has_a_row() -> None:
    assert set(TABLE) == set(Code)


def test_every_code_and_every_fault_has_its_section_once() -> None:
    assert [*Code, *FaultCode] == SECTIONS


def test_every_code_and_every_fault_says_what_to_do() -> None:
    assert set(ADVICE) == set(Code)
    assert set(FAULT_ADVICE) == set(FaultCode)


@pytest.mark.parametrize("code", Code)
def test_a_status_is_a_registered_failure(code: Code) -> None:
    status = TABLE[code].status
    assert status is None or HTTPStatus(status).value >= 400


@pytest.mark.parametrize("code", Code)
def test_only_what_is_never_answered_lacks_a_status(code: Code) -> None:
    row = TABLE[code]
    assert (row.status is None) == (row.mcp is McpRendering.NONE)


def test_the_table_in_the_docstring_is_the_table() -> None:
    printed = {
        name: (None if status == "-" else int(status), mcp, int(exit_code), retryable == "yes")
        for name, status, mcp, exit_code, retryable in DOCSTRING_ROW.findall(errors.__doc__ or "")
    }
    held = {code.value: (row.status, row.mcp.value, row.exit_code, row.retryable) for code, row in TABLE.items()}
    assert printed == held
