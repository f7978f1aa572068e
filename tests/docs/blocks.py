"""Code blocks of the project's own pages, as a reader would save them."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from afford import App

ROOT = Path(__file__).parents[2]


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in one language, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def app_of(code: str, file: Path) -> App:
    """The app that a block declares, once it is saved as a file."""
    file.write_text(code, encoding="utf-8")
    module = ModuleType(file.stem)
    module.__dict__["__file__"] = str(file)
    exec(compile(code, file.name, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - the page is ours
    app: object = module.__dict__["app"]
    assert isinstance(app, App)
    return app
