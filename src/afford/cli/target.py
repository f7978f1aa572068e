"""TARGET: how a person names an application, and how it is found.

`module:attribute` with the current folder on the import path, or a file that holds one app (`file.py`), or one of
several (`file.py:attribute`) with the file's folder put first. Every mistake is a `CommandError` that says what to do.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from afford.app import App
from afford.cli.failures import CommandError
from afford.cli.stdout import away_from_stdout
from afford.cli.tracebacks import users_traceback


@dataclass(frozen=True, slots=True)
class Target:
    """The application that a command is about."""

    app: App
    address: str | None
    """How it was named; None for an application's own program, which names none."""


@dataclass(frozen=True, slots=True)
class Unloaded:
    """The application that a command is about, imported when the command wants it and not before."""

    app: App | None
    """Of an application's own program, where it is imported already."""
    address: str | None
    """How it was named; None for an application's own program, which names none."""

    def load(self) -> Target:
        """The same, imported; raises what `load_target` raises."""
        return load_target(self.address or "") if self.app is None else Target(self.app, None)


@dataclass(frozen=True, slots=True)
class Address:
    """What a command is about that may be no application: nothing is imported before the command wants it."""

    app: App | None
    """Of an application's own program, which names none."""
    text: str | None
    """As it was named."""


@dataclass(frozen=True, slots=True)
class Place(Unloaded):
    """The same where it may run elsewhere, which only who asks finds out."""

    @property
    def is_address(self) -> bool:
        """Whether it is served somewhere, rather than imported here."""
        return self.app is None and (self.address or "").lower().startswith(("http://", "https://"))

    @property
    def instance(self) -> str | None:
        """Name of the running instance that is meant, without its `@`; None: something else is."""
        named = "" if self.app is not None else self.address or ""
        return named.removeprefix("@") if named.startswith("@") else None


@dataclass(frozen=True, slots=True)
class Possible(Address):
    """An application where one is named; a command that takes it does something of its own where none is."""


def load_target(address: str) -> Target:
    """Import what `address` names and take the app from it.

    Raises:
        CommandError: there is no such file, module or app, or importing it failed.
    """
    place, attribute = _split(address)
    path = Path(place)
    if path.suffix == ".py":
        module = _imported(place, lambda: _import_file(path))
    elif path.is_dir():
        raise CommandError(f"`{place}` is a folder; name the file that holds the app, such as `{path / 'app.py'}`")
    elif attribute is None or not _is_dotted_name(place):
        raise CommandError(f"`{address}` names no app; write `file.py`, `file.py:attribute` or `module:attribute`")
    else:
        module = _imported(place, lambda: _import_module(place))
    app = _only_app(module, place) if attribute is None else _app_at(module, place, attribute)
    return Target(app, address)


def place_of(address: str | None) -> tuple[Path | None, str]:
    """The file that an address names, None where it names a module, and the address wherever it is read from.

    Args:
        address: how an app is named; None: by the program that is running, which holds it.
    """
    if address is None:
        program = Path(sys.argv[0]).resolve()
        return program, str(program)
    place, attribute = _split(address)
    if Path(place).suffix != ".py":
        return None, address
    file = Path(place).resolve()
    return file, f"{file}:{attribute}" if attribute else str(file)


def load_running() -> ModuleType:
    """The module that knows the running instances, for which it needs `psutil`.

    Raises:
        CommandError: that is not installed.
    """
    try:
        return importlib.import_module("afford.cli.running")
    except ImportError as error:
        raise CommandError("finding running instances needs psutil; install `afford[connect]`") from error


def _split(address: str) -> tuple[str, str | None]:
    """File or module, and attribute; the colon of a Windows drive separates nothing."""
    place, colon, attribute = address.rpartition(":")
    if not colon or attribute.startswith(("\\", "/")):
        return address, None
    return place, attribute


def _is_dotted_name(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _imported(place: str, load: Callable[[], ModuleType]) -> ModuleType:
    """The module; what it prints on the way goes to stderr, since stdout carries data."""
    try:
        with away_from_stdout():
            return load()
    except CommandError:
        raise
    except SystemExit as error:
        raise CommandError(
            f"importing `{place}` ended the program; put what runs it under `if __name__ == '__main__':`"
        ) from error
    except Exception as error:
        hint = "correct what the traceback shows"
        if isinstance(error, ImportError) and Path(place).with_name("__init__.py").is_file():
            hint += ", or, since the file is part of a package, name it as `package.module:attribute`"
        raise CommandError(f"importing `{place}` failed; {hint}", detail=users_traceback(error)) from error


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise CommandError(f"there is no file `{path}`; check the path, it is looked up from {Path.cwd()}")
    path = path.resolve()
    known = sys.modules.get(path.stem)
    if known is not None:
        if getattr(known, "__file__", None) == str(path):
            return known
        raise CommandError(f"`{path.name}` is named like a module that is loaded already; rename the file")
    _put_first(str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise CommandError(f"`{path}` cannot be imported; name a Python file")
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path.stem]
        raise
    return module


def _import_module(name: str) -> ModuleType:
    _put_first(os.getcwd())  # noqa: PTH109 - the import path holds text
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise CommandError(
            f"there is no module `{error.name}`; run the command from the folder that holds it, or name the file"
        ) from error


def _put_first(folder: str) -> None:
    if sys.path[:1] != [folder]:
        sys.path.insert(0, folder)


def _app_at(module: ModuleType, place: str, attribute: str) -> App:
    found: object = module
    for name in attribute.split("."):
        found = getattr(found, name, None)
    if isinstance(found, App):
        return found
    what = "does not exist" if found is None else f"is of type `{type(found).__name__}`, not `App`"
    held = _names(_apps(module)) or "none"
    raise CommandError(f"`{attribute}` of `{place}` {what}; the apps it holds: {held}")


def _only_app(module: ModuleType, place: str) -> App:
    apps = _apps(module)
    if not apps:
        raise CommandError(f"`{place}` holds no app; make one at its top level, such as `app = App('name')`")
    if len(apps) > 1:
        name = min(apps)
        raise CommandError(f"`{place}` holds {len(apps)} apps: {_names(apps)}; name one, such as `{place}:{name}`")
    return next(iter(apps.values()))


def _apps(module: ModuleType) -> dict[str, App]:
    """Every app of a module under the first of its names."""
    named: dict[int, tuple[str, App]] = {}
    for name, value in vars(module).items():
        if isinstance(value, App):
            named.setdefault(id(value), (name, value))
    return dict(named.values())


def _names(apps: dict[str, App]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(apps))
