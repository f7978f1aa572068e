"""Write the pages that follow from code, or say which of them are stale (`--check`).

A generated page is committed, so that it can be read without running anything. Everything it says about a code comes
from its table; only the advice for errors is written here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from afford.catalog.rules import RULES
from afford.errors import TABLE, Code, CodeRow, FaultCode
from afford.lint.coverage import coverage_page
from afford.lint.pages import FOLDER, rule_pages

ROOT: Final = Path(__file__).resolve().parents[1]

ADVICE: Final[Mapping[Code, str]] = MappingProxyType(
    {
        Code.BAD_REQUEST: "Correct every place listed in `errors` and send the call again. The published input schema "
        "is the whole rule: whatever it accepts is accepted here, apart from the author's own validators.",
        Code.UNAUTHENTICATED: "Send credentials, or better ones; the `WWW-Authenticate` header says which kind. "
        "It is answered before anything is looked up, so it tells nothing about what exists.",
        Code.FORBIDDEN: "Ask the operator for the right that `message` names. The operation is visible to the caller; "
        "what it was asked to do this time is not allowed.",
        Code.DECLINED: "Do not repeat the call. A person was asked and said no.",
        Code.UNKNOWN_OPERATION: "Read the catalog and take a name from it. An operation that the caller may not see "
        "answers exactly like one that does not exist.",
        Code.NOT_FOUND: "Check the identifier that was sent, best by taking it from a row of a list operation.",
        Code.METHOD_NOT_ALLOWED: "Use a method of the `Allow` header: `GET` for queries, `POST` for actions.",
        Code.CONFLICT: "Read the current state, then decide again. The call was understood and does not fit the "
        "state it met.",
        Code.TOO_LARGE: "Send less, or ask for less: a smaller body, a lower limit, a narrower filter.",
        Code.UNSUPPORTED_MEDIA_TYPE: "Send the body as `application/json`.",
        Code.MISDIRECTED: "Operators: add the host name to `allowed_hosts`. Callers: use the address the service "
        "publishes.",
        Code.CONFIRMATION_REQUIRED: "Show the call to a person and let that person confirm it through the channel that "
        "the answer names. No argument counts as consent.",
        Code.INPUT_REQUIRED: "Put the question to a person and send the call again with the answer.",
        Code.RATE_LIMITED: "Wait for `retry_after` seconds, then send the same call.",
        Code.CANCELLED: "Nothing is answered, because nobody is there. It appears only in records.",
        Code.INTERNAL: "Report the `trace`. The log holds the exception under that id; no part of it is in the answer.",
        Code.OUTPUT_CONTRACT: "Report the `trace`. Authors: the handler returned something that the published output "
        "schema refuses, and the log names the place.",
        Code.REACH_VIOLATION: "Report the `trace`. Authors: the handler returned a row of another owner; filter by the "
        "caller, or declare the reach that is meant.",
        Code.UNAVAILABLE: "Wait for `retry_after` seconds where given, then send the same call.",
        Code.TIMEOUT: "Send the call again if it reads. If it writes, find out first whether it took effect.",
    }
)

FAULT_ADVICE: Final[Mapping[FaultCode, str]] = MappingProxyType(
    {
        FaultCode.UNKNOWN_ARGUMENT: "Remove it, or use the name in `suggestion`.",
        FaultCode.MISSING: "Add it; `pointer` names where it belongs.",
        FaultCode.WRONG_TYPE: "Send the JSON type in `expected`; nothing is converted silently.",
        FaultCode.NOT_A_CHOICE: "Send one of the values in `expected`.",
        FaultCode.OUT_OF_RANGE: "Send a number within the bounds in `expected`.",
        FaultCode.WRONG_LENGTH: "Send a text or list of the length in `expected`.",
        FaultCode.WRONG_FORMAT: "Spell it as `expected` says.",
        FaultCode.DUPLICATE: "Send the name, or the list element, once.",
        FaultCode.NOT_ALLOWED: "Compare the value with the published schema at `pointer`.",
        FaultCode.SYNTAX: "Repair the spelling: the text could not be read as JSON or as a query string.",
        FaultCode.RULE: "Follow `message`: the author's own validator wrote it.",
        FaultCode.CURSOR: "Take the cursor from the last page of this very query, or leave it out to start again.",
    }
)


def errors_page() -> str:
    """The reference of refusals: one table, one section per code, one per fault."""
    return "\n".join(_errors_lines()) + "\n"


def build_errors_page() -> str:
    """The reference of build rules: one section per code."""
    return "\n".join(_build_error_lines()) + "\n"


PAGES: Final[Mapping[str, Callable[[], str]]] = MappingProxyType(
    {
        "docs/errors.md": errors_page,
        "docs/build-errors.md": build_errors_page,
        f"{FOLDER}/coverage.md": coverage_page,
    }
)
"""Path below the repository's root, and what makes the page."""


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` compare them.

    Returns:
        0 when the pages are written or current, 1 when one is stale, 2 for an argument that is not known.
    """
    if arguments not in ([], ["--check"]):
        print("usage: tools/generate.py [--check]", file=sys.stderr)
        return 2
    pages = {**{name: render() for name, render in PAGES.items()}, **rule_pages()}
    stale = [name for name, text in pages.items() if _text_of(ROOT / name) != text]
    of_rules = (ROOT / FOLDER).glob("[A-Z][A-Z][A-Z][0-9][0-9][0-9].md")
    left = sorted(path for path in of_rules if f"{FOLDER}/{path.name}" not in pages)
    if not arguments:
        for name in stale:
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(pages[name], encoding="utf-8")
            print(f"wrote {name}")
        for path in left:
            path.unlink()
            print(f"removed {FOLDER}/{path.name}")
        return 0
    for name in (*stale, *(f"{FOLDER}/{path.name}" for path in left)):
        print(f"{name} is stale; run: make generate", file=sys.stderr)
    return 1 if stale or left else 0


def _text_of(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _build_error_lines() -> Iterator[str]:
    yield "<!-- Written by tools/generate.py from afford.catalog.rules. Edit that, then run: make generate -->"
    yield ""
    yield "# Build errors"
    yield ""
    yield "`App.build()` checks every declaration and raises all that is wrong at once. Each names the operation, the"
    yield "place, the rule and a way out; `afford explain CODE` prints the sections below."
    for rule in RULES.values():
        yield ""
        yield f"## {rule.code} {rule.name}"
        yield ""
        yield f"{rule.what} {rule.why}"
        yield ""
        yield f"**Fix:** {rule.fix}"


def _errors_lines() -> Iterator[str]:
    yield "<!-- Written by tools/generate.py from afford.errors. Edit those, then run: make generate -->"
    yield ""
    yield "# Errors"
    yield ""
    yield "Over HTTP a refusal is an RFC 9457 `application/problem+json` document. Its `code` is one of those below, or"
    yield "one that the application declares itself (upper case, such as `ROOM_TAKEN`). The code is the interface; the"
    yield "wording may change. Exit codes are those of the command line."
    yield ""
    yield "| code | HTTP status | on MCP | exit code | worth repeating |"
    yield "|---|---|---|---|---|"
    for code, row in TABLE.items():
        yield f"| [`{code}`](#{code}) | {_status(row)} | {row.mcp} | {row.exit_code} | {_yes_no(row)} |"
    yield ""
    yield "On MCP, `result` is a tool result with `isError: true`, `protocol` is an error of the protocol, and `none`"
    yield "means that nothing is answered."
    yield ""
    yield "## Codes"
    for code, row in TABLE.items():
        yield from ("", f"### `{code}`", "", f"{row.title}. {_status_sentence(row)}", "", ADVICE[code])
    yield ""
    yield "## Faults"
    yield ""
    yield "A `bad_request` carries `errors`: every place that is wrong, each with a `pointer` (RFC 6901) into the"
    yield "arguments, a code of this list, a `message`, and where there is something to say an `expected` form and a"
    yield "`suggestion` that would be accepted."
    for fault in FaultCode:
        yield from ("", f"### `{fault}`", "", FAULT_ADVICE[fault])


def _status(row: CodeRow) -> str:
    return "none" if row.status is None else str(row.status)


def _status_sentence(row: CodeRow) -> str:
    return "No response is sent." if row.status is None else f"HTTP status {row.status}."


def _yes_no(row: CodeRow) -> str:
    return "yes" if row.retryable else "no"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
