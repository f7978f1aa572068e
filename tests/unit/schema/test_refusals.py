"""Types and defaults that cannot be published are refused where they stand, with a way out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, Unpack

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    AnyUrl,
    Base64Bytes,
    Base64Str,
    BaseModel,
    ByteSize,
    ConfigDict,
    Discriminator,
    Field,
    HttpUrl,
    Json,
    NaiveDatetime,
    PlainValidator,
    SecretStr,
    StringConstraints,
    Tag,
    WithJsonSchema,
)
from tests.unit.schema.sample_types import Address, Cat, Color, Dog, Numbers, Point

from afford.schema import InputField, SchemaError, check_defaults, derive_inputs, derive_model_inputs, derive_output
from afford.schema.markers import Choices


class Plain:
    pass


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Stripping(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)
    a: str


class Dates(Enum):
    A = date(2026, 1, 1)


Kind = Annotated[
    Annotated[Cat, Tag("cat")] | Annotated[Dog, Tag("dog")], Discriminator(lambda value: value.get("kind", "cat"))
]

BOTH_WAYS: dict[str, object] = {
    "url": HttpUrl,
    "any url": AnyUrl,
    "bytes": bytes,
    "base64": Base64Bytes,
    "base64 text": Base64Str,
    "byte size": ByteSize,
    "json in text": Json[list[int]],
    "complex": complex,
    "fraction": Fraction,
    "callable": Callable[[], int],
    "class": type[int],
    "iterable": Iterable[int],
    "own class": Plain,
    "open model": Open,
    "positive decimal": Annotated[Decimal, Field(gt=0)],
    "decimal from one": Annotated[Decimal, Field(ge=1)],
    "small decimal": Annotated[Decimal, Field(le=10)],
    "stepped decimal": Annotated[Decimal, Field(multiple_of=Decimal("0.5"))],
    "bounded date": Annotated[date, Field(ge=date(2020, 1, 1))],
    "bounded instant": Annotated[datetime, Field(lt=datetime(2020, 1, 1))],  # noqa: DTZ001 - never compared
    "bounded time": Annotated[time, Field(gt=time(8))],
    "bounded duration": Annotated[timedelta, Field(ge=timedelta(0))],
    "naive instant": NaiveDatetime,
    "keys of dates": dict[date, int],
    "keys of floats": dict[float, int],
    "bounded keys": dict[Annotated[int, Field(ge=1)], int],
    "bare map inside": dict[str, dict],
    "lookahead": Annotated[str, Field(pattern="^(?=a)b")],
    "lookahead inside": list[Annotated[str, Field(pattern="(?!a)")]],
    "backreference": Annotated[str, Field(pattern=r"(a)\1")],
    "broken pattern": Annotated[str, Field(pattern="[")],
    "flags": Annotated[str, Field(pattern=re.compile("a", re.IGNORECASE))],
    "enum of dates": Dates,
    "literal of bytes": Literal[b"a"],
    "bound on a union": Annotated[int | str, Field(ge=1)],
    "bound after a validator": Annotated[int, AfterValidator(abs), Field(ge=1)],
    "tuple with a tail": tuple[int, Unpack[tuple[str, ...]]],  # noqa: UP044 - the star is read otherwise here
    "tuple with an end": tuple[int, Unpack[tuple[str, ...]], int],  # noqa: UP044 - the star is read otherwise here
    "open by hand": Annotated[int, WithJsonSchema({"type": "object"})],
    "broken by hand": list[Annotated[int, Field(json_schema_extra={"type": "whole"})]],
    "any": Any,
    "object": object,
    "bare list": list,
    "bare dict": dict,
    "bare tuple": tuple,
    "bare set": set,
    "choices of numbers": Annotated[int, Choices(list)],
    "choices of a list": Annotated[list[str], Choices(list)],
    "undefined name": list["Undefined"],  # type: ignore[name-defined] # noqa: F821 - the case
}
INPUTS_ONLY: dict[str, object] = {
    "stripping": Annotated[str, StringConstraints(strip_whitespace=True)],
    "lower case": Annotated[str, StringConstraints(to_lower=True)],
    "upper case": Annotated[str, StringConstraints(to_upper=True)],
    "stripping model": Stripping,
    "discriminating function": Kind,
    "plain validator": Annotated[int, PlainValidator(int)],
}


@pytest.mark.parametrize("name", [*BOTH_WAYS, *INPUTS_ONLY])
def test_an_input_that_no_schema_describes_is_refused_by_name(name: str) -> None:
    annotation = {**BOTH_WAYS, **INPUTS_ONLY}[name]
    with pytest.raises(SchemaError) as caught:
        derive_inputs([InputField("fine", int), InputField("value", annotation)])
    assert caught.value.path.startswith("value")
    assert caught.value.message
    assert caught.value.fix


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_an_answer_that_no_schema_describes_is_refused(name: str) -> None:
    with pytest.raises(SchemaError):
        derive_output(BOTH_WAYS[name])


@pytest.mark.parametrize("name", ["stripping", "lower case", "stripping model", "discriminating function"])
def test_what_only_changes_inputs_may_be_answered(name: str) -> None:
    assert derive_output(INPUTS_ONLY[name]).schema


@pytest.mark.parametrize(
    ("annotation", "path"),
    [
        (list[dict[str, HttpUrl]], "value.*.*"),
        (tuple[int, bytes], "value.*"),
        (int | bytes, "value"),
    ],
)
def test_the_place_inside_the_type_is_named(annotation: object, path: str) -> None:
    with pytest.raises(SchemaError) as caught:
        derive_inputs([InputField("value", annotation)])
    assert caught.value.path == path


def test_the_place_inside_models_is_named_by_published_names() -> None:
    class Line(BaseModel):
        link: Annotated[HttpUrl | None, Field(alias="href")] = None

    class Page(BaseModel):
        lines: list[Line]

    with pytest.raises(SchemaError) as caught:
        derive_model_inputs(Page)
    assert caught.value.path == "lines.*.href"


@pytest.mark.parametrize("model", [Numbers, Mapping[str, int]])
def test_inputs_need_fields_of_their_own(model: Any) -> None:
    with pytest.raises(SchemaError):
        derive_model_inputs(model)


def test_an_input_with_several_names_is_refused() -> None:
    with pytest.raises(SchemaError):
        derive_inputs([InputField("a", Annotated[int, Field(validation_alias=AliasChoices("b", "c"))])])


def test_an_alias_that_leads_into_other_members_is_refused() -> None:
    class Deep(BaseModel):
        a: Annotated[int, Field(validation_alias=AliasPath("b", 0))]

    class Either(BaseModel):
        a: Annotated[int, Field(validation_alias=AliasChoices(AliasPath("b", 0), "c"))]

    with pytest.raises(SchemaError) as caught:
        derive_model_inputs(Deep)
    assert caught.value.path == ""
    assert list(derive_model_inputs(Either).schema["properties"]) == ["c"]


def test_two_inputs_of_one_name_are_refused() -> None:
    with pytest.raises(SchemaError):
        derive_inputs([InputField("a", int), InputField("b", Annotated[int, Field(alias="a")])])


def test_an_input_whose_own_additions_are_no_json_schema_is_refused() -> None:
    with pytest.raises(SchemaError):
        derive_inputs([InputField("a", Annotated[int, Field(json_schema_extra={"type": "whole"})])])


def test_an_example_without_a_json_form_is_refused() -> None:
    with pytest.raises(SchemaError):
        derive_inputs([InputField("a", Annotated[int, Field(examples=[object()])])])


@pytest.mark.requirement("CASE-K13")
@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        (str, None),
        (float, float("nan")),
        (Annotated[int, Field(le=3)], 10),
        (int, "5"),
        (int, True),
        (int, 2**53),
        (bool, 1),
        (date, "2026-03-14"),
        (date, datetime(2026, 3, 14)),  # noqa: DTZ001 - the case
        (datetime, datetime(2026, 3, 14)),  # noqa: DTZ001 - the case
        (Color, "red"),
        (Literal["a", "b"], "c"),
        (list[int], (1, 2)),
        (list[int], ["a"]),
        (set[str], ["a"]),
        (dict[str, int], {"a": "b"}),
        (Annotated[str, Field(pattern="^a$")], "b"),
        (Decimal, 1.5),
        (Decimal, Decimal("NaN")),
        (Address, {"street": "x"}),
        (Address, Address.model_construct(street="")),
        (Point, object()),
        (int | str, object()),
        (Annotated[int, AfterValidator(lambda number: number + 1)], 1),
        (list[Address], None),
        (SecretStr, SecretStr("x")),
    ],
)
def test_a_default_that_could_not_be_sent_is_reported_by_parameter(annotation: object, default: object) -> None:
    fields = [InputField("fine", int, 5), InputField("value", annotation, default)]
    errors = check_defaults(fields, derive_inputs(fields).schema)
    assert [name for name, _ in errors] == ["value"]


def test_every_bad_default_is_reported_at_once() -> None:
    fields = [
        InputField("a", str, None),
        InputField("b", int, 5),
        InputField("c", int, "x"),
        InputField("d", object(), 1),
    ][:3]
    assert [name for name, _ in check_defaults(fields, derive_inputs(fields).schema)] == ["a", "c"]


@pytest.mark.parametrize(
    ("annotation", "default"),
    [(int, None), (date, "2026-03-14"), (Annotated[int, Field(le=3)], 10), (list[int], (1,)), (float, float("nan"))],
)
def test_a_bad_default_inside_a_model_is_refused(annotation: Any, default: object) -> None:
    class Inner(BaseModel):
        value: annotation = default

    class Outer(BaseModel):
        inner: Inner

    with pytest.raises(SchemaError):
        derive_model_inputs(Outer)
    assert derive_output(Outer).schema
