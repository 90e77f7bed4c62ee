import csv
import io
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.data.pair_sets.sampling import Sampling, draw_pairs
from core.data.timelines.samples import load_sample
from core.events.grouping import Settings, prepare, regroup
from core.live.arrivals import arrivals_of, timeline_of
from core.live.book import StreamBook
from core.live.stream import Stream
from core.results.delimited import delimited, restored
from core.runtime import Runtime

SEPARATORS = ",;\t|"
NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?\s*%?")
ARGUMENT = re.compile(r"[+-]\d[\d.]*\s*%?\s*\)")  # a bracket that was never opened: no formula
CELLS = st.text(
    alphabet=st.one_of(
        st.sampled_from("=+-@＝－;,|\t\n\r\"' a1)\u2028"), st.characters(exclude_categories=["Cs"])
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
@example([["", "-1", "cmd|'/C calc'!A0"]])
@example([["x;", '"', "-1", "cmd|'/C calc'!A0"]])
@example([["a\n", "-1", "cmd|'/C calc'!A0"]])
@example([["Round( 28 , -1 )", "a, -1 )+cmd()", "a;-1 )", "-1 )"]])
@example([['a;"=1"', "b\n=2", "c,\t= 3", 'd|" @x']])
def test_no_cell_begins_as_a_formula(delimiter, rows):
    text = delimited(rows, delimiter=delimiter)
    for separator in SEPARATORS:
        for cell in cells_seen(text, separator):
            bare = cell.lstrip().lstrip('" \t')
            harmless = NUMBER.fullmatch(bare.rstrip('" ')) or ARGUMENT.match(bare)
            assert not bare.startswith(tuple("=+-@＝＋－＠")) or harmless, cell


@pytest.mark.parametrize("delimiter", [",", "\t"])
@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=3))
@example([["'@handle", "''-1", "'-30C' nights"], ["-30C' nights", "a,'-1 )", "a,''-1 )"]])
def test_what_is_read_back_is_what_was_written(delimiter, rows):
    text = delimited(rows, delimiter=delimiter)
    read = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    back = [[restored(cell) for cell in row] for row in read]
    assert back == rows
    assert delimited(back, delimiter=delimiter) == text


@pytest.mark.parametrize(
    "text", ["'tis the season", "'-30C' nights", "'@' signs, '+44' calls", "'Fire' in town"]
)
def test_a_quotation_at_the_beginning_of_anybody_s_cell_stays(text):
    assert restored(text) == text


ISS = arrivals_of(load_sample("iss"))


@pytest.mark.slow
@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(ISS), min_size=1, max_size=30, unique=True), st.sampled_from([0.1, 0.5, 10.0])
)
def test_after_a_regrouping_a_stream_has_the_groups_of_its_timeline(arrivals, regroup_after):
    stream = Stream(Runtime(), regroup_after=regroup_after)
    records = [*stream.add(arrivals), stream.regroup()]
    ids = regroup(prepare(timeline_of(arrivals, "some"), Settings(), Runtime())).ids.tolist()
    groups = [stream.book.group_of[one.key] for one in arrivals]
    assert len(set(zip(groups, ids, strict=True))) == len(set(groups)) == len(set(ids))
    book, used = StreamBook(), 0
    for record in records:
        book.apply(record)
        assert sum(map(len, book.members.values())) == len(book.headlines) == len(book.group_of)
        assert all(book.group_of[key] == number for number, keys in book.members.items() for key in keys)
        # A number that nobody had before is above all that anybody ever had.
        opened = {change.group for change in record.changes if change.group > used}
        assert opened == set(range(used + 1, used + 1 + len(opened)))
        used = max(used, *opened, 0) if opened else used
    assert book.group_of == stream.book.group_of


quick = settings(max_examples=150, derandomize=True)

days = st.one_of(st.just(float("nan")), st.floats(0, 12, allow_nan=False))
headlines = st.lists(st.tuples(st.integers(0, 2), days, st.integers(-1, 4)), min_size=0, max_size=24)
samplings = st.builds(
    Sampling,
    window_days=st.sampled_from([0.0, 1.0, 4.0, float("inf")]),
    ratio=st.one_of(st.none(), st.floats(0, 6)),
    most_positives=st.one_of(st.none(), st.integers(1, 10)),
    seed=st.integers(0, 99),
)


def columns(rows):
    timelines, day, groups = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    return np.array(timelines, np.int64), np.array(day, np.float64), np.array(groups, np.int64)


def allowed(rows, window):
    """All positives and all near negatives, by plain loops."""
    positives, negatives = set(), set()
    for i, (timeline, day, group) in enumerate(rows):
        for j in range(i + 1, len(rows)):
            other_timeline, other_day, other_group = rows[j]
            if timeline != other_timeline or group < 0 or other_group < 0:
                continue
            gap = abs(np.floor(day) - np.floor(other_day))
            if group == other_group:
                positives.add((i, j))
            elif np.isnan(gap) or gap <= window:
                negatives.add((i, j))
    return positives, negatives


@quick
@given(headlines, samplings)
def test_pairs_are_those_of_the_plain_loops(rows, sampling):
    left, right, labels = draw_pairs(*columns(rows), sampling)
    again = draw_pairs(*columns(rows), sampling)
    assert np.array_equal(again[0], left)
    assert np.array_equal(again[1], right)
    drawn = list(zip(left.tolist(), right.tolist(), strict=True))
    same = {pair for pair, label in zip(drawn, labels.tolist(), strict=True) if label == 1}
    different = {pair for pair, label in zip(drawn, labels.tolist(), strict=True) if label == 0}
    positives, negatives = allowed(rows, sampling.window_days)

    assert len(set(drawn)) == len(drawn)
    assert drawn == sorted(drawn)
    assert same <= positives
    assert different <= negatives
    assert len(same) == min(len(positives), sampling.most_positives or len(positives))
    wanted = len(negatives) if sampling.ratio is None else round(sampling.ratio * len(same))
    assert len(different) == min(len(negatives), wanted)
