"""Problems: refusals that an author declares, each with a code of its own."""

from __future__ import annotations

import string
from dataclasses import dataclass

from afford.errors import Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemDeclaration:
    """What is constant about a problem."""

    code: str
    status: int
    title: str
    fix: str | None
    docs: str | None
    retryable: bool


class Problem(Exception):
    """Base of the exception classes that `app.problem(...)` makes.

    Raise it from a handler that lists it in `raises=`; one that is not listed is `internal`. Keyword values fill the
    `{placeholders}` of `fix` and `title`, so that the way out can name the thing at hand.
    """

    declaration: ProblemDeclaration

    def __init__(self, message: str, *, retry_after: float | None = None, **values: object) -> None:
        """Say what happened.

        Args:
            message: one sentence for the caller.
            retry_after: seconds until the same call is worth repeating.
            **values: values for the placeholders of `fix` and `title`; also kept for the log.
        """
        super().__init__(message)
        self.message = message
        self.retry_after = retry_after
        self.values = values

    def as_failure(self) -> Failure:
        """The failure this problem stands for."""
        declared = self.declaration
        return Failure(
            code=declared.code,
            message=self.message,
            title=_filled(declared.title, self.values) or declared.title,
            status=declared.status,
            fix=_filled(declared.fix, self.values),
            docs=declared.docs,
            retryable=declared.retryable,
            retry_after=self.retry_after,
        )


def make_problem(declaration: ProblemDeclaration) -> type[Problem]:
    """An exception class for the declared problem, named after its code (`ROOM_TAKEN` gives `RoomTaken`)."""
    name = "".join(part.capitalize() for part in declaration.code.split("_")) or "Problem"
    return type(name, (Problem,), {"declaration": declaration, "__doc__": declaration.title})


def _filled(template: str | None, values: dict[str, object]) -> str | None:
    """The template with its placeholders filled; one that names a missing value stays as written."""
    if template is None or not values:
        return template
    names = {name for _, name, _, _ in string.Formatter().parse(template) if name}
    return template.format(**values) if names <= values.keys() else template
