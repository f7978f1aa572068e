"""From one declaration to one `Operation`: words, access, signature, contract, guard."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from afford.access import Rule
from afford.catalog.checks import (
    check_inputs,
    check_static,
    read_paging,
    read_problems,
    secret_places,
)
from afford.catalog.contracts import Subject, read_input, read_output
from afford.catalog.examples import read_examples
from afford.catalog.findings import Findings, closest
from afford.catalog.model import Provider
from afford.catalog.names import title_of, wire_name
from afford.catalog.operation import Input, Operation, Output, ReachGuard
from afford.catalog.questions import read_questions
from afford.catalog.reach import read_guard
from afford.catalog.rulebook import Rulebook
from afford.catalog.signature import Inputs, Signature, read_signature
from afford.catalog.words import Words, read_words
from afford.declare.operations import OperationDeclaration, OperationOptions, Role
from afford.declare.vocabulary import Kind

_OPTION_NAMES: Final = frozenset(OperationOptions.__annotations__)
_AS_TEXT: Final = frozenset({Role.RESOURCE, Role.PROMPT})
"""Roles whose inputs travel as text, so that a parameter without annotation is one."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What has been read of one operation before it is put together."""

    words: Words
    access: Rule
    entity: str | None
    signature: Signature
    input: Input
    output: Output


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationReader:
    """Reads declarations against what the whole app has: roles, providers, entities."""

    rulebook: Rulebook
    providers: Mapping[object, Provider]
    entities: Collection[str]
    deny: Collection[str]
    deadline: float | None
    findings: Findings

    def read(self, operation_id: str, declaration: OperationDeclaration) -> Operation | None:
        """The operation; None after reporting why there is none."""
        subject = Subject(id=operation_id, declaration=declaration, findings=self.findings)
        options = declaration.options
        for name in sorted(set(options) - _OPTION_NAMES):
            fix = None if name == "params" else closest(name, _OPTION_NAMES)
            subject.report("DEC121", f"there is no option `{name}`", fix)
        words = read_words(subject)
        access = self.rulebook.access(
            operation_id, options.get("access"), declaration.feature_access, declaration.location
        )
        entity = options.get("entity", declaration.feature_entity)
        if entity is not None and entity not in self.entities:
            subject.report("DEC116", f"there is no entity `{entity}`")
        signature = self._signature(subject)
        if signature is None:
            return None
        contract, output = read_input(subject, signature), read_output(subject, signature)
        if contract is None or output is None or access is None:
            return None
        check_inputs(subject, contract, signature)
        return self._assembled(subject, _Parts(words, access, entity, signature, contract, output))

    def _assembled(self, subject: Subject, parts: _Parts) -> Operation:
        declaration, words, signature = subject.declaration, parts.words, parts.signature
        options, contract, output = declaration.options, parts.input, parts.output
        return Operation(
            id=subject.id,
            wire_name=_name_of(subject),
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
            denied=subject.id in self.deny,
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
            is_async=signature.is_async,
            questions=read_questions(subject, signature, contract.schema),
            deadline=options.get("deadline", self.deadline),
            secrets=secret_places(signature),
            lint_ignore=dict(options.get("lint_ignore", {})),
            location=declaration.location,
            role=declaration.role,
            stale=bool(contract.choices or output.choices),
        )

    def _guard(self, subject: Subject, parts: _Parts) -> ReachGuard:
        guard = read_guard(subject, parts.words.reach, parts.signature, parts.input, self.providers)
        if guard.widens is not None:
            self.rulebook.check(subject.id, guard.widens, subject.declaration.location)
        return guard

    def _signature(self, subject: Subject) -> Signature | None:
        declaration = subject.declaration
        inputs = Inputs(
            raw="input_schema" in declaration.options,
            args=declaration.args,
            untyped=str if declaration.role in _AS_TEXT else None,
        )
        signature, errors = read_signature(
            declaration.handler,
            provided=self.providers,
            namespace=declaration.namespace,
            inputs=inputs,
            needs_return=declaration.role is Role.OPERATION and "output_schema" not in declaration.options,
        )
        for error in errors:
            subject.report(error.code, error.message, error.fix)
        if signature is not None and declaration.kind is Kind.STATIC:
            check_static(subject, signature, self.providers)
        return signature


def _name_of(subject: Subject) -> str:
    """The wire name; what is no call keeps its id, whose colon no call's name can have."""
    return subject.id if subject.declaration.role in _AS_TEXT else wire_name(subject.id)
