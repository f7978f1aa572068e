"""As whom a command looks or calls. Nobody is asked for credentials here: who runs the command is the operator."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Final, TypeAlias, cast

import typer

from afford.app import App
from afford.caller import Caller, Door, Principal, Surface
from afford.cli.failures import CommandError
from afford.errors import JsonValue
from afford.schema.strict_json import JsonSyntaxError, parse_json

TOKEN_VARIABLE: Final = "AFFORD_TOKEN"  # noqa: S105 - the name of a variable
"""Environment variable with the credentials for an address."""
_FIELD: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE: Final = re.compile(r"[\t\x20-\x7e]+")


TokenOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--token",
        metavar="TOKEN",
        envvar=TOKEN_VARIABLE,
        show_envvar=True,
        help="Sent to an address as `Authorization: Bearer`. The variable keeps it out of the shell's history.",
    ),
]
HeaderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--header", metavar="NAME: VALUE", help="Sent to an address as it is; may be repeated."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerOptions:
    """The options that say who the caller is; without any, an anonymous agent."""

    identity: Annotated[
        str | None, typer.Option("--as", metavar="ID", help="Id of the account. Without it the caller is anonymous.")
    ] = None
    roles: Annotated[str, typer.Option("--roles", metavar="A,B", help="Roles of the account, with commas.")] = ""
    claim: Annotated[
        list[str] | None,
        typer.Option(
            "--claim",
            metavar="NAME=VALUE",
            help="A claim of the account; may be repeated. The value is read as JSON where it is JSON, else as text.",
        ),
    ] = None
    door: Annotated[
        Door, typer.Option("--door", help="`agent`: what agents see. `app`: what the application's own people see.")
    ] = Door.AGENT

    @property
    def is_default(self) -> bool:
        """Whether nothing was said about who calls."""
        return self.identity is None and not self.roles and not self.claim and self.door is Door.AGENT

    def caller(self, app: App, surface: Surface) -> Caller:
        """The caller that the options describe.

        Raises:
            CommandError: a role is not declared, a claim cannot be read, or there is no account to have them.
            CatalogError: the app does not build.
        """
        roles = [role.strip() for role in self.roles.split(",") if role.strip()]
        claims = dict(_claim(text) for text in self.claim or ())
        if self.identity is None:
            if roles or claims:
                raise CommandError("roles and claims belong to an account; say which one with `--as ID`")
            return Caller(None, self.door, surface)
        if not self.identity:
            raise CommandError("`--as` needs an id; leave it out for an anonymous caller")
        check_roles(roles, app.build().roles)
        return Caller(Principal(self.identity, roles, claims), self.door, surface)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials(CallerOptions):
    """The same for an app in this process, and what a served one is sent."""

    token: TokenOption = None
    header: HeaderOption = None
    wait: Annotated[
        float, typer.Option("--wait", metavar="SECONDS", min=0.1, help="How long an address has for each answer.")
    ] = 60.0

    def headers(self) -> dict[str, str]:
        """The header fields for an address.

        Raises:
            CommandError: an identity is stated, which is for apps in this process; or a field is none.
        """
        if self.identity is not None or self.roles or self.claim:
            raise CommandError("`--as`, `--roles` and `--claim` are for apps in this process; send `--token` instead")
        return header_fields(self.token, self.header or ())


def header_fields(token: str | None, written: Iterable[str]) -> dict[str, str]:
    """The header fields of the options for an address; a message about one never holds its value.

    Raises:
        CommandError: a field is none.
    """
    fields = {} if token is None else {"Authorization": f"Bearer {token}"}
    for text in written:
        name, separator, value = text.partition(":")
        if not separator or _FIELD.fullmatch(name) is None or _VALUE.fullmatch(value.strip()) is None:
            raise CommandError("`--header` takes `Name: value`, in ASCII; correct it")
        fields[name] = value.strip()
    if any(_VALUE.fullmatch(value) is None for value in fields.values()):
        raise CommandError("the token holds what no header can carry; copy it again")
    return fields


def _claim(text: str) -> tuple[str, object]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise CommandError(f"`{text}` is no claim; write `--claim name=value`")
    return name, cast("object", _json_or_text(value))


def _json_or_text(text: str) -> JsonValue:
    try:
        return parse_json(text.encode())
    except JsonSyntaxError:
        return text


def check_roles(roles: list[str], declared: frozenset[str]) -> None:
    """Refuse what authentication would drop silently: here it is a slip of the pen."""
    for role in roles:
        if role not in declared:
            close = get_close_matches(role, declared, n=1)
            known = (
                f"did you mean `{close[0]}`?" if close else f"the app declares: {', '.join(sorted(declared)) or 'none'}"
            )
            raise CommandError(f"the role `{role}` is not declared; {known}")
