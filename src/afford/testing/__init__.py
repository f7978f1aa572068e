"""Tools for testing applications: the client, repairs of refused calls, and the check that rows stay apart."""

from __future__ import annotations

from afford.testing.answer import Answer, CallFailed
from afford.testing.client import Client, client
from afford.testing.disjoint import DisjointReport, check_disjoint
from afford.testing.repairs import UnrepairableError, repaired

__all__ = [
    "Answer",
    "CallFailed",
    "Client",
    "DisjointReport",
    "UnrepairableError",
    "check_disjoint",
    "client",
    "repaired",
]
