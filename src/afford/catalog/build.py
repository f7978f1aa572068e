"""`build()`: declarations in, one frozen `Catalog` out, or every mistake at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from afford.access import Rule, as_rule
from afford.catalog.checks import (
    check_features,
    check_inputs,
    check_problems,
    check_static,
    closest,
    read_paging,
    read_problems,
    secret_places,
)
from afford.catalog.contracts import Subject, read_input, read_output
from afford.catalog.examples import read_examples
from afford.catalog.findings import Findings
from afford.catalog.model import Catalog, Entity, FeatureInfo, NavigationEntry, Screen
from afford.catalog.names import check_names, title_of, wire_name
from afford.catalog.operation import Input, Operation, Output, ReachGuard, Source
from afford.catalog.places import read_entities, read_navigation, read_screens
from afford.catalog.providers import read_providers
from afford.catalog.reach import read_guard
from afford.catalog.signature import Signature, read_signature
from afford.catalog.words import Words, read_agent, read_words
from afford.declare.feature import Feature
from afford.declare.operations import OperationDeclaration, OperationOptions
from afford.declare.places import ScreenDeclaration
from afford.declare.problems import ProblemDeclaration
from afford.declare.providers import ProviderDeclaration
from afford.declare.vocabulary import Agent, Kind
from afford.errors import CatalogError

_OPTION_NAMES: Final = frozenset(OperationOptions.__annotations__)


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


@dataclass(frozen=True, slots=True)
class _Parts:
    """What has been read of one operation before it is put together."""

    words: Words
    access: Rule
    entity: str | None
    signature: Signature
    input: Input
    output: Output


class _Builder:
    """One build: what all operations share, and the steps."""

    def __init__(self, app: AppDeclaration, findings: Findings) -> None:
        self._app = app
        self._findings = findings
        self._default_access = self._rule(app.name, app.access, None)
        self._providers = read_providers(app.providers, findings)

    def catalog(self) -> Catalog:
        app = self._app
        check_features(app.features, self._findings)
        check_problems(app.problems, self._findings)
        declared = [(prefix, item) for prefix, feature in app.features for item in feature.declarations.operations]
        check_names(((prefix + item.name, item.location) for prefix, item in declared), self._findings)
        self._check_denied({prefix + item.name for prefix, item in declared})
        entities = read_entities((item for _, f in app.features for item in f.declarations.entities), self._findings)
        screens, navigation = self._places(entities)
        operations = [self._operation(prefix + item.name, item, entities) for prefix, item in declared]
        ordered = sorted((item for item in operations if item is not None), key=lambda item: item.wire_name)
        return Catalog(
            name=app.name,
            title=app.title,
            version=app.version,
            description=app.description,
            roles=app.roles,
            operations={item.wire_name: item for item in ordered},
            ids={item.id: item.wire_name for item in ordered},
            entities=entities,
            screens=screens,
            navigation=navigation,
            providers=self._providers,
            features=tuple(FeatureInfo(name=f.name, description=f.description or "") for _, f in app.features[1:]),
        )

    def _operation(
        self, operation_id: str, declaration: OperationDeclaration, entities: dict[str, Entity]
    ) -> Operation | None:
        subject = Subject(id=operation_id, declaration=declaration, findings=self._findings)
        options = declaration.options
        for name in sorted(set(options) - _OPTION_NAMES):
            fix = None if name == "params" else closest(name, _OPTION_NAMES)
            subject.report("DEC121", f"there is no option `{name}`", fix)
        words = read_words(subject)
        access = self._access(subject)
        entity = options.get("entity", declaration.feature_entity)
        if entity is not None and entity not in entities:
            subject.report("DEC116", f"there is no entity `{entity}`")
        signature = self._signature(subject)
        if signature is None:
            return None
        contract, output = read_input(subject, signature), read_output(subject, signature)
        if contract is None or output is None or access is None:
            return None
        return self._assembled(subject, _Parts(words, access, entity, signature, contract, output))

    def _assembled(self, subject: Subject, parts: _Parts) -> Operation:
        declaration, words, signature = subject.declaration, parts.words, parts.signature
        options, contract, output = declaration.options, parts.input, parts.output
        check_inputs(subject, contract, signature)
        return Operation(
            id=subject.id,
            wire_name=wire_name(subject.id),
            kind=declaration.kind,
            feature=declaration.feature,
            title=words.title or title_of(subject.id),
            has_title=words.title is not None,
            description=words.description,
            agent_description=words.agent_description,
            safety=words.safety,
            risk=words.risk,
            access=parts.access,
            exposed=words.exposed,
            opted_out=words.opted_out,
            surfaces=words.surfaces,
            enabled=words.enabled,
            denied=subject.id in self._app.deny,
            idempotent=words.idempotent,
            open_world=words.open_world,
            tags=words.tags,
            entity=parts.entity,
            input=contract,
            output=output,
            paging=read_paging(subject, signature, output),
            guard=self._guard(subject, parts),
            examples=read_examples(subject, contract, output),
            problems=read_problems(subject),
            handler=declaration.handler,
            parameters=signature.parameters,
            special=tuple(p for p in signature.parameters if p.source is not Source.INPUT or not p.keyword),
            is_async=signature.is_async,
            deadline=options.get("deadline", self._app.deadline),
            secrets=secret_places(signature),
            lint_ignore=dict(options.get("lint_ignore", {})),
            location=declaration.location,
            stale=bool(contract.choices or output.choices),
        )

    def _guard(self, subject: Subject, parts: _Parts) -> ReachGuard:
        guard = read_guard(subject, parts.words.reach, parts.signature, parts.input, self._providers)
        if guard.widens is not None:
            self._check_roles(subject.id, subject.declaration.location, guard.widens)
        return guard

    def _signature(self, subject: Subject) -> Signature | None:
        declaration = subject.declaration
        signature, errors = read_signature(
            declaration.handler,
            provided=self._providers,
            namespace=declaration.namespace,
            raw_input="input_schema" in declaration.options,
            needs_return="output_schema" not in declaration.options,
        )
        for error in errors:
            subject.report(error.code, error.message, error.fix)
        if signature is not None and declaration.kind is Kind.STATIC:
            check_static(subject, signature, self._providers)
        return signature

    def _access(self, subject: Subject) -> Rule | None:
        """The operation's rule, else its feature's, else the app's."""
        declaration = subject.declaration
        own = declaration.options.get("access")
        stated = declaration.feature_access if own is None else own
        rule = self._rule(subject.id, stated, declaration.location) if stated is not None else self._default_access
        if rule is None:
            if stated is None:
                subject.report("ACC101", "no access rule: not on the operation, its feature or the app")
            return None
        self._check_roles(subject.id, declaration.location, rule)
        return rule

    def _places(self, entities: dict[str, Entity]) -> tuple[tuple[Screen, ...], tuple[NavigationEntry, ...]]:
        declared = [feature.declarations for _, feature in self._app.features]
        drawn = [screen for item in declared for screen in item.screens]
        screens = read_screens(drawn, entities, self._screen_agent, self._findings)
        entries = [entry for item in declared for entry in item.navigation]
        navigation = read_navigation(entries, screens, self._findings)
        for screen in screens:
            self._check_roles(screen.id, screen.location, screen.access)
        for entry in navigation:
            self._check_roles(entry.id, None, entry.access)
        return screens, navigation

    def _screen_agent(self, declaration: ScreenDeclaration) -> Agent:
        def report(code: str, message: str, fix: str | None) -> None:
            self._findings.add(code, declaration.id, message, fix=fix, location=declaration.location)

        return read_agent(report, declaration.agent)

    def _rule(self, subject: str, value: object, location: str | None) -> Rule | None:
        try:
            return as_rule(value)
        except TypeError as error:
            self._findings.add("ACC103", subject, str(error), location=location)
            return None

    def _check_roles(self, subject: str, location: str | None, *rules: Rule) -> None:
        for rule in rules:
            for role in sorted(rule.roles_named() - self._app.roles):
                fix = closest(role, self._app.roles)
                self._findings.add("ACC102", subject, f"nobody can hold the role `{role}`", fix=fix, location=location)

    def _check_denied(self, ids: set[str]) -> None:
        for denied in sorted(self._app.deny - ids):
            fix = closest(denied, ids)
            self._findings.add("DEC119", self._app.name, f"`deny` names `{denied}`, which does not exist", fix=fix)
