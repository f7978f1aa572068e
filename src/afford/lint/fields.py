"""What the name of a field says about its values: money, dates, identifiers. English names, in any spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from afford.errors import JsonObject
from afford.lint.schemas import Place, kinds_of

CURRENCY: Final = re.compile(
    r"[€$£¥₺₹]|(?i:\b(?:currenc(?:y|ies)|euros?|dollars?|pounds?|sterling|yen|yuan|rupees?|lira|francs?|pesos?|bitcoins?"
    r"|eur|usd|gbp|chf|jpy|sek|nok|dkk|pln|inr|btc|eth)\b)|\b(?:CNY|AUD|CAD|NZD|CZK|HUF|BRL|TRY|ZAR|KRW|SGD|HKD|MXN|ILS|THB)\b"
)
"""Words that tell in what money something is; `currency` itself refers to where it stands."""
CENTS: Final = re.compile(
    r"\b(?:cents?|pence|pennies|minor units?|smallest units?|sats|satoshis?|wei)\b", re.IGNORECASE
)
_MEASURE: Final = re.compile(
    r"%|\b(?:percent(?:age)?|kilograms?|kilos?|grams?|kg|g|mg|millilit(?:re|er)s?|ml|lit(?:re|er)s?|l|pieces?|items|people"
    r"|units?(?! prices?)|points?|credits?|tokens?|coins?|miles|shares?|servings?|number of|how many|count"
    r"|(?:seconds|minutes|hours|days|nights)|\w*watts?(?:[ -]hours?)?|k?wh?|met(?:re|er)s?|cm|mm)\b",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"(?:^|_)(?:prices?|amount|fee|fare|salary|deposit|cost|rent|wage)(?:_(?:min|max|from|to|total|per_[a-z]+|due|paid|off|each))?$|(?:^|_)cents$"
)
_DATE: Final = re.compile(
    r"(?:^|_)(?:birthday|deadline|valid_(?:from|until|to)|(?:due|born|sent|paid|created|updated|issued|published|signed"
    r"|expires|starts|ends|started|ended)_on)$"
    r"|(?:^|_)date(?:_(?:of_[a-z]+|from|to|start|end|until))?$|^check_?(?:in|out)$"
    r"|(?:^|_)(?:[a-z]+ed|starts?|ends?|begins?|expires?|opens?|closes?|sent|paid|due|departs?|arrives?|seen|run|held"
    r"|made|taken)_at$"
)
_DATE_FORM: Final = re.compile(
    r"\byy|\biso\b|\biso[ -]?8601|\brfc\b|\brfc[ -]?3339|\butc\b|\btimestamps?\b"
    r"|\bdd[./-]mm\b|\bmm[./-]dd\b|\bhh:|\bepoch\b|\bunix\b|\d{4}-\d\d(?!\d)|\d\d[/.]\d\d[/.]\d\d"
    r"|\bnatural[ -]language\b|\brelative\b|\btoday\b|\btomorrow\b|\bfree text\b|\bformat",
    re.IGNORECASE,
)
_NUMBERS: Final = frozenset({"integer", "number"})
_TEXT: Final = frozenset({"string"})


def snake(name: str) -> str:
    """A name in lower case with underscores, whatever its own spelling: `checkIn` is `check_in`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


def is_money(name: str, schema: JsonObject, root: JsonObject) -> bool:
    """Whether it is a number that is called a price, an amount or cents."""
    kinds = kinds_of(schema, root) - {"null"}
    return bool(kinds) and kinds <= _NUMBERS and _MONEY.search(snake(name)) is not None


def is_text(schema: JsonObject, root: JsonObject) -> bool:
    """Whether it is a text, or null."""
    return kinds_of(schema, root) - {"null"} == _TEXT


def is_date(name: str, schema: JsonObject, root: JsonObject) -> bool:
    """Whether it is a text that is called a date or a moment."""
    return is_text(schema, root) and _DATE.search(snake(name)) is not None


def says_unit(name: str, text: str) -> bool:
    """Whether the text about a number tells its unit; only an amount may be one of something else than money."""
    of_money = CURRENCY.search(text) or CENTS.search(text)
    return bool(of_money or ("price" not in snake(name) and _MEASURE.search(text)))


def says_date_form(text: str) -> bool:
    """Whether a text tells how a date is written."""
    return _DATE_FORM.search(text) is not None


def is_identifier(name: str) -> bool:
    """Whether it is called an id of something: `order_id`, `orderId`."""
    return snake(name).endswith("_id")


def has_currency(places: Iterable[Place]) -> bool:
    """Whether one of the places is a field that holds the currency of others."""
    return any("currency" in snake(place.name) for place in places)
