"""What both sides of a comparison answer: the same hotels, kept in memory, and the requests that ask for them.

Knows no framework, so that neither side can gain by it. Handlers do next to nothing: what is measured is everything
around them.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

Neighbourhood = Literal["Besiktas", "Beyoglu", "Fatih", "Kadikoy", "Sisli", "Uskudar"]
Board = Literal["room only", "breakfast", "half board", "full board"]

PropertyId = Annotated[int, Field(ge=1, description="The hotel's id.")]
Name = Annotated[str, Field(description="Name of the hotel.")]
Area = Annotated[Neighbourhood, Field(description="Area of Istanbul, by its exact name.")]
Stars = Annotated[int, Field(ge=1, le=5, description="Stars out of five.")]
Cents = Annotated[int, Field(ge=0, description="Price of one night in the cheapest room, in cents.")]
Currency = Annotated[Literal["EUR", "TRY", "USD"], Field(description="Currency of the price.")]
Rating = Annotated[float, Field(ge=0, le=10, description="What guests gave it, out of ten.")]


Message = Annotated[str, Field(max_length=200, description="What to say back.")]
Where = Annotated[Neighbourhood | None, Field(description="Exact area name.")]
Meals = Annotated[Board | None, Field(description="Meals that are included.")]
StarFloor = Annotated[int | None, Field(ge=1, le=5, description="Star-rating floor.")]
Arrival = Annotated[date | None, Field(description="Day of arrival.")]
Money = Annotated[str | None, Field(pattern="^[A-Z]{3}$", description="Currency of the prices.")]
Wanted = Annotated[
    list[Annotated[str, Field(min_length=2, max_length=20)]] | None,
    Field(max_length=5, description="What the hotel must offer."),
]

ECHO_TEXT: Final = "Say a message back."
SEARCH_TEXT: Final = "Find hotels. Narrow with filters rather than reading everything."


class HotelRow(TypedDict):
    """One hotel as a dictionary."""

    property_id: PropertyId
    name: Name
    neighbourhood: Area
    stars: Stars
    from_price_cents: Cents
    currency: Currency
    rating: Rating


class HotelModel(BaseModel):
    """The same hotel as a model."""

    property_id: PropertyId
    name: Name
    neighbourhood: Area
    stars: Stars
    from_price_cents: Cents
    currency: Currency
    rating: Rating


class HotelPage(TypedDict):
    """A page of hotels, as an MCP result carries it."""

    rows: list[HotelRow]
    next_cursor: str


class Echo(TypedDict):
    """What the smallest query answers."""

    message: str


ROWS: Final[list[HotelRow]] = [
    {
        "property_id": 1000 + number,
        "name": f"Golden Horn Garden Hotel {number:03}",
        "neighbourhood": "Besiktas",
        "stars": 1 + number % 5,
        "from_price_cents": 9900 + 150 * number,
        "currency": "EUR",
        "rating": 6.5 + number % 30 / 10,
    }
    for number in range(100)
]
MODELS: Final = [HotelModel(**row) for row in ROWS]

ECHO_ARGUMENTS: Final[dict[str, object]] = {"message": "hello"}
SEARCH_ARGUMENTS: Final[dict[str, object]] = {
    "neighbourhood": "Besiktas",
    "board": "breakfast",
    "min_stars": 4,
    "check_in": "2030-06-12",
    "currency": "EUR",
    "amenities": ["pool", "spa"],
    "limit": 20,
}
ECHO_QUERY: Final = "message=hello"
SEARCH_QUERY: Final = (
    "neighbourhood=Besiktas&board=breakfast&min_stars=4&check_in=2030-06-12&currency=EUR"
    "&amenities%5B%5D=pool&amenities%5B%5D=spa&limit=20"
)
"""Six filters and a limit, brackets percent-encoded as URL libraries write them."""
