"""Streams of any headlines in any order: what every record holds, and what a regrouping makes equal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.timelines.load import load_sample
from core.events.grouping import Settings, prepare, regroup
from core.live.changes import Arrival, StreamBook, arrivals_of, timeline_of
from core.live.stream import Stream
from core.runtime import Runtime

ISS = arrivals_of(load_sample("iss"))


@pytest.mark.slow
@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(ISS), min_size=1, max_size=30, unique=True), st.sampled_from([0.1, 0.5, 10.0])
)
def test_after_a_regrouping_a_stream_has_the_groups_of_its_timeline(
    arrivals: list[Arrival], regroup_after: float
) -> None:
    stream = Stream(Runtime(), regroup_after=regroup_after)
    records = [*stream.add(arrivals), stream.regroup()]
    ids = regroup(prepare(timeline_of(arrivals, "some"), Settings(), Runtime())).ids.tolist()
    assert _same([stream.book.group_of[one.key] for one in arrivals], ids)
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


def _same(one: Sequence[int], other: Sequence[int]) -> bool:
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))
