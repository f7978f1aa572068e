"""Settings of a project: the table `[tool.afford.lint]` of its `pyproject.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from afford.lint.rule import Severity


class SettingsError(Exception):
    """The table cannot be used; one sentence that ends with what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """What a project wants of every run."""

    off: tuple[str, ...] = ()
    """Codes or names of rules that are switched off."""
    profiles: tuple[str, ...] = ()
    """Opt-in sets that are switched on."""
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    """Severities that differ from the rule's own, by code."""
    baseline: Path | None = None
    """File with the findings that are known."""


KEYS: Final = ("baseline", "off", "profiles", "severities")


def read_settings(folder: Path) -> ProjectSettings:
    """The settings of the nearest `pyproject.toml`, in a folder or above it; the defaults where there is none.

    Raises:
        SettingsError: the file is no TOML, or the table has an unknown key or a wrong value.
    """
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        if path.is_file():
            return _settings(_table(path), place)
    return ProjectSettings()


def _table(path: Path) -> dict[str, object]:
    try:
        found: object = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"`{path}` cannot be read ({error}); correct it") from error
    for name in ("tool", "afford", "lint"):
        found = cast("dict[str, object]", found).get(name, {}) if isinstance(found, dict) else {}
    if not isinstance(found, dict):
        raise SettingsError(f"`tool.afford.lint` of `{path}` is no table; write `[tool.afford.lint]`")
    return cast("dict[str, object]", found)


def _settings(table: Mapping[str, object], folder: Path) -> ProjectSettings:
    unknown = sorted(set(table) - set(KEYS))
    if unknown:
        raise SettingsError(f"`[tool.afford.lint]` has no key `{unknown[0]}`; the keys are {', '.join(KEYS)}")
    baseline = table.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise SettingsError("`baseline` of `[tool.afford.lint]` is no text; name a file")
    return ProjectSettings(
        off=_texts(table, "off"),
        profiles=_texts(table, "profiles"),
        severities=_severities(table.get("severities", {})),
        baseline=None if baseline is None else folder / baseline,
    )


def _texts(table: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    items = cast("list[object]", value) if isinstance(value, list) else [None]
    texts = [item for item in items if isinstance(item, str)]
    if len(texts) != len(items):
        raise SettingsError(f"`{key}` of `[tool.afford.lint]` is no list of texts; write one")
    return tuple(texts)


def _severities(value: object) -> dict[str, Severity]:
    words = ", ".join(Severity)
    if not isinstance(value, dict):
        raise SettingsError(
            f'`severities` of `[tool.afford.lint]` is no table; write `DSC101 = "error"` in one: {words}'
        )
    found: dict[str, Severity] = {}
    for code, word in cast("dict[str, object]", value).items():
        if word not in set(Severity):
            raise SettingsError(f"`{word}` is no severity for `{code}`; write one of {words}")
        found[code] = Severity(cast("str", word))
    return found
