"""All lint rules, one module each: found by their place, so that adding one touches nothing else."""

from __future__ import annotations

import functools
import pkgutil
from importlib import import_module

from afford.lint.rule import Rule


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code.

    Raises:
        ValueError: two rules have the same code or name.
    """
    modules = [import_module(f"{__name__}.{item.name}") for item in pkgutil.iter_modules(__path__)]
    rules: list[Rule] = sorted((module.RULE for module in modules), key=lambda rule: rule.code)
    for words in ([rule.code for rule in rules], [rule.name for rule in rules]):
        twice = sorted({word for word in words if words.count(word) > 1})
        if twice:
            raise ValueError(f"two lint rules are called {twice[0]}")
    return tuple(rules)
