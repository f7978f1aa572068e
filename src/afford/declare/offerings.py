"""What agents are offered beside operations: tools, resources, shared state and prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar, cast, overload

from afford.access import Rule
from afford.caller import Caller
from afford.declare.location import caller_frame, handler_location, local_names, location_of
from afford.declare.problems import Problem
from afford.declare.recorder import Recorder
from afford.declare.resources import Complete, PromptDeclaration, ResourceDeclaration, ResourceHandle
from afford.declare.states import SharedState
from afford.declare.tools import FROM_HANDLER, Provide, Tool, ToolDeclaration, ToolProviderHandle
from afford.declare.vocabulary import Agent, RiskWord, SafetyWord
from afford.errors import DeclarationError

ValueT = TypeVar("ValueT")

RESOURCE_PREFIX: Final = "afford://resource/"
"""Where a resource is read that states no URI of its own; its id follows."""


class Offerings(Recorder):
    """Records tools, resources, shared state and prompts."""

    def tool(  # noqa: PLR0913 - a declaration: each option is one fact of the author's
        self,
        id: str,
        *,
        handler: Callable[..., object],
        description: str,
        access: Rule | Callable[[Caller], bool] | None = None,
        safety: SafetyWord | None = None,
        risk: RiskWord | None = None,
        agent: Agent | Mapping[str, object] | None = None,
        args: Sequence[object] | None = None,
        output: object = FROM_HANDLER,
        input_schema: Mapping[str, object] | None = None,
        output_schema: Mapping[str, object] | None = None,
        raises: Sequence[type[Problem]] = (),
        deadline: float | None = None,
        enabled: bool | Callable[[], bool] = True,
    ) -> None:
        """Declare a tool with no operation behind it: over MCP and the command line, not over HTTP.

        Args:
            id: as an operation's.
            handler: takes its inputs and injected values by its annotations.
            description: what it is for and when to reach for it.
            access: who may call; None: the feature's default, else the app's.
            safety: what calling does to the world; None: as `agent` says, else `action`.
            risk: blast radius; None: as `agent` says, else from the safety.
            agent: further hints for agents.
            args: types of positional inputs (`arg0`, `arg1`); one object type alone gives its properties, and one whose
                parameter has a default is optional.
            output: the answer's type; by default the handler's annotation. None, `object` or no annotation at all
                leaves it open: any JSON, a picture, a sound or a document.
            input_schema: raw JSON Schema instead; the handler then takes `arguments: dict`.
            output_schema: raw JSON Schema of the answer.
            raises: problems that the handler may raise.
            deadline: seconds; None: the app's.
            enabled: whether it is there at all, or a function that says so now.

        Raises:
            DeclarationError: the app is already built.
        """
        self._must_be_open(f"tool {id!r}")
        tool = Tool(
            id=id,
            handler=handler,
            description=description,
            access=access,
            safety=safety,
            risk=risk,
            agent=agent,
            args=args,
            output=output,
            input_schema=input_schema,
            output_schema=output_schema,
            raises=raises,
            deadline=deadline,
            enabled=enabled,
        )
        self._declarations.tools.append(
            ToolDeclaration(
                tool=tool,
                feature=self.name,
                feature_access=self._access,
                namespace=local_names(handler, caller_frame(1)),
                location=handler_location(handler),
            )
        )

    def tool_provider(self, provide: Provide) -> ToolProviderHandle:
        """Register a function that derives tools from data the application keeps anyway.

        It is asked whenever tools are listed or one is called, so the data stays the only copy. It may be registered
        while the app runs. Of two tools with one name a declared one wins, then the provider registered first.

        Args:
            provide: takes the caller and answers `Tool` values; plain, quick, and free of side effects.

        Returns:
            A handle: `notify_changed()` after the data changed, `unregister()`.

        Raises:
            DeclarationError: it would have to be awaited.
        """
        return self._declarations.tool_providers.add(provide)

    def resource(  # noqa: PLR0913 - a declaration: each option is one fact of the author's
        self,
        id: str,
        *,
        name: str,
        read: Callable[..., object],
        description: str | None = None,
        mime_type: str | None = None,
        uri: str | None = None,
        uri_template: str | None = None,
        access: Rule | Callable[[Caller], bool] | None = None,
        agent: Agent | Mapping[str, object] | None = None,
        complete: Mapping[str, Complete] | None = None,
    ) -> ResourceHandle:
        """Declare a readable document; declaring it is what shows it to agents.

        Args:
            id: as an operation's.
            name: what people read.
            read: answers text, bytes, a picture or sound, or a value that is written as JSON; a template's
                placeholders are its inputs, and injected values are its other parameters.
            description: what it shows and when to read it.
            mime_type: of the content; None: `text/plain` for text, `application/json` for a value, that of a picture or
                sound, unknown for bytes.
            uri: where it is read; None: `afford://resource/<id>`.
            uri_template: instead, many documents under one pattern (RFC 6570, level 1). Values come percent-decoded.
                One that steps up (`..`), begins an absolute path or holds control characters names no document, unless
                the parameter of `read` states a `pattern`, which then decides.
            access: who may read; None: the feature's default, else the app's.
            agent: hints for agents; `expose=False` keeps it from them.
            complete: candidates for a placeholder, by its name.

        Returns:
            A handle: `notify_updated()` after the content changed.

        Raises:
            DeclarationError: the app is already built, or both kinds of URI are given.
        """
        self._must_be_open(f"resource {id!r}")
        if uri is not None and uri_template is not None:
            raise DeclarationError(f"resource {id!r} has a `uri` and a `uri_template`; give one of them")
        published = uri or uri_template or RESOURCE_PREFIX + self._prefix + id
        self._declarations.resources.append(
            ResourceDeclaration(
                id=id,
                name=name,
                description=description,
                mime_type=mime_type,
                uri=published,
                handler=read,
                access=access,
                agent=agent,
                complete=dict(complete or {}),
                feature=self.name,
                feature_access=self._access,
                namespace=local_names(read, caller_frame(1)),
                location=handler_location(read),
            )
        )
        return ResourceHandle(published, self.changes)

    # Two overloads, since from the union alone mypy infers no value type for a function.
    @overload
    def shared_state(
        self,
        key: str,
        initial: Callable[..., ValueT],
        *,
        description: str | None = None,
        access: Rule | Callable[[Caller], bool] | None = None,
        agent: Agent | Mapping[str, object] | None = None,
    ) -> SharedState[ValueT]: ...
    @overload
    def shared_state(
        self,
        key: str,
        initial: ValueT,
        *,
        description: str | None = None,
        access: Rule | Callable[[Caller], bool] | None = None,
        agent: Agent | Mapping[str, object] | None = None,
    ) -> SharedState[ValueT]: ...
    def shared_state(
        self,
        key: str,
        initial: ValueT | Callable[..., ValueT],
        *,
        description: str | None = None,
        access: Rule | Callable[[Caller], bool] | None = None,
        agent: Agent | Mapping[str, object] | None = None,
    ) -> SharedState[ValueT]:
        """Declare a live value that agents may read, as `afford://state/<key>` and through `afford_state_read`.

        Args:
            key: unique in the app; `session/{id}` declares one value per id.
            initial: the first value, or a function that makes it (of the placeholders, for a template).
            description: what it shows and when to read it.
            access: who may read; None: the feature's default, else the app's.
            agent: hints for agents; `expose=False` keeps it from them.

        Returns:
            The state: `get`, `set`, `update`, `subscribe`, from any thread.

        Raises:
            DeclarationError: the app is already built, or the key cannot be read.
        """
        self._must_be_open(f"shared state {key!r}")
        try:
            state = cast("SharedState[ValueT]", SharedState[object](key, initial))
        except ValueError as error:
            raise DeclarationError(f"shared state {key!r}: {error}") from error
        state.bind(self.changes)
        self._declarations.resources.append(
            ResourceDeclaration(
                id=key,
                name=key,
                description=description,
                mime_type="application/json",
                uri=state.published.text,
                handler=state.get,
                access=access,
                agent=agent,
                complete={},
                feature=self.name,
                feature_access=self._access,
                namespace=None,
                location=location_of(caller_frame(1)),
                state=cast("SharedState[object]", state),
            )
        )
        return state

    def prompt(
        self,
        id: str,
        *,
        handler: Callable[..., object],
        description: str | None = None,
        title: str | None = None,
        access: Rule | Callable[[Caller], bool] | None = None,
        agent: Agent | Mapping[str, object] | None = None,
        complete: Mapping[str, Complete] | None = None,
    ) -> None:
        """Declare a prompt that people pick in their client.

        Args:
            id: as an operation's.
            handler: takes text, numbers, booleans or closed sets as its inputs, beside injected values, and answers
                text, a `Message`, or a list of messages.
            description: what the prompt is for.
            title: what people read; None: made from the id.
            access: who may use it; None: the feature's default, else the app's.
            agent: hints; `expose=False` keeps it from the agent door.
            complete: candidates for an argument, by its name; closed sets complete themselves.

        Raises:
            DeclarationError: the app is already built.
        """
        self._must_be_open(f"prompt {id!r}")
        self._declarations.prompts.append(
            PromptDeclaration(
                id=id,
                title=title,
                description=description,
                handler=handler,
                access=access,
                agent=agent,
                complete=dict(complete or {}),
                feature=self.name,
                feature_access=self._access,
                namespace=local_names(handler, caller_frame(1)),
                location=handler_location(handler),
            )
        )
