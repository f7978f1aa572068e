"""Arguments converted one by one become what all of them together become."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, Field
from pydantic_core import ValidationError
from tests.unit.schema.json_values import values_for
from tests.unit.schema.sample_types import EVERY, Color, Guest

from afford.schema import InputDecoder, InputField, derive_inputs, judge_for


def decoder_for(*fields: InputField) -> InputDecoder:
    decoder = InputDecoder.for_fields(fields)
    decoder.decode({})
    return decoder


def one_by_one(decoder: InputDecoder, arguments: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return decoder._ways.values(arguments)
    except ValidationError:
        return None


def together(decoder: InputDecoder, arguments: dict[str, Any]) -> dict[str, Any]:
    return decoder._converter.validate_python(arguments, by_alias=True, by_name=False)


@pytest.mark.parametrize("name", EVERY)
def test_a_value_of_its_own_is_the_value_among_others(name: str) -> None:
    fields = [InputField("value", EVERY[name]), InputField("other", str)]
    schema = derive_inputs(fields).schema
    judge, decoder = judge_for(schema), decoder_for(*fields)

    @settings(max_examples=12, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def attempt(data: st.DataObject) -> None:
        arguments = data.draw(values_for(schema))
        if not isinstance(arguments, dict) or not judge.accepts(arguments):
            return
        values = one_by_one(decoder, arguments)
        if values is not None:
            expected = together(decoder, arguments)
            assert values == expected
            assert {name: type(values[name]) for name in values} == {name: type(expected[name]) for name in values}

    attempt()


@pytest.mark.parametrize("annotation", [str, int, bool, date, float, Literal["a", "b"], list[str], Color])
def test_scalars_and_lists_of_text_have_a_way_of_their_own(annotation: object) -> None:
    assert one_by_one(decoder_for(InputField("value", annotation)), {}) == {}
    assert decoder_for(InputField("value", annotation))._ways._together == set()


@pytest.mark.parametrize(
    "annotation", [Guest, list[int], dict[str, int], int | str, Annotated[int, AfterValidator(abs)]]
)
def test_everything_else_is_converted_together(annotation: object) -> None:
    decoder = decoder_for(InputField("value", annotation), InputField("other", str))
    assert one_by_one(decoder, {"other": "text"}) == {"other": "text"}
    assert one_by_one(decoder, {"other": "text", "value": 1}) is None


def test_a_whole_number_in_another_spelling_becomes_an_integer() -> None:
    value = decoder_for(InputField("value", int)).decode({"value": 2.0})["value"]
    assert (value, type(value)) == (2, int)


def test_a_handler_may_change_the_list_it_gets() -> None:
    sent = ["a"]
    value = decoder_for(InputField("value", list[str])).decode({"value": sent})["value"]
    value.append("b")
    assert sent == ["a"]


def test_values_arrive_under_the_names_of_parameters_even_where_these_are_published_crosswise() -> None:
    first = InputField("first", Annotated[str, Field(alias="second")])
    second = InputField("second", Annotated[int, Field(alias="first")])
    assert decoder_for(first, second).decode({"second": "a", "first": 2.0}) == {"first": "a", "second": 2}
