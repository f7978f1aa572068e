# Needs Python 3.11 or newer, make and a package index; everything else goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.complete
# The typing claims are checked as strictly as the package.
STRICT := src tools $(wildcard tests/typing)

# pyright ships inside its package; this keeps it from asking a registry for a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.DEFAULT_GOAL := help
.PHONY: help demo test serve check bench soak format generate constraints clean \
	check-format check-lint check-mypy check-pyright check-layers check-generated

help: ## Print the targets.
	@echo "afford: make TARGET"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r name text; do printf '%-14s %s\n' "$$name" "$$text"; done

demo: $(STAMP) ## Run the hotel example from declaration to answered calls, over HTTP and MCP.
	@$(BIN)/python examples/hoteling/demo.py

test: $(STAMP) ## Run the tests.
	@$(BIN)/pytest -q

serve: $(STAMP) ## Serve the hotel example on this machine.
	@$(BIN)/afford serve examples/hoteling/app.py

check: check-format check-lint check-mypy check-pyright check-layers check-generated ## Check format, lint, types, layers and generated files.

check-format: $(STAMP)
	@echo "== format"
	@$(BIN)/ruff format --check --quiet .

check-lint: $(STAMP)
	@echo "== lint"
	@$(BIN)/ruff check --quiet .

check-mypy: $(STAMP)
	@echo "== mypy"
	@$(BIN)/mypy --no-error-summary $(STRICT)

check-pyright: $(STAMP)
	@echo "== pyright"
	@$(BIN)/pyright $(STRICT)

check-layers: $(STAMP)
	@echo "== layers"
	@$(BIN)/lint-imports --no-logo

check-generated: $(STAMP)
	@echo "== generated files"
	@$(BIN)/python tools/generate.py --check

bench: $(STAMP) ## Measure against the other frameworks, as ratios.
	@$(BIN)/python benchmarks/run.py

soak: $(STAMP) ## Call one server a hundred thousand times, and watch its memory.
	@$(BIN)/python benchmarks/soak.py

format: $(STAMP) ## Format the code and fix what ruff can fix.
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --quiet --fix .

generate: $(STAMP) ## Write the generated files again.
	@$(BIN)/python tools/generate.py

constraints: ## Freeze a fresh environment into constraints.txt.
	@echo "installing the newest allowed releases into a fresh environment"
	@rm -rf .venv/fresh && $(PYTHON) -m venv .venv/fresh
	@.venv/fresh/bin/python -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@echo "# Releases the checks ran with. Written by: make constraints" > constraints.txt
	@.venv/fresh/bin/python -m pip freeze --exclude-editable >> constraints.txt
	@rm -rf .venv/fresh
	@echo "constraints.txt: $$(grep -c == constraints.txt) releases"

clean: ## Remove the environment and everything the tools cached.
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else \
		"afford needs Python 3.11 or newer; say which one with: make PYTHON=python3.12 ...")'
	@echo "installing into .venv (about half a minute the first time)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
