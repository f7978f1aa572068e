"""Which servers `afford connect` is told to speak for, and what is said to whoever names none that can be."""

from __future__ import annotations

import pytest

from afford.cli.main import main
from afford.connector.remotes import Remote, remote_of


@pytest.mark.parametrize(
    ("text", "remote"),
    [
        ("https://example.org/mcp", Remote("example.org", "https://example.org/mcp")),
        ("docs=https://example.org/mcp?a=b", Remote("docs", "https://example.org/mcp?a=b")),
        ("http://127.0.0.1:8000/mcp?a=b", Remote("127.0.0.1:8000", "http://127.0.0.1:8000/mcp?a=b")),
    ],
)
def test_a_server_is_named_by_its_address_or_by_hand(text: str, remote: Remote) -> None:
    assert remote_of(text) == remote


@pytest.mark.parametrize(
    "text", ["", "docs", "docs=", "ftp://example.org", "https://", "http://me:secret@example.org/mcp"]
)
def test_what_is_no_address_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["connect", text])
    assert ended.value.code == 2
    assert "https://example.org/mcp" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--no-instances"],
        ["--token-from", "NOT_SET"],
        ["https://a.example/mcp", "--token-from", "NOT_SET"],
        ["https://a.example/mcp", "https://b.example/mcp", "--token-from", "PATH"],
    ],
)
def test_options_that_make_no_sense_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["connect", *words])
    assert ended.value.code == 2


def test_a_token_is_not_shown_where_a_server_is_printed() -> None:
    assert "secret" not in repr(remote_of("https://example.org/mcp", "secret"))
