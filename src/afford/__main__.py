"""`python -m afford`: the same as the console script."""

from __future__ import annotations

from afford.cli.main import main

if __name__ == "__main__":
    main()
