# Two commands on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What was compiled is kept, whatever the machine says: every command of ours starts faster.
export PYTHONDONTWRITEBYTECODE :=
# pip compiles one file after the other, and tests of other people's as well.
PIP_INSTALL := $(BIN)/pip install -q --no-deps --no-compile
COMPILE := $(BIN)/python -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib

# Workers of the tests; torch must not start threads of its own beside them.
WORKERS ?= 2
# Slow tests wait for browsers and processes for more than a quarter of their time: one worker more than cores.
SLOW_WORKERS ?= 3
PYTEST := OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive $(BIN)/pytest -q
BY_FILE := $(PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder
SHARED := $(PYTEST) --dist worksteal
REPORT := -rfE --durations 15 --durations-min 10

.PHONY: run install test test-all check lint types imports unit slow browser bench bench-scale soak load screens docs lock sbom release image clean

run: install  ## start the app on the embedded models and a loaded sample
	$(BIN)/streamlit run app.py

install: $(VENV)/.installed  ## make .venv and install the pinned requirements

$(VENV)/.installed: requirements.txt $(wildcard requirements/*.txt) pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15) and "Headline Lab needs Python 3.11, 3.12, 3.13 or 3.14.")'
	$(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) -r requirements/cpu.txt 2> $(VENV)/cpu.log \
	  || grep -q 'No matching distribution found' $(VENV)/cpu.log || { cat $(VENV)/cpu.log >&2; exit 1; }
	@$(BIN)/python -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("torch"))' || { \
	  [ -z "$(CPU_ONLY)" ] || { echo "No CPU build of torch was found at $(CPU_ONLY)." >&2; exit 1; }; \
	  echo "No CPU build of torch was found; on Linux this installs what CUDA needs too (3 GB)."; \
	  $(PIP_INSTALL) -r requirements/cuda.txt; }
	grep -v '^-r ' requirements.txt > $(VENV)/requirements.txt
	$(PIP_INSTALL) -r $(VENV)/requirements.txt
	$(PIP_INSTALL) -r requirements/lm.txt
	$(PIP_INSTALL) --no-build-isolation -e .
	$(COMPILE) || true
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP_INSTALL) -r requirements/dev.txt
	$(COMPILE) || true
	touch $@

test: $(VENV)/.installed-dev  ## lint, types, import rules, unit, contract, page and real-browser tests
	$(MAKE) check & checked=$$!; $(MAKE) unit && $(MAKE) browser; code=$$?; wait $$checked && exit $$code

test-all: test slow  ## the same, and every test that takes longer

check: lint types imports

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

imports: $(VENV)/.installed-dev
	$(BIN)/lint-imports

unit: $(VENV)/.installed-dev
	$(BY_FILE) $(REPORT) -m "not slow and not browser and not external and not gpu"

slow: $(VENV)/.installed-dev
	$(SHARED) -n $(SLOW_WORKERS) $(REPORT) -m "(slow or browser) and not journey and not external and not gpu"

browser: $(VENV)/.installed-dev
	$(SHARED) -n $(WORKERS) $(REPORT) -m journey tests/browser

$(VENV)/.installed-bench: $(VENV)/.installed-dev
	$(PIP_INSTALL) -r requirements/bench.txt
	touch $@

bench: $(VENV)/.installed-bench  ## time against named peers; writes benchmarks/results and docs/benchmarks.md
	$(BIN)/python -m benchmarks

bench-scale: $(VENV)/.installed-bench  ## archives to a million headlines, a long stream, and named peers: time, memory, quality
	$(BIN)/python -m benchmarks archives crowded archive_page live_growth peers growth

MINUTES ?= 10
soak: $(VENV)/.installed-dev  ## forty sessions beside a stream, for MINUTES; the result goes into docs/benchmarks.md
	SOAK_MINUTES=$(MINUTES) $(BIN)/python -m benchmarks soak

load: $(VENV)/.installed-dev  ## forty sessions over Streamlit's own protocol; the result goes into docs/benchmarks.md
	$(BIN)/python -m benchmarks load

screens: $(VENV)/.installed-dev  ## the pictures of the documents; with OUT=FOLDER every place at three widths, light and dark
	$(BIN)/python -m docs.pictures.take $(OUT)

$(VENV)/.installed-docs: $(VENV)/.installed-dev
	$(PIP_INSTALL) -r requirements/docs.txt
	touch $@

docs: $(VENV)/.installed-docs  ## the documents as a site in build/site, every link checked
	$(BIN)/mkdocs build --strict

lock: $(VENV)/.installed-dev  ## pin every package with its hashes, from requirements/*.in
	$(BIN)/python requirements/lock.py

sbom: $(VENV)/.installed-dev  ## the bill of materials: every pinned package with its licence
	$(BIN)/python requirements/sbom.py

VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' core/__init__.py)
WHEEL = headline_lab-$(VERSION)-py3-none-any.whl

release:  ## the wheel of this version from its tag, in dist with its digest: the same bytes wherever it is built
	@git rev-parse -q --verify refs/tags/v$(VERSION) > /dev/null || { echo "There is no tag v$(VERSION)."; exit 1; }
	rm -rf build/release && mkdir -p build/release dist
	git -c tar.umask=0022 archive v$(VERSION) | tar -x -C build/release
	umask 022; SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct v$(VERSION)) \
	  $(BIN)/python -m pip wheel -q --no-deps --no-build-isolation -w dist ./build/release
	cd dist && sha256sum $(WHEEL) | tee $(WHEEL).sha256

ENGINE ?= podman
image: release  ## the image of this version, from the same tag
	BUILDAH_FORMAT=docker $(ENGINE) build -f build/release/Containerfile -t headline-lab:$(VERSION) build/release

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
