# Drift in two commands: `make run` shows it at work on this repository, `make test` checks everything.
# Both make their own .venv; PYTHON=/path/to/python3.11 chooses the interpreter it is made with.

VENV := .venv
BIN := $(VENV)/bin
# Also what a pull of new dependencies or a new version makes old.
INSTALL_INPUTS := pyproject.toml src/drift/__init__.py requirements/run.txt requirements/dev.txt
# Everything comes with a hash that was checked; the package itself is built by what came so.
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
LOCKED := $(PIP_INSTALL) --require-hashes -r
OWN := $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
UV := 0.13.7
UV_COMPILE := build/lock/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --upgrade
# Each worker begins with a half in the order of the files, so that what a module shares is made once or twice.
PYTEST_ARGS ?= -n 2 --dist worksteal
# What counts lines is loaded before pytest looks at it, which is no fault of a test.
COUNTED := -W ignore::pytest.PytestAssertRewriteWarning
# The rooms with what keeps Drift safe, of which CI counts the lines: to count all takes a quarter more time.
SAFE := src/drift/kernel,src/drift/pipeline,src/drift/project,src/drift/protocol,src/drift/registry
# The tests start hundreds of processes: without bytecode each would compile all of Drift anew.
unexport PYTHONDONTWRITEBYTECODE

# The first of these that is new enough, so that an older `python3` does no harm.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
ifndef PYTHON
PYTHON := $(shell for name in $(CANDIDATES); do \
	"$$name" -c '$(NEW_ENOUGH)' >/dev/null 2>&1 && echo "$$name" && break; done)
endif

# What `make run` asks about this repository, and how it is timed: `time` is not in every shell.
QUESTION := drift callers find_root --limit 8
TIMED := import subprocess, sys, time; began = time.monotonic(); code = subprocess.call(sys.argv[1:]); \
	print(f"\nAnswered in {time.monotonic() - began:.1f} s."); sys.exit(code)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test tests coverage lint docs site bench format lock clean

help:
	@echo "make run     install Drift into .venv and run it on this repository"
	@echo "make test    lint, types, import rules and all tests"
	@echo "make lint    the same without the tests"
	@echo "make tests   the tests alone"
	@echo "make coverage  make test that also counts which lines of Drift no test runs"
	@echo "make docs    write the generated parts of docs/ and README.md, and the manifest, anew"
	@echo "make site    write the documentation as a site into build/site"
	@echo "make bench   run the benchmarks"
	@echo "make format  format the code and mend what ruff can mend"
	@echo "make lock    choose dependencies anew and write down their hashes"
	@echo "make clean   remove .venv, caches and builds"

run: $(VENV)/.installed
	@$(BIN)/drift scan
	@echo
	@echo "\$$ $(QUESTION)"
	@$(BIN)/python -c '$(TIMED)' $(BIN)/$(QUESTION)
	@echo
	@echo "Drift works. In a project of your own, ask right away:"
	@echo "  export PATH=\"$(CURDIR)/$(BIN):\$$PATH\""
	@echo "  drift find WORDS            where is it?"
	@echo "  drift callers NAME          who calls it?"
	@echo "  drift impact                what may my uncommitted changes break?"
	@echo "  drift install --list        connect an agent or an editor"
	@echo "  drift --help                everything else"

# Both at once: while types are checked, which one process does, the other cores would wait.
test: $(VENV)/.installed-dev
	@$(MAKE) --no-print-directory lint & linting=$$!; \
	$(MAKE) --no-print-directory tests; tested=$$?; \
	wait $$linting && exit $$tested

tests: $(VENV)/.installed-dev
ifdef CI
	@mkdir -p build
	$(BIN)/python -m slipcover --source $(SAFE) --json --out build/lines.json -m pytest $(COUNTED) $(PYTEST_ARGS)
	$(BIN)/python .ci/coverage_floor.py build/lines.json
else
	$(BIN)/pytest $(PYTEST_ARGS)
endif

coverage:
	@$(MAKE) test CI=1 SAFE=src/drift

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src
	$(BIN)/mypy docs/generate.py docs/build_site.py
	$(BIN)/lint-imports --no-logo

docs: $(VENV)/.installed-dev
	$(BIN)/python docs/generate.py

site: $(VENV)/.installed-dev
	$(BIN)/python docs/build_site.py

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/surface_tokens.py
	$(BIN)/python benchmarks/rendering.py
	$(BIN)/python benchmarks/tokens.py
	$(BIN)/python benchmarks/protocol.py

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(VENV)/.made
	@$(BIN)/python -m venv build/lock
	@build/lock/bin/python -m pip install -qq --disable-pip-version-check uv==$(UV)
	$(UV_COMPILE) -o requirements/run.txt pyproject.toml requirements/build.in
	$(UV_COMPILE) -o requirements/dev.txt -c requirements/run.txt --group dev pyproject.toml requirements/build.in

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf tests/conformance/node_modules
	find src tests docs benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@if [ -z "$(PYTHON)" ] || ! "$(PYTHON)" -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then \
		echo "Drift needs Python 3.11 or newer; found none as: $(or $(PYTHON),$(CANDIDATES))" >&2; \
		echo "Install it, or say where it is: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; fi
	@echo "Making $(VENV) with $(PYTHON)"
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); \
		echo "Python's venv module is missing; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/.installed: $(VENV)/.made $(INSTALL_INPUTS)
	@echo "Installing Drift and what it needs"
	@$(LOCKED) requirements/run.txt
	@$(OWN)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.made $(INSTALL_INPUTS)
	@echo "Installing Drift with its development tools"
	@$(LOCKED) requirements/dev.txt
	@$(OWN)
	@touch $@ $(VENV)/.installed
