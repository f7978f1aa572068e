"""Types to published JSON Schema, the judge that enforces it, and the conversions on both sides.

Knows types, JSON Schema and JSON; nothing of operations, callers or surfaces. Whatever a published schema accepts can
be converted, and whatever is written is judged by what was published.
"""

from __future__ import annotations

from afford.schema import marker_hooks as _marker_hooks
from afford.schema.any_dump import AnyDumper
from afford.schema.choices import resolve_choices
from afford.schema.decode import InputDecoder, RuleViolation
from afford.schema.defaults import check_defaults
from afford.schema.derive import derive_inputs, derive_model_inputs, derive_output
from afford.schema.document import REQUIRED, Direction, InputField, SchemaError, TypeSchema, is_open
from afford.schema.dump import OutputDumper
from afford.schema.dump_values import DumpError
from afford.schema.json_value import is_json
from afford.schema.judge import Judge, judge_for
from afford.schema.marks import marked
from afford.schema.raw import check_raw_schema, exact_integers

__all__ = [
    "REQUIRED",
    "AnyDumper",
    "Direction",
    "DumpError",
    "InputDecoder",
    "InputField",
    "Judge",
    "OutputDumper",
    "RuleViolation",
    "SchemaError",
    "TypeSchema",
    "check_defaults",
    "check_raw_schema",
    "derive_inputs",
    "derive_model_inputs",
    "derive_output",
    "exact_integers",
    "is_json",
    "is_open",
    "judge_for",
    "marked",
    "resolve_choices",
]

_marker_hooks.install()
