"""Commands as plain functions, and the programs made of them.

A command takes its application as a `Target` and groups of options as frozen dataclasses. Here it becomes what Typer
reads: one flat signature, with TARGET as its first argument in `afford`, and without it in an application's own
program.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Final, TypeAlias, cast, get_type_hints

import typer

from afford.app import App
from afford.cli.completing import target_names
from afford.cli.target import Address, Place, Possible, Target, Unloaded, load_target

_TARGET: Final = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="The app: `module:attribute`, or a file that holds one (`app.py`).",
        autocompletion=target_names,
    ),
]
_PLACE: Final = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="The app (`module:attribute`, `app.py`), the address where one is served, or `@name` of a running one.",
        autocompletion=target_names,
    ),
]
_KEYWORD: Final = inspect.Parameter.KEYWORD_ONLY

Run: TypeAlias = Callable[..., None]
_About: TypeAlias = Target | Unloaded | Address


@dataclass(frozen=True, slots=True)
class Command:
    """One command of the programs. Loaded when it is needed: hosts start a program for each conversation."""

    module: str
    """Of this package."""
    name: str
    """How it is called, and the name of its function, whose docstring is its help."""
    examples: tuple[str, ...]
    """Command lines without the program's name; `TARGET` stands where `afford` wants the app named."""

    def load(self) -> Run:
        """Its function."""
        run: Run = getattr(import_module(f"{__package__}.{self.module}"), self.name)
        return run


def make_program(commands: Sequence[Command], *, about: str, version: str, app: App | None) -> typer.Typer:
    """A program with these commands.

    Args:
        commands: in the order in which help lists them.
        about: what the program is for.
        version: what `--version` prints.
        app: the application that all commands are about; None: each names its own.
    """
    program = typer.Typer(
        help=about, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=True
    )
    program.callback()(_with_version(version))
    for command in commands:
        # Completion knows the application of its own program by the context.
        settings = {"obj": app}
        program.command(command.name, epilog=_epilog(command, app), context_settings=settings)(
            _flat(command.load(), app)
        )
    return program


def _with_version(version: str) -> Run:
    """What runs before every command: only `--version`, which ends the program itself."""

    def show(wanted: bool) -> None:  # noqa: FBT001 - Typer passes the flag by position
        if wanted:
            typer.echo(version)
            raise typer.Exit

    def before(**_given: object) -> None:
        pass

    option = typer.Option("--version", callback=show, is_eager=True, help="Print the version and exit.")
    return _signed(before, [inspect.Parameter("version", _KEYWORD, annotation=Annotated[bool, option], default=False)])


def _epilog(command: Command, app: App | None) -> str:
    """Examples as help shows them; the backspace keeps the lines as they are."""
    if app is None:
        lines = [f"afford {line.replace('TARGET', 'app.py')}" for line in command.examples]
    else:
        lines = [f"{app.name} {line.replace('TARGET ', '').replace(' TARGET', '')}" for line in command.examples]
    return "\n".join(["\b", f"Example{'s' if len(lines) > 1 else ''}:", *(f"  {line}" for line in lines)])


def _flat(function: Run, app: App | None) -> Run:
    """The function with the fields of its option groups as options of its own."""
    options: list[inspect.Parameter] = []
    groups: dict[str, tuple[Callable[..., object], list[str]]] = {}
    named: tuple[str, type[_About]] | None = None
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind: object = hints[name]
        if isinstance(kind, type) and issubclass(kind, (Target, Unloaded, Address)):
            named = (name, kind)
            if app is None:
                options.append(_naming(name, kind))
        elif isinstance(kind, type) and dataclasses.is_dataclass(kind):
            fields = _fields(kind)
            options.extend(fields)
            groups[name] = (kind, [field.name for field in fields])
        else:
            options.append(parameter.replace(kind=_KEYWORD, annotation=kind))

    def run(**given: object) -> None:
        arguments = {
            name: make(**{field: given.pop(field) for field in fields}) for name, (make, fields) in groups.items()
        }
        if named is not None:
            place, wanted = named
            arguments[place] = _named(wanted, app, cast("str | None", given.pop(place, None)))
        function(**arguments, **given)

    run.__doc__ = function.__doc__
    return _signed(run, options)


def _naming(name: str, kind: type[_About]) -> inspect.Parameter:
    """How a command names what it is about, by the type in which it takes it."""
    if not issubclass(kind, Address):
        return inspect.Parameter(name, _KEYWORD, annotation=_PLACE if issubclass(kind, Place) else _TARGET)
    told = "An app (`module:attribute`, `app.py`)"
    told += "; none: every instance that runs." if issubclass(kind, Possible) else ", or a JSON file or address."
    argument = typer.Argument(metavar=name.upper(), help=told)
    return inspect.Parameter(name, _KEYWORD, annotation=Annotated[str | None, argument], default=None)


def _named(kind: type[_About], app: App | None, text: str | None) -> _About:
    """What the command is about; imported at once only where it has to be an app."""
    if issubclass(kind, Target):
        return load_target(str(text)) if app is None else Target(app, None)
    return kind(app, text)


def _signed(function: Run, parameters: Sequence[inspect.Parameter]) -> Run:
    """The function with the signature that Typer shall see."""
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(function)["__signature__"] = inspect.Signature(parameters)
    return function


def _fields(group: type) -> list[inspect.Parameter]:
    """The fields of an option group as parameters."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            _KEYWORD,
            annotation=hints[field.name],
            default=inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default,
        )
        for field in dataclasses.fields(group)
    ]
