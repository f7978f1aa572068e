"""`Feature`: where operations, entities, screens and navigation are recorded.

A feature needs no app and lives in its own file; an app joins it with `include`. Decorators return the author's
function unchanged: the declaration goes into the feature's record, and nothing is derived until `build()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar, Unpack

from afford.access import Rule
from afford.caller import Caller
from afford.declare.location import caller_frame, handler_location, local_names, location_of
from afford.declare.offerings import Offerings
from afford.declare.operations import OperationDeclaration, OperationOptions
from afford.declare.places import EntityDeclaration, NavDeclaration, ScreenDeclaration
from afford.declare.vocabulary import Agent, Kind, ScreenType
from afford.errors import DeclarationError

HandlerT = TypeVar("HandlerT", bound=Callable[..., object])


class Feature(Offerings):
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
        super().__init__(name, access)
        self.description = description
        self._entity = entity

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
        location = location_of(caller_frame(1))
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
                location=location_of(caller_frame(1)),
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
                location=location_of(caller_frame(1)),
            )
        )

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
                    namespace=local_names(handler, frame),
                    location=handler_location(handler),
                )
            )
            return handler

        return record
