import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.pair_sets.given import BY_EVENT, GivenPairs
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet, by_event, events
from core.parts import Part

SHARES = (0.6, 0.2, 0.2)


def chained(count, size, *, timelines=1):
    """Events whose headlines hang together by a chain of pairs, and pairs between neighbouring events."""
    n = count * size
    event = np.arange(n) // size
    links = [(row, row + 1, SAME) for row in range(n - 1) if event[row] == event[row + 1]]
    across = [(row, (row + size) % n, DIFFERENT) for row in range(n)]
    left, right, labels = np.array(links + across, dtype=np.int64).T
    return PairSet(
        name="chained",
        texts=[f"headline {row}" for row in range(n)],
        days=np.full(n, np.nan),
        timelines=event % timelines,
        parts=np.full(n, Part.TRAIN.value),
        left=left,
        right=right,
        labels=labels,
        groups=np.full(n, -1),
    )


def places(pairs, names):
    """The parts that each event or timeline stands in."""
    found: dict[int, set[str]] = {}
    for name, part in zip(names.tolist(), pairs.parts.tolist(), strict=True):
        found.setdefault(name, set()).add(part)
    return found


@given(count=st.integers(5, 30), size=st.integers(2, 5), seed=st.integers(0, 50), known=st.booleans())
def test_no_event_is_in_two_parts_and_no_pair_joins_two(count, size, seed, known):
    pairs = chained(count, size)
    if known:
        pairs = replace(pairs, groups=np.arange(count * size) // size)
    parted = by_event(pairs, SHARES, seed=seed)
    assert all(len(parts) == 1 for parts in places(parted, events(pairs)).values())
    assert {part for parts in places(parted, events(pairs)).values() for part in parts} == {
        part.value for part in Part
    }
    assert (parted.parts[parted.left] == parted.parts[parted.right]).all()
    assert (parted.labels == SAME).sum() == (pairs.labels == SAME).sum()


def test_whole_timelines_are_drawn_where_there_are_enough():
    pairs = chained(40, 2, timelines=8)
    parted = by_event(pairs, SHARES, seed=3)
    assert all(len(parts) == 1 for parts in places(parted, pairs.timelines).values())


def test_a_headline_alone_goes_with_its_neighbour():
    pairs = replace(chained(10, 3), groups=np.r_[np.arange(29) // 3, 10])
    parted = by_event(pairs, SHARES, seed=1)
    beside = next(
        other for one, other in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True) if one == 29
    )
    assert parted.parts[29] in {parted.parts[beside], parted.parts[28], parted.parts[26]}


@pytest.mark.parametrize("headlines", [3, 4])
def test_a_users_own_file_is_split_by_whole_events(tmp_path, headlines):
    pairs = chained(20, headlines)
    rows = [
        {"headline_a": pairs.texts[one], "headline_b": pairs.texts[other], "label": int(label)}
        for one, other, label in zip(pairs.left, pairs.right, pairs.labels, strict=True)
    ]
    file = tmp_path / "own.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    found = GivenPairs(path=str(file), part=BY_EVENT).load()
    event = {text: int(text.split()[1]) // headlines for text in found.texts}
    where: dict[int, set[str]] = {}
    for text, part in zip(found.texts, found.parts.tolist(), strict=True):
        where.setdefault(event[text], set()).add(part)
    assert all(len(parts) == 1 for parts in where.values())
    assert set.union(*where.values()) == {part.value for part in Part}
    train, test = (
        {part.texts[row] for row in np.r_[part.left, part.right].tolist()}
        for part in (found.part(Part.TRAIN), found.part(Part.TEST))
    )
    assert train
    assert test
    assert not train & test
