"""Apps with as many operations as wanted, each with types of its own, as a large back office has them.

Operations come as source text, because that is what an author's modules are: annotations, `Field` calls and decorators
are run once per operation. A feature holds a hundred operations, which share its row.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from types import CodeType, ModuleType
from typing import Final

from afford import ApiKeys, App, Feature, Principal

ROLES: Final = tuple(f"role{number}" for number in range(12))
KEY: Final = "benchmark-key-of-somebody-with-two-roles"
PER_FEATURE: Final = 100
CALLED: Final = "feature0_search3"
"""An operation that the key's roles may call."""
QUERY: Final = "area=north&board=breakfast&stars_3=4&since=2030-06-12&currency=EUR&tags%5B%5D=pool&limit=20"

_HEAD: Final = '''
from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from afford import Feature, Page, PageRequest, Paging, roles

feature = Feature("feature{feature}", access=roles("role0", "role1"))


class Row(TypedDict):
    """One row of this feature."""

    id_{feature}: Annotated[int, Field(ge=1)]
    name: Annotated[str, Field(min_length=1)]
    area: Literal["north", "south"]
    stars: Annotated[int, Field(ge=1, le=5)]
    cents: Annotated[int, Field(ge=0)]
    currency: Annotated[str, Field(pattern="^[A-Z]{{3}}$")]
    rating: Annotated[float, Field(ge=0, le=10)]


ROWS: list[Row] = [
    {{
        "id_{feature}": n,
        "name": f"Place {{n}}",
        "area": "north",
        "stars": 3,
        "cents": 9900,
        "currency": "EUR",
        "rating": 8.5,
    }}
    for n in range(1, 21)
]
'''
_OPERATION: Final = """
@feature.query(
    id="search{number}",
    description="Find places of district {number} by what a person asked for.",
    access=roles("{first}", "{second}"),
    paging=Paging(default=20, max=50),
)
async def search{number}(
    area: Annotated[Literal["north", "south"] | None, Field(description="Part of district {number}.")] = None,
    board: Annotated[Literal["room only", "breakfast"] | None, Field(description="Meals in {number}.")] = None,
    stars_{number}: Annotated[int | None, Field(ge=1, le=5, description="Star-rating floor.")] = None,
    since: Annotated[date | None, Field(description="First day, in district {number}.")] = None,
    currency: Annotated[str | None, Field(pattern="^[A-Z]{{3}}$", description="Currency of the prices.")] = None,
    tags: Annotated[list[str] | None, Field(max_length={longest}, description="What it must offer.")] = None,
    *,
    page: PageRequest[int],
) -> Page[Row]:
    return Page(ROWS, next=page.limit)
"""


def compiled_features(operations: int) -> list[CodeType]:
    """The code of enough features to hold that many operations, as an interpreter would load it from its cache."""
    codes: list[CodeType] = []
    pairs = _pairs()
    for feature, start in enumerate(range(0, operations, PER_FEATURE)):
        parts = [_HEAD.format(feature=feature)]
        for number in range(start, min(start + PER_FEATURE, operations)):
            first, second = next(pairs)
            longest = 2 + number % 17
            parts.append(_OPERATION.format(number=number, first=first, second=second, longest=longest))
        codes.append(compile("".join(parts), f"feature{feature}.py", "exec", dont_inherit=True))
    return codes


def declared(codes: list[CodeType]) -> App:
    """An app with the features joined, not yet built."""
    keys = ApiKeys({KEY: Principal("somebody", roles=ROLES[:2])})
    app = App("thousands", roles=ROLES, authenticate=keys)
    for code in codes:
        module = ModuleType(code.co_filename.removesuffix(".py"))
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)  # noqa: S102 - the text above
        feature: Feature = module.feature
        app.include(feature)
    return app


def _pairs() -> Iterator[tuple[str, str]]:
    """Pairs of roles, over and over; every one that starts with `role0` comes early."""
    while True:
        yield from combinations(ROLES, 2)
