"""What both sides of a comparison answer: the same hotels, kept in memory, and the requests that ask for them.

Knows no framework, so that neither side can gain by it. Handlers do next to nothing: what is measured is everything
around them.
"""

from __future__ import annotations

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

ECHO_QUERY: Final = "message=hello"
SEARCH_QUERY: Final = (
    "neighbourhood=Besiktas&board=breakfast&min_stars=4&check_in=2030-06-12&currency=EUR"
    "&amenities%5B%5D=pool&amenities%5B%5D=spa&limit=20"
)
"""Six filters and a limit, brackets percent-encoded as URL libraries write them."""
