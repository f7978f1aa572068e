"""The measured side of the lists: a thousand operations with a realistic input and output each.

Each function without parameters makes an ASGI application; a server is started with its name.
"""

from __future__ import annotations

from typing import Final

import thousands
from thousands_text import ROLES

from afford import App, Tool, anyone
from afford.surfaces.http.surface import HttpSurface

COUNT: Final = 1_000


def listing() -> HttpSurface:
    return _thousand().asgi()


def listing_with_provider() -> HttpSurface:
    """The same beside a provider of one more tool, which is asked at every list."""
    app = _thousand()

    async def provided() -> int:
        return 1

    tool = Tool(id="provided", handler=provided, description="What a provider adds.", access=anyone())
    app.tool_provider(lambda _caller: [tool])
    return app.asgi()


def _thousand() -> App:
    """Callers hold every role, so that they are offered everything."""
    return thousands.declared(thousands.compiled_features(COUNT), held=ROLES)
