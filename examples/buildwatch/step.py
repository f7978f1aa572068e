"""The build step, a program of its own: check every source, then pack them into one archive that Python runs.

    python step.py SOURCES ARCHIVE

Prints one diagnostic per line, as JSON, and exits 1 where one of them is an error.
"""

from __future__ import annotations

import json
import sys
import zipapp
from collections.abc import Iterator
from pathlib import Path


def check(folder: Path) -> Iterator[tuple[str, str, int, str]]:
    """Code, file, line and message of everything that is wrong."""
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        try:
            compile(path.read_text(encoding="utf-8"), name, "exec", dont_inherit=True)
        except SyntaxError as error:
            yield "BW001", name, error.lineno or 1, error.msg
        except (UnicodeDecodeError, ValueError) as error:
            yield "BW002", name, 1, str(error)
    if not (folder / "__main__.py").is_file():
        yield "BW003", "__main__.py", 1, "there is nothing to run"


def main(folder: Path, archive: Path) -> int:
    """Check, and pack where nothing is wrong."""
    found = list(check(folder))
    for code, file, line, message in found:
        print(json.dumps({"code": code, "file": file, "line": line, "message": message}))
    if found:
        return 1
    archive.parent.mkdir(parents=True, exist_ok=True)
    zipapp.create_archive(folder, archive, filter=lambda path: path.suffix == ".py", compressed=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
