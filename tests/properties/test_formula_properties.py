"""What is exported as CSV or TSV holds no formula, at whatever separator a spreadsheet splits it."""

import csv
import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.results.render import delimited, neutralise, restored

SEPARATORS = ",;\t|"
NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*%?")
CELLS = st.text(
    alphabet=st.one_of(
        st.sampled_from("=+-@＝－;,|\t\n\r\"' a1\u2028"), st.characters(exclude_categories=["Cs"])
    ),
    max_size=12,
)
EVIL = "Peace talks;=cmd|'/C calc'!A0"


def cells_seen(text, separator):
    """What spreadsheets make of a file: with quotation marks understood, and split without a thought."""
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
        yield from row
    for line in text.splitlines():
        yield from line.split(separator)


@pytest.mark.parametrize("delimiter", [",", "\t"])
@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=3))
@example([["1", EVIL, "2"]])
@example([[EVIL]])
@example([["-1", "cmd|'/C calc'!A0"]])
@example([['a;"=1"', "b\n=2", "c,\t= 3", 'd|" @x']])
def test_no_cell_begins_as_a_formula(delimiter, rows):
    text = delimited(rows, delimiter=delimiter)
    for separator in SEPARATORS:
        for cell in cells_seen(text, separator):
            bare = cell.lstrip().lstrip('" \t')
            assert not bare.startswith(tuple("=+-@＝＋－＠")) or NUMBER.fullmatch(bare.rstrip('" ')), cell


@pytest.mark.parametrize("delimiter", [",", "\t"])
@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=3))
def test_what_is_read_back_is_what_was_written(delimiter, rows):
    text = delimited(rows, delimiter=delimiter)
    read = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert [[restored(cell) for cell in row] for row in read] == [
        [restored(cell) for cell in row] for row in rows
    ]
    assert delimited(read, delimiter=delimiter) == text


@given(CELLS)
def test_a_neutral_cell_is_restored_and_stays_as_it_is(cell):
    neutral = neutralise(cell)
    assert neutralise(neutral) == neutral
    assert restored(neutral) == restored(cell)
    assert restored(cell) == cell or "'" in cell
