"""A handler's signature, read once: which parameters are inputs, which are injected, what comes back."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Final, Union, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from afford.caller import Caller
from afford.catalog.operation import Parameter, Source
from afford.catalog.records import is_record
from afford.declare.call import Call, SyncCall
from afford.declare.pages import PageRequest
from afford.schema import REQUIRED, InputField

_IDENTITY_NAMES: Final = frozenset({"user_id", "agent_id", "actor", "role", "principal"})
_INJECTED: Final[Mapping[object, Source]] = {Caller: Source.CALLER, Call: Source.CALL, SyncCall: Source.CALL}


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

    @property
    def takes_page(self) -> bool:
        """Whether it is injected a page request."""
        return any(parameter.source is Source.PAGE for parameter in self.parameters)


def read_signature(
    handler: Callable[..., object],
    *,
    provided: Collection[object],
    namespace: Mapping[str, object] | None,
    raw_input: bool = False,
    needs_return: bool = True,
) -> tuple[Signature | None, list[SignatureError]]:
    """The signature and everything wrong with it; None when it cannot be used at all.

    Args:
        handler: the author's function.
        provided: types that providers make.
        namespace: names local to where the handler was declared.
        raw_input: the inputs have a raw schema, so the handler takes `arguments: dict`.
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
    reader = _Reader(provided=provided, raw_input=raw_input, errors=errors)
    for parameter in signature.parameters.values():
        reader.take(parameter, hints)
    if needs_return and "return" not in hints:
        errors.append(SignatureError("DEC106", "the handler has no return annotation"))
    if errors:
        return None, errors
    fields, model, parameters = reader.inputs()
    result = Signature(
        parameters=parameters,
        fields=fields,
        model=model,
        returns=hints.get("return"),
        is_async=is_coroutine_function(handler),
        position=reader.position,
    )
    return result, []


def resolved_hints(handler: Callable[..., object], namespace: Mapping[str, object] | None) -> dict[str, object]:
    """The handler's annotations with names resolved.

    Raises:
        SignatureError: a name cannot be found.
    """
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

    def __init__(self, *, provided: Collection[object], raw_input: bool, errors: list[SignatureError]) -> None:
        self._provided = provided
        self._raw_input = raw_input
        self._errors = errors
        self._parameters: list[Parameter] = []
        self._fields: list[InputField] = []
        self.position: object | None = None

    def take(self, parameter: inspect.Parameter, hints: Mapping[str, object]) -> None:
        """Sort one parameter."""
        name = parameter.name
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else "**"
            self._errors.append(SignatureError("DEC105", f"the handler takes `{stars}{name}`, which hides its inputs"))
            return
        if name not in hints:
            self._errors.append(SignatureError("DEC104", f"the parameter `{name}` has no type"))
            return
        keyword = parameter.kind is not inspect.Parameter.POSITIONAL_ONLY
        annotation = hints[name]
        injected = self._injected(name, annotation, keyword=keyword)
        if injected is not None:
            self._parameters.append(injected)
        elif self._raw_input:
            self._take_arguments(name, annotation, keyword=keyword)
        else:
            default = REQUIRED if parameter.default is inspect.Parameter.empty else parameter.default
            self._fields.append(input_field(name, annotation, default))
            self._parameters.append(Parameter(name, Source.INPUT, keyword=keyword))

    def inputs(self) -> tuple[tuple[InputField, ...], type | None, tuple[Parameter, ...]]:
        """Fields, the one model that stands for them, and the parameters: one model alone is unwrapped."""
        if len(self._fields) == 1:
            model = _model_of(self._fields[0])
            if model is not None:
                alone = self._fields[0].name
                parameters = tuple(
                    Parameter(p.name, Source.MODEL, keyword=p.keyword) if p.name == alone else p
                    for p in self._parameters
                )
                return (), model, parameters
        return tuple(self._fields), None, tuple(self._parameters)

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
        return None


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
