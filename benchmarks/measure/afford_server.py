"""The measured side: one app with the smallest query and a realistic one, with and without credentials.

Each function without parameters makes an ASGI application; a server is started with its name.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final

from hotels import MODELS, ROWS, Board, Echo, HotelModel, HotelRow, Neighbourhood
from pydantic import Field

from afford import ApiKeys, App, Page, PageRequest, Paging, Principal, Rule, anyone, roles
from afford.surfaces.http.surface import HttpSurface

KEY: Final = "benchmark-key-of-a-guest-who-is-staff"
FILTERS: Final = "Narrow with filters rather than reading everything."

Where = Annotated[Neighbourhood | None, Field(description="Exact area name.")]
Meals = Annotated[Board | None, Field(description="Meals that are included.")]
StarFloor = Annotated[int | None, Field(ge=1, le=5, description="Star-rating floor.")]
Arrival = Annotated[date | None, Field(description="Day of arrival.")]
Money = Annotated[str | None, Field(pattern="^[A-Z]{3}$", description="Currency of the prices.")]
Wanted = Annotated[
    list[Annotated[str, Field(min_length=2, max_length=20)]] | None,
    Field(max_length=5, description="What the hotel must offer."),
]


def with_keys() -> HttpSurface:
    """Callers send an API key that stands for two roles, and every operation asks for one of them."""
    keys = ApiKeys({KEY: Principal("guest-1", roles=["guest", "staff"])})
    app = App("hoteling", roles=("guest", "staff"), authenticate=keys)
    _declare(app, roles("guest", "staff"))
    return app.asgi()


def open_to_all() -> HttpSurface:
    """Nobody is authenticated and everybody may call."""
    app = App("hoteling")
    _declare(app, anyone())
    return app.asgi()


def _declare(app: App, access: Rule) -> None:
    @app.query(description="Say a message back.", access=access)
    async def echo(message: Annotated[str, Field(max_length=200, description="What to say back.")]) -> Echo:
        return {"message": message}

    @app.query(description=f"Find hotels. {FILTERS}", access=access, paging=Paging(default=20, max=50))
    async def search_hotels(
        neighbourhood: Where = None,
        board: Meals = None,
        min_stars: StarFloor = None,
        check_in: Arrival = None,
        currency: Money = None,
        amenities: Wanted = None,
        *,
        page: PageRequest[int],
    ) -> Page[HotelRow]:
        start = page.after or 0
        return Page(ROWS[start : start + page.limit], next=start + page.limit)

    @app.query(description=f"Find hotels, kept as models. {FILTERS}", access=access, paging=Paging(default=20, max=50))
    async def search_hotel_models(
        neighbourhood: Where = None,
        board: Meals = None,
        min_stars: StarFloor = None,
        check_in: Arrival = None,
        currency: Money = None,
        amenities: Wanted = None,
        *,
        page: PageRequest[int],
    ) -> Page[HotelModel]:
        start = page.after or 0
        return Page(MODELS[start : start + page.limit], next=start + page.limit)
