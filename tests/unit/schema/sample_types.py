"""Types that authors write, and Python values of them."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, TypeVar
from uuid import UUID

from hypothesis import strategies as st
from pydantic import UUID4, AwareDatetime, BaseModel, Field, JsonValue, RootModel, StringConstraints
from typing_extensions import TypedDict

from afford.schema.markers import Identifier, UserText

T = TypeVar("T")


class Color(StrEnum):
    RED = "red"
    GREEN = "green"
    DARK_BLUE = "dark-blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Ratio(Enum):
    HALF = 0.5
    ONE = 1.0


class Mixed(Enum):
    NUMBER = 1
    TEXT = "text"
    NOTHING = None


class Address(BaseModel):
    street: Annotated[str, Field(min_length=1, max_length=20, description="As on the sign.")]
    zip: Annotated[str | None, Field(pattern="^[0-9]{5}$")] = None
    floor: Annotated[int, Field(ge=-5, le=200)] = 0


class Guest(BaseModel):
    name: Annotated[str, UserText()]
    email: Annotated[str, Identifier(), Field(alias="eMail")]
    born: date | None = None
    address: Address | None = None
    tags: set[str] = set()


class Node(BaseModel):
    value: int
    next: Node | None = None
    children: list[Node] = []


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: Annotated[int, Field(ge=1, le=9)] = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str
    weight: Annotated[Decimal, Field(max_digits=5, decimal_places=2, ge=0)] | None = None


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0
    label: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Stay:
    arrival: date
    nights: Annotated[int, Field(gt=0, lt=31)]
    paid: datetime | None = None


class Options(TypedDict):
    limit: Annotated[int, Field(ge=1, le=50)]
    sort: NotRequired[Literal["name", "price"]]


class Pair(NamedTuple):
    left: int
    right: str


class Box(BaseModel, Generic[T]):
    content: T
    more: list[T] = []


class Numbers(RootModel[list[int]]):
    pass


class Free(BaseModel):
    data: dict[str, JsonValue]
    extra: Any = None


class Booking(BaseModel):
    id: UUID
    guest: Guest
    stay: Stay
    pet: Pet | None = None
    price: Annotated[Decimal, Field(decimal_places=2, max_digits=10)]
    created: AwareDatetime
    lead: timedelta = timedelta(days=1)
    at: time = time(14)
    color: Color = Color.RED


PLAIN: dict[str, object] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "decimal": Decimal,
    "date": date,
    "datetime": datetime,
    "time": time,
    "timedelta": timedelta,
    "uuid": UUID,
    "text enum": Color,
    "number enum": Level,
    "float enum": Ratio,
    "mixed enum": Mixed,
    "literal": Literal["a", "b"],
    "one literal": Literal["only"],
    "mixed literal": Literal[1, "1", True],
    "enum literal": Literal[Color.RED, Color.GREEN],
    "short text": Annotated[str, Field(min_length=2, max_length=4)],
    "pattern": Annotated[str, Field(pattern=r"^[a-z]{1,3}(?:-[0-9]+)?$", description="A code.")],
    "class pattern": Annotated[str, Field(pattern=r"^\d\w\s.$")],
    "bounded": Annotated[int, Field(ge=1, le=5)],
    "open bounds": Annotated[int, Field(gt=0, lt=10)],
    "far bounds": Annotated[int, Field(ge=-(2**60), lt=2**70)],
    "even": Annotated[int, Field(multiple_of=2)],
    "bounded float": Annotated[float, Field(ge=-1.5, lt=2)],
    "cents": Annotated[float, Field(multiple_of=0.01)],
    "money": Annotated[Decimal, Field(ge=0, max_digits=6, decimal_places=2)],
    "places": Annotated[Decimal, Field(decimal_places=1)],
    "digits": Annotated[Decimal, Field(max_digits=4)],
    "fraction only": Annotated[Decimal, Field(max_digits=2, decimal_places=2)],
    "whole decimal": Annotated[Decimal, Field(decimal_places=0)],
    "list": list[int],
    "long list": Annotated[list[str], Field(min_length=1, max_length=3)],
    "items described": list[Annotated[str, Field(max_length=3, description="One.")]],
    "set": set[int],
    "sized set": Annotated[set[Decimal], Field(min_length=2, max_length=3)],
    "frozenset": frozenset[Color],
    "tuple of any length": tuple[float, ...],
    "sequence": Sequence[date],
    "map": dict[str, int],
    "sized map": Annotated[dict[str, bool], Field(max_length=2)],
    "integer keys": dict[int, str],
    "nested": list[dict[str, set[int]]],
    "optional": int | None,
    "optional list": list[str] | None,
    "optional items": list[int | None],
    "optional bounded": Annotated[int | None, Field(ge=3, examples=[4])],
    "user text": Annotated[str, UserText()],
    "constrained text": Annotated[str, StringConstraints(max_length=3, pattern="^a")],
}

COMPOSED: dict[str, object] = {
    "address": Address,
    "guest": Guest,
    "recursion": Node,
    "tagged union": Pet,
    "optional tagged union": Pet | None,
    "tagged unions": list[Pet],
    "untagged union": Address | Point,
    "dataclass": Point,
    "frozen dataclass": Stay,
    "typed dict": Options,
    "named tuple": Pair,
    "fixed tuple": tuple[int, str, date],
    "generic": Box[date],
    "generic of models": Box[Address],
    "root model": Numbers,
    "free": Free,
    "free map": dict[str, JsonValue],
    "booking": Booking,
    "bookings": list[Booking],
    "int or text": int | str,
    "int or decimal": int | Decimal,
    "bool or decimal": bool | Decimal,
    "int or float": int | float,
    "date or datetime": date | datetime,
    "date or text": date | str,
    "list or map": list[int] | dict[str, int],
    "lists": list[int] | list[Decimal],
    "small or text": Annotated[int, Field(le=3)] | Annotated[str, Field(pattern="^[a-z]+$")],
    "uuid4": UUID4,
    "keys by pattern": dict[Annotated[str, Field(pattern="^[a-z]+$")], int],
    "keys by enum": dict[Color, int],
    "keys by length": dict[Annotated[str, Field(max_length=3)], int],
    "deque": collections.deque[int],
    "ordered map": collections.OrderedDict[int, str],
    "counter": collections.Counter[str],
    "unhashable remark": Annotated[Address, ["a remark of another library"]],
    "level or text": Level | str,
}

EVERY = {**PLAIN, **COMPOSED}

_offsets = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))) | st.just(UTC)
_instants = st.datetimes(timezones=_offsets)
_integers = st.integers(-(2**53) + 1, 2**53 - 1)
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_addresses = st.builds(
    Address,
    street=st.text("abc é", min_size=1, max_size=20),
    zip=st.none() | st.from_regex(r"^[0-9]{5}\Z"),
    floor=st.integers(-5, 200),
)
_guests = st.builds(
    Guest,
    name=_text,
    eMail=_text,
    born=st.none() | st.dates(),
    address=st.none() | _addresses,
    tags=st.sets(_text, max_size=3),
)
_nodes = st.recursive(
    st.builds(Node, value=_integers),
    lambda inner: st.builds(Node, value=_integers, next=st.none() | inner, children=st.lists(inner, max_size=2)),
    max_leaves=4,
)
_money = st.decimals(-99999999, 99999999, places=2)
_dogs = st.builds(
    Dog,
    kind=st.just("dog"),
    name=_text,
    weight=st.none() | st.decimals(0, 999, places=2).map(abs),
)
_pets = st.builds(Cat, lives=st.integers(1, 9)) | _dogs
_stays = st.builds(Stay, arrival=st.dates(), nights=st.integers(1, 30), paid=st.none() | _instants)
_durations = st.timedeltas(timedelta(days=-99_999_999), timedelta(days=99_999_999))
_finite = st.floats(allow_nan=False, allow_infinity=False)

VALUES: dict[str, tuple[object, st.SearchStrategy[Any]]] = {
    "str": (str, _text),
    "int": (int, _integers),
    "float": (float, _finite),
    "bool": (bool, st.booleans()),
    "decimal": (Decimal, st.decimals(allow_nan=False, allow_infinity=False)),
    "money": (Annotated[Decimal, Field(decimal_places=2, max_digits=10)], _money),
    "date": (date, st.dates()),
    "instant": (datetime, _instants),
    "time": (time, st.times()),
    "duration": (timedelta, _durations),
    "uuid": (UUID, st.uuids()),
    "enum": (Color, st.sampled_from(Color)),
    "number enum": (Level, st.sampled_from(Level)),
    "list": (list[date], st.lists(st.dates(), max_size=3)),
    "set": (set[int], st.sets(_integers, max_size=4)),
    "map": (dict[int, Decimal], st.dictionaries(_integers, _money, max_size=3)),
    "optional": (timedelta | None, st.none() | _durations),
    "address": (Address, _addresses),
    "guest": (Guest, _guests),
    "node": (Node, _nodes),
    "pet": (Pet, _pets),
    "pets": (list[Pet | None], st.lists(st.none() | _pets, max_size=3)),
    "dataclass": (Point, st.builds(Point, x=_finite, y=_finite, label=st.none() | _text)),
    "frozen dataclass": (Stay, _stays),
    "typed dict": (Options, st.fixed_dictionaries({"limit": st.integers(1, 50)}, optional={"sort": st.just("name")})),
    "named tuple": (Pair, st.builds(Pair, _integers, _text)),
    "generic": (Box[date], st.builds(Box[date], content=st.dates(), more=st.lists(st.dates(), max_size=2))),
    "root model": (Numbers, st.builds(Numbers, st.lists(_integers, max_size=3))),
    "union": (date | Decimal | Address, st.dates() | _money | _addresses),
    "booking": (
        Booking,
        st.builds(
            Booking,
            id=st.uuids(),
            guest=_guests,
            stay=_stays,
            pet=st.none() | _pets,
            price=_money,
            created=_instants,
            lead=_durations,
            at=st.times(),
            color=st.sampled_from(Color),
        ),
    ),
}
