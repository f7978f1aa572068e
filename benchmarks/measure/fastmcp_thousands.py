"""FastMCP with as many operations as wanted, of the same types as ours.

As `thousands`, for the other side. The code is made without FastMCP, so that our environment can make it.
"""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Final

from thousands_text import DESCRIPTION, IMPORTS, PARAMETERS, ROW, compiled, kept_code, modules

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_HEAD: Final = (
    IMPORTS
    + ROW
    + '''

class Page(TypedDict):
    """A page of them."""

    rows: list[Row]
    next_cursor: str
'''
)
_OPERATION: Final = f"""
@server.tool(name="feature{{feature}}_search{{number}}", description="{DESCRIPTION}")
async def search{{number}}({PARAMETERS}
    limit: int = 20,
    cursor: str | None = None,
) -> Page:
    return {{{{"rows": ROWS[:limit], "next_cursor": "none"}}}}
"""


def compiled_tools(operations: int) -> list[CodeType]:
    """The code of enough modules to hold that many tools."""
    return compiled(operations, _HEAD, _OPERATION)


def started() -> ASGIApp:
    """A server of the code that was kept for this process."""
    from fastmcp import FastMCP

    server = FastMCP("thousands")
    for _ in modules(kept_code(), server=server):
        pass
    return server.http_app(path="/mcp", stateless_http=True, json_response=True)
