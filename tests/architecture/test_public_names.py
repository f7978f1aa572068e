"""`afford` exports what `__all__` says, no more and no less."""

from __future__ import annotations

from types import ModuleType

import afford


def test_all_names_nothing_twice() -> None:
    assert len(afford.__all__) == len(set(afford.__all__))


def test_every_exported_name_can_be_imported() -> None:
    unresolved = [name for name in afford.__all__ if not hasattr(afford, name)]
    assert unresolved == []


def test_all_equals_the_public_names() -> None:
    language = {"annotations", "TYPE_CHECKING"}
    public = {
        name
        for name in dir(afford)
        if not name.startswith("_") and name not in language and not isinstance(getattr(afford, name), ModuleType)
    }
    assert public == {name for name in afford.__all__ if not name.startswith("_")}


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(afford, "no_such_name")
