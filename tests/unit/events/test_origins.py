"""Origins against events that were read: which reports are one agency's or one text."""

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from benchmarks.origins import SOURCES, UNTOUCHED, guessed, judged, score
from core.data.timelines.duplicates import find_duplicates
from core.events.origins import origins
from core.groups.card import fold_reports

LABELLED = Path(__file__).parents[2] / "data" / "origins.csv"


@pytest.mark.parametrize(
    ("names", "least"), [(("uci", "iss", "press"), 0.96), (("allsides", "og2021"), 0.94)]
)
def test_pairs_of_events_that_chose_nothing_are_right(names, least):
    sources = {name: SOURCES[name]() for name in names}
    if any(source is None for source in sources.values()):
        pytest.skip("the sets that may not be copied are not here")
    events = [event for event in judged(UNTOUCHED) if event[0]["source"] in names]
    found = score(events, [guessed(event, sources[event[0]["source"]])["origins"] for event in events])
    assert found["pairs_right"] >= least
    assert found["precision"] >= 0.85


@pytest.fixture(scope="module")
def labelled():
    groups = {}
    for line in csv.DictReader(LABELLED.read_text("utf-8").splitlines()):
        groups.setdefault(line["group"], []).append((line["origin"], line["headline"]))
    return groups


def test_origins_are_those_that_were_read(labelled):
    """220 groups of four UCI headlines (CC BY 4.0), labelled by reading before the rule was run on them."""
    texts = [text for lines in labelled.values() for _, text in lines]
    copy_of = dict(zip(texts, find_duplicates(texts).duplicate_of.tolist(), strict=True))
    right = both = found = 0
    for lines in labelled.values():
        own = [text for _, text in lines]
        of = dict(enumerate(range(4)))
        reports = fold_reports(range(4), np.array([copy_of[text] for text in own]), own)
        of |= {one.row: one.of for one in origins(own, range(4), copies=reports)}
        for a, b in combinations(range(4), 2):
            one_text, said = lines[a][0] == lines[b][0], of[a] == of[b]
            right += one_text == said
            both += one_text and said
            found += said
    assert len(labelled) == 220
    assert right / 1320 >= 0.955
    assert both / found >= 0.88
