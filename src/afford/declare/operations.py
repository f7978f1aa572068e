"""One recorded operation: the author's facts, as written, unchecked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypedDict

from afford.access import Rule
from afford.caller import Caller
from afford.declare.problems import Problem
from afford.declare.tools import FROM_HANDLER
from afford.declare.vocabulary import Agent, DocMarker, Example, Kind, Paging, ReachWord, RiskWord, SafetyWord


class Role(StrEnum):
    """What a declaration is to its callers; all of them are found, judged and run the same way."""

    OPERATION = "operation"
    TOOL = "tool"
    """For agents alone: over MCP and the command line, never over HTTP."""
    RESOURCE = "resource"
    """Reading a document."""
    PROMPT = "prompt"
    """Filling in a prompt."""


class OperationOptions(TypedDict, total=False):
    """Keyword options of `query`, `static`, `action` and `event`."""

    id: str
    """Default: the function's name. Inside a feature it is prefixed with the feature's."""
    description: str | DocMarker
    """What it is for, when to reach for it, what comes back in meaning; `DOC` takes the docstring's first paragraph."""
    access: Rule | Callable[[Caller], bool]
    """Who may call; default: the feature's, else the app's, else a build error."""
    risk: RiskWord
    safety: SafetyWord
    agent: Agent | Mapping[str, object]
    paging: Paging
    entity: str
    """Name of the entity it is about."""
    reach: ReachWord
    owner: str | Callable[[object], object]
    """The row's owner: an output field (published or not) or a function of the row; None there means ownerless."""
    consented: Callable[..., bool | Awaitable[bool]]
    """Whether the caller holds the artefact; takes injected values and inputs by name, like a handler."""
    widens: Rule | Callable[[Caller], bool]
    """Who is granted other people's rows under `reach="role"`."""
    example: Example | Sequence[Example]
    raises: Iterable[type[Problem]]
    input_schema: Mapping[str, object]
    """Raw JSON Schema; the handler then takes `arguments: dict`."""
    output_schema: Mapping[str, object]
    deadline: float
    """Seconds; default: the app's."""
    enabled: bool | Callable[[], bool]
    lint_ignore: Mapping[str, str]
    """Rule code to the reason why it does not apply here."""
    allow_identity_argument: bool
    """Accept an input named like the caller, such as `user_id`, which otherwise is a build error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDeclaration:
    """What an author wrote about one operation."""

    kind: Kind
    name: str
    """The id without the feature's prefix."""
    handler: Callable[..., object]
    feature: str
    """Name of the feature it was declared on."""
    feature_access: object = None
    feature_entity: str | None = None
    options: OperationOptions = field(default_factory=OperationOptions)
    namespace: Mapping[str, object] | None = None
    """Names local to the function that declares the handler, for resolving its annotations."""
    location: str | None = None
    role: Role = Role.OPERATION
    args: tuple[object, ...] | None = None
    """Types of positional inputs, instead of the handler's annotations."""
    output: object = FROM_HANDLER
    """The answer's type, instead of the handler's annotation."""
