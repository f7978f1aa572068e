"""Where a type carries a marker."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import pytest
from pydantic import BaseModel, Field, RootModel, SecretBytes, SecretStr
from pydantic import Secret as SecretOf
from typing_extensions import TypedDict

from afford.schema import marked
from afford.schema.markers import Identifier, Secret, UserText

T = TypeVar("T")
Email = Annotated[str, Identifier()]


class Person(BaseModel):
    email: Annotated[Email, Field(alias="eMail", description="Where.")]
    others: list[Email] = []
    friend: Person | None = None
    token: SecretStr | None = None


class Account(Person):
    logins: dict[str, Email | None]
    name: Annotated[str | None, Field(description="x"), UserText()] = None


@dataclasses.dataclass
class Card:
    number: Annotated[str, Secret(), Identifier()]
    owner: Person


class Login(TypedDict):
    name: Email


class Pair(NamedTuple):
    left: int
    right: Email


class Holder(BaseModel, Generic[T]):
    held: T


@pytest.mark.parametrize(
    ("annotation", "marker", "paths"),
    [
        (int, Identifier, []),
        (Email, Identifier, [""]),
        (list[Email], Identifier, ["*"]),
        (Email | None, Identifier, [""]),
        (Person, Identifier, ["eMail", "others.*"]),
        (Account, Identifier, ["eMail", "others.*", "friend.eMail", "friend.others.*", "logins.*"]),
        (Account, UserText, ["name"]),
        (list[Account], Secret, ["*.friend.token", "*.token"]),
        (dict[str, list[Card]], Identifier, ["*.*.number", "*.*.owner.eMail", "*.*.owner.others.*"]),
        (Card, Secret, ["number", "owner.token"]),
        (Login, Identifier, ["name"]),
        (Pair, Identifier, ["right"]),
        (Holder[Email], Identifier, ["held"]),
        (Holder[Person] | None, Identifier, ["held.eMail", "held.others.*"]),
        (RootModel[list[Email]], Identifier, ["root.*"]),
        (SecretStr, Secret, [""]),
        (SecretBytes | None, Secret, [""]),
        (SecretOf[int], Secret, [""]),
        (Annotated[SecretStr, Secret()], Secret, [""]),
        (Any, Secret, []),
        (tuple[int, Email], Identifier, ["*"]),
    ],
)
def test_the_places_of_a_marker_are_named_by_published_names(
    annotation: object, marker: type, paths: list[str]
) -> None:
    assert marked(annotation, marker) == paths
