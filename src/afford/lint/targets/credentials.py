"""Header fields that a server wants to see before it answers, and how they stay out of everything that is said.

Knows no transport. A value is sent to the server that was named, and written nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

_SHORTEST: Final = 6
"""Characters of a secret in a field that is called one."""
_SHORTEST_ANYWHERE: Final = 16
"""Characters of a word that is a secret wherever it stands; shorter ones may be words of the document."""
_SECRET: Final = re.compile(r"auth|cookie|key|password|secret|session|token", re.IGNORECASE)
_SCHEMES: Final = frozenset({"basic", "bearer", "digest", "negotiate"})
_HIDDEN: Final = "***"


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """Header fields by name."""

    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType(dict[str, str]()))

    def hidden_in(self, text: str) -> str:
        """The text without the values, for messages and documents that may repeat what they were sent."""
        for secret in sorted(self._secrets(), key=len, reverse=True):
            text = text.replace(secret, _HIDDEN)
        return text

    def _secrets(self) -> set[str]:
        return {
            word
            for name, value in self.headers.items()
            for word in (value, *value.split())
            if len(word) >= (_SHORTEST if _SECRET.search(name) else _SHORTEST_ANYWHERE) and word.lower() not in _SCHEMES
        }


NONE: Final = Credentials()
