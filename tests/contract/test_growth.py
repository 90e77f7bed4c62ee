"""How work grows with a timeline, in what is counted: pairs that are weighed, headlines that are read."""

import numpy as np
import pytest

from benchmarks.growth import JOBS, measured_apart
from core.data.timelines.load import load_text
from core.data.timelines.samples import load_sample
from core.events.grouping import Settings, prepare
from core.pairs.candidates import tiles
from core.results.stored import newest
from core.runtime import Runtime
from core.text import names
from core.text.numerals import quantities

A_DAY = 1_000
FIFTH = 0.2


def weighed(days, window):
    """How many pairs are weighed of a timeline with as many headlines each day."""
    moments = np.repeat(np.arange(days, dtype=float), A_DAY)
    spans = [
        (rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in tiles(moments, window)
    ]
    return sum(spans)


def test_pairs_grow_with_the_days_of_a_long_timeline_and_with_the_square_of_one_day():
    short, long, longest = (weighed(days, window=3.0) / days for days in (16, 32, 64))
    assert long == pytest.approx(short, rel=FIFTH)
    assert longest == pytest.approx(long, rel=FIFTH)
    inside = [weighed(days, window=100.0) / days**2 for days in (16, 32, 64)]
    assert inside[1:] == pytest.approx(inside[:1] * 2, rel=FIFTH)
    assert inside[0] < 0.6 * A_DAY**2  # of each two headlines one order


def test_names_and_numbers_of_a_headline_are_read_once():
    texts = [f"{text} once more" for text in load_sample("iss").texts]  # that no test before this one read
    timeline = load_text("\n".join(texts))
    counted = (names._casing.__wrapped__, names.is_sentence_case, quantities.read_quantities.__wrapped__)
    for read in counted:
        read.cache_clear()
    prepare(timeline, Settings(), Runtime())
    assert [read.cache_info().misses for read in counted] == [len(set(timeline.texts))] * 3


@pytest.mark.slow
@pytest.mark.parametrize("job", JOBS)
def test_calls_and_memory_of_a_job_are_within_a_fifth_of_the_page(job):
    found = measured_apart(job)
    said = [row for row in newest("growth")["rows"] if row["job"] == job][: len(found)]
    assert len(found) > 1
    assert [row["size"] for row in found] == [row["size"] for row in said]
    for figure in ("thousand_calls", "megabytes"):
        assert [row[figure] for row in found] == pytest.approx([row[figure] for row in said], rel=FIFTH)
