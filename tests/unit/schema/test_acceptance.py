"""What the published schema accepts, the conversion accepts as well: one judge, in both directions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import create_model
from tests.unit.schema.json_values import values_for
from tests.unit.schema.sample_types import EVERY

from afford.errors import JsonObject
from afford.schema import InputDecoder, InputField, RuleViolation, derive_inputs, judge_for


class Contract:
    """The input of one operation with one field."""

    def __init__(self, annotation: object) -> None:
        fields = [InputField("value", annotation)]
        self.schema = derive_inputs(fields).schema
        self.judge = judge_for(self.schema)
        self.decoder = InputDecoder.for_fields(fields)
        self.arguments = values_for(self.schema)


def try_one(contract: Contract, data: st.DataObject) -> bool:
    """Whether the value drawn was accepted."""
    arguments: JsonObject = data.draw(contract.arguments)
    if isinstance(arguments, dict):
        arguments = contract.decoder.without_omitted_nulls(arguments)
    if not contract.judge.accepts(arguments):
        assert contract.judge.faults(arguments)
        return False
    assert contract.decoder.decode(arguments).keys() == arguments.keys()
    return True


@pytest.mark.requirement("TYPE-07")
@pytest.mark.parametrize("name", EVERY)
def test_every_value_that_the_schema_accepts_can_be_decoded(name: str) -> None:
    contract, outcomes = Contract(EVERY[name]), set[bool]()

    @settings(max_examples=60, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def attempt(data: st.DataObject) -> None:
        outcomes.add(try_one(contract, data))

    attempt()
    assert outcomes == {True, False}


def models(members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    required = members.map(lambda member: (member, ...))
    optional = members.map(lambda member: (member | None, None))
    return st.dictionaries(st.sampled_from(["a", "kind", "value"]), required | optional, min_size=1).map(
        lambda fields: create_model("Made", **fields)
    )


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda item: list[item]),
        inner.map(lambda item: dict[str, item]),
        inner.map(lambda item: item | None),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        st.tuples(inner, inner).map(lambda pair: tuple[pair[0], pair[1]]),
        models(inner),
    )


@settings(max_examples=120, suppress_health_check=list(HealthCheck))
@given(annotation=st.recursive(st.sampled_from(list(EVERY.values())), containers, max_leaves=5), data=st.data())
def test_types_put_together_from_others_keep_the_promise(annotation: object, data: st.DataObject) -> None:
    contract = Contract(annotation)
    for _ in range(4):
        try_one(contract, data)


@pytest.mark.parametrize("annotation", [float, float | str, list[float]])
def test_an_integer_beyond_every_double_is_the_one_accepted_value_that_does_not_decode(annotation: object) -> None:
    contract = Contract(annotation)
    number = 10**400
    arguments: JsonObject = {"value": [number] if annotation == list[float] else number}
    assert contract.judge.accepts(arguments)
    with pytest.raises(RuleViolation):
        contract.decoder.decode(arguments)
