"""What one caller may see and call, and the only way to execution.

Here, and nowhere else, is decided what a caller is offered. Manifest, dispatch, OpenAPI, schema, gaps and console
all read `first_closed_gate`; the surfaces and the executor know operations only through a manifest.
"""

from __future__ import annotations

from afford.catalog.model import Entity, FeatureInfo, NavigationEntry, Prompt, Provider, Resource, Screen
from afford.catalog.operation import Answer, Carries, CheckedExample, Operation, Parameter, Question, Source
from afford.manifest.gates import Explanation, Gate, exposed_operations, first_closed_gate, is_enabled
from afford.manifest.locations import LONGEST_URI
from afford.manifest.offer import Manifest, Readable
from afford.manifest.reached import reached_entities
from afford.manifest.views import Manifests

__all__ = [
    "LONGEST_URI",
    "Answer",
    "Carries",
    "CheckedExample",
    "Entity",
    "Explanation",
    "FeatureInfo",
    "Gate",
    "Manifest",
    "Manifests",
    "NavigationEntry",
    "Operation",
    "Parameter",
    "Prompt",
    "Provider",
    "Question",
    "Readable",
    "Resource",
    "Screen",
    "Source",
    "exposed_operations",
    "first_closed_gate",
    "is_enabled",
    "reached_entities",
]
