"""`build()`: declarations in, one frozen `Catalog` out, or every mistake at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from afford.catalog.builtins import builtin_declarations
from afford.catalog.checks import check_features, check_problems
from afford.catalog.findings import Findings, closest
from afford.catalog.model import Catalog, Entity, FeatureInfo, NavigationEntry, Screen
from afford.catalog.names import check_names
from afford.catalog.operation import Operation
from afford.catalog.operations import OperationReader
from afford.catalog.places import read_entities, read_navigation, read_screens
from afford.catalog.provided import ToolSource, taken_names
from afford.catalog.providers import read_providers
from afford.catalog.reads import ReadReader
from afford.catalog.rulebook import Rulebook
from afford.catalog.tools import as_operation
from afford.catalog.words import read_agent
from afford.declare.feature import Feature
from afford.declare.operations import OperationDeclaration
from afford.declare.places import ScreenDeclaration
from afford.declare.problems import ProblemDeclaration
from afford.declare.providers import ProviderDeclaration
from afford.declare.vocabulary import Agent
from afford.errors import CatalogError


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDeclaration:
    """Everything an app recorded, its own feature first."""

    name: str
    title: str
    version: str
    description: str
    roles: frozenset[str]
    access: object
    deny: frozenset[str]
    deadline: float | None
    features: Sequence[tuple[str, Feature]]
    """Prefix of the operations' ids (empty for the app itself) and feature."""
    providers: Sequence[ProviderDeclaration]
    problems: Sequence[ProblemDeclaration]
    shows_state: bool | Callable[[str], bool]
    """Whether agents may see shared state at all, or what says so of a full key."""


def build(app: AppDeclaration) -> Catalog:
    """Cross-check and freeze everything an app declared.

    Raises:
        CatalogError: something is wrong; it carries every diagnostic.
    """
    findings = Findings()
    builder = _Builder(app, findings)
    catalog = builder.catalog()
    if findings.diagnostics:
        raise CatalogError(findings.diagnostics)
    return catalog


class _Builder:
    """One build: what all declarations share, and the steps."""

    def __init__(self, app: AppDeclaration, findings: Findings) -> None:
        self._app = app
        self._findings = findings
        self._rulebook = self._rules(findings)
        self._providers = read_providers(app.providers, findings)

    def catalog(self) -> Catalog:
        app = self._app
        check_features(app.features, self._findings)
        check_problems(app.problems, self._findings)
        declared = self._declared()
        check_names(((name, item.location) for name, item in declared), self._findings)
        self._check_denied({name for name, _ in declared})
        entities = read_entities((item for _, f in app.features for item in f.declarations.entities), self._findings)
        screens, navigation = self._places(entities)
        reader = self._reader(entities, self._findings)
        reads = ReadReader(reader, self._findings)
        resources = reads.resources([(p, item) for p, f in app.features for item in f.declarations.resources])
        prompts = reads.prompts([(p, item) for p, f in app.features for item in f.declarations.prompts])
        builtins = (
            builtin_declarations(screens, resources, shows_state=app.shows_state)
            if not self._findings.diagnostics
            else []
        )
        declared.extend((item.name, item) for item in builtins)
        operations = self._operations(reader, declared)
        return Catalog(
            name=app.name,
            title=app.title,
            version=app.version,
            description=app.description,
            roles=app.roles,
            operations=operations,
            ids={item.id: name for name, item in operations.items()},
            entities=entities,
            screens=screens,
            navigation=navigation,
            providers=self._providers,
            features=tuple(FeatureInfo(name=f.name, description=f.description or "") for _, f in app.features[1:]),
            resources=resources,
            prompts=prompts,
            provided_tools=self._provided(entities, operations),
            shows_state=app.shows_state,
        )

    def _declared(self) -> list[tuple[str, OperationDeclaration]]:
        """Operations and tools with their full ids."""
        found: list[tuple[str, OperationDeclaration]] = []
        for prefix, feature in self._app.features:
            found.extend((prefix + item.name, item) for item in feature.declarations.operations)
            for tool in feature.declarations.tools:
                tool_id = prefix + tool.tool.id
                found.append((tool_id, as_operation(tool, self._findings, tool_id)))
        return found

    def _operations(
        self, reader: OperationReader, declared: Iterable[tuple[str, OperationDeclaration]]
    ) -> dict[str, Operation]:
        read = [reader.read(name, item) for name, item in declared]
        ordered = sorted((item for item in read if item is not None), key=lambda item: item.wire_name)
        return {item.wire_name: item for item in ordered}

    def _reader(self, entities: Collection[str], findings: Findings) -> OperationReader:
        return OperationReader(
            rulebook=self._rulebook if findings is self._findings else self._rules(findings),
            providers=self._providers,
            entities=entities,
            deny=self._app.deny,
            deadline=self._app.deadline,
            findings=findings,
        )

    def _rules(self, findings: Findings) -> Rulebook:
        app = self._app
        return Rulebook(app=app.name, default=app.access, roles=app.roles, findings=findings)

    def _provided(self, entities: Collection[str], operations: Mapping[str, Operation]) -> ToolSource:
        """Where tools come from that are no declarations."""
        providers = [(prefix, feature.declarations.tool_providers) for prefix, feature in self._app.features]
        return ToolSource(providers, taken_names(operations), functools.partial(self._reader, entities))

    def _places(self, entities: dict[str, Entity]) -> tuple[tuple[Screen, ...], tuple[NavigationEntry, ...]]:
        declared = [feature.declarations for _, feature in self._app.features]
        drawn = [screen for item in declared for screen in item.screens]
        screens = read_screens(drawn, entities, self._screen_agent, self._findings)
        entries = [entry for item in declared for entry in item.navigation]
        navigation = read_navigation(entries, screens, self._findings)
        for screen in screens:
            self._rulebook.check(screen.id, screen.access, screen.location)
        for entry in navigation:
            self._rulebook.check(entry.id, entry.access, None)
        return screens, navigation

    def _screen_agent(self, declaration: ScreenDeclaration) -> Agent:
        def report(code: str, message: str, fix: str | None) -> None:
            self._findings.add(code, declaration.id, message, fix=fix, location=declaration.location)

        return read_agent(report, declaration.agent)

    def _check_denied(self, ids: set[str]) -> None:
        for denied in sorted(self._app.deny - ids):
            fix = closest(denied, ids)
            self._findings.add("DEC119", self._app.name, f"`deny` names `{denied}`, which does not exist", fix=fix)
