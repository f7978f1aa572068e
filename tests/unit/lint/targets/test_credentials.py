"""Header fields for a linted server, and that none of them is said."""

from __future__ import annotations

import pytest

from afford.lint.targets.credentials import Credentials
from afford.lint.targets.reading import TargetError, read_target

SECRET = "sk-very-secret-42"


@pytest.mark.requirement("LINT-29")
def test_nothing_that_prints_credentials_shows_them() -> None:
    found = Credentials({"Authorization": f"Bearer {SECRET}"})
    assert SECRET not in f"{found} {found!r}"
    assert found.hidden_in(f"token {SECRET} is unknown, as is Bearer {SECRET}; Bearer is fine") == (
        "token *** is unknown, as is ***; Bearer is fine"
    )


@pytest.mark.requirement("LINT-29")
@pytest.mark.parametrize("name", ["X-Api-Key", "Cookie", "x-session", "Password"])
def test_a_short_value_is_hidden_where_its_field_is_called_a_secret(name: str) -> None:
    assert Credentials({name: "hunter2"}).hidden_in("It is hunter2.") == "It is ***."


def test_a_word_that_is_no_secret_stays_in_the_document() -> None:
    found = Credentials({"X-Tenant": "hotels", "Accept-Language": "en, tr"})
    assert found.hidden_in("Find hotels in en.") == "Find hotels in en."
    assert Credentials({}).hidden_in("Find hotels.") == "Find hotels."


@pytest.mark.requirement("LINT-29")
@pytest.mark.parametrize("address", [f"https://me:{SECRET}@example.com/mcp", f"http://{SECRET}@example.com/a.json"])
def test_an_address_with_a_password_is_refused_without_being_said(address: str) -> None:
    with pytest.raises(TargetError) as refused:
        read_target(address)
    assert SECRET not in str(refused.value)


def test_headers_for_a_file_are_refused() -> None:
    with pytest.raises(TargetError):
        read_target("catalog.json", Credentials({"X-Key": SECRET}))
