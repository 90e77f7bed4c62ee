# Two commands on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run install test check lint types imports unit browser bench screens clean

run: install  ## start the app on the embedded models and a loaded sample
	$(BIN)/streamlit run serve.py

install: $(VENV)/.installed  ## make .venv and install the pinned requirements

$(VENV)/.installed: requirements.txt requirements-lm.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Headline Lab needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -r requirements.txt
	$(BIN)/pip install -q --no-deps -r requirements-lm.txt
	$(BIN)/pip install -q --no-deps -e .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt
	$(BIN)/pip install -q -r requirements-dev.txt
	touch $@

test: check unit browser  ## lint, types, import rules, unit, contract, page and real-browser tests

check: lint types imports

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

imports: $(VENV)/.installed-dev
	$(BIN)/lint-imports

unit: $(VENV)/.installed-dev
	$(BIN)/pytest -q -m "not browser and not external and not gpu"

browser: $(VENV)/.installed-dev
	$(BIN)/pytest -q -m "browser" tests/browser

$(VENV)/.installed-bench: $(VENV)/.installed-dev requirements-bench.txt
	$(BIN)/pip install -q -r requirements-bench.txt
	touch $@

bench: $(VENV)/.installed-bench  ## time against named peers; writes benchmarks/results and docs/benchmarks.md
	$(BIN)/python -m benchmarks

screens: $(VENV)/.installed-dev  ## screenshots of every page, light and dark, wide and narrow
	$(BIN)/python -m docs.pictures.take

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
