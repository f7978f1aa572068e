"""Greets whoever runs the archive: `python dist/app.pyz Ada`."""

from __future__ import annotations

import sys

from greeting import greet

print(greet(*sys.argv[1:2]))
