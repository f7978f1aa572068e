"""What the declarations mean: cross-checked once by `build()` and frozen into a `Catalog`.

Knows declarations, schemas and access rules; knows no caller, no surface and no I/O.
"""
