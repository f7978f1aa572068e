"""`Operation` and its parts: one declaration with everything derived, frozen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from afford.access import Rule
from afford.declare.operations import Role
from afford.declare.problems import ProblemDeclaration
from afford.declare.vocabulary import Kind, Paging, Reach, Risk, Safety
from afford.errors import JsonObject, JsonValue
from afford.schema import InputDecoder, Judge, judge_for
from afford.schema.markers import Choices


class Source(StrEnum):
    """Where the value of a handler's parameter comes from."""

    INPUT = "input"
    """A decoded argument of that name."""
    MODEL = "model"
    """The one model whose fields are the inputs."""
    ARGUMENTS = "arguments"
    """All arguments as plain JSON, under a raw schema."""
    CALLER = "caller"
    CALL = "call"
    PAGE = "page"
    PROVIDED = "provided"
    QUESTION = "question"
    """What a person answers before the handler runs."""
    OFFERED = "offered"
    """What the caller is offered, for tools that show it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a handler, provider or consent check."""

    name: str
    source: Source
    type: object = None
    """The provided type for `PROVIDED`, the position type for `PAGE`."""
    keyword: bool = True
    """Whether it can be passed by name; a positional-only one cannot."""
    argument: str = ""
    """Name of the input it takes, where that is not its own name."""

    @property
    def is_special(self) -> bool:
        """Whether it does not simply take the argument of its name."""
        return self.source is not Source.INPUT or not self.keyword or bool(self.argument)


class Answer(StrEnum):
    """The static shape of what a handler returns."""

    ROWS = "rows"
    """Any number of rows: `list[T]`, `tuple[T, ...]`, `Sequence[T]`."""
    PAGE = "page"
    """`Page[T]`."""
    ROW = "row"
    """A query's `T`: one row."""
    OPTIONAL_ROW = "optional_row"
    """A query's `T | None`: one row, or `not_found`."""
    VALUE = "value"
    """An action's value."""
    NOTHING = "nothing"
    """An action's None, or an event."""
    CONTENT = "content"
    """What a resource or a prompt shows, which no schema describes."""


class Carries(StrEnum):
    """What an answer carries beyond its JSON value."""

    VALUE = "value"
    """Nothing."""
    RESULT = "result"
    """`Result[T]`: a value with content beside it."""
    CONTENT = "content"
    """`Image`, `Audio` or `Embedded`: the content is the answer."""
    ANYTHING = "anything"
    """Nothing says it; each answer decides anew."""


class Dumper(Protocol):
    """Writes values of one type as JSON values."""

    @property
    def native(self) -> bool:
        """Whether what looks like JSON already is its own JSON form."""
        ...

    def dump(self, value: object) -> object:
        """The JSON values; raises `DumpError` where there are none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked before the handler runs."""

    name: str
    """Of the parameter that receives the answer."""
    message: str
    """With `{name}` for the arguments it mentions."""
    schema: JsonObject
    """A flat object."""
    decoder: InputDecoder
    judge: Judge = field(init=False, compare=False)
    """Decides by the schema; compiled at its first use."""

    def __post_init__(self) -> None:
        """Look the judge up once, rather than at every call."""
        object.__setattr__(self, "judge", judge_for(self.schema))


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What an operation accepts."""

    schema: JsonObject
    """Published: a closed object, 2020-12, with `properties` and `required`."""
    decoder: InputDecoder | None
    """None under a raw schema: arguments reach the handler as they are."""
    defaults: Mapping[str, JsonValue]
    """JSON defaults by input name; sending one equals omitting it."""
    choices: tuple[Choices, ...] = ()
    template: JsonObject | None = None
    """The schema before its derived closed sets were filled in; None where there are none."""
    judge: Judge = field(init=False, compare=False)
    """Decides by the schema; compiled at its first use."""

    def __post_init__(self) -> None:
        """Look the judge up once, rather than at every call."""
        object.__setattr__(self, "judge", judge_for(self.schema))


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What an operation answers."""

    answer: Answer
    schema: JsonObject
    """Published: an array with `items` for reads, the value's own schema for writes."""
    dumper: Dumper | None
    """Turns what the handler returned (the row list, the row, the value) into JSON values; None under a raw schema."""
    carries: Carries = Carries.VALUE
    """Whether content beyond JSON comes with the value."""
    is_open: bool = False
    """Some place of the schema constrains nothing, so what stands there is walked for non-JSON."""
    choices: tuple[Choices, ...] = ()
    template: JsonObject | None = None
    judge: Judge = field(init=False, compare=False)
    """Decides by the schema; compiled at its first use."""

    def __post_init__(self) -> None:
        """Look the judge up once, rather than at every call."""
        object.__setattr__(self, "judge", judge_for(self.schema))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachGuard:
    """Whose rows may leave, beyond the word that is published."""

    reach: Reach
    owner: str | Callable[[object], object] | None = None
    consented: Callable[..., object] | None = None
    consented_parameters: tuple[Parameter, ...] = ()
    widens: Rule | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedExample:
    """An example that the schemas accept, as JSON."""

    params: JsonObject
    row: JsonValue = None
    has_row: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One declared operation with everything derived. Frozen; shared by all callers."""

    id: str
    wire_name: str
    kind: Kind
    feature: str
    title: str
    has_title: bool
    """Whether the author wrote the title; otherwise it is made from the name."""
    description: str
    """For the application's own people and programs; empty where there is none."""
    agent_description: str
    """For agents; empty where there is none."""
    safety: Safety
    risk: Risk
    access: Rule
    exposed: bool
    opted_out: bool
    """Whether the author wrote `expose=False`."""
    surfaces: frozenset[str] | None
    """Surfaces agents may use; None: all."""
    enabled: bool | Callable[[], bool]
    denied: bool
    idempotent: bool
    open_world: bool
    tags: tuple[str, ...]
    entity: str | None
    input: Input
    output: Output
    paging: Paging | None
    guard: ReachGuard
    examples: tuple[CheckedExample, ...]
    problems: tuple[ProblemDeclaration, ...]
    handler: Callable[..., object]
    parameters: tuple[Parameter, ...]
    is_async: bool
    questions: tuple[Question, ...]
    deadline: float | None
    """Seconds; None: no deadline."""
    secrets: tuple[str, ...]
    """Dotted places of inputs that every record redacts."""
    lint_ignore: Mapping[str, str]
    location: str | None
    role: Role = Role.OPERATION
    stale: bool = False
    """A derived closed set has never loaded, so the operation cannot be judged and is not offered."""
    special: tuple[Parameter, ...] = field(init=False, compare=False)
    """Of the parameters, those that do not simply take the argument of their name."""
    reads: bool = field(init=False, compare=False)
    """Whether it is a query or static."""

    def __post_init__(self) -> None:
        """Work out once what every call asks for."""
        object.__setattr__(self, "reads", self.kind.reads)
        object.__setattr__(self, "special", tuple(item for item in self.parameters if item.is_special))

    @property
    def reach(self) -> Reach:
        """The published word."""
        return self.guard.reach


def with_schemas(operation: Operation, *, input_schema: JsonObject, output_schema: JsonObject) -> Operation:
    """The same operation with its derived closed sets filled in."""
    return replace(
        operation,
        input=replace(operation.input, schema=input_schema),
        output=replace(operation.output, schema=output_schema),
        stale=False,
    )
