"""More like this: the nearest headlines by meaning, each wording once, in words that people know."""

import numpy as np
import pytest

from core.data.timelines.load import load_text
from core.data.timelines.samples import load_sample
from core.events.grouping import Settings, prepare, regroup
from core.events.similar_headlines import MOST, WORDS, similar_headlines
from core.runtime import Runtime


@pytest.fixture(scope="module")
def iss():
    prepared = prepare(load_sample("iss"), Settings(), Runtime())
    return prepared, regroup(prepared)


def test_the_nearest_come_first_and_are_as_near_as_their_vectors_say(iss):
    prepared, grouping = iss
    vectors = prepared.context.vectors
    for row in (0, 10, 25):
        found = similar_headlines(prepared, grouping, row)
        assert len(found) == MOST
        near = vectors @ vectors[row]
        assert [similarity for _, similarity, _ in found] == pytest.approx(
            sorted(np.delete(near, row))[::-1][:MOST]
        )
        places = [WORDS.index(words) for _, _, words in found]
        assert places == sorted(places)
        assert grouping.ids[found[0][0]] == grouping.ids[row]


def test_reports_of_one_event_are_called_so_and_others_are_not(iss):
    prepared, grouping = iss
    found = [(row, each) for row in range(47) for each in similar_headlines(prepared, grouping, row)]
    same = [WORDS.index(each[2]) < 2 for row, each in found if grouping.ids[row] == grouping.ids[each[0]]]
    other = [WORDS.index(each[2]) < 2 for row, each in found if grouping.ids[row] != grouping.ids[each[0]]]
    assert np.mean(same) > 0.5
    assert np.mean(other) < 0.05


def test_a_wording_stands_once_and_never_the_headline_itself():
    lines = ["Storm shuts two airports", "Bank raises rates", "Storm shuts two airports", "Bank raises rates"]
    prepared = prepare(load_text("\n".join(lines)), Settings(), Runtime())
    found = similar_headlines(prepared, regroup(prepared), 0)
    assert [prepared.timeline.texts[each[0]] for each in found] == ["Bank raises rates"]
