"""What measured processes inherit.

Knows environment variables and nothing of what is measured.
"""

from __future__ import annotations

import os
from typing import Final

_SLOWS_IMPORTS: Final = "PYTHONDONTWRITEBYTECODE"


def environment(**variables: str) -> dict[str, str]:
    """Ours, with further variables, and with compiled files kept.

    Without them every start compiles the framework that is measured from its source; installed ones come compiled.
    """
    kept = {name: value for name, value in os.environ.items() if name != _SLOWS_IMPORTS}
    return {**kept, **variables}
