"""`Ask`: a question to the person behind the caller, put before the handler runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MENTION: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Where a question mentions an argument."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Marks a parameter that a person answers: `answer: Annotated[Address, Ask("Where should it be sent?")]`.

    The annotated type is a model with flat fields (text, numbers, booleans, closed sets), since a form is all that
    clients can show (MCP specification, "Elicitation"). Nothing runs before the answer is there, and nothing twice.
    """

    message: str
    """What the person reads; `{name}` stands for the argument of that name, or for its default where it is left out."""
