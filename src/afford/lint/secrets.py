"""Shapes that only secrets have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_SECRET: Final = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+"
    r"|(?<![\w-])(?:sk|rk|pk)_live_[A-Za-z0-9]{10,}"
    r"|(?<![\w-])sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}"
    r"|(?<!\w)gh[pousr]_[A-Za-z0-9]{30,}|(?<!\w)github_pat_[A-Za-z0-9_]{30,}|(?<![\w-])glpat-[A-Za-z0-9_-]{16,}"
    r"|(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)|(?<!\w)AIza[A-Za-z0-9_-]{35}|(?<!\w)xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|(?<!\w)npm_[A-Za-z0-9]{36}|(?<!\w)pypi-[A-Za-z0-9_-]{40,}|(?<!\w)SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"
    r"|\b[Bb]earer [A-Za-z0-9._~+/-]{20,}"
    r"|://[^\s/:@]+:[^\s/:@]{6,}@"
)
"""Private keys, signed tokens, keys with the prefix of a known issuer, and passwords in addresses."""
_NEEDLES: Final = (
    *("-----BEGIN", "eyJ", "_live_", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "AKIA"),
    *("ASIA", "AIza", "xox", "npm_", "pypi-", "SG.", "earer ", "://"),
)
"""Each secret has one of these, which is quick to see."""


def secrets_in(text: str) -> Iterator[tuple[int, int]]:
    """Where a text holds something that has the form of a secret."""
    if any(needle in text for needle in _NEEDLES):
        yield from (match.span() for match in _SECRET.finditer(text))
