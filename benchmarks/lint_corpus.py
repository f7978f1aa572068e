"""How often the linter is right: `python benchmarks/lint_corpus.py`.

Runs every rule over the labelled corpus in `lint_corpus/`, and prints precision and recall by rule and pooled.
`--write` keeps the figures in `docs/rules/measured.md`, `--check` says whether they are still those.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
sys.path[:1] = [str(HERE / "measure")]

from figures import print_table  # noqa: E402 - found through the line above
from labels import Catalog, Counts, Outcome, catalogs, codes_of, counted, judged  # noqa: E402 - the same

from afford.lint.rule import Severity  # noqa: E402 - the path comes first

PAGE: Final = HERE.parent / "docs" / "rules" / "measured.md"
PARTS: Final = ("tuned", "held out", "foreign")
TARGETS: Final = {Severity.ERROR: 0.95, Severity.WARNING: 0.8}
POOLED_HEAD: Final = ("severity", "corpus", "found", "missed", "false alarms", "precision", "recall", "target")
RULE_HEAD: Final = ("rule", "severity", "found", "missed", "false alarms", "precision", "recall")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where the page says others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list what is wrong and was not found")
    parser.add_argument("--false-alarms", action="store_true", help="list what was found where nothing is wrong")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part of the corpus; may be repeated")
    parser.add_argument("--write", action="store_true", help="write docs/rules/measured.md")
    parser.add_argument("--check", action="store_true", help="compare docs/rules/measured.md, and print nothing else")
    options = parser.parse_args(arguments)
    corpus = catalogs()
    outcomes = judged(corpus)
    text = page(corpus, outcomes)
    if options.check:
        return _checked(text)
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    chosen = [item for item in outcomes if options.part is None or item.part in options.part]
    print_table(POOLED_HEAD, list(pooled_rows(chosen)))
    print_table(RULE_HEAD, list(rule_rows(chosen)))
    verdicts = [*(["missed"] if options.misses else []), *(["false alarm"] if options.false_alarms else [])]
    for item in chosen:
        if item.verdict in verdicts:
            print(f"{item.verdict}: {item.catalog}/{item.subject} {item.code} {item.message}".rstrip())
    return 0


def page(corpus: Sequence[Catalog], outcomes: Sequence[Outcome]) -> str:
    """The figures as a page of the documentation."""
    sizes = {part: sum(item.operations for item in corpus if item.part == part) for part in PARTS}
    clean = sum(item.operations - sum(map(bool, item.faults.values())) for item in corpus if item.part != "foreign")
    unsought = sum(item.severity is None for item in outcomes)
    lines = [
        "<!-- Written by benchmarks/lint_corpus.py --write. -->",
        "",
        "# How often the rules are right",
        "",
        "`.venv/bin/python benchmarks/lint_corpus.py` prints these figures; `--false-alarms` and `--misses` list what",
        "is behind them. The corpus was labelled before any rule was run over it, and labels were changed since; how,",
        "and what that did to the figures, says its [README](../../benchmarks/lint_corpus/README.md).",
        "",
        f"Operations: {sizes['tuned']} that rules were tuned with, {sizes['held out']} that were held out,",
        f"{sizes['foreign']} of other people's servers. Of our own, {clean} have no label.",
        "",
        "A finding is right where the operation is labelled with its code, once for each operation and code. A label",
        "that may be seen either way counts neither way. Precision is the part of the findings that are right, recall",
        "the part of the labels that were found. Infos are advice, and have no target. The rules were fitted to the",
        "tuned part: its figures say little about other catalogs.",
        "",
        f"Labels of faults that no rule looks for, so that they are in no pooled figure: {unsought}.",
        "",
        "## Pooled",
        "",
        *_markdown(POOLED_HEAD, pooled_rows(outcomes)),
        "",
        "## By rule, over the whole corpus",
        "",
        *_markdown(RULE_HEAD, rule_rows(outcomes)),
        "",
    ]
    return "\n".join(lines)


def pooled_rows(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, ...]]:
    """One row for each severity, of the whole and of each part."""
    for severity in Severity:
        of_severity = [item for item in outcomes if item.severity is severity]
        target = f"precision {TARGETS[severity]:.2f}" if severity in TARGETS else ""
        yield severity, "all", *_cells(counted(of_severity)), target
        for part in PARTS:
            yield severity, part, *_cells(counted(item for item in of_severity if item.part == part)), target


def rule_rows(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, ...]]:
    """One row for each rule and kind of fault that occurs."""
    for code in codes_of(outcomes):
        mine = [item for item in outcomes if item.code == code]
        severities = sorted({item.severity for item in mine if item.severity is not None})
        yield code, " or ".join(severities) or "no rule", *_cells(counted(mine))


def _cells(counts: Counts) -> tuple[str, ...]:
    shares = ("" if share is None else f"{share:.2f}" for share in (counts.precision, counts.recall))
    return str(counts.found), str(counts.missed), str(counts.false_alarms), *shares


def _markdown(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(cells)} |" for cells in rows)


def _checked(text: str) -> int:
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/rules/measured.md is stale; run: python benchmarks/lint_corpus.py --write", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
