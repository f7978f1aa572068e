"""Tools for testing applications: the client, and the check that two principals' rows stay apart."""

from __future__ import annotations

from afford.testing.answer import Answer, CallFailed
from afford.testing.client import Client, client
from afford.testing.disjoint import DisjointReport, check_disjoint

__all__ = ["Answer", "CallFailed", "Client", "DisjointReport", "check_disjoint", "client"]
