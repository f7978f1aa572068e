"""Markers that an author puts into `Annotated[...]`; what each means is decided elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

ChoicesLoader = Callable[[], Iterable[str] | Awaitable[Iterable[str]]]
"""A function of no arguments, sync or async, that answers the members of a closed set."""


@dataclass(frozen=True, slots=True)
class Choices:
    """A closed set of strings that lives in data: published as `enum`, enforced as published.

    `load` runs off the hot path. One snapshot per catalog epoch serves both catalog and validation. Derive a
    vocabulary (the areas you serve), not an inventory (the areas that have something today): with an inventory
    "nothing there now" turns into a refusal.
    """

    load: ChoicesLoader


@dataclass(frozen=True, slots=True)
class UserText:
    """Text that the application's own users wrote; published as `x-user-text: true`.

    It tells a reader, above all a model, that this is somebody's words and not the service speaking.
    """


@dataclass(frozen=True, slots=True)
class Identifier:
    """Something an account logs in with, such as an address; never allowed in `published` rows."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that is redacted in every record; `pydantic.SecretStr` is treated alike."""
