"""The text of as many typed operations as wanted, whatever framework they are declared to, and the code it compiles to.

Operations come as source text, because that is what an author's modules are: annotations, `Field` calls and decorators
are run once per operation. A module holds a hundred operations, which share its row. Knows no framework.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

ROLES: Final = tuple(f"role{number}" for number in range(12))
PER_FEATURE: Final = 100
CALLED: Final = "feature0_search3"
"""An operation that the first two roles may call."""
ARGUMENTS: Final[dict[str, object]] = {
    "area": "north",
    "board": "breakfast",
    "stars_3": 4,
    "since": "2030-06-12",
    "currency": "EUR",
    "tags": ["pool"],
    "limit": 20,
}
CODE_VARIABLE: Final = "BENCHMARK_CODE"

IMPORTS: Final = """
from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict
"""
ROW: Final = '''

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
DESCRIPTION: Final = "Find places of district {number} by what a person asked for."
PARAMETERS: Final = """
    area: Annotated[Literal["north", "south"] | None, Field(description="Part of district {number}.")] = None,
    board: Annotated[Literal["room only", "breakfast"] | None, Field(description="Meals in {number}.")] = None,
    stars_{number}: Annotated[int | None, Field(ge=1, le=5, description="Star-rating floor.")] = None,
    since: Annotated[date | None, Field(description="First day, in district {number}.")] = None,
    currency: Annotated[str | None, Field(pattern="^[A-Z]{{3}}$", description="Currency of the prices.")] = None,
    tags: Annotated[list[str] | None, Field(max_length={longest}, description="What it must offer.")] = None,
"""


def compiled(operations: int, head: str, operation: str) -> list[CodeType]:
    """The code of enough modules to hold that many operations, as an interpreter would load it from its cache.

    Args:
        operations: how many.
        head: text in front of a module's operations; may name `{feature}`.
        operation: text of one; may also name `{number}`, `{longest}`, `{first}` and `{second}` (roles).
    """
    codes: list[CodeType] = []
    pairs = _pairs()
    for feature, start in enumerate(range(0, operations, PER_FEATURE)):
        parts = [head.format(feature=feature)]
        for number in range(start, min(start + PER_FEATURE, operations)):
            first, second = next(pairs)
            longest = 2 + number % 17
            parts.append(operation.format(feature=feature, number=number, first=first, second=second, longest=longest))
        codes.append(compile("".join(parts), f"feature{feature}.py", "exec", dont_inherit=True))
    return codes


def modules(codes: Iterable[CodeType], **names: object) -> Iterator[ModuleType]:
    """The modules that the code makes, one after the other; `names` are there before it runs."""
    for code in codes:
        module = ModuleType(code.co_filename.removesuffix(".py"))
        sys.modules[module.__name__] = module
        module.__dict__.update(names)
        exec(code, module.__dict__)  # noqa: S102 - the text above
        yield module


def keep_code(codes: list[CodeType], path: Path) -> Path:
    """Write the code where another process with the same Python finds it."""
    path.write_bytes(marshal.dumps(codes))
    return path


def kept_code() -> list[CodeType]:
    """What `keep_code` wrote to the file that the environment names."""
    codes: list[CodeType] = marshal.loads(Path(os.environ[CODE_VARIABLE]).read_bytes())  # noqa: S302 - our own
    return codes


def _pairs() -> Iterator[tuple[str, str]]:
    """Pairs of roles, over and over; every one that starts with `role0` comes early."""
    while True:
        yield from combinations(ROLES, 2)
