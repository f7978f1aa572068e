"""What is wrong with a refused value: every fault at once, each at its own place.

Walks the schema beside the value and looks only where the engine says no, so that the work is bounded by what is
reported and not by what was sent. Knows schemas, derived or an author's own; the wording is elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast
from urllib.parse import unquote

from afford.errors import Fault, FaultCode, JsonObject, JsonValue
from afford.schema.document import properties_of
from afford.schema.engine import UNREADABLE, Engine, accepts, compiled, compiled_place, places_of
from afford.schema.fault_branches import fitting_branches, tag_fault, types_of, without_other_tags
from afford.schema.fault_words import (
    duplicate,
    either,
    json_type,
    member_pointer,
    missing,
    not_a_choice,
    not_allowed,
    out_of_range,
    unknown_argument,
    wrong_format,
    wrong_length,
    wrong_type,
)

Place: TypeAlias = tuple[str, ...]
"""The keys that lead to a schema from its root."""

_MOST_BRANCHES: Final = 8
_RANGE: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_SHAPE: Final = frozenset({FaultCode.UNKNOWN_ARGUMENT, FaultCode.MISSING, FaultCode.WRONG_TYPE})


class FaultFinder:
    """Finds faults by one schema; keeps what it compiled for the next value."""

    def __init__(self, schema: JsonObject) -> None:
        """Take a valid schema."""
        self._schema = schema
        self._registry = places_of(schema)
        self._engines: dict[Place, Engine] = {}
        self._patterns: dict[str, Engine] = {}

    def faults(self, value: object, limit: int) -> tuple[Fault, ...]:
        """At least one fault and at most `limit`, for a value that the schema refuses."""
        search = _Search(self, limit)
        try:
            search.visit((), self._schema, value, "")
        except RecursionError:
            return (not_allowed("", "is nested too deep"),)
        return tuple(search.found[:limit]) or (not_allowed("", "does not fit the schema"),)

    def engine(self, place: Place) -> Engine:
        """The engine of one place."""
        engine = self._engines.get(place)
        if engine is None:
            engine = self._engines[place] = compiled_place(self._registry, place)
        return engine

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a member's name matches a pattern of the schema."""
        if pattern not in self._patterns:
            self._patterns[pattern] = compiled({"pattern": pattern})
        return accepts(self._patterns[pattern], name)

    def resolved(self, place: Place, schema: JsonValue) -> tuple[Place, JsonValue]:
        """The place itself, or the one it only refers to."""
        seen: set[Place] = set()
        while isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and place not in seen:
            seen.add(place)
            place = _target(str(schema["$ref"]))
            schema = self.at(place)
        return place, schema

    def at(self, place: Place) -> JsonValue:
        """The schema at a place."""
        found: JsonValue = self._schema
        for key in place:
            found = _inside(found, key)
        return found


@dataclass(slots=True)
class _Search:
    """One walk; `found` grows up to the limit."""

    finder: FaultFinder
    limit: int
    found: list[Fault] = field(default_factory=list[Fault])

    def visit(self, place: Place, schema: JsonValue, value: object, pointer: str) -> None:
        """Report what is wrong with a value at one place; nothing where the place accepts it."""
        if len(self.found) >= self.limit or accepts(self.finder.engine(place), value):
            return
        before = len(self.found)
        if isinstance(schema, dict):
            self._visit_refused(place, schema, value, pointer)
        if len(self.found) == before:
            self.found.append(not_allowed(pointer, "is not allowed here"))

    def _visit_refused(self, place: Place, schema: JsonObject, value: object, pointer: str) -> None:
        if "$ref" in schema:
            target = _target(str(schema["$ref"]))
            if not accepts(self.finder.engine(target), value):
                self.visit(target, self.finder.at(target), value, pointer)
                return
        own = self._own_fault(place, schema, value, pointer)
        if own is not None:
            self.found.append(own)
            return
        for index, inner in enumerate(cast("list[JsonValue]", schema.get("allOf", []))):
            self.visit((*place, "allOf", str(index)), inner, value, pointer)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                self._visit_branches((*place, key), cast("list[JsonValue]", schema[key]), value, pointer)
        if isinstance(value, Mapping):
            self._visit_object(place, schema, cast("Mapping[object, object]", value), pointer)
        elif isinstance(value, (list, tuple)):
            self._visit_array(place, schema, cast("Sequence[object]", value), pointer)
        else:
            self._visit_scalar(place, schema, value, pointer)

    def _own_fault(self, place: Place, schema: JsonObject, value: object, pointer: str) -> Fault | None:
        """A fault that makes looking any further pointless: not JSON, another type, outside a closed set."""
        received = json_type(value)
        if received is None:
            return not_allowed(pointer, f"is of type `{type(value).__name__}`, which is not JSON")
        types = types_of(schema)
        if types is not None and not _is_of(received, types) and "enum" not in schema and "const" not in schema:
            return wrong_type(pointer, types, value, lambda other: accepts(self.finder.engine(place), other))
        if "enum" in schema or "const" in schema:
            members = cast("list[JsonValue]", schema["enum"]) if "enum" in schema else [schema["const"]]
            if not accepts(compiled({"enum": members}), value):
                return not_a_choice(pointer, members, value)
        return None

    def _visit_object(self, place: Place, schema: JsonObject, value: Mapping[object, object], pointer: str) -> None:
        named = properties_of(schema)
        self._visit_names(place, schema, value, pointer)
        for name in cast("list[str]", schema.get("required", [])):
            if name not in value:
                _, inner = self.finder.resolved((*place, "properties", name), named.get(name, True))
                types = types_of(inner) if isinstance(inner, dict) else None
                self._add(missing(pointer, name, None if types is None else " or ".join(types)))
        for name, inner in named.items():
            if name in value:
                self.visit((*place, "properties", name), inner, value[name], member_pointer(pointer, name))
        if "minProperties" in schema or "maxProperties" in schema:
            self._visit_size(place, schema, len(value), pointer, "Properties")

    def _visit_names(self, place: Place, schema: JsonObject, value: Mapping[object, object], pointer: str) -> None:
        """Members that no property names: by pattern, by the schema for the rest, or refused."""
        named, patterns = properties_of(schema), cast("JsonObject", schema.get("patternProperties", {}))
        rest = schema.get("additionalProperties", True)
        names, values = (*place, "propertyNames"), (*place, "additionalProperties")
        engine = None if isinstance(rest, bool) else self.finder.engine(values)
        for name, member in value.items():
            if len(self.found) >= self.limit:
                return
            if not isinstance(name, str):
                self._add(not_allowed(pointer, "has a key that is not text"))
                continue
            if "propertyNames" in schema:
                self.visit(names, schema["propertyNames"], name, member_pointer(pointer, name))
            matching = [pattern for pattern in patterns if self.finder.matches(pattern, name)]
            for pattern in matching:
                inner = (*place, "patternProperties", pattern)
                self.visit(inner, patterns[pattern], member, member_pointer(pointer, name))
            if name in named or matching:
                continue
            if rest is False:
                self._add(unknown_argument(pointer, name, [other for other in named if other not in value]))
            elif engine is not None and not accepts(engine, member):
                self.visit(values, rest, member, member_pointer(pointer, name))

    def _visit_array(self, place: Place, schema: JsonObject, value: Sequence[object], pointer: str) -> None:
        self._visit_size(place, schema, len(value), pointer, "Items")
        fixed = cast("list[JsonValue]", schema.get("prefixItems", []))
        for index, (inner, item) in enumerate(zip(fixed, value, strict=False)):
            self.visit((*place, "prefixItems", str(index)), inner, item, f"{pointer}/{index}")
        rest = schema.get("items", True)
        if isinstance(rest, dict):
            engine = self.finder.engine((*place, "items"))
            for index in range(len(fixed), len(value)):
                if len(self.found) >= self.limit:
                    return
                if not accepts(engine, value[index]):
                    self.visit((*place, "items"), rest, value[index], f"{pointer}/{index}")
        if schema.get("uniqueItems") is True and not accepts(compiled({"uniqueItems": True}), value):
            self._add(_duplicate_of(value, pointer))

    def _visit_size(self, place: Place, schema: JsonObject, size: int, pointer: str, kind: str) -> None:
        least, most = schema.get(f"min{kind}", 0), schema.get(f"max{kind}", size)
        if not cast("int", least) <= size <= cast("int", most):
            self._add(wrong_length(pointer, schema, kind, size))

    def _visit_scalar(self, place: Place, schema: JsonObject, value: object, pointer: str) -> None:
        try:
            kinds = [
                error.kind.name
                for error in self.finder.engine(place).iter_errors(value)
                if tuple(map(str, error.schema_path[:-1])) == place
            ]
        except UNREADABLE:
            self._add(not_allowed(pointer, "holds text that is no Unicode, such as half of a surrogate pair"))
            return
        faults: dict[FaultCode, Fault] = {}
        for kind in kinds:
            if kind in _RANGE:
                faults[FaultCode.OUT_OF_RANGE] = out_of_range(pointer, schema)
            elif kind in ("minLength", "maxLength"):
                faults[FaultCode.WRONG_LENGTH] = wrong_length(pointer, schema, "Length", len(str(value)))
            elif kind in ("pattern", "format"):
                faults[FaultCode.WRONG_FORMAT] = wrong_format(pointer, schema)
        for fault in faults.values():
            self._add(fault)

    def _visit_branches(self, place: Place, branches: Sequence[JsonValue], value: object, pointer: str) -> None:
        """Report by the branch that was meant: by JSON type, then by tag, then by what fits best."""
        resolved = [self.finder.resolved((*place, str(index)), inner) for index, inner in enumerate(branches)]
        if any(accepts(self.finder.engine(at), value) for at, _ in resolved):
            self._add(not_allowed(pointer, "fits more than one of the accepted forms"))
            return
        fitting = fitting_branches(resolved, value)
        if not fitting:
            types = [name for _, inner in resolved for name in (types_of(inner) or ()) if isinstance(inner, dict)]
            self._add(wrong_type(pointer, list(dict.fromkeys(types)), value, self._any_of(resolved)))
            return
        members = _members_of(value) if len(fitting) > 1 else None
        if members is not None:
            tagged = tag_fault(fitting, members, pointer)
            if tagged is not None:
                self._add(tagged)
                return
            fitting = without_other_tags(fitting, members)
        self._visit_best(fitting, value, pointer)

    def _visit_best(self, fitting: Sequence[tuple[Place, JsonValue]], value: object, pointer: str) -> None:
        attempts: list[list[Fault]] = []
        for place, inner in fitting[:_MOST_BRANCHES]:
            attempt = _Search(self.finder, self.limit)
            attempt.visit(place, inner, value, pointer)
            attempts.append(attempt.found)
        best = min(attempts, key=lambda found: (sum(fault.code in _SHAPE for fault in found), len(found)))
        firsts = [found[0] for found in attempts if len(found) == 1]
        if len(firsts) == len(attempts) > 1 and len({(fault.pointer, fault.code) for fault in firsts}) == 1:
            best = [either(firsts[0], firsts[1:])]
        for fault in best:
            self._add(fault)

    def _any_of(self, branches: Sequence[tuple[Place, JsonValue]]) -> _AnyOf:
        return _AnyOf(tuple(self.finder.engine(place) for place, _ in branches))

    def _add(self, fault: Fault) -> None:
        is_new = all((known.pointer, known.code) != (fault.pointer, fault.code) for known in self.found)
        if is_new and len(self.found) < self.limit:
            self.found.append(fault)


@dataclass(frozen=True, slots=True)
class _AnyOf:
    engines: tuple[Engine, ...]

    def __call__(self, value: object) -> bool:
        return any(accepts(engine, value) for engine in self.engines)


def _inside(schema: JsonValue, key: str) -> JsonValue:
    if isinstance(schema, list):
        return schema[int(key)]
    return cast("JsonObject", schema)[key]


def _members_of(value: object) -> Mapping[object, object] | None:
    return cast("Mapping[object, object]", value) if isinstance(value, Mapping) else None


def _is_of(received: str, types: Sequence[str]) -> bool:
    return received in types or (received == "integer" and "number" in types)


def _target(reference: str) -> Place:
    return tuple(unquote(token).replace("~1", "/").replace("~0", "~") for token in reference.split("/")[1:])


def _duplicate_of(value: Sequence[object], pointer: str) -> Fault:
    seen: dict[object, int] = {}
    for index, key in enumerate(_keys(value)):
        if key in seen:
            return duplicate(f"{pointer}/{index}", seen[key])
        seen[key] = index
    return duplicate(pointer, None)


def _keys(value: Sequence[object]) -> Iterator[object]:
    """Something hashable for every item, equal for equal JSON."""
    for item in value:
        if isinstance(item, (bool, str)) or item is None:
            yield type(item), item
        elif isinstance(item, (int, float)):
            yield float, item
        else:
            # Not the fast writer: it has no integers beyond 64 bits.
            yield dict, json.dumps(item, sort_keys=True, default=repr)
