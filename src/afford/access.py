"""Access rules: who may call, as data.

A rule is a frozen tree over the caller. Being data it can be printed, checked for roles that nobody declared, and
judged once per set of roles. Only `manifest` evaluates rules to decide what a caller may see or call.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Final, cast

from afford.caller import Caller

_log = logging.getLogger("afford.access")

_ANY_VALUE: Final = object()


class Rule:
    """A rule over the caller. Combine with `&`, `|` and `~`."""

    __slots__ = ()

    def allows(self, caller: Caller) -> bool:
        """Whether the caller satisfies the rule."""
        raise TypeError("Rule is abstract: use anyone(), signed_in(), roles(...), claim(...) or a callable")

    def roles_named(self) -> frozenset[str]:
        """Every role the rule mentions, to be compared with the declared ones."""
        return frozenset()

    def claims_named(self) -> frozenset[str]:
        """Every claim the rule reads; their values are part of what a cached manifest is kept under."""
        return frozenset()

    def is_static(self) -> bool:
        """Whether roles, claims and being signed in decide; a callable decides by code and is asked each time."""
        return True

    def __and__(self, other: Rule | Callable[[Caller], bool]) -> Rule:
        return AllOf((self, _operand(other)))

    def __rand__(self, other: Callable[[Caller], bool]) -> Rule:
        return AllOf((_operand(other), self))

    def __or__(self, other: Rule | Callable[[Caller], bool]) -> Rule:
        return AnyOf((self, _operand(other)))

    def __ror__(self, other: Callable[[Caller], bool]) -> Rule:
        return AnyOf((_operand(other), self))

    def __invert__(self) -> Rule:
        return Not(self)


@dataclass(frozen=True, slots=True)
class Anyone(Rule):
    """Allows every caller, anonymous ones too."""

    def allows(self, caller: Caller) -> bool:
        """True."""
        return True

    def __str__(self) -> str:
        return "anyone()"


@dataclass(frozen=True, slots=True)
class SignedIn(Rule):
    """Allows callers that authentication identified."""

    def allows(self, caller: Caller) -> bool:
        """Whether there is a principal."""
        return caller.principal is not None

    def __str__(self) -> str:
        return "signed_in()"


@dataclass(frozen=True, slots=True)
class Roles(Rule):
    """Allows callers that hold at least one of the roles. There is no hierarchy and no wildcard."""

    names: frozenset[str]

    def allows(self, caller: Caller) -> bool:
        """Whether the role sets meet."""
        return not self.names.isdisjoint(caller.roles)

    def roles_named(self) -> frozenset[str]:
        """The roles."""
        return self.names

    def __str__(self) -> str:
        return f"roles({', '.join(map(repr, sorted(self.names)))})"


@dataclass(frozen=True, slots=True, eq=False)
class Claim(Rule):
    """Allows callers whose claim has one of the values; without values, callers that have the claim at all."""

    name: str
    values: tuple[object, ...] = ()

    def allows(self, caller: Caller) -> bool:
        """Whether the claim is there and, where values are given, is one of them or a list holding one."""
        held = caller.claims.get(self.name, _ANY_VALUE)
        if held is _ANY_VALUE:
            return False
        if not self.values:
            return True
        if isinstance(held, (list, tuple, set, frozenset)):
            members = cast("Iterable[object]", held)
            return any(_same(item, value) for item in members for value in self.values)
        return any(_same(held, value) for value in self.values)

    def claims_named(self) -> frozenset[str]:
        """The claim."""
        return frozenset({self.name})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Claim) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        """What makes two of these the same rule: True and 1 are different values."""
        return (self.name, *((isinstance(value, bool), value) for value in self.values))

    def __str__(self) -> str:
        return f"claim({', '.join(map(repr, (self.name, *self.values)))})"


@dataclass(frozen=True, slots=True)
class _Combination(Rule):
    """A rule made of others: it reads what they read."""

    parts: tuple[Rule, ...]

    def roles_named(self) -> frozenset[str]:
        """The parts' roles."""
        return frozenset[str]().union(*(part.roles_named() for part in self.parts))

    def claims_named(self) -> frozenset[str]:
        """The parts' claims."""
        return frozenset[str]().union(*(part.claims_named() for part in self.parts))

    def is_static(self) -> bool:
        """Whether every part is."""
        return all(part.is_static() for part in self.parts)


@dataclass(frozen=True, slots=True)
class AllOf(_Combination):
    """Allows callers that every part allows."""

    def allows(self, caller: Caller) -> bool:
        """Whether every part allows."""
        return all(part.allows(caller) for part in self.parts)

    def __str__(self) -> str:
        return " & ".join(_parenthesised(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf(_Combination):
    """Allows callers that at least one part allows."""

    def allows(self, caller: Caller) -> bool:
        """Whether any part allows."""
        return any(part.allows(caller) for part in self.parts)

    def __str__(self) -> str:
        return " | ".join(_parenthesised(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Not(Rule):
    """Allows the callers that the part refuses."""

    part: Rule

    def allows(self, caller: Caller) -> bool:
        """Whether the part refuses."""
        return not self.part.allows(caller)

    def roles_named(self) -> frozenset[str]:
        """The part's roles."""
        return self.part.roles_named()

    def claims_named(self) -> frozenset[str]:
        """The part's claims."""
        return self.part.claims_named()

    def is_static(self) -> bool:
        """Whether the part is."""
        return self.part.is_static()

    def __str__(self) -> str:
        return f"~{_parenthesised(self.part)}"


@dataclass(frozen=True, slots=True)
class AnySeparately(_Combination):
    """Allows callers that some part allows, for what shows several things that have a rule each.

    Unlike under `|`, a part that raises refuses for itself alone.
    """

    def allows(self, caller: Caller) -> bool:
        """Whether some part allows."""
        return any(judge(part, caller) for part in self.parts)

    def __str__(self) -> str:
        return " | ".join(_parenthesised(part) for part in self.parts)


class _RaisedError(Exception):
    """A predicate raised: the whole rule refuses, whatever surrounds it."""


@dataclass(frozen=True, slots=True, eq=False)
class Predicate(Rule):
    """Allows the callers for which the author's function answers True; asked each time, never cached.

    Equal to itself alone, so that a callable object without a hash can be one.
    """

    function: Callable[[Caller], bool]

    def allows(self, caller: Caller) -> bool:
        """Whether the function answers exactly True. Anything else, an awaitable too, refuses."""
        try:
            return self.function(caller) is True
        except Exception as error:
            raise _RaisedError from error

    def is_static(self) -> bool:
        """False."""
        return False

    def __str__(self) -> str:
        return getattr(self.function, "__qualname__", repr(self.function))


def judge(rule: Rule, caller: Caller) -> bool:
    """Whether the rule allows the caller; a predicate that raises refuses, and is logged.

    The exception refuses the whole rule rather than its own part, so that `~broken` does not allow.
    """
    try:
        return rule.allows(caller)
    except _RaisedError as error:
        _log.error("access rule %s raised; the caller is refused", rule, exc_info=error.__cause__)
        return False


def anyone() -> Rule:
    """Everybody, anonymous callers too."""
    return Anyone()


def signed_in() -> Rule:
    """Everybody whom authentication identified."""
    return SignedIn()


def roles(*names: str) -> Rule:
    """Callers that hold at least one of these roles.

    Raises:
        TypeError: no name was given, or one of them is not a string.
    """
    if not names or not all(isinstance(name, str) and name for name in names):
        raise TypeError("roles() takes one or more role names, such as roles('guest', 'staff')")
    return Roles(frozenset(names))


def claim(name: str, *values: object) -> Rule:
    """Callers whose claim `name` has one of `values`; without values, callers that have it at all.

    Raises:
        TypeError: `name` is no text, or a value is a collection, which no claim is compared with as a whole.
    """
    if not isinstance(name, str) or not all(isinstance(value, Hashable) for value in values):
        raise TypeError("claim() takes a name and single values, such as claim('tenant', 'north', 'south')")
    return Claim(name, values)


def as_rule(value: object) -> Rule | None:
    """The rule that an `access=` argument stands for: a rule, a callable over the caller, or None.

    Raises:
        TypeError: the value is neither.
    """
    if value is None or isinstance(value, Rule):
        return value
    if isinstance(value, Iterable):
        raise TypeError(f"access={value!r} is not a rule; write roles('name', ...)")
    if inspect.iscoroutinefunction(value):
        name = getattr(value, "__qualname__", value)
        raise TypeError(f"access={name} is async, and rules are not awaited; decide from the caller's roles and claims")
    if callable(value):
        return Predicate(cast("Callable[[Caller], bool]", value))
    raise TypeError(f"access={value!r} is not a rule; use anyone(), signed_in(), roles(...), claim(...) or a callable")


def _operand(value: object) -> Rule:
    """What stands beside a rule in `&` or `|`: a rule too, or a callable."""
    rule = as_rule(value)
    if rule is None:
        raise TypeError("a rule cannot be combined with None")
    return rule


def _same(left: object, right: object) -> bool:
    """Equality that keeps True and 1 apart, since claims come from JSON."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def _parenthesised(rule: Rule) -> str:
    return f"({rule})" if isinstance(rule, (AllOf, AnyOf, AnySeparately)) else str(rule)
