"""Words that show that a description says something worth having: when to call, what happens, what the result is."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonValue
from afford.lint.prose import telling
from afford.lint.schemas import places
from afford.lint.target import Described
from afford.lint.words import Span, words

TRIGGER: Final = re.compile(
    r"\b(?:when|whenever|before|after|once|if|unless|until|while|during|as soon as|instead of|rather than|in order to|"
    r"(?:use|call|run|read|ask|reach for) (?:this|it|them)?\s*(?:to|for|as|with|right|only|first|again|every|at|in|on|"
    r"by|from)|for questions|asks?|asked|wants?|wanted|(?<!no )needs?|needed|picks?|picked|chosen|shortlisted)\b",
    re.IGNORECASE,
)
"""When to call it."""
EFFECT: Final = re.compile(
    r"\b(?:undo\w*|undone|revers\w+|revert\w*|restor\w+|recover\w*|permanent\w*|irrevoc\w+|irrevers\w+|for good|"
    r"forever|final|no way back|cannot|can't|can not|charg\w+|refund\w*|pay|pays|paid|payable|debit\w*|credit\w*|"
    r"bill\w*|owe[sd]?|cost\w*|fees?|sends?|sent|e-?mail\w*|notif\w+|messages?|tells?|told|inform\w*|publish\w*|"
    r"visible|public|held|holds?|reserves|reserved|freed|frees|releas\w+|at once|immediate\w*|instant\w*|right away|"
    r"right now|take[ns]? (?:it |them )?(?:back|effect)|lost|loses?|gone|goes|go|stops?|starts?|also|along with|"
    r"together with|as well|with (?:it|them|all)|everything|and (?:all|any|every\w*|its|their)|overw\w+|"
    r"replac\w+|keeps?|kept|remain\w*|stays?|no longer|becomes?|until|afterwards?|trash|recycle|bin|archiv\w+|"
    r"logs out|logged out|"
    r"revok\w+|disconnect\w*|downtime|restart\w*|reboot\w*|moves?|moved|transfer\w*|binding|commit\w*|irretriev\w+|"
    r"invoic\w*|deduct\w*|dispatch\w*|mail(?:s|ed)|receipts?|expir\w*|voids?|voided|ends?|ended|closes|closed|"
    r"same day|straight away|returned|reaches|counts? as|gets?|receives?|leaves?|prints?|printed|again|appears?|drops?|"
    r"destroy\w*|erase\w*|wip\w+|effect|consequences?|interrupt\w*|unavailable|offline|live|deploy\w*|in production|"
    r"real money|side effects?)\b",
    re.IGNORECASE,
)
"""What happens because of it."""
RESULT: Final = re.compile(
    r"\b(?:each row|a row|rows? (?:is|are)|each (?:one|entry|item|result)|newest|oldest|latest|best|cheapest|sorted|"
    r"ordered by|in order|complete|entire|whole|not paginated|a page|pages|summary|summaries|in full|full details?|"
    r"as of|up to date|cached|refreshed|safe to call|expensive|cheap|slow|fast|free of|instead|only|never|not|no|"
    r"nothing|includ\w+|with)\b",
    re.IGNORECASE,
)
"""What the answer is, and what it is not."""
_EMPTY: Final = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "it", "its", "of", "for", "to", "from", "in", "on", "by"),
        *("at", "and", "or", "as", "is", "are", "be", "can", "will", "you", "your", "tool", "operation", "query"),
        *("action", "endpoint", "function", "method", "api", "get", "gets", "list", "lists", "fetch", "fetches"),
        *("retrieve", "retrieves", "return", "returns", "show", "shows", "read", "reads", "given", "specified"),
        *("handle", "handles", "manage", "manages", "perform", "performs", "execute", "executes", "run", "runs", "do"),
        *("does", "allow", "allows", "provide", "provides", "used", "use", "uses", "thing", "things", "stuff", "data"),
        *("id", "ids", "identifier", "information", "info", "detail", "details", "record", "records", "object"),
        *("objects", "item", "items", "system", "database", "specific", "new", "existing", "single", "all", "some"),
        *("please", "create", "creates", "update", "updates", "delete", "deletes", "make", "makes"),
    )
)
"""Words that say nothing that a name does not say."""
_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@functools.lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """A word without its ending, roughly: `orders` and `ordered` are one."""
    return re.sub(r"(?:ies|ied|ing|ed|es|s|y)$", "", word.lower())[:7]


def name_stems(item: Described) -> frozenset[str]:
    """Stems of the words in its name and title."""
    return frozenset(stem(found) for text in (item.name, item.title) for found in _PART.findall(text))


def contents(sentence: Span) -> frozenset[str]:
    """Stems of the words that carry meaning."""
    parts = (part for word in words(sentence.text) for part in _PART.findall(word.text) if len(part) > 1)
    return frozenset(stem(part) for part in parts if part.lower() not in _EMPTY)


def domain_stems(item: Described) -> frozenset[str]:
    """Stems of the words in its name, title and schemas: what a sentence about it is about."""
    return name_stems(item) | frozenset(stem(found) for text in _texts(item) for found in _PART.findall(text))


def opening(item: Described) -> Span | None:
    """The first sentence that says something."""
    return next(telling(item.description), None)


def has_effect(item: Described) -> bool:
    """Whether the description says what happens: its own verb, or a word of its name, says that it happens only."""
    first = next(words(item.description), None)
    own = name_stems(item) | ({stem(first.text)} if first else frozenset[str]())
    return any(stem(match.group()) not in own for match in EFFECT.finditer(item.description))


def _texts(item: Described) -> Iterator[str]:
    for schema in (item.input_schema, item.output_schema):
        for place in places(schema):
            yield place.name
            described: JsonValue = place.schema.get("description")
            if isinstance(described, str):
                yield described
