# make run   Companion on this computer, for the phones around the table
# make test  every test there is
# make tools  what tests and checks need, once; then a single test runs: .venv/bin/python -m pytest tests/engine/bisque
# make soak  what takes longer, most of an hour: 200 power cuts, 10,000 hostile inputs, and every page on PostgreSQL too
# make engines  the main paths on phones with WebKit and Firefox, about two minutes; with pictures: COMPANION_SHOTS=folder
# make cluster  two PostgreSQL, three Companions, a Valkey and a proxy, of which one after the other is killed, about four minutes
# make pocket  Companion for phones that have no network, to be offered to them (needs npm), and its tests; about ten minutes
# make app   one file that runs Companion on computers like this one, without Python: dist/companion, and its tests; about four minutes
# make site  a folder for any file server, dist/site: Companion without a server (needs npm); below a path: SITE_PATH=/companion/
# make run-site  the same, served here by Python's own file server, to try
# make pictures  the pictures of the README anew, from a running Companion
# make mutants  whether the engine's tests notice each small change to it; of one module: make mutants ONLY=beloz/scoring
# make catalogues  collect the sentences to translate, for every language
# make pins  constraints.txt anew, with the newest versions of everything
# Needs Python 3.11 or newer. Another one than the first that is found: make run PYTHON=python3.13

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
PORT ?= 8000
SITE_PATH ?= /
# Twice the two cores that many a machine has: tests with servers and browsers wait half of their time. One more would first take half a
# minute of a processor: it collects all tests and begins a browser and a server of its own.
WORKERS ?= 4

# What pip builds the project with is pinned too; older and newer versions of pip each know one of these names.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export UV_BUILD_CONSTRAINT := constraints.txt
export UV_HTTP_TIMEOUT := 10

# TypeScript reads the scripts' types (deno brings it, without Node); what it has read it keeps here
export DENO_DIR := $(CURDIR)/$(VENV)/deno
export DENO_NO_UPDATE_CHECK := 1
# tests start some 200 programs: without what Python compiled before, each of them compiles all of it anew
unexport PYTHONDONTWRITEBYTECODE
WORKERS_OF_PAGES := $(wildcard static/js/*service-worker.js)

.PHONY: run tools test soak engines cluster pocket app site run-site pictures catalogues mutants pins
.PHONY: lint types imports pages scripts collect

run: $(VENV)/installed
	@exec $(BIN)/python -m companion run --port $(PORT)

tools: $(VENV)/installed-tests
	$(BIN)/python tests/browser/chromium.py

test: $(VENV)/installed-tests
	@$(MAKE) --no-print-directory -j 2 collect lint
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal || { test $$? = 1 && echo "$(ALONE)" && $(BIN)/python -m pytest $(FAILED); }

# What failed beside others gets one more try alone: a browser on a busy machine can be too slow. What fails twice fails the run.
ALONE := Once more, alone, what has failed. Mend whatever passes only now: it depends on the speed of the machine.
FAILED := --last-failed --last-failed-no-failures none --maxfail 1 -rA --no-header --show-capture no

# What make test does before its tests, on both cores.
lint: types imports pages scripts

types:
	$(BIN)/mypy

imports:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

pages:
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/biome lint static/css static/screen
	$(BIN)/biome format static/css static/screen static/js

scripts:
	$(BIN)/oxlint --deny-warnings static/js
	$(BIN)/deno check --quiet $(filter-out $(WORKERS_OF_PAGES), $(wildcard static/js/*.js))
	$(BIN)/deno check --quiet --config tests/types/worker.json $(WORKERS_OF_PAGES)

# Whoever reads a test file first compiles it, and what it imports: 9 seconds of a processor in all, which otherwise each worker
# spends, since all of them read all files at the same time.
collect:
	$(BIN)/python -m pytest --collect-only --quiet --quiet >$(VENV)/collected || { cat $(VENV)/collected; false; }

soak: $(VENV)/installed-tests
	$(BIN)/python -m pytest -m soak -n $(WORKERS) --dist worksteal
	$(BIN)/python -m pytest --hypothesis-profile soak -n $(WORKERS) --dist worksteal tests/engine
	$(BIN)/python -m pytest --both-databases -n $(WORKERS) --dist worksteal tests/web

engines: $(VENV)/installed-engines
	$(BIN)/python tests/engines/browsers.py
	$(BIN)/python -m pytest -m engines tests/engines

cluster: $(VENV)/installed-cluster
	$(BIN)/python -m tests.cluster

pocket: $(VENV)/installed-tests
	$(BIN)/python pocket/build.py
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python -m pytest -m pocket tests/pocket

app: $(VENV)/installed-app
	$(BIN)/python tests/app/build.py
	$(BIN)/python -m pytest -m app tests/app

site: $(VENV)/installed-tests
	$(BIN)/python pocket/build.py
	$(BIN)/python pocket/site.py --path $(SITE_PATH)

run-site: site
	@exec $(BIN)/python -m http.server --directory dist/site $(PORT)

pictures: $(VENV)/installed-tests
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python -m tests.pictures

catalogues: $(VENV)/installed-tests
	$(BIN)/python -m tests.catalogues

mutants: $(VENV)/installed-tests
	$(BIN)/python tests/mutants.py --jobs $(WORKERS) $(ONLY)

$(VENV)/installed: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Companion into $(VENV), once."
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	@touch $@

# By uv, which takes a quarter of pip's time; but pip knows indexes of one's own, and does it where uv can't. Neither compiles what
# it brings: that takes a third more, and most of it is never imported.
$(VENV)/installed-tests: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Companion and what its tests need into $(VENV), once."
	@$(BIN)/python -m pip install --quiet --no-compile -c constraints.txt uv
	@$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt -e '.[test]' || \
	  $(BIN)/python -m pip install --quiet --no-compile -c constraints.txt -e '.[test]'
	@touch $(VENV)/installed $@

$(VENV)/installed-engines: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Companion and what steers WebKit and Firefox into $(VENV), once."
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[test,engines]'
	@touch $(VENV)/installed $(VENV)/installed-tests $@

$(VENV)/installed-cluster: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Companion and what its cluster needs into $(VENV), once."
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[test,cluster]'
	@touch $(VENV)/installed $(VENV)/installed-tests $@

$(VENV)/installed-app: $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Companion and what tries its packages into $(VENV), once."
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[test,app]'
	@touch $(VENV)/installed $(VENV)/installed-tests $@

$(BIN)/python:
	@recent() { \
	  for each in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	    "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$each"; return; }; \
	  done; return 1; }; \
	make_venv() { rm -rf $(VENV); python=$$(recent) && "$$python" -m venv $(VENV) >/dev/null 2>&1; }; \
	make_venv && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	  echo "Installing python3 and python3-venv."; \
	  apt-get update -qq </dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y python3 python3-venv </dev/null; \
	  make_venv && exit 0; \
	fi; \
	rm -rf $(VENV); \
	if python=$$(recent); then \
	  echo "$$python can't make a virtual environment. On Debian and Ubuntu: sudo apt install python3-venv. Then try again." >&2; \
	else \
	  found=$$(python3 -V 2>/dev/null || echo "no Python"); \
	  echo "Companion needs Python 3.11 or newer; here is $$found." >&2; \
	  echo "Debian, Ubuntu: sudo apt install python3 python3-venv. macOS: brew install python. Or from python.org." >&2; \
	fi; \
	exit 1

pins:
	rm -rf build/pins
	$(or $(PYTHON),python3) -m venv build/pins
	PIP_CONSTRAINT= PIP_BUILD_CONSTRAINT= build/pins/bin/python -m pip install --quiet -e '.[test,app,cluster,engines,postgresql,valkey]' editables
	{ sed -n '/^#/p' constraints.txt; build/pins/bin/python -m pip freeze --exclude-editable; } > build/constraints.txt
	mv build/constraints.txt constraints.txt
	rm -rf build/pins
