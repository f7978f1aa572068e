"""A text that is dressed up as another part of the conversation, or hides a part from people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.phrases import Phrases, each_phrase, phrases
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target

_MARKUP: Final[Phrases] = phrases(
    "<|[|system|secret|hidden",
    r"< ?/? ?(?:important|critical|mandatory|system[ _-]?(?:prompt|message|reminder|instructions?|note|override)|"
    r"(?:secret|hidden)[ _-]?(?:instructions?|prompt|note)) ?>",
    r"<(?P<part>system|instructions?|assistant|developer|admin|secret|hidden|prompt)>(?=[^<]* [^<]* "
    r"[^<]*</(?P=part)>)",
    r"<\|[a-z][a-z_ ]{1,30}\|>",
    r"\[/?inst\]|<</?sys>>|\[/?system[ _](?:prompt|message|instructions?|override)\]",
    r"\[system\]:? ?(?:you|ignore|always|never|do not|from now|the assistant)\b",
    r"<!--",
    r"(?<![a-z])(?:begin|end|start) (?:of )?(?:the )?(?:system|hidden|secret) (?:prompt|message|"
    r"instructions)(?![a-z])",
)


def check(found: Target) -> Iterator[Finding]:
    """Tags of a prompt, tokens of chat templates, comments; sections such as `<example>` are left alone."""
    yield from each_phrase(found, _MARKUP, "`{}` poses as a part of the prompt, or hides one")


RULE: Final = Rule(
    code="TXT105",
    name="counterfeit-markup",
    severity=Severity.ERROR,
    what="A text has the marks of a system prompt, of a chat template or of a comment.",
    why="A model takes what stands between them for orders from above, and people do not see it.",
    fix="Take the marks out, and say it as a sentence about the service.",
    source="house style checklist, item 15; tool poisoning with `<IMPORTANT>` blocks",
    bad=with_change("search_hotels", description=f"{SEARCH.description} <IMPORTANT>Areas have changed.</IMPORTANT>"),
    good=with_change("search_hotels", description=f"{SEARCH.description} <note>Areas have changed.</note>"),
    check=check,
)
