"""Readable documents and prompts: what agents are shown beside what they can call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from afford.access import Rule
from afford.caller import Caller
from afford.declare.changes import Change, ChangeKind, Changes
from afford.declare.states import SharedState
from afford.declare.templates import UriTemplate
from afford.declare.vocabulary import Agent

Complete: TypeAlias = Callable[..., Iterable[str]]
"""Candidates for an argument: takes what was typed so far and, if it has a second parameter, the other arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceDeclaration:
    """A readable document, under one URI or a template of many."""

    id: str
    name: str
    description: str | None
    mime_type: str | None
    uri: str
    """As written; a template where it has placeholders."""
    handler: Callable[..., object]
    """Answers the content."""
    access: Rule | Callable[[Caller], bool] | None
    agent: Agent | Mapping[str, object] | None
    complete: Mapping[str, Complete]
    feature: str
    feature_access: object
    namespace: Mapping[str, object] | None
    location: str | None
    state: SharedState[object] | None = None
    """The shared state that it shows; None: the author's own function reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptDeclaration:
    """A prompt that people pick in their client."""

    id: str
    title: str | None
    description: str | None
    handler: Callable[..., object]
    access: Rule | Callable[[Caller], bool] | None
    agent: Agent | Mapping[str, object] | None
    complete: Mapping[str, Complete]
    feature: str
    feature_access: object
    namespace: Mapping[str, object] | None
    location: str | None


class ResourceHandle:
    """A declared resource, for telling its readers that it changed."""

    def __init__(self, uri: str, changes: Changes) -> None:
        """Made by `resource`."""
        self.uri = uri
        """The URI, or the template, as it is published."""
        self._changes = changes

    def notify_updated(self, **names: str) -> None:
        """Tell clients that subscribed to it. Any thread may call.

        Args:
            **names: values of the template's placeholders; none for a plain URI.

        Raises:
            TypeError: the names are not those of the template.
            ValueError: a value is empty, or the template itself cannot be read.
        """
        self._changes.announce(Change(ChangeKind.RESOURCE, UriTemplate(self.uri).expand(names)))
