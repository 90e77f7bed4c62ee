"""Fewer than ten items never give an interval without a warning, wherever the program prints one."""

import re

import numpy as np
import pytest

from core.files import ROOT
from core.results.table import WARNED, Table, TableColumn, as_text
from core.results.table_files import as_csv, as_latex, as_markdown
from core.statistics.bootstrap import Figure, paired_bootstrap

INTERVAL = re.compile(r"\.interval\b")
WARNING = re.compile(r"\.warning\b")


def test_who_reads_the_ends_of_an_interval_reads_its_warning():
    readers = {}
    for package in ("core", "research", "components", "cli"):
        for path in (ROOT / package).rglob("*.py"):
            if INTERVAL.search(text := path.read_text(encoding="utf-8")):
                readers[path.relative_to(ROOT).as_posix()] = text
    assert readers
    assert [path for path, text in readers.items() if not WARNING.search(text)] == []


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
