"""As whom the console looks: the identity that its page asks for, spelled in the query.

Looking is not acting: a manifest says what somebody would be offered, and nothing is called. Only the token of a
development instance acts as others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs

from afford.caller import Caller, Door, Principal, Surface
from afford.errors import ForbiddenError, InvalidInputError, JsonObject
from afford.manifest import Manifest
from afford.schema.strict_json import JsonSyntaxError, parse_object
from afford.surfaces.http.console import Visit


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody to look as."""

    principal: Principal | None
    """None: an anonymous caller."""

    def caller(self, surface: Surface) -> Caller:
        """The identity as an agent on a surface."""
        return Caller(self.principal, Door.AGENT, surface)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the page asks, as far as it is spelled in the query; of repeated names the last one counts."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """A value that has to be there.

        Raises:
            InvalidInputError: it is not.
        """
        value = self.values.get(name)
        if value is None:
            raise InvalidInputError(f"the query names no `{name}`", pointer=f"/{name}", fix=f"add `{name}=`")
        return value

    def number(self, name: str) -> int:
        """A count; 0 where there is none."""
        value = self.values.get(name, "")
        return int(value) if value.isascii() and value.isdigit() and len(value) <= 15 else 0  # noqa: PLR2004 - what a page can count


def read_wanted(query: bytes) -> Wanted:
    """The values of a query string."""
    found = parse_qs(query.decode("latin-1"), keep_blank_values=True, max_num_fields=64)
    return Wanted({name: values[-1] for name, values in found.items()})


def looked_as(wanted: Wanted, visit: Visit) -> Identity:
    """Whom the page looks as: `as`, `roles` (with commas) and `claims` (a JSON object).

    Raises:
        InvalidInputError: a role is not declared, the claims cannot be read, or nobody is named to have them.
    """
    values = wanted.values
    if "self" in values:
        return Identity(visit.admitted.caller.principal)
    name = values.get("as", "")
    names = [role for role in values.get("roles", "").split(",") if role]
    claims = _claims(values.get("claims", ""))
    if not name:
        if names or claims:
            raise InvalidInputError("roles and claims belong to an account", pointer="/as", fix="name one with `as=`")
        return Identity(None)
    _check_roles(names, visit.admitted.runtime.catalog.roles)
    return Identity(Principal(name, names, claims))


def acted_as(wanted: Wanted, visit: Visit) -> Identity:
    """Whom the page acts as: anybody for a developer, on the developer's own machine; everybody else as themselves.

    Raises:
        ForbiddenError: somebody who is no developer would act as another one.
        InvalidInputError: see `looked_as`.
    """
    if visit.is_developer:
        return looked_as(wanted, visit)
    if {"as", "roles", "claims"} & wanted.values.keys():
        raise ForbiddenError("nobody acts as somebody else here", fix="call as yourself, with `self=`")
    return Identity(visit.admitted.caller.principal)


def manifest_of(identity: Identity, visit: Visit, surface: Surface) -> Manifest:
    """What somebody is offered on a surface now."""
    return visit.admitted.runtime.manifest(identity.caller(surface))


def _claims(text: str) -> JsonObject:
    if not text:
        return {}
    try:
        return parse_object(text.encode())
    except JsonSyntaxError as error:
        raise InvalidInputError(
            "the claims are no JSON object", pointer="/claims", fix='write `{"name": "value"}`'
        ) from error


def _check_roles(names: Sequence[str], declared: frozenset[str]) -> None:
    for name in names:
        if name not in declared:
            known = ", ".join(sorted(declared)) or "none"
            raise InvalidInputError(f"no role is called `{name}`", pointer="/roles", fix=f"declared are: {known}")
