"""Answers about a target that several rules ask for: found once, and kept until another target is asked about."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from afford.lint.target import Target

AnswerT = TypeVar("AnswerT")


def once_per_target(ask: Callable[[Target], AnswerT]) -> Callable[[Target], AnswerT]:
    """Keep the last answer. Targets are told apart by identity, since their schemas cannot be hashed."""
    last: list[tuple[Target, AnswerT]] = []

    @functools.wraps(ask)
    def answer(found: Target) -> AnswerT:
        for target, known in last:
            if target is found:
                return known
        fresh = ask(found)
        last[:] = [(found, fresh)]
        return fresh

    return answer
