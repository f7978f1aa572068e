"""A handler's signature, read once: which parameters are inputs, which are injected, what comes back."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Final, Union, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from afford.caller import Caller
from afford.catalog.offered import Offered
from afford.catalog.operation import Parameter, Source
from afford.catalog.records import is_record
from afford.declare.call import Call, SyncCall
from afford.declare.pages import PageRequest
from afford.declare.questions import Ask
from afford.schema import REQUIRED, InputField

_IDENTITY_NAMES: Final = frozenset({"user_id", "agent_id", "actor", "role", "principal"})
_INJECTED: Final[Mapping[object, Source]] = {
    Caller: Source.CALLER,
    Call: Source.CALL,
    SyncCall: Source.CALL,
    Offered: Source.OFFERED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Where the types of a handler's inputs come from."""

    raw: bool = False
    """A raw schema describes them, so the handler takes `arguments: dict`."""
    args: Sequence[object] | None = None
    """They are stated by position, and published as `arg0`, `arg1`."""
    untyped: object = None
    """The type of a parameter without annotation; None: it is a mistake."""


class SignatureError(Exception):
    """One thing that is wrong with a signature; `code` is a build rule."""

    def __init__(self, code: str, message: str, fix: str | None = None) -> None:
        """Keep the rule, the sentence and the way out."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What one handler takes and returns."""

    parameters: tuple[Parameter, ...]
    fields: tuple[InputField, ...]
    """The inputs, unless one model stands for all of them."""
    model: type | None
    """The one model whose fields are the inputs."""
    returns: object
    is_async: bool
    position: object | None
    """Position type of `PageRequest[T]`; None where the handler takes no page."""
    questions: tuple[tuple[str, type, Ask], ...] = ()
    """Parameters that a person answers: name, model, question."""

    @property
    def takes_page(self) -> bool:
        """Whether it is injected a page request."""
        return any(parameter.source is Source.PAGE for parameter in self.parameters)


def read_signature(
    handler: Callable[..., object],
    *,
    provided: Collection[object],
    namespace: Mapping[str, object] | None,
    inputs: Inputs | None = None,
    needs_return: bool = True,
) -> tuple[Signature | None, list[SignatureError]]:
    """The signature and everything wrong with it; None when it cannot be used at all.

    Args:
        handler: the author's function.
        provided: types that providers make.
        namespace: names local to where the handler was declared.
        inputs: where its inputs' types come from; None: from its annotations.
        needs_return: what it returns is part of a contract, so it has to be annotated.
    """
    errors: list[SignatureError] = []
    try:
        signature = inspect.signature(handler)
        hints = resolved_hints(handler, namespace)
    except SignatureError as error:
        return None, [error]
    except (TypeError, ValueError) as error:
        return None, [SignatureError("DEC105", f"the signature cannot be read ({error})")]
    reader = _Reader(provided=provided, inputs=inputs or Inputs(), errors=errors)
    for parameter in signature.parameters.values():
        reader.take(parameter, hints)
    reader.finish()
    if needs_return and "return" not in hints:
        errors.append(SignatureError("DEC106", "the handler has no return annotation"))
    if errors:
        return None, errors
    fields, model, parameters = reader.taken()
    result = Signature(
        parameters=parameters,
        fields=fields,
        model=model,
        returns=hints.get("return"),
        is_async=is_coroutine_function(handler),
        position=reader.position,
        questions=tuple(reader.questions),
    )
    return result, []


def resolved_hints(handler: Callable[..., object], namespace: Mapping[str, object] | None) -> dict[str, object]:
    """The handler's annotations with names resolved.

    Raises:
        SignatureError: a name cannot be found.
    """
    while isinstance(handler, functools.partial):
        handler = handler.func
    target = inspect.unwrap(handler) if inspect.isroutine(handler) else type(handler).__call__
    target = getattr(target, "__func__", target)
    try:
        return typing.get_type_hints(target, localns=dict(namespace) if namespace else None, include_extras=True)
    except NameError as error:
        name = error.name or str(error)
        raise SignatureError("DEC107", f"the annotation `{name}` cannot be resolved") from error
    except TypeError as error:
        raise SignatureError("DEC107", f"an annotation is not a type ({error})") from error


def is_coroutine_function(handler: object) -> bool:
    """Whether calling it gives something to await; callable objects count by their `__call__`."""
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004 - the method itself is wanted


def identity_names(names: Collection[str]) -> list[str]:
    """Those of the names that claim to say who calls."""
    return sorted(name for name in names if name in _IDENTITY_NAMES)


class _Reader:
    """Sorts the parameters of one signature."""

    def __init__(self, *, provided: Collection[object], inputs: Inputs, errors: list[SignatureError]) -> None:
        self._provided = provided
        self._inputs = inputs
        self._pending = None if inputs.args is None else list(inputs.args)
        self._errors = errors
        self._parameters: list[Parameter] = []
        self._fields: list[InputField] = []
        self.position: object | None = None
        self.questions: list[tuple[str, type, Ask]] = []

    def take(self, parameter: inspect.Parameter, hints: Mapping[str, object]) -> None:
        """Sort one parameter."""
        name = parameter.name
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else "**"
            self._errors.append(SignatureError("DEC105", f"the handler takes `{stars}{name}`, which hides its inputs"))
            return
        keyword = parameter.kind is not inspect.Parameter.POSITIONAL_ONLY
        injected = self._injected(name, hints[name], keyword=keyword) if name in hints else None
        if injected is not None:
            self._parameters.append(injected)
        elif self._pending is not None:
            self._take_next(parameter, keyword=keyword)
        elif name not in hints and self._inputs.untyped is None:
            self._errors.append(SignatureError("DEC104", f"the parameter `{name}` has no type"))
        elif self._inputs.raw:
            self._take_arguments(name, hints.get(name), keyword=keyword)
        else:
            default = REQUIRED if parameter.default is inspect.Parameter.empty else parameter.default
            self._fields.append(input_field(name, hints.get(name, self._inputs.untyped), default))
            self._parameters.append(Parameter(name, Source.INPUT, keyword=keyword))

    def finish(self) -> None:
        """Report types that no parameter takes."""
        if self._pending:
            count = len(self._pending)
            message = f"`args` states {count} more than the handler has parameters"
            self._errors.append(SignatureError("DEC105", message, "give the handler one parameter for each"))

    def taken(self) -> tuple[tuple[InputField, ...], type | None, tuple[Parameter, ...]]:
        """Fields, the one model that stands for them, and the parameters: one model alone is unwrapped."""
        if len(self._fields) == 1:
            model = _model_of(self._fields[0])
            if model is not None:
                alone = self._fields[0].name
                parameters = tuple(
                    Parameter(p.name, Source.MODEL, keyword=p.keyword) if alone in (p.name, p.argument) else p
                    for p in self._parameters
                )
                return (), model, parameters
        return tuple(self._fields), None, tuple(self._parameters)

    def _take_next(self, parameter: inspect.Parameter, *, keyword: bool) -> None:
        """A parameter whose type stands at its position in `args`."""
        if self._pending:
            published = f"arg{len(self._fields)}"
            default = REQUIRED if parameter.default is inspect.Parameter.empty else parameter.default
            self._fields.append(input_field(published, self._pending.pop(0), default))
            self._parameters.append(Parameter(parameter.name, Source.INPUT, keyword=keyword, argument=published))
        elif parameter.default is inspect.Parameter.empty:
            message = f"`args` states no type for the parameter `{parameter.name}`"
            self._errors.append(SignatureError("DEC105", message, "add its type to `args`, or give it a default"))

    def _take_arguments(self, name: str, annotation: object, *, keyword: bool) -> None:
        if bare(annotation) is dict or get_origin(bare(annotation)) is dict:
            self._parameters.append(Parameter(name, Source.ARGUMENTS, keyword=keyword))
            return
        message = f"the parameter `{name}` is neither injected nor `arguments: dict`, which a raw schema calls for"
        self._errors.append(SignatureError("DEC108", message))

    def _injected(self, name: str, annotation: object, *, keyword: bool) -> Parameter | None:
        plain = bare(annotation)
        if _in(plain, _INJECTED):
            return Parameter(name, _INJECTED[plain], plain, keyword)
        if plain is PageRequest or get_origin(plain) is PageRequest:
            arguments = get_args(plain)
            self.position = arguments[0] if arguments else object
            return Parameter(name, Source.PAGE, self.position, keyword)
        if _in(plain, self._provided):
            return Parameter(name, Source.PROVIDED, plain, keyword)
        asked = _question_of(annotation)
        if asked is not None:
            self.questions.append((name, cast("type[object]", plain), asked))
            return Parameter(name, Source.QUESTION, plain, keyword)
        return None


def _question_of(annotation: object) -> Ask | None:
    """The `Ask` in the annotation's metadata; None: it is an ordinary parameter."""
    if get_origin(annotation) is not Annotated:
        return None
    return next((item for item in get_args(annotation)[1:] if isinstance(item, Ask)), None)


def bare(annotation: object) -> object:
    """The annotation without `Annotated[...]` around it."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def optional_of(annotation: object) -> object | None:
    """`T` of `T | None`; None when the annotation is not optional."""
    plain = bare(annotation)
    if get_origin(plain) not in (Union, UnionType):
        return None
    members = [member for member in get_args(plain) if member is not type(None)]
    if len(members) == len(get_args(plain)) or not members:
        return None
    return members[0] if len(members) == 1 else Union[tuple(members)]  # noqa: UP007 - built at run time


def input_field(name: str, annotation: object, default: object) -> InputField:
    """The input, with a default that stands in `Field(...)`, on either side of the `=`, taken out."""
    if isinstance(default, FieldInfo):
        annotation = Annotated[annotation, default]
        default = REQUIRED if default.is_required() else default.get_default(call_default_factory=False)
    return InputField(name, annotation, default)


def _model_of(field: InputField) -> type | None:
    plain = bare(field.annotation)
    if field.default is not REQUIRED or not is_record(plain):
        return None
    return cast("type[object]", plain)


def _in(value: object, container: Collection[object]) -> bool:
    """Membership that treats unhashable annotations as absent."""
    try:
        hash(value)
    except TypeError:
        return False
    return value in container
