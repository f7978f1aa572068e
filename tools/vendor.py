"""Take the libraries of the console's page from the npm registry, as files that a browser loads without a build step.

    python tools/vendor.py           write them
    python tools/vendor.py --check   say which differ from what is published

Each package is pinned, and taken as it was published; only the names by which modules import each other become file
names, since a page under a strict policy may have no import map.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.node_packages import node, npm  # noqa: E402 - what runs npm for the tests runs it here

FOLDER: Final = ROOT / "src" / "afford" / "console" / "page" / "vendor"


@dataclass(frozen=True, slots=True)
class Package:
    """One release, and the files of it that the page loads."""

    name: str
    version: str
    files: dict[str, str]
    """Path in the package to file name here."""


PACKAGES: Final = (
    Package("preact", "11.2.0", {"dist/preact.mjs": "preact.js", "hooks/dist/hooks.mjs": "hooks.js"}),
    Package("htm", "3.1.1", {"dist/htm.mjs": "htm.js"}),
    Package("@preact/signals-core", "1.14.5", {"dist/signals-core.mjs": "signals-core.js"}),
    Package("@preact/signals", "2.11.4", {"dist/signals.mjs": "signals.js"}),
)
SOURCE_MAP: Final = re.compile(r"//# sourceMappingURL=\S+\s*$")
IMPORTS: Final = {
    '"preact"': '"./preact.js"',
    '"preact/hooks"': '"./hooks.js"',
    '"@preact/signals-core"': '"./signals-core.js"',
}


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description="The libraries of the console's page.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    check: bool = parser.parse_args().check
    differing: list[str] = []
    for package in PACKAGES:
        for name, text in _files(package).items():
            path = FOLDER / name
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                differing.append(name)
                if not check:
                    path.parent.mkdir(exist_ok=True)
                    path.write_text(text, encoding="utf-8")
    print(f"{'differ' if check else 'written'}: {', '.join(differing) or 'none'}")
    return 1 if check and differing else 0


def _files(package: Package) -> dict[str, str]:
    """The package's files and its licence, by file name here."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(_packed(package, folder)) as archive:
        taken = {here: _browser_text(_text(archive, there)) for there, here in package.files.items()}
        licence = f"LICENSE-{package.name.removeprefix('@').replace('/', '-')}.txt"
        return {**taken, licence: _text(archive, "LICENSE")}


def _packed(package: Package, folder: str) -> Path:
    """The release as published, which npm checks against the digest that the registry states."""
    words = [
        str(node()),
        str(npm()),
        "pack",
        f"{package.name}@{package.version}",
        "--silent",
        f"--pack-destination={folder}",
    ]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - a program of our own environment
    return next(Path(folder).glob("*.tgz"))


def _text(archive: tarfile.TarFile, name: str) -> str:
    member = archive.extractfile(f"package/{name}")
    if member is None:
        raise SystemExit(f"the package has no {name}")
    return member.read().decode("utf-8")


def _browser_text(text: str) -> str:
    for name, file in IMPORTS.items():
        text = text.replace(f"from{name}", f"from{file}").replace(f"from {name}", f"from {file}")
    return SOURCE_MAP.sub("", text).rstrip() + "\n"


if __name__ == "__main__":
    sys.exit(main())
