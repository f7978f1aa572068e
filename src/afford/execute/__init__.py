"""How an operation runs: wire -> invocation -> executor(manifest) -> outcome -> wire.

Knows manifests, never the catalog: what is not offered cannot be run. Knows no surface.
"""
