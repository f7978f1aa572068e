"""JSON values for a schema: most of them fit, the others miss by little."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

ODD_TEXT = [
    "",
    " ",
    "a",
    "abc",
    "NaN",
    "Infinity",
    "1e3",
    "1E400",
    "-0",
    "-0.00",
    "00.1",
    ".5",
    "1.",
    "0.10",
    "+1",
    "1_000",
    " 5",
    "5",
    "12.345",
    "99999.9999",
    "0.123",
    "\u0661\u0662",
    "\uff11\uff12",
    "é",
    "a\n",
    "\u2028",
    "\ufeff",
    "\x00",
    "true",
    "null",
    "[1]",
    '{"a":1}',
    "2026-03-14",
    "2026-3-14",
    "0000-01-01",
    "0001-01-01",
    "9999-12-31",
    "2026-02-30",
    "2026-03-14T09:30:00",
    "2026-03-14T09:30:00Z",
    "2026-03-14t09:30:00z",
    "2026-03-14 09:30:00Z",
    "2026-03-14T09:30Z",
    "2026-03-14T23:59:60Z",
    "2026-03-14T24:00:00Z",
    "2026-03-14T09:30:00+0200",
    "2026-03-14T09:30:00+23:59",
    "2026-03-14T09:30:00.1234567Z",
    "0000-12-31T23:59:59Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59.999999-23:59",
    "1700000000",
    "09:30",
    "09:30:00",
    "09:30:00.5Z",
    "24:00:00",
    "23:59:60",
    "P1D",
    "P",
    "PT",
    "P1DT",
    "-PT1.5H",
    "-PT0.5S",
    "P1Y",
    "P1M",
    "P9999999W",
    "P99999999DT999999H999999M99999999.999999S",
    "1 day",
    "123e4567-e89b-42d3-a456-426614174000",
    "123E4567-E89B-12D3-A456-426614174000",
    "123e4567e89b42d3a456426614174000",
    "{123e4567-e89b-42d3-a456-426614174000}",
]
ODD_NUMBERS: list[int | float] = [
    0,
    -0.0,
    1,
    1.0,
    1e2,
    -1,
    0.1,
    0.29,
    2.5,
    4.35,
    1e308,
    5e-324,
    2**53 - 1,
    2**53,
    -(2**53),
    2**63,
    2**64,
    10**30,
]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.sampled_from(ODD_NUMBERS) | st.sampled_from(ODD_TEXT) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "kind", "value", "1"]), inner),
    max_leaves=4,
)
_DEEPEST = 4


def values_for(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema accepts more often than not."""
    return _Values(schema).at(schema, 0)


class _Values:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root

    def at(self, schema: Any, depth: int) -> st.SearchStrategy[Any]:
        if not isinstance(schema, dict) or schema.keys() <= {"default", "description"}:
            return ANYTHING
        fitting = self._fitting(schema, depth)
        return _seldom(ANYTHING, fitting, depth)

    def _fitting(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        if "$ref" in schema:
            if depth > _DEEPEST:
                return st.just({})
            name = schema["$ref"].removeprefix("#/$defs/")
            return st.deferred(lambda: self.at(self._root["$defs"][name], depth + 1))
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return st.one_of([self.at(branch, depth) for branch in schema[key]])
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(schema["enum"] or [None])
        return getattr(self, f"_{schema.get('type')}")(schema, depth)

    def _null(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        return st.none()

    def _boolean(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        return st.booleans() | st.sampled_from([0, 1, 1.0, "true"])

    def _integer(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        bounds = [schema[key] for key in _BOUNDS if key in schema]
        near = [bound + step for bound in bounds for step in (-1, 0, 1)]
        return st.sampled_from(near) | st.integers(-20, 20) | st.integers(-20, 20).map(float)

    def _number(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        near = [schema[key] for key in _BOUNDS if key in schema]
        hundredths = st.integers(-500, 500).map(lambda number: number / 100)
        return st.sampled_from([*near, *ODD_NUMBERS]) | st.floats(-3, 3) | hundredths

    def _string(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        return _seldom(st.sampled_from(ODD_TEXT), self._text(schema), depth)

    def _text(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        if schema.get("format") == "date":
            return st.dates().map(str)
        if schema.get("format") == "date-time":
            return st.datetimes().map(lambda instant: f"{instant.isoformat(timespec='milliseconds')}Z")
        if "pattern" in schema:
            return st.from_regex(schema["pattern"]) | st.from_regex(schema["pattern"], fullmatch=True)
        if schema.get("format") == "uuid":
            return st.uuids().map(str)
        length = schema.get("maxLength", 4)
        return st.text(min_size=schema.get("minLength", 0), max_size=length) | st.text(max_size=length + 1)

    def _array(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        fixed = [self.at(item, depth) for item in schema.get("prefixItems", [])]
        if fixed:
            return st.tuples(*fixed).map(list) | st.lists(st.one_of(fixed), max_size=4)
        least = schema.get("minItems", 0)
        size = st.lists(self.at(schema.get("items", True), depth), min_size=least, max_size=least + 2)
        twice = size.map(lambda items: [*items, *items[:1]])
        return size | size | twice if depth <= _DEEPEST else st.just([])

    def _object(self, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
        inside = depth + len(schema.get("properties", {})) // 3
        named = {name: self.at(inner, inside) for name, inner in schema.get("properties", {}).items()}
        required = set(schema.get("required", []))
        fixed = st.fixed_dictionaries(
            {name: inner for name, inner in named.items() if name in required},
            optional={name: _seldom(st.none(), inner, inside) for name, inner in named.items() if name not in required},
        )
        rest = schema.get("additionalProperties", True)
        if rest is False and not schema.get("patternProperties"):
            more = fixed.map(lambda members: {**members, "unknown": 1})
            less = fixed.map(lambda members: dict(list(members.items())[1:]))
            return _seldom(more | less, fixed, depth)
        inner = next(iter(schema.get("patternProperties", {}).values()), rest)
        keys = st.sampled_from(["a", "b", "red", "green", "1", "-5", "0", "01", "9" * 17, "long key", "A"])
        return st.dictionaries(keys, self.at(inner, depth), max_size=2)


def _seldom(odd: st.SearchStrategy[Any], usual: st.SearchStrategy[Any], depth: int) -> st.SearchStrategy[Any]:
    """Seldomer the deeper, since one odd part is enough to have the whole refused."""
    return st.sampled_from([False] * (5 + 15 * depth) + [True]).flatmap(lambda is_odd: odd if is_odd else usual)


_BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
