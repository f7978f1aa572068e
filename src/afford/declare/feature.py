"""`Feature`: where operations, entities, screens and navigation are recorded.

A feature needs no app and lives in its own file; an app joins it with `include`. Decorators return the author's
function unchanged: the declaration goes into the feature's record, and nothing is derived until `build()`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import TypeVar, Unpack

from afford.access import Rule
from afford.caller import Caller
from afford.declare.operations import OperationDeclaration, OperationOptions
from afford.declare.places import EntityDeclaration, NavDeclaration, ScreenDeclaration
from afford.declare.vocabulary import Agent, Kind, ScreenType
from afford.errors import DeclarationError

HandlerT = TypeVar("HandlerT", bound=Callable[..., object])


@dataclass(slots=True)
class Declarations:
    """Everything one feature has recorded, in the order it was written."""

    operations: list[OperationDeclaration] = field(default_factory=list[OperationDeclaration])
    entities: list[EntityDeclaration] = field(default_factory=list[EntityDeclaration])
    screens: list[ScreenDeclaration] = field(default_factory=list[ScreenDeclaration])
    navigation: list[NavDeclaration] = field(default_factory=list[NavDeclaration])


class Feature:
    """A part of an application: a name, defaults for access and entity, and what is declared on it."""

    def __init__(
        self,
        name: str,
        *,
        access: Rule | Callable[[Caller], bool] | None = None,
        entity: str | None = None,
        description: str | None = None,
    ) -> None:
        """Start a feature.

        Args:
            name: prefix of its operations' ids (`widget` gives `widget:list`).
            access: rule for the operations that state none.
            entity: entity of the operations that state none.
            description: what the feature is about, for people and agents.
        """
        self.name = name
        self.description = description
        self._access = access
        self._entity = entity
        self._declarations = Declarations()
        self._frozen = False

    @property
    def declarations(self) -> Declarations:
        """What has been recorded so far."""
        return self._declarations

    def query(self, *misplaced: object, **options: Unpack[OperationOptions]) -> Callable[[HandlerT], HandlerT]:
        """Declare an operation that reads; served by `GET`, answers rows.

        Options are those of `OperationOptions`.

        Raises:
            DeclarationError: used without parentheses, or the app is already built.
        """
        return self._operation(Kind.QUERY, misplaced, options)

    def static(self, *misplaced: object, **options: Unpack[OperationOptions]) -> Callable[[HandlerT], HandlerT]:
        """Declare a query without inputs whose answer is computed once per catalog epoch and cached."""
        return self._operation(Kind.STATIC, misplaced, options)

    def action(self, *misplaced: object, **options: Unpack[OperationOptions]) -> Callable[[HandlerT], HandlerT]:
        """Declare an operation that writes; served by `POST`, answers its JSON value."""
        return self._operation(Kind.ACTION, misplaced, options)

    def event(self, *misplaced: object, **options: Unpack[OperationOptions]) -> Callable[[HandlerT], HandlerT]:
        """Declare an action without a result; the answer says only that it ran."""
        return self._operation(Kind.EVENT, misplaced, options)

    def entity(self, name: str, model: type, *, description: str | None = None) -> None:
        """Declare a domain type under its raw, app-wide unique name."""
        self._must_be_open(f"entity {name!r}")
        location = _location_of(caller_frame(1))
        self._declarations.entities.append(
            EntityDeclaration(name=name, model=model, description=description, feature=self.name, location=location)
        )

    def screen(  # noqa: PLR0913 - a declaration: each option is one fact of the author's
        self,
        id: str,
        *,
        type: ScreenType,
        path: str | None = None,
        description: str | None = None,
        panels: Iterable[object] = (),
        access: Rule | Callable[[Caller], bool] | None = None,
        agent: Agent | Mapping[str, object] | None = None,
        entity: str | None = None,
    ) -> None:
        """Declare a place in the user interface; agents see it unless `agent` says `expose=False`.

        Args:
            id: unique in the app.
            type: dashboard, list, detail, form or custom.
            path: URL path, with `{placeholders}` for what a detail screen needs.
            description: what a person finds there; a custom screen without one is a documentation gap.
            panels: what a dashboard shows, in the application's own terms.
            access: who may open it; None: everybody.
            agent: hints for agents.
            entity: the entity it shows.
        """
        self._must_be_open(f"screen {id!r}")
        self._declarations.screens.append(
            ScreenDeclaration(
                id=id,
                type=type,
                path=path,
                description=description,
                panels=tuple(panels),
                access=access,
                agent=agent,
                entity=entity,
                feature=self.name,
                location=_location_of(caller_frame(1)),
            )
        )

    def nav(
        self,
        id: str,
        *,
        label: str,
        screen: str | None = None,
        parent: str | None = None,
        access: Rule | Callable[[Caller], bool] | None = None,
    ) -> None:
        """Declare a navigation entry.

        Args:
            id: unique in the app.
            label: what people read.
            screen: id of the screen it opens; None: a heading.
            parent: id of the entry above it.
            access: who sees it; None: whoever sees its screen.
        """
        self._must_be_open(f"nav {id!r}")
        self._declarations.navigation.append(
            NavDeclaration(
                id=id,
                label=label,
                screen=screen,
                parent=parent,
                access=access,
                feature=self.name,
                location=_location_of(caller_frame(1)),
            )
        )

    @property
    def _prefix(self) -> str:
        """What stands before the ids declared here; empty on an app."""
        return f"{self.name}:"

    def _operation(
        self, kind: Kind, misplaced: tuple[object, ...], options: OperationOptions
    ) -> Callable[[HandlerT], HandlerT]:
        if misplaced:
            raise DeclarationError(
                f"@{kind.value} takes keyword options only; write `@app.{kind.value}(description=..., access=...)` "
                "with parentheses"
            )
        frame = caller_frame(2)

        def record(handler: HandlerT) -> HandlerT:
            self._must_be_open(f"{kind.value} {getattr(handler, '__name__', handler)!r}")
            name = str(options["id"] if "id" in options else getattr(handler, "__name__", ""))
            self._declarations.operations.append(
                OperationDeclaration(
                    kind=kind,
                    name=name,
                    handler=handler,
                    feature=self.name,
                    feature_access=self._access,
                    feature_entity=self._entity,
                    options=options,
                    namespace=_local_names(handler, frame),
                    location=_handler_location(handler),
                )
            )
            return handler

        return record

    def _must_be_open(self, what: str) -> None:
        if self._frozen:
            raise DeclarationError(f"{what} comes too late: the app is built; declare before serving or build()")

    def freeze(self) -> None:
        """Close the record; called by `build()`."""
        self._frozen = True


def _local_names(handler: object, frame: FrameType | None) -> Mapping[str, object] | None:
    """Names that annotations may use and no module holds: only where the handler stands in a function."""
    if frame is None or "<locals>" not in getattr(handler, "__qualname__", ""):
        return None
    # Where a helper decorates, the names are those of the function further up that holds the handler's code.
    code = _code_of(handler)
    outer: FrameType | None = frame
    while outer is not None and code not in outer.f_code.co_consts:
        outer = outer.f_back
    return dict((outer or frame).f_locals)


def caller_frame(depth: int) -> FrameType | None:
    """The frame `depth` calls above the caller of this function; None where the interpreter keeps none."""
    frame = inspect.currentframe()
    for _ in range(depth + 1):
        frame = None if frame is None else frame.f_back
    return frame


def _location_of(frame: FrameType | None) -> str | None:
    return None if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def _handler_location(handler: object) -> str | None:
    code = _code_of(handler)
    return None if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"


def _code_of(handler: object) -> CodeType | None:
    return getattr(inspect.unwrap(handler) if callable(handler) else handler, "__code__", None)
