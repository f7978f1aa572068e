"""The socket is bound before anything starts."""

from __future__ import annotations

import socket

import pytest

from afford.cli.failures import CommandError
from afford.cli.listening import authority, listen


@pytest.mark.parametrize(
    ("host", "written"),
    [("127.0.0.1", "127.0.0.1"), ("localhost", "localhost"), ("::1", "[::1]"), ("[::1]", "[::1]")],
)
def test_port_0_takes_a_free_one_and_the_url_names_it(host: str, written: str) -> None:
    if ":" in host and not socket.has_ipv6:
        pytest.skip("no IPv6 on this machine")
    with listen(host, 0) as listener:
        port = listener.getsockname()[1]
        assert port > 0
        assert authority(host, listener) == f"{written}:{port}"


def test_a_taken_port_is_wrong_usage() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(CommandError) as raised:
        listen("127.0.0.1", taken.getsockname()[1])
    assert raised.value.exit_code == 2
