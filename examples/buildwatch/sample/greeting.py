"""What is said."""

from __future__ import annotations


def greet(name: str = "world") -> str:
    return f"Hello, {name}!"
