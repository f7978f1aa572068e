"""Whose rows an operation may return: the declared reach with the grounds that it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from afford.access import Rule, as_rule
from afford.catalog.contracts import Subject, row_type
from afford.catalog.operation import Input, Parameter, ReachGuard, Source
from afford.catalog.records import field_types
from afford.catalog.signature import Signature, bare, read_signature
from afford.declare.vocabulary import Reach
from afford.schema import marked
from afford.schema.markers import Identifier


def read_guard(
    subject: Subject, reach: Reach, signature: Signature, contract: Input, provided: Collection[object]
) -> ReachGuard:
    """The guard of one operation; what is missing or contradictory is reported."""
    options = subject.declaration.options
    owner, consented = options.get("owner"), options.get("consented")
    widens = _widening_rule(subject, options.get("widens"))
    _check_grounds(subject, reach)
    row = None if "output_schema" in options else row_type(subject.declaration.kind, signature.returns)
    if isinstance(owner, str) and row is not None and not _has_field(row, owner):
        subject.report("RCH102", f"the rows have no field `{owner}`")
    if owner is not None and not isinstance(owner, str) and not callable(owner):
        subject.report("RCH102", f"`owner={owner!r}` is neither a field nor a function of the row")
    if reach is Reach.PUBLISHED and row is not None:
        for place in marked(row, Identifier):
            subject.report("RCH103", f"the published field `{place}` is something an account logs in with")
    return ReachGuard(
        reach=reach,
        owner=owner,
        consented=consented,
        consented_parameters=_consent_parameters(subject, consented, contract, provided),
        widens=widens,
    )


def _check_grounds(subject: Subject, reach: Reach) -> None:
    options = subject.declaration.options
    given = {name for name in ("consented", "owner", "widens") if options.get(name) is not None}
    if reach is Reach.CONSENTED and "consented" not in given:
        subject.report("RCH101", '`reach="consented"` needs `consented=`, a check for the artefact')
    if reach is Reach.ROLE:
        missing = [f"`{name}=`" for name in ("widens", "owner") if name not in given]
        if missing:
            subject.report("RCH101", f'`reach="role"` needs {" and ".join(missing)}')
    for name, needed in (("consented", Reach.CONSENTED), ("widens", Reach.ROLE)):
        if name in given and reach is not needed:
            subject.report("RCH104", f"`{name}=` is given, and the reach is `{reach.value}`")


def _widening_rule(subject: Subject, value: object) -> Rule | None:
    try:
        return as_rule(value)
    except TypeError as error:
        subject.report("ACC103", str(error))
        return None


def _consent_parameters(
    subject: Subject, consented: Callable[..., object] | None, contract: Input, provided: Collection[object]
) -> tuple[Parameter, ...]:
    """How the consent check is called: injected values by type, inputs by name."""
    if consented is None:
        return ()
    namespace = subject.declaration.namespace
    signature, errors = read_signature(consented, provided=provided, namespace=namespace, needs_return=False)
    for error in errors:
        subject.report(error.code, f"`consented`: {error.message}", error.fix)
    if signature is None:
        return ()
    declared = contract.schema.get("properties")
    names = declared if isinstance(declared, Mapping) else {}
    parameters = tuple(
        Parameter(p.name, Source.INPUT, keyword=p.keyword) if p.source is Source.MODEL else p
        for p in signature.parameters
    )
    for parameter in parameters:
        if parameter.source is Source.INPUT and parameter.name not in names:
            subject.report("DEC108", f"`consented` takes `{parameter.name}`, which is neither provided nor an input")
    return parameters


def _has_field(row: object, name: str) -> bool:
    """Whether rows of that type can carry the field; types that are no records are believed."""
    known = field_types(bare(row))
    return known is None or name in known
