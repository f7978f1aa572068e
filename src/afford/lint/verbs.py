"""What an operation does, by its own words: the verb that its description opens with, and the one in its name."""

from __future__ import annotations

import re
from typing import Final

from afford.lint.fields import snake
from afford.lint.prose import telling
from afford.lint.target import Described
from afford.lint.words import Span

_LEAD_IN: Final = re.compile(
    r"(?:[`'\"(\[*_#-]|this (?:tool|operation|action|query|endpoint|function|method|call)\b|it\b|(?:use|call) (?:this|"
    r"it)(?: (?:tool|operation))? to\b|tool (?:to|that|for)\b|(?:allows?|lets?|enables?|helps?) (?:you|users?|agents?|"
    r"callers?|the (?:user|caller|agent))(?: to)?\b|(?:used|use) to\b|can\b|will\b|immediately\b|permanently\b|"
    r"safely\b|bulk\b|administratively\b|quickly\b|\s)*",
    re.IGNORECASE,
)
"""What may stand before the verb of a description."""
_VERB: Final = re.compile(r"[A-Za-z]+(?:-[a-z]+)?")
_ASKING: Final = frozenset(
    (
        *("get", "list", "find", "search", "can", "check", "is", "has", "preview", "count", "show", "read", "describe"),
        *("explain", "validate", "dry", "simulate", "estimate", "plan", "should", "what", "who", "why", "how", "view"),
        *("fetch", "lookup", "query", "browse", "review", "compare", "quote", "calculate", "verify", "test", "watch"),
        *("export", "download", "history", "log", "logs", "policy", "policies", "terms", "fee", "fees", "cost"),
        *("reason", "reasons", "request", "requests", "event", "events", "job", "jobs", "impact", "info", "options"),
        *("rules", "status", "statuses", "settings", "config", "template", "templates", "help", "schema", "stats"),
        *("queue", "audit", "report", "reports", "analysis", "summary", "permission", "permissions", "token", "tokens"),
        *("candidates", "eligibility", "window", "deadline", "penalty", "form", "link", "url", "costs"),
    )
)
"""Words in a name that ask about what a verb beside them does."""


def opening(item: Described) -> str:
    """The description from its first verb on; empty where nothing is said."""
    first = next(telling(item.description), None)
    return "" if first is None else first.text[_past_lead_in(first) :]


def verb_of_text(item: Described) -> str:
    """The first word of the description behind what introduces it; `delete`, however it is inflected."""
    match = _VERB.match(opening(item))
    return _bare(match.group()) if match else ""


def verbs_of_name(item: Described) -> frozenset[str]:
    """The words of its name that may be its verb; none where the name asks about something."""
    parts = [part for part in re.split(r"[^a-z]+", snake(item.name)) if part]
    if _ASKING & set(parts):
        return frozenset()
    return frozenset(parts[:1] + parts[-1:] + parts[1:2])


def _past_lead_in(sentence: Span) -> int:
    match = _LEAD_IN.match(sentence.text)
    return match.end() if match else 0


def _bare(word: str) -> str:
    """`delete` of `Deletes`; `publish` of `publishes`."""
    lower = word.lower()
    if lower.endswith(("shes", "ches", "sses", "xes")):
        return lower[:-2]
    return lower[:-1] if lower.endswith("s") and not lower.endswith("ss") else lower
