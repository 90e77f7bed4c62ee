"""Fewer than ten items never give an interval without a warning, wherever the program prints one."""

import ast
from functools import cache

import numpy as np
import pytest

from core.files import ROOT
from core.results.render import as_csv, as_latex, as_markdown, as_text
from core.results.table import WARNED, Table, TableColumn
from core.statistics.bootstrap import Figure, paired_bootstrap

MAKERS = {
    # Each of these puts the warning on what it makes, or hands bare ends to a caller that is named below.
    # The sets of written headlines are fixed, and have many articles.
    "interval": {"core/pairs/metrics.py", "research/benchmark/claims.py"},
    "pair_intervals": {"research/benchmark/pairs/evaluate.py", "research/training/pairs/vector_pairs.py"},
}
READS_ENDS = "core/results/table.py"
"""Writes the ends for `spanned`, which puts the mark of the warning behind them."""


@cache
def sources():
    paths = [
        path
        for package in ("core", "research", "components", "cli")
        for path in (ROOT / package).rglob("*.py")
    ]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@pytest.mark.slow
def test_intervals_are_made_only_where_a_warning_goes_with_them():
    imported: dict[str, set[str]] = {name: set() for name in MAKERS}
    for path, tree in sources().items():
        for node in ast.walk(tree):
            names = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
            for name in MAKERS.keys() & names:
                imported[name].add(path)
    assert {name: paths - {"core/statistics/bootstrap.py"} for name, paths in imported.items()} == MAKERS


def test_who_reads_the_ends_of_an_interval_reads_its_warning():
    for path, tree in sources().items():
        read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert "interval" not in read or "warning" in read or path == READS_ENDS, path


def test_who_takes_bare_ends_warns():
    trees = sources()
    for path in MAKERS["pair_intervals"]:
        called = {
            node.func.id
            for node in ast.walk(trees[path])
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert "interval_over" in called, path


@pytest.mark.parametrize("units", [2, 9])
def test_few_units_warn_and_the_warning_is_printed(units):
    drawn = np.random.default_rng(0).normal(0.5, 0.1, 200)
    figures = (
        Figure.resampled(0.5, drawn, units=units, unit="items"),
        paired_bootstrap(drawn, np.zeros(200), 0.5, count=units, units="items"),
    )
    for figure in figures:
        assert figure.low is not None
        assert figure.warning.startswith("Too few items")
        assert figure.p is None
        columns = (TableColumn("System"), TableColumn("Score", key="score", parts=WARNED))
        table = Table(columns=columns, rows=(("A", figure),))
        marks = {as_text: "†", as_markdown: "†", as_latex: r"\dagger", as_csv: "Too few items"}
        assert all(mark in write(table) for write, mark in marks.items())


def test_enough_units_do_not():
    drawn = np.random.default_rng(0).normal(0.5, 0.1, 200)
    assert not Figure.resampled(0.5, drawn, units=10, unit="items").warning
