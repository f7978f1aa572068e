"""The caller is who the options say, or nobody."""

from __future__ import annotations

import pytest

from afford import App, Door, Surface
from afford.cli.failures import CommandError
from afford.cli.identity import CallerOptions

SHOP = App("shop", roles=("guest", "staff"))


def test_without_options_the_caller_is_an_anonymous_agent() -> None:
    caller = CallerOptions().caller(SHOP, Surface.CLI)
    assert (caller.principal, caller.door, caller.surface) == (None, Door.AGENT, Surface.CLI)


def test_an_account_has_the_stated_roles_and_claims() -> None:
    options = CallerOptions(identity="ada", roles="guest, staff", claim=["tenant=acme", "level=3", 'code="3"'])
    caller = options.caller(SHOP, Surface.HTTP)
    assert caller.id == "ada"
    assert caller.roles == {"guest", "staff"}
    assert caller.claims == {"tenant": "acme", "level": 3, "code": "3"}


@pytest.mark.parametrize(
    "options",
    [
        CallerOptions(roles="guest"),
        CallerOptions(claim=["tenant=acme"]),
        CallerOptions(identity=""),
        CallerOptions(identity="ada", roles="stuff"),
        CallerOptions(identity="ada", roles="emperor"),
        CallerOptions(identity="ada", claim=["tenant"]),
        CallerOptions(identity="ada", claim=["=acme"]),
    ],
)
def test_what_describes_no_caller_is_wrong_usage(options: CallerOptions) -> None:
    with pytest.raises(CommandError) as raised:
        options.caller(SHOP, Surface.HTTP)
    assert raised.value.exit_code == 2


def test_a_misspelt_role_is_named_with_the_one_that_was_meant() -> None:
    with pytest.raises(CommandError) as raised:
        CallerOptions(identity="ada", roles="stuff").caller(SHOP, Surface.HTTP)
    assert "`staff`" in raised.value.message
