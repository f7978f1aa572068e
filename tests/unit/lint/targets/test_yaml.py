"""Documents in YAML: what they mean, and what is refused rather than expanded."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from afford.errors import JsonValue
from afford.lint.target import Origin
from afford.lint.targets.reading import TargetError, read_target
from afford.lint.targets.yaml_text import YamlError, parse_yaml

DOCUMENT = """
openapi: 3.1.0
info: {title: Shop, version: 1.10}
x-limits: &limits
  type: integer
  minimum: 0o1
paths:
  /orders:
    get:
      operationId: list_orders
      description: >-
        Read the orders of one day,
        newest first.
      parameters:
        - name: day
          in: query
          schema: {type: string, format: date, example: 2027-03-01}
        - name: open
          in: query
          schema: {type: string, enum: [yes, no, on]}
        - name: most
          in: query
          schema: {<<: *limits, maximum: 50}
      responses:
        200:
          description: The orders.
          content:
            application/json: {schema: {type: array, items: {type: string}}}
"""
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)


@pytest.mark.requirement("LINT-30")
@pytest.mark.parametrize("name", ["shop.yaml", "shop.yml", "SHOP.YAML"])
def test_an_openapi_document_in_yaml_is_read_as_its_json_would_be(tmp_path: Path, name: str) -> None:
    written, same = tmp_path / name, tmp_path / "same.json"
    written.write_text(DOCUMENT)
    same.write_text(json.dumps(parse_yaml(DOCUMENT.encode())))
    found = read_target(str(written))
    assert found.origin is Origin.OPENAPI
    assert found.operations == read_target(str(same)).operations
    (orders,) = found.operations
    assert orders.description == "Read the orders of one day, newest first."
    assert orders.example_params is None or orders.example_params["day"] == "2027-03-01"
    assert orders.inputs["open"] == {"type": "string", "enum": ["yes", "no", "on"]}
    assert orders.inputs["most"] == {"type": "integer", "minimum": 1, "maximum": 50}
    assert orders.output_schema == {"type": "array", "items": {"type": "string"}}


@pytest.mark.requirement("LINT-30")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2027-03-01", "2027-03-01"),
        ("2027-03-01T10:00:00Z", "2027-03-01T10:00:00Z"),
        ("12:30:00", "12:30:00"),
        ("yes", "yes"),
        ("Off", "Off"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("'null'", "null"),
        ('"1"', "1"),
        ("012", 12),
        ("0o12", 10),
        ("0xA", 10),
        ("-3", -3),
        ("1.50", 1.5),
        ("1e3", 1000.0),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1_000", "1_000"),
        ("9" * 5_000, "9" * 5_000),
        ("9" * 30, float("9" * 30)),
        ("!!python/object/apply:os.system [echo]", ["echo"]),
        ("!!binary aGk=", "aGk="),
        ("|\n  a\n  b\n", "a\nb\n"),
    ],
)
def test_scalars_mean_what_yaml_1_2_says(text: str, value: JsonValue) -> None:
    found = parse_yaml(f"value: {text}".encode())
    assert found == {"value": value}
    assert not isinstance(found, dict) or type(found["value"]) is type(value)


def test_keys_are_texts_and_merged_members_give_way() -> None:
    text = "base: &base {a: 1, b: 1}\nmore: &more {b: 2, c: 2}\nboth: {<<: [*base, *more], a: 3}\n200: ok\n'<<': plain"
    assert parse_yaml(text.encode()) == {
        "base": {"a": 1, "b": 1},
        "more": {"b": 2, "c": 2},
        "both": {"b": 1, "c": 2, "a": 3},
        "200": "ok",
        "<<": "plain",
    }


@pytest.mark.requirement("LINT-30")
@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &a [*a]",
        "a: &a {b: *a}",
        "[" * 50_000,
        "[" * 300 + "]" * 300,
        "? {a: b}\n: c",
        "a: b: c",
        "\tx: 1",
        "a: *b",
    ],
    ids=["bomb", "circle", "circle-of-keys", "open", "deep", "key", "colon", "tab", "nothing"],
)
def test_what_cannot_be_json_is_refused(text: str) -> None:
    with pytest.raises(YamlError):
        parse_yaml(text.encode())


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"a: 1\n---\nb: 2", b"\x00"])
def test_bytes_that_are_no_one_document_are_refused(content: bytes) -> None:
    with pytest.raises(YamlError):
        parse_yaml(content)


def test_a_broken_file_and_one_that_says_nothing_are_refused(tmp_path: Path) -> None:
    for text in ("a: b: c", "", "- a\n- b\n", "just text", "swagger: '2.0'\n"):
        (tmp_path / "x.yaml").write_text(text)
        with pytest.raises(TargetError):
            read_target(str(tmp_path / "x.yaml"))


def test_json_is_yaml_as_well(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(json.dumps({"queries": [], "actions": []}))
    assert read_target(str(tmp_path / "x.yaml")).origin is Origin.CATALOG


def test_without_the_parser_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "x.yaml").write_text(DOCUMENT)
    with pytest.raises(TargetError, match=r"afford\[lint\]"):
        read_target(str(tmp_path / "x.yaml"))
