#!/usr/bin/env bash
# The official MCP conformance suite, in every revision that is claimed: against the fixture, or against the server at URL.
# Usage: tools/mcp-conformance.sh [URL [OPTION-OF-THE-SUITE ...]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec "${PYTHON:-.venv/bin/python}" -m tests.conformance.suite "$@"
