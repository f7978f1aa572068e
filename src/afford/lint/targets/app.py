"""A target from an app's catalog, or from what one caller is offered of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from afford.caller import Door
from afford.catalog.builtins import BUILT_IN
from afford.catalog.model import Catalog
from afford.declare.operations import Role
from afford.declare.vocabulary import Safety
from afford.errors import JsonObject
from afford.lint.target import Described, Form, Origin, Pages, Prose, Target
from afford.manifest import Manifest, Operation, Prompt, Resource, Screen, reached_entities
from afford.surfaces.http.project import descriptor
from afford.surfaces.mcp.project import tool
from afford.surfaces.wire import http_description


def from_catalog(catalog: Catalog) -> Target:
    """Everything that some agent may come to see of an app, whoever it acts for; without afford's own operations."""
    seen = [item for item in catalog.operations.values() if _is_seen(item)]
    resources = [item for item in catalog.resources.values() if _is_seen(item.operation)]
    prompts = [item for item in catalog.prompts.values() if _is_seen(item.operation)]
    screens = [item for item in catalog.screens if item.exposed]
    prose = [*_features(catalog), *_reads(resources, prompts), *_screens(screens), *_entities(catalog, seen)]
    return _target(catalog, seen, prose)


def from_manifest(catalog: Catalog, manifest: Manifest) -> Target:
    """What one caller is offered: the part of the catalog that its assistant reads, and pays for."""
    seen = [item for item in (*manifest.operations, *manifest.tools) if item.wire_name not in BUILT_IN]
    unique = {item.wire_name: item for item in seen}.values()
    resources = {item.resource.id: item.resource for item in manifest.readables} | {
        item.id: item for item in manifest.templates
    }
    prose = [
        *_features(catalog),
        *_reads(resources.values(), manifest.prompts),
        *_screens(manifest.screens),
        *_entities(catalog, unique),
    ]
    return _target(catalog, unique, prose)


def _target(catalog: Catalog, operations: Iterable[Operation], prose: Iterable[Prose]) -> Target:
    described = sorted(map(_described, operations), key=lambda item: item.name)
    return Target(
        origin=Origin.APP,
        name=catalog.name,
        operations=tuple(described),
        instructions=catalog.description,
        prose=tuple(sorted(prose, key=lambda item: (item.subject, item.text))),
    )


def _is_seen(operation: Operation) -> bool:
    """Whether some agent may come to see it; what switches and loaders say at this moment does not count."""
    is_ours = operation.wire_name in BUILT_IN
    return operation.exposed and not operation.denied and operation.enabled is not False and not is_ours


def _described(operation: Operation) -> Described:
    is_tool = operation.role is Role.TOOL
    carried = tool(operation)
    example = operation.examples[0] if operation.examples else None
    return Described(
        name=operation.wire_name,
        title=operation.title if operation.has_title else "",
        description=operation.agent_description,
        served=operation.agent_description if is_tool else http_description(operation, Door.AGENT),
        reads=operation.safety is Safety.READ if is_tool else operation.reads,
        input_schema=operation.input.schema,
        output_schema=operation.output.schema or None,
        safety=operation.safety.value,
        risk=operation.risk.value,
        reach=operation.reach.value,
        pages=_pages(operation, Form.CURSOR if is_tool else Form.LINK),
        example_params=None if example is None else example.params,
        example_row=None if example is None else example.row,
        entity=operation.entity,
        raw=carried if is_tool else descriptor(operation, Door.AGENT),
        tool=carried,
        refusals=tuple(_refusals(operation)),
        ignored=operation.lint_ignore,
        location=operation.location,
    )


def _pages(operation: Operation, form: Form) -> Pages | None:
    if operation.paging is None:
        return None
    return Pages(default=operation.paging.default, most=operation.paging.max, form=form, is_written=True)


def _refusals(operation: Operation) -> Iterator[str]:
    for problem in operation.problems:
        yield problem.title
        if problem.fix:
            yield problem.fix


def _features(catalog: Catalog) -> Iterator[Prose]:
    for feature in catalog.features:
        if feature.description:
            yield Prose(subject=f"feature:{feature.name}", text=feature.description)


def _reads(resources: Iterable[Resource], prompts: Iterable[Prompt]) -> Iterator[Prose]:
    for resource in resources:
        if resource.description:
            yield Prose(
                subject=f"resource:{resource.name}", text=resource.description, location=resource.operation.location
            )
    for prompt in prompts:
        subject, location = f"prompt:{prompt.name}", prompt.operation.location
        texts = [prompt.title, prompt.description, *_descriptions(prompt.operation.input.schema)]
        yield from (Prose(subject=subject, text=text, location=location) for text in texts if text)


def _screens(screens: Iterable[Screen]) -> Iterator[Prose]:
    for screen in screens:
        if screen.description:
            yield Prose(subject=f"screen:{screen.id}", text=screen.description, location=screen.location)


def _entities(catalog: Catalog, operations: Iterable[Operation]) -> Iterator[Prose]:
    for name in reached_entities(operations, catalog.entities):
        entity = catalog.entities[name]
        texts = [entity.description, *_descriptions(entity.schema)]
        yield from (Prose(subject=f"entity:{name}", text=text, location=entity.location) for text in texts if text)


def _descriptions(schema: JsonObject) -> list[str]:
    """What a schema says about its fields."""
    properties = schema.get("properties")
    fields = properties.values() if isinstance(properties, dict) else ()
    texts = [field.get("description") for field in fields if isinstance(field, dict)]
    return [text for text in texts if isinstance(text, str)]
