"""Checks of one declaration, or of all of them, that derive nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from afford.catalog.contracts import Subject
from afford.catalog.findings import Findings
from afford.catalog.model import Provider
from afford.catalog.names import is_segment
from afford.catalog.operation import Answer, Input, Output, Source
from afford.catalog.signature import Signature, identity_names
from afford.declare.feature import Feature
from afford.declare.operations import Role
from afford.declare.pages import Page
from afford.declare.problems import Problem, ProblemDeclaration
from afford.declare.vocabulary import Kind, Paging, Reach
from afford.errors import Code
from afford.schema import marked
from afford.schema.markers import Secret

_PROBLEM_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_REFUSALS: Final = range(400, 600)


def check_features(features: Sequence[tuple[str, Feature]], findings: Findings) -> None:
    """Report feature names that cannot stand in an id, or that are used twice."""
    seen: set[str] = set()
    for prefix, feature in features:
        if not is_segment(feature.name):
            findings.add("DEC101", feature.name or "(no name)", f"`{feature.name}` is not a valid name")
        if prefix in seen:
            findings.add("DEC102", feature.name, f"two features are called `{feature.name}`")
        seen.add(prefix)


def check_problems(problems: Iterable[ProblemDeclaration], findings: Findings) -> None:
    """Report problem codes that are malformed or used twice, and statuses that are no refusals."""
    reserved = {code.value.upper() for code in Code}
    seen: set[str] = set()
    for problem in problems:
        if not _PROBLEM_CODE.fullmatch(problem.code):
            findings.add("DEC118", problem.code, f"the code `{problem.code}` is not `[A-Z][A-Z0-9_]*`")
        elif problem.code in seen or problem.code in reserved:
            findings.add("DEC118", problem.code, f"the code `{problem.code}` is taken")
        if problem.status not in _REFUSALS:
            findings.add("DEC118", problem.code, f"the status {problem.status} is not a 4xx or 5xx")
        seen.add(problem.code)


def read_problems(subject: Subject) -> tuple[ProblemDeclaration, ...]:
    """The problems that an operation lists, by code."""
    found: dict[str, ProblemDeclaration] = {}
    listed: object = subject.declaration.options.get("raises", ())
    if not isinstance(listed, Iterable):
        subject.report("DEC118", f"`raises={_name(listed)}` is no collection", f"write `raises=[{_name(listed)}]`")
        return ()
    for item in cast("Iterable[type[object]]", listed):
        if not (isinstance(item, type) and issubclass(item, Problem) and hasattr(item, "declaration")):
            subject.report("DEC118", f"`raises` lists `{_name(item)}`, which is no problem")
            continue
        found[item.declaration.code] = item.declaration
    return tuple(found[code] for code in sorted(found))


def check_static(subject: Subject, signature: Signature, providers: Mapping[object, Provider]) -> None:
    """Report what makes a static answer depend on the call, through providers too, or on whose rows it holds."""
    for item in signature.parameters:
        if item.source is not Source.PROVIDED:
            subject.report("DEC110", f"the static operation takes `{item.name}`")
        elif _depends_on_call(item.type, providers):
            message = f"the static operation takes `{item.name}`, whose provider is made for one caller or call"
            subject.report("DEC110", message)
    options = subject.declaration.options
    for name in ("consented", "owner", "widens"):
        is_idle = name == "owner" and options.get("reach") == Reach.PUBLISHED.value
        if options.get(name) is not None and not is_idle:
            subject.report("DEC110", f"`{name}=` judges each call, and a static operation is judged once")


def _depends_on_call(kind: object, providers: Mapping[object, Provider]) -> bool:
    """Whether making a value of that type needs the caller or the call; a circle is reported elsewhere."""
    pending, seen = [kind], {kind}
    while pending:
        for parameter in providers[pending.pop()].parameters:
            if parameter.source in (Source.CALLER, Source.CALL):
                return True
            if parameter.source is Source.PROVIDED and parameter.type not in seen:
                seen.add(parameter.type)
                pending.append(parameter.type)
    return False


def check_inputs(subject: Subject, contract: Input, signature: Signature) -> None:
    """Report inputs that are named like the caller, and an input that shadows a page parameter."""
    properties = contract.schema.get("properties")
    names = set(properties) if isinstance(properties, dict) else set[str]()
    if not subject.declaration.options.get("allow_identity_argument", False):
        for name in identity_names(names):
            # Only operations have the option that the rule's own sentence names.
            fix = None if subject.declaration.role is Role.OPERATION else "take `caller: Caller` instead, or rename it"
            subject.report("DEC109", f"the input `{name}` claims to say who calls", fix)
    for name in sorted(names & {"limit", "cursor"}):
        if signature.takes_page:
            message = f"the input `{name}` stands beside `PageRequest`, which already is the page"
            subject.report("DEC112", message, f"drop `{name}`; `page.limit` and `page.after` carry it")


def read_paging(subject: Subject, signature: Signature, output: Output) -> Paging | None:
    """The sizes of a paging query; what does not fit together is reported."""
    stated = subject.declaration.options.get("paging")
    pages = output.answer is Answer.PAGE
    if subject.declaration.kind not in (Kind.QUERY, Kind.STATIC) and stated is not None:
        subject.report("DEC112", "only queries page")
    elif signature.takes_page and not pages:
        subject.report("DEC112", f"it takes a `PageRequest` and does not return `{Page.__name__}[...]`")
    elif pages and not signature.takes_page:
        subject.report("DEC112", f"it returns `{Page.__name__}[...]` and takes no `PageRequest`")
    elif stated is not None and not pages:
        subject.report("DEC112", "`paging=` is given, and the operation neither takes nor returns a page")
    paging = stated if isinstance(stated, Paging) else Paging()
    if stated is not None and not isinstance(stated, Paging):
        subject.report("DEC112", f"`paging={stated!r}` is not `Paging(default=..., max=...)`")
    elif not (isinstance(paging.default, int) and isinstance(paging.max, int) and 1 <= paging.default <= paging.max):
        subject.report("DEC112", f"default {paging.default} and max {paging.max} are not 1 <= default <= max")
    return paging if pages else None


def secret_places(signature: Signature) -> tuple[str, ...]:
    """Dotted places of inputs that no record may show."""
    if signature.model is not None:
        return tuple(marked(signature.model, Secret))
    places: list[str] = []
    for field in signature.fields:
        inside = marked(field.annotation, Secret)
        places.extend(f"{field.name}.{place}" if place else field.name for place in inside)
    return tuple(places)


def _name(value: object) -> str:
    return str(getattr(value, "__name__", value))
