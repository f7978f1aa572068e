"""Records of apps and of linted targets: everything that is promised or shown, and nothing of how it is done.

Of an app the declarations alone are recorded: nothing is started and nothing loaded, so that the record is the same
wherever it is made. Where a closed set is derived at run time it says that, and not which values there are now.
Examples are left out: they promise nothing, and many are made of today's date.
"""

from __future__ import annotations

from collections.abc import Iterator

from afford.catalog.builtins import BUILT_IN
from afford.catalog.model import Catalog
from afford.declare.operations import Role
from afford.declare.problems import ProblemDeclaration
from afford.declare.vocabulary import Safety
from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described, Origin, Target
from afford.lock.inclusion.documents import RUN_TIME_SET, mapped, ordered
from afford.lock.record import Entries, Record, Tells
from afford.lock.rules import code_name, rule_data
from afford.manifest import Entity, NavigationEntry, Operation, Question, Resource, Screen
from afford.schema.document import CHOICES_KEY


def record_of_app(catalog: Catalog) -> Record:
    """What an app declares, what agents do not see included, without what afford adds itself."""
    resources = {name: _resource(item) for name, item in catalog.resources.items()}
    prompts = {name: _operation(item.operation) for name, item in catalog.prompts.items()}
    sections: dict[str, Entries] = {
        "app": {"": _app(catalog)},
        "operations": {name: _operation(item) for name, item in catalog.operations.items() if name not in BUILT_IN},
        "resources": resources,
        "prompts": prompts,
        "screens": {item.id: _screen(item) for item in catalog.screens},
        "navigation": {item.id: _entry(item) for item in catalog.navigation},
        "entities": {name: _entity(item) for name, item in catalog.entities.items()},
        "texts": {f"feature:{item.name}": {"description": item.description} for item in catalog.features},
    }
    return Record(name=catalog.name, tells=Tells.EVERYTHING, sections=sections)


def record_of_target(target: Target) -> Record:
    """What a linted target tells of itself."""
    is_mcp = target.origin is Origin.MCP
    sections: dict[str, Entries] = {
        "operations": {item.name: _described(item, is_mcp=is_mcp) for item in target.operations}
    }
    texts = _texts(target)
    if texts:
        sections["texts"] = texts
    return Record(name=target.name, tells=Tells.MCP if is_mcp else Tells.HTTP, sections=sections)


def _app(catalog: Catalog) -> JsonObject:
    return {
        "title": catalog.title,
        "description": catalog.description,
        "roles": [*sorted(catalog.roles)],
        "provides_tools": not catalog.provided_tools.is_empty(),
        "shows_state": _switch(catalog.shows_state),
    }


def _operation(item: Operation) -> JsonObject:
    return {
        "id": item.id,
        "role": item.role.value,
        "kind": item.kind.value,
        "reads": item.reads,
        "title": item.title,
        "description": item.agent_description,
        "app_description": None if item.description == item.agent_description else item.description,
        "safety": item.safety.value,
        "risk": item.risk.value,
        "reach": item.reach.value,
        "access": rule_data(item.access),
        "exposed": item.exposed,
        "denied": item.denied,
        "enabled": _switch(item.enabled),
        "surfaces": None if item.surfaces is None else [*sorted(item.surfaces)],
        "idempotent": item.idempotent,
        "open_world": item.open_world,
        "tags": [*sorted(item.tags)],
        "entity": item.entity,
        "input_schema": _schema(item.input.template or item.input.schema),
        "output_schema": _schema(item.output.template or item.output.schema),
        "pages": None if item.paging is None else {"default": item.paging.default, "max": item.paging.max},
        "owner": _named(item.guard.owner),
        "consented": _named(item.guard.consented),
        "widens": None if item.guard.widens is None else rule_data(item.guard.widens),
        "secrets": [*sorted(item.secrets)],
        "problems": {problem.code: _problem(problem) for problem in item.problems},
        "questions": {question.name: _question(question) for question in item.questions},
    }


def _problem(item: ProblemDeclaration) -> JsonObject:
    return {
        "status": item.status,
        "title": item.title,
        "fix": item.fix,
        "docs": item.docs,
        "retryable": item.retryable,
    }


def _question(item: Question) -> JsonObject:
    return {"message": item.message, "schema": _schema(item.schema)}


def _resource(item: Resource) -> JsonObject:
    return {
        **_operation(item.operation),
        "uri": item.template.text,
        "title": item.name,
        "description": item.description,
        "mime_type": item.mime_type,
        "is_state": item.state is not None,
    }


def _screen(item: Screen) -> JsonObject:
    return {
        "type": item.type,
        "path": item.path,
        "description": item.description,
        "access": rule_data(item.access),
        "exposed": item.exposed,
        "entity": item.entity,
    }


def _entry(item: NavigationEntry) -> JsonObject:
    return {
        "label": item.label,
        "screen": item.screen,
        "parent": item.parent,
        "access": rule_data(item.access),
    }


def _entity(item: Entity) -> JsonObject:
    return {
        "description": item.description,
        "schema": _schema(item.schema),
        "references": [*sorted(item.references)],
    }


def _described(item: Described, *, is_mcp: bool) -> JsonObject:
    """What is told of an operation; what is not told is absent."""
    told: JsonObject = {
        "role": Role.OPERATION.value,
        "title": item.title or None,
        "description": item.description,
        "safety": item.safety,
        "risk": item.risk,
        "reach": item.reach,
        "input_schema": _schema(item.input_schema),
        "output_schema": _schema(item.output_schema),
    }
    if not is_mcp:
        told["reads"] = item.reads
    found: JsonObject = {key: value for key, value in told.items() if value is not None}
    if item.pages is not None and item.pages.default is not None:
        found["pages"] = {"default": item.pages.default, "max": item.pages.most}
    elif item.pages is None and (item.risk is not None or item.reach is not None):
        # What afford serves says so when it pages.
        found["pages"] = None
    if is_mcp:
        found |= _hints(item)
        found.setdefault("output_schema", None)
    return found


def _hints(item: Described) -> JsonObject:
    """What the annotations of a tool claim; a hint that is not given means what the protocol says it means then."""
    hints = item.hints or {}
    reads, destroys = hints.get("readOnlyHint") is True, hints.get("destructiveHint") is not False
    safety = Safety.READ if reads else Safety.DESTRUCTIVE if destroys else Safety.ACTION
    return {
        "safety": item.safety or safety.value,
        "idempotent": hints.get("idempotentHint") is True,
        "open_world": hints.get("openWorldHint") is not False,
    }


def _texts(target: Target) -> dict[str, JsonObject]:
    """The prose beside the operations; an app's own record has it elsewhere."""
    found: dict[str, JsonObject] = {}
    for subject, text in _prose(target):
        known = found.get(subject, {}).get("description")
        found[subject] = {"description": f"{known}\n{text}" if known else text}
    return found


def _prose(target: Target) -> Iterator[tuple[str, str]]:
    if target.instructions:
        yield "instructions", target.instructions
    yield from ((item.subject, item.text) for item in target.prose)


def _schema(schema: JsonObject | None) -> JsonValue:
    """A schema in its recorded form; None where there is none."""
    return mapped(schema, _recorded) if schema else None


def _recorded(place: JsonObject) -> JsonObject:
    if CHOICES_KEY in place:
        place = {key: value for key, value in place.items() if key not in {CHOICES_KEY, "enum"}}
        place[RUN_TIME_SET] = True
    return ordered(place)


def _switch(value: object) -> JsonValue:
    """What is on, off, or decided by the author's code at run time."""
    return value if isinstance(value, bool) else {"code": code_name(value)}


def _named(value: object) -> JsonValue:
    """A name, or the author's function in its place."""
    return value if isinstance(value, str) or value is None else {"code": code_name(value)}
