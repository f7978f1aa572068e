"""What everything that records declarations shares: a name, a default for access, the record, and when it closes."""

from __future__ import annotations

from dataclasses import dataclass, field

from afford.declare.changes import Changes
from afford.declare.operations import OperationDeclaration
from afford.declare.places import EntityDeclaration, NavDeclaration, ScreenDeclaration
from afford.declare.resources import PromptDeclaration, ResourceDeclaration
from afford.declare.tools import ToolDeclaration, ToolProviders
from afford.errors import DeclarationError


@dataclass(slots=True)
class Declarations:
    """Everything one feature has recorded, in the order it was written."""

    tool_providers: ToolProviders
    operations: list[OperationDeclaration] = field(default_factory=list[OperationDeclaration])
    tools: list[ToolDeclaration] = field(default_factory=list[ToolDeclaration])
    resources: list[ResourceDeclaration] = field(default_factory=list[ResourceDeclaration])
    prompts: list[PromptDeclaration] = field(default_factory=list[PromptDeclaration])
    entities: list[EntityDeclaration] = field(default_factory=list[EntityDeclaration])
    screens: list[ScreenDeclaration] = field(default_factory=list[ScreenDeclaration])
    navigation: list[NavDeclaration] = field(default_factory=list[NavDeclaration])


class Recorder:
    """Records declarations until the app is built."""

    def __init__(self, name: str, access: object) -> None:
        """Start empty.

        Args:
            name: of the feature.
            access: rule for what states none.
        """
        self.name = name
        self.changes = Changes()
        """Told of everything that clients may want to hear about."""
        self._access = access
        self._declarations = Declarations(tool_providers=ToolProviders(name, access, self.changes))
        self._frozen = False

    @property
    def declarations(self) -> Declarations:
        """What has been recorded so far."""
        return self._declarations

    def freeze(self) -> None:
        """Close the record; called by `build()`."""
        self._frozen = True

    @property
    def _prefix(self) -> str:
        """What stands before the ids declared here; empty on an app."""
        return f"{self.name}:"

    def _must_be_open(self, what: str) -> None:
        if self._frozen:
            raise DeclarationError(f"{what} comes too late: the app is built; declare before serving or build()")
