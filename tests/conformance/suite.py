"""The official conformance suite, run against a server: `python -m tests.conformance.suite [URL]`.

Without a URL the fixture beside this file is served and tested. One run per revision that is claimed. What is expected
to fail stands in `expected/REVISION.yml`, and an entry that passes is as wrong as a failure that is not listed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.node_packages import installed, node
from tests.served import served

HERE: Final = Path(__file__).parent
FIXTURE: Final = HERE / "fixture.py"
REVISIONS: Final = ("2025-11-25", "2026-07-28")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the suite said about one revision."""

    revision: str
    passed: bool
    """No failure that is not expected, and nothing expected that passes."""
    summary: str
    """Scenarios with their counts, and what was not as expected."""


def expected(revision: str) -> Path:
    """The file of what is expected to fail."""
    return HERE / "expected" / f"{revision}.yml"


def run(url: str, revision: str, *words: str) -> Verdict:
    """Test a server against one revision."""
    program = installed(HERE / "packages") / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    what = ["server", "--url", url, "--suite", "all", "--spec-version", revision]
    done = subprocess.run(
        [str(node()), str(program), *what, "--expected-failures", str(expected(revision)), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    text = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    return Verdict(revision, done.returncode == 0, text[max(text.find("=== SUMMARY ==="), 0) :].strip())


def main(words: list[str]) -> int:
    """Print what the suite says; 1 where that is not what is expected."""
    if words:
        verdicts = [run(words[0], revision, *words[1:]) for revision in REVISIONS]
    else:
        with served(FIXTURE) as url:
            verdicts = [run(url, revision) for revision in REVISIONS]
    for verdict in verdicts:
        print(f"{verdict.revision}: {'as expected' if verdict.passed else 'NOT AS EXPECTED'}\n{verdict.summary}\n")  # noqa: T201 - its output
    return 0 if all(verdict.passed for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
