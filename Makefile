# Needs make and Python 3.11 or newer, nothing else; everything is installed into .venv of this checkout.
#
#   make run     install, put the sample recordings into the journal, serve the site (PORT=8000 DB=razbor.db HOST=127.0.0.1)
#   make test    lint, types, tests
#   make bench   speed, against other replayers in the same run
#   make soak    the long tests
#   make compiled  the wheel whose engine mypyc compiled, in build/, and the tests of judging on it (wants a C compiler)
#   make clean   remove what the above installed and built; the journal stays

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet --quiet --constraint constraints.txt
DB     ?= razbor.db
JOBS   ?= auto

.DEFAULT_GOAL := help
.PHONY: help run test bench soak compiled clean

help:
	@sed -n 's/^#   //p' Makefile

# One stamp an extra: the environment is brought up to date when it is missing or when its description changed.
$(VENV)/usable:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Python 3.11 or newer is needed: make PYTHON=python3.11'; exit 1; }
	@test -x $(BIN)/python && $(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/installed-run: pyproject.toml constraints.txt | $(VENV)/usable
	@echo 'Installing Razbor into $(VENV) ...'
	@$(PIP) --editable .
	@$(BIN)/python -m compileall -q schemas recorder replay
	@touch $@

$(VENV)/installed-test $(VENV)/installed-bench: $(VENV)/installed-%: pyproject.toml constraints.txt | $(VENV)/usable
	@echo 'Installing Razbor with its $* tools into $(VENV) ...'
	@$(PIP) --editable '.[$*]'
	@touch $@ $(VENV)/installed-run

run: $(VENV)/installed-run
	$(BIN)/razbor add --db $(DB) data/recordings/*.jsonl
	exec $(BIN)/razbor serve --db $(DB) $(if $(PORT),--port $(PORT)) $(if $(filter command,$(firstword $(origin HOST))),--host $(HOST))

test: $(VENV)/installed-test
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/python -m pytest --numprocesses=$(JOBS) --maxprocesses=8 --dist=worksteal $(ARGS)

bench: $(VENV)/installed-bench
	$(BIN)/python -m tests.bench $(ARGS)

soak: $(VENV)/installed-test
	$(BIN)/python -m pytest -m soak --numprocesses=$(JOBS) --timeout=0 $(ARGS)

compiled: $(VENV)/installed-test
	rm -rf build/compiled && mkdir -p build/compiled/tree
	RAZBOR_COMPILE=1 $(PIP:install=wheel) --no-deps --wheel-dir build/compiled .
	cp -R pyproject.toml README.md CHANGELOG.md LICENSE Makefile constraints.txt tests build/compiled/tree
	$(BIN)/python -m zipfile -e build/compiled/*.whl build/compiled/tree
	cd build/compiled/tree && RAZBOR_COMPILE=1 $(CURDIR)/$(BIN)/python -m pytest --numprocesses=$(JOBS) --maxprocesses=8 --dist=worksteal \
	  tests/engine tests/audit tests/test_cases.py $(ARGS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
