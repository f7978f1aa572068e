"""`lint`: whether a stranger's assistant, reading this cold, would make the right call."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

import typer

from afford.app import App, find_agent_doc_gaps
from afford.caller import Caller, Door, Principal, Surface
from afford.catalog.model import Catalog
from afford.catalog.rules import RULES
from afford.cli.costs import bills_of
from afford.cli.explain import GAPS
from afford.cli.failures import FAILED, CommandError
from afford.cli.identity import HeaderOption, TokenOption, check_roles, header_fields
from afford.cli.printing import put, say
from afford.cli.session import current_catalog
from afford.cli.target import Address, load_target
from afford.errors import CatalogError
from afford.lint.baselines import baseline_text, read_baseline
from afford.lint.engine import Diagnosed, Report, Settings, as_finding, run
from afford.lint.reports import RENDERERS, Format
from afford.lint.rule import Rule
from afford.lint.rules import all_rules
from afford.lint.settings import ProjectSettings, SettingsError, read_settings
from afford.lint.target import Origin, Target
from afford.lint.targets.app import from_catalog, from_manifest
from afford.lint.targets.credentials import Credentials
from afford.lint.targets.reading import TargetError, is_address, read_server, read_target
from afford.manifest import Manifests

_NAMES: Final[Mapping[str, str]] = MappingProxyType({rule.code: rule.name for rule in (*RULES.values(), *GAPS)})
_PROFILE: Final = (
    "Also judge inputs by what a model provider takes: openai-strict, anthropic-strict or gemini; may be repeated."
)
_OFF: Final = "Leave out a rule, by code or name; may be repeated."


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options of a run."""

    form: Annotated[Format, typer.Option("--format", help="How the report is written.")] = Format.TEXT
    profile: Annotated[list[str] | None, typer.Option("--profile", metavar="NAME", help=_PROFILE)] = None
    off: Annotated[list[str] | None, typer.Option("--off", metavar="CODE", help=_OFF)] = None
    role: Annotated[
        list[str] | None,
        typer.Option("--role", metavar="ROLE", help="Of an app, only what accounts with this role see."),
    ] = None
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="Report only what this file does not hold.")
    ] = None
    stdio: Annotated[
        str | None,
        typer.Option("--stdio", metavar="CMD", help="Instead of TARGET: start this MCP server, and list its tools."),
    ] = None
    token: TokenOption = None
    header: HeaderOption = None
    cost: Annotated[
        bool,
        typer.Option("--cost", help="Also tell what each tool costs in tokens, and in an app what each role pays."),
    ] = False
    update: Annotated[
        bool, typer.Option("--update-baseline", help="Write everything that is found into the baseline, and exit 0.")
    ] = False


def lint(target: Address, wanted: Wanted) -> None:
    """Judge what an assistant reads: descriptions, schemas, examples, safety.

    TARGET is an app (`app.py`, `module:attribute`), or a file or address that holds a schema catalog, an OpenAPI 3
    document, or what an MCP server answered to `tools/list`, in JSON or YAML, or the address of an MCP server. Nothing
    is called: what is judged is the text alone, as a stranger's assistant would meet it. Build errors and documentation
    gaps of an app are part of its report.

    Each operation gets a grade: A nothing to mend, B one warning, C more, D one error, F more. It exits 1 when there is
    an error. `afford explain CODE` says why a rule is one, and what to write instead. Settings are read from
    `[tool.afford.lint]` of the nearest `pyproject.toml`: `off`, `profiles`, `severities` and `baseline`. In an app,
    `lint_ignore={"CODE": "reason"}` hushes a rule for one operation.
    """
    try:
        report = _report(target, wanted)
    except (SettingsError, TargetError) as error:
        raise CommandError(str(error)) from error
    put(RENDERERS[wanted.form](report))
    if report.has_errors and not wanted.update:
        raise typer.Exit(FAILED)


def standing(catalog: Catalog) -> Report:
    """What this command finds in an app, under the settings of the project that surrounds the current folder.

    Raises:
        SettingsError: the settings cannot be read.
        CommandError: they name what does not exist.
    """
    project, rules = read_settings(Path.cwd()), all_rules()
    return run(from_catalog(catalog), tuple(rules), _settings(Wanted(), project, rules))


def _report(target: Address, wanted: Wanted) -> Report:
    project, rules = read_settings(Path.cwd()), all_rules()
    if wanted.cost and wanted.form in {Format.SARIF, Format.GITHUB}:
        raise CommandError(f"`--cost` has no place in {wanted.form}; use `--format text`, `json` or `markdown`")
    settings = _settings(wanted, project, rules)
    app = _app(target) if wanted.stdio is None else None
    if wanted.stdio is not None and (target.text or not wanted.stdio.strip()):
        raise CommandError("`--stdio` names what is linted, by a command; leave the other out")
    if app is None:
        if wanted.role:
            raise CommandError("`--role` is about an app; leave it out, or name an app")
        found = _read(target.text or "", wanted)
        report = run(found, rules, settings)
    elif wanted.header:
        raise CommandError("`--header` is for an address; leave it out, or name one")
    else:
        report = _report_of_app(app, wanted, rules, settings)
    if wanted.cost:
        catalog = None if app is None or wanted.role or not report.target.operations else current_catalog(app)
        report = replace(report, bills=bills_of(report.target, catalog))
    if wanted.update:
        _write_baseline(wanted, project, report)
    return report


def _read(text: str, wanted: Wanted) -> Target:
    if wanted.stdio is not None:
        if wanted.header:
            raise CommandError("`--header` is for an address; leave it out, the command has its environment")
        return read_server(wanted.stdio, is_command=True)
    if not is_address(text) and not wanted.header:
        return read_target(text)
    return read_target(text, Credentials(header_fields(wanted.token, wanted.header or ())))


def _app(target: Address) -> App | None:
    """The app that is meant; None: a document is."""
    if target.app is not None:
        return target.app
    text = target.text or ""
    if not text:
        raise CommandError("nothing is named; name an app, or a file or address")
    if is_address(text) or Path(text).suffix in _DOCUMENTS:
        return None
    return load_target(text).app


_DOCUMENTS: Final = frozenset({".json", ".yaml", ".yml"})


def _report_of_app(app: App, wanted: Wanted, rules: Collection[Rule], settings: Settings) -> Report:
    try:
        found, beside = _target_of(app, wanted.role or []), find_agent_doc_gaps(app)
    except CatalogError as error:
        found, beside = Target(origin=Origin.APP, name=app.name, operations=()), error.diagnostics
    report = run(found, tuple(rules), settings)
    named = [(item, _NAMES.get(item.code, "")) for item in beside]
    told = [as_finding(item, name, item.subject) for item, name in named if not {item.code, name} & set(settings.off)]
    known = tuple(item for item in told if item.fingerprint in settings.baseline)
    return replace(
        report,
        found=tuple(sorted((*report.found, *(item for item in told if item not in known)), key=_by_subject)),
        known=(*report.known, *known),
    )


def _by_subject(item: Diagnosed) -> str:
    return item.subject


def _target_of(app: App, roles: list[str]) -> Target:
    catalog = current_catalog(app)
    if not roles:
        return from_catalog(catalog)
    check_roles(roles, catalog.roles)
    caller = Caller(Principal("somebody", roles), Door.AGENT, Surface.MCP)
    return from_manifest(catalog, Manifests(catalog).of(caller))


def _settings(wanted: Wanted, project: ProjectSettings, rules: Collection[Rule]) -> Settings:
    off = {*project.off, *(wanted.off or ())}
    profiles = {*project.profiles, *(wanted.profile or ())}
    words = {word for rule in rules for word in (rule.code, rule.name)} | {*_NAMES, *_NAMES.values()}
    known = {rule.profile for rule in rules if rule.profile is not None}
    for word in sorted((off | project.severities.keys()) - words):
        raise CommandError(f"no rule is called `{word}`; `explain` knows those there are")
    for name in sorted(profiles - known):
        raise CommandError(f"there is no profile `{name}`; there are: {', '.join(sorted(known)) or 'none'}")
    path = wanted.baseline or project.baseline
    is_read = path is not None and not wanted.update
    baseline = read_baseline(path) if path is not None and is_read else frozenset[str]()
    return Settings(off=off, profiles=profiles, severities=project.severities, baseline=baseline)


def _write_baseline(wanted: Wanted, project: ProjectSettings, report: Report) -> None:
    path = wanted.baseline or project.baseline
    if path is None:
        raise CommandError("`--update-baseline` needs a file; name it with `--baseline FILE`")
    try:
        path.write_text(baseline_text(report), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"`{path}` cannot be written ({error.strerror}); name another file") from error
    say(f"wrote {path}")
