"""An example with a value that stands for a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonValue
from afford.lint.examples import Leaf, leaves
from afford.lint.fields import is_identifier, snake
from afford.lint.nodes import nodes
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, with_change
from afford.lint.target import Described, Target

_PLACEHOLDER: Final = re.compile(
    r"(?i:string|foo|bar|baz|foobar|test|testing|example|sample|dummy|placeholder|value|x{3,}|todo|tbd|asdf|qwerty"
    r"|lorem ipsum.*|your[_-][\w-]+|insert[_ ][\w ]+[_ ]here|<[\w -]+>|\{\{?[\w ]+\}?\}|changeme"
    r"|(?:foo|test|bar)@(?:foo|test|bar)\.\w+|example[_ -]?(?:id|name|value)|some[_ -](?:id|name|value|string))"
    r"|1970-01-01(?:T00:00:00.*)?|0000-00-00|(?:YYYY|yyyy)-.*|0{8}-0{4}-0{4}-0{4}-0{12}"
)
_ABOUT_FORMS: Final = frozenset({"type", "format", "kind", "data_type"})


def check(found: Target) -> Iterator[Finding]:
    """Whole values; a value that a schema lists is a real one."""
    for item in found.operations:
        listed = _listed(item)
        for leaf in leaves(item):
            if leaf.value not in listed and _is_placeholder(leaf):
                message = f"`{leaf.value}` is no real value"
                yield Finding(subject=item.name, message=message, pointer=leaf.pointer)


def _is_placeholder(leaf: Leaf) -> bool:
    name = snake(leaf.name)
    identifies = is_identifier(leaf.name) or name == "id"
    if identifies and leaf.value in (0, "0") and not isinstance(leaf.value, bool):
        return True
    return isinstance(leaf.value, str) and name not in _ABOUT_FORMS and _PLACEHOLDER.fullmatch(leaf.value) is not None


def _listed(item: Described) -> list[JsonValue]:
    values: list[JsonValue] = []
    for schema in (item.input_schema, item.output_schema):
        for node in nodes(schema):
            members = node.schema.get("enum")
            values += members if isinstance(members, list) else []
            values += [node.schema[key] for key in ("const", "default") if key in node.schema]
    return values


RULE: Final = Rule(
    code="EXM102",
    name="placeholder",
    severity=Severity.ERROR,
    what="An example has a placeholder for a value.",
    why="An assistant sends it as it stands, and learns nothing of the form that real values have.",
    fix="Use a value that works: a seeded id, a member of the set, a date to come.",
    source="house style checklist, item 17",
    bad=with_change("book_room", example_row={"booking_id": "string"}),
    good=with_change("book_room", example_row={"booking_id": "bk_81c0"}, description=BOOK.description),
    check=check,
)
