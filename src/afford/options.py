"""The keyword options of `App`, and what is wrong with them at first sight."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Literal, TypeAlias, TypedDict

from afford.access import Rule, as_rule
from afford.authentication import Authenticator
from afford.caller import Caller, Principal
from afford.errors import DeclarationError
from afford.execute.outcome import CallRecord
from afford.request import Request

_log: Final = logging.getLogger("afford")

Authenticate: TypeAlias = Authenticator | Callable[[Request], Principal | Awaitable[Principal | None] | None]
"""One way to find out who calls: `ApiKeys`, `JWTBearer`, or a function of the request."""

_COLLECTIONS: Final = ("roles", "deny", "allowed_hosts", "allowed_origins")
"""Options that one string would fit by its letters."""


class AppOptions(TypedDict, total=False):
    """Keyword options of `App`."""

    title: str
    """For people; default: the name."""
    version: str
    description: str
    """What the application is for, for people and agents."""
    roles: Iterable[str]
    """Every role the operator may assign; others are dropped from credentials."""
    authenticate: Authenticate | Sequence[Authenticate]
    """How callers are identified, asked in order; without any, everybody is anonymous."""
    access: Rule | Callable[[Caller], bool]
    """Rule for operations that neither state one nor inherit one from their feature."""
    lifespan: Callable[[Any], AbstractAsyncContextManager[object]]
    """Surrounds the life of the app, which it receives."""
    expose_shared_state: bool | Callable[[str], bool]
    """Whether agents may see shared state at all (default), or a function of the full key that says so."""
    deny: Iterable[str]
    """Ids of operations to remove outright."""
    secret: str | bytes
    """Signs cursors; default: the variable `AFFORD_SECRET`, else random, which several workers cannot share."""
    deadline: float | None
    """Seconds an operation may take unless it states its own; default 60, None: no deadline."""
    choices_refresh: float
    """Seconds between two loads of derived closed sets; default 60."""
    catalog: Literal["caller", "public"]
    """Whether `GET /schema` shows what its caller may call (default), or every exposed operation to everybody."""
    allowed_hosts: Iterable[str]
    """Host names that requests may be for, besides loopback and the server's own address."""
    allowed_origins: Iterable[str]
    """Origins whose pages may call; also switches CORS on for them."""
    public_url: str
    """Where the mounted app is reached from outside, for absolute links."""
    public: bool
    """The operator knows that anonymous callers may run exposed writes over the network."""
    max_body: int
    """Bytes a request body may have; default 1 MiB."""
    console: Rule | Callable[[Caller], bool]
    """Who may open the console at `{mount}/console` of the agent door; without it there is none, and the path is
    unknown."""
    record: Callable[[CallRecord], None]
    """Told of every finished call; must not block."""
    tool_budget: int | None
    """Tokens of an MCP tool list above which it defers to a search; default 20,000; 0 or None: never."""
    mcp_sessions: bool | int | None
    """Whether, or how many, older MCP clients may keep a session, which one process holds; default: 1,000, where
    `afford[sessions]` is installed and `afford serve` runs one process. Say False where others start several."""


def check_options(options: Mapping[str, object]) -> None:
    """Refuse what cannot be an option.

    Raises:
        DeclarationError: an option does not exist, is one name where several are meant, or is no rule where one is.
    """
    unknown = sorted(set(options) - set(AppOptions.__annotations__))
    if unknown:
        raise DeclarationError(f"App has no option `{unknown[0]}`; it has {', '.join(AppOptions.__annotations__)}")
    for option in _COLLECTIONS:
        if isinstance(options.get(option), str):
            raise DeclarationError(f"`{option}` takes a collection of names; write `{option}=[...]`")
    try:
        as_rule(options.get("console"))
    except TypeError as error:
        raise DeclarationError(f"`console` of App: {error}") from error


def shows_state(options: AppOptions) -> bool | Callable[[str], bool]:
    """Whether agents may see shared state: all of it, none, or by its full key; a function that fails shows nothing."""
    stated = options.get("expose_shared_state", True)
    if isinstance(stated, bool):
        return stated

    def shows(key: str) -> bool:
        try:
            return stated(key) is True
        except Exception:  # noqa: BLE001 - fail closed, whatever the function raises
            _log.exception("`expose_shared_state` raised for %s; it is not shown", key)
            return False

    return shows
