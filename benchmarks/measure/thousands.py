"""Apps with as many operations as wanted, each with types of its own, as a large back office has them.

Each function without parameters makes an ASGI application; a server is started with its name.
"""

from __future__ import annotations

from types import CodeType
from typing import Final

from thousands_text import DESCRIPTION, IMPORTS, PARAMETERS, ROLES, ROW, compiled, kept_code, modules

from afford import ApiKeys, App, Feature, Principal
from afford.surfaces.http.surface import HttpSurface

KEY: Final = "benchmark-key-of-somebody-with-two-roles"
QUERY: Final = "area=north&board=breakfast&stars_3=4&since=2030-06-12&currency=EUR&tags%5B%5D=pool&limit=20"

_HEAD: Final = (
    IMPORTS
    + """
from afford import Feature, Page, PageRequest, Paging, roles

feature = Feature("feature{feature}", access=roles("role0", "role1"))
"""
    + ROW
)
_OPERATION: Final = f"""
@feature.query(
    id="search{{number}}",
    description="{DESCRIPTION}",
    access=roles("{{first}}", "{{second}}"),
    paging=Paging(default=20, max=50),
)
async def search{{number}}({PARAMETERS}
    *,
    page: PageRequest[int],
) -> Page[Row]:
    return Page(ROWS, next=page.limit)
"""


def compiled_features(operations: int) -> list[CodeType]:
    """The code of enough features to hold that many operations."""
    return compiled(operations, _HEAD, _OPERATION)


def declared(codes: list[CodeType], held: tuple[str, ...] = ROLES[:2]) -> App:
    """An app with the features joined, not yet built; the key's account holds the roles."""
    keys = ApiKeys({KEY: Principal("somebody", roles=held)})
    # Deferring would answer a list of two tools, where the whole list is measured.
    app = App("thousands", roles=ROLES, authenticate=keys, tool_budget=0)
    for module in modules(codes):
        feature: Feature = module.feature
        app.include(feature)
    return app


def started() -> HttpSurface:
    """An app of the code that was kept for this process."""
    return declared(kept_code()).asgi()
