"""Types that are published from their annotation alone are published as pydantic would publish them."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field
from tests.unit.schema.sample_types import COMPOSED, PLAIN

from afford.schema import Direction, InputField, derive_inputs
from afford.schema.field_parts import read_remarks, unwrapped
from afford.schema.plain import plain_schema
from afford.schema.publish import publish

SCALARS = [PLAIN[name] for name in PLAIN if "list" not in name and "tuple" not in name]


def by_annotation(annotation: object) -> dict[str, Any] | None:
    bare, metadata = unwrapped(annotation)
    return plain_schema(bare, read_remarks(metadata), [])


def random_types() -> st.SearchStrategy[object]:
    def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of(
            inner.map(lambda item: list[item]),
            inner.map(lambda item: set[item]),
            inner.map(lambda item: frozenset[item]),
            inner.map(lambda item: tuple[item, ...]),
            inner.map(lambda item: dict[str, item]),
            inner.map(lambda item: dict[int, item]),
            inner.map(lambda item: item | None),
            st.tuples(inner, st.integers(0, 3)).map(lambda made: Annotated[list[made[0]], Field(min_length=made[1])]),
            inner.map(lambda item: Annotated[item, Field(description="What it is.", examples=[None])]),
        )

    return st.recursive(st.sampled_from(SCALARS), containers, max_leaves=4)


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("name", PLAIN)
def test_both_roads_publish_the_same_document(name: str, direction: Direction) -> None:
    plain = by_annotation(PLAIN[name])
    assert plain is not None
    assert orjson.dumps(plain) == orjson.dumps(publish(PLAIN[name], direction).schema)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(annotation=random_types(), direction=st.sampled_from(Direction))
def test_both_roads_agree_on_types_made_of_plain_ones(annotation: object, direction: Direction) -> None:
    plain = by_annotation(annotation)
    assert plain is not None
    assert orjson.dumps(plain) == orjson.dumps(publish(annotation, direction).schema)


@pytest.mark.parametrize("name", COMPOSED)
def test_composed_types_take_the_other_road(name: str) -> None:
    assert by_annotation(COMPOSED[name]) is None


def test_a_plain_input_builds_no_validator(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("pydantic was asked")

    monkeypatch.setattr("afford.schema.core_tree.TypeAdapter", refuse)
    schema = derive_inputs([InputField(f"f{index}", PLAIN[name]) for index, name in enumerate(PLAIN)]).schema
    assert len(schema["properties"]) == len(PLAIN)
