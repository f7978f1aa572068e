"""What people log in with, by the names of fields: e-mail addresses, telephone numbers and names of accounts."""

from __future__ import annotations

import re
from typing import Final

from afford.errors import JsonObject
from afford.lint.fields import snake
from afford.lint.schemas import Place, kinds_of, texts_of

_LOGIN: Final = re.compile(
    r"(?:^|_)(?:e_?mails?(?:_address(?:es)?)?|(?:phone|mobile|cell|telephone)s?(?:_(?:numbers?|no))?|msisdn|"
    r"logins?(?:_name)?|user_?names?|login_id|whatsapp(?:_number)?|screen_name)$"
)
_FORMATS: Final = frozenset({"email", "idn-email"})
_OF_THE_SERVICE: Final = re.compile(
    r"(?:^|_)(?:contact|support|info|help|help_?desk|service|office|business|shop|store|hotel|property|venue|"
    r"restaurant|clinic|company|organi[sz]ation|school|branch|reception|front_desk|bookings?|reservations?|press|"
    r"sales|public|emergency|hotline|vendor|supplier|carrier|airline|museum|library|pharmacy|practice)_"
)
_PUBLIC: Final = re.compile(
    r"\b(?:public\w*|business|front desk|reception|office|hotline|of the (?:shop|hotel|venue|restaurant|clinic|"
    r"company|branch|service|practice|library|museum|organi[sz]ation)|pseudonym\w*|opaque|relay\w*|masked|"
    r"contact (?:address|number))\b",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(
    r"(?:^|_|/)(?:owner|seller|buyer|author|poster|member|user|guest|customer|creator|host|tenant|patient|student|"
    r"employee|client|applicant|sender|recipient|rider|driver|donor|attendee|participant|reviewer|uploader|assignee|"
    r"lender|borrower|account|profile|person|people|staff|manager|landlord|renter|parent|teacher|candidate)s?(?:_|/|$)"
)


def is_login(place: Place, root: JsonObject) -> bool:
    """Whether a field holds what some person logs in with; the address of a shop is published for everybody."""
    kinds = kinds_of(place.schema, root)
    if kinds and "string" not in kinds:
        return False
    name = snake(place.name)
    named = _LOGIN.search(name) is not None or place.schema.get("format") in _FORMATS
    return named and not _OF_THE_SERVICE.search(name) and not _PUBLIC.search(texts_of(place.schema, root))


def is_of_an_owner(place: Place) -> bool:
    """Whether a field is said to belong to a person, by its own name or by the object that it is in."""
    holder = place.pointer.rpartition("/properties/")[0]
    return _OWNER.search(snake(place.name)) is not None or _OWNER.search(snake(holder)) is not None
