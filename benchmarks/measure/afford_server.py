"""The measured side: one app with the smallest query and a realistic one, with and without credentials.

Each function without parameters makes an ASGI application; a server is started with its name.
"""

from __future__ import annotations

from typing import Final

from hotels import (
    ECHO_TEXT,
    MODELS,
    ROWS,
    SEARCH_TEXT,
    Arrival,
    Echo,
    HotelModel,
    HotelRow,
    Meals,
    Message,
    Money,
    StarFloor,
    Wanted,
    Where,
)

from afford import ApiKeys, App, Page, PageRequest, Paging, Principal, Rule, anyone, roles
from afford.surfaces.http.surface import HttpSurface

ACCOUNT: Final = "guest-1"
ROLES: Final = ("guest", "staff")
KEY: Final = "benchmark-key-of-a-guest-who-is-staff"


def with_keys() -> HttpSurface:
    """Callers send an API key that stands for two roles, and every operation asks for one of them."""
    return keyed_app().asgi()


def keyed_app() -> App:
    """The application behind `with_keys`."""
    keys = ApiKeys({KEY: Principal(ACCOUNT, roles=ROLES)})
    app = App("hoteling", roles=ROLES, authenticate=keys)
    _declare(app, roles(*ROLES))
    return app


def open_to_all() -> HttpSurface:
    """Nobody is authenticated and everybody may call."""
    app = App("hoteling")
    _declare(app, anyone())
    return app.asgi()


def _declare(app: App, access: Rule) -> None:
    @app.query(description=ECHO_TEXT, access=access)
    async def echo(message: Message) -> Echo:
        return {"message": message}

    @app.query(description=SEARCH_TEXT, access=access, paging=Paging(default=20, max=50))
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

    @app.query(description=f"{SEARCH_TEXT} Kept as models.", access=access, paging=Paging(default=20, max=50))
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
