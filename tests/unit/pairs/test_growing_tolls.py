"""What an event is grouped by when its toll rises: reports of one place and thing, and those around them."""

import numpy as np
import pytest
from scipy import sparse

from core.data.timelines.load import load_path
from core.events.grouping import Settings, prepare, regroup
from core.files import ROOT
from core.pairs.context import PairContext
from core.pairs.growing_tolls import ONE_EVENT, join_growing_tolls
from core.runtime import Runtime
from core.similarities import Similarities

CASE = ROOT / "tests/data/cases/breaking_toll.csv"
UNLIKELY = 0.1
FIRST = "Ferry sinks off Kallmar, three dead"
AROUND = "Passengers jumped into the sea, captain says"
NEXT_DAY = {
    "risen": ("Death toll from Kallmar ferry rises to 14", True),
    "the word alone": ("Kallmar ferry: toll at 21, search called off", True),
    "another language": ("Fähre vor Kallmar: Zahl der Toten steigt auf 14", False),
    "the same": ("Funeral for the three dead of the Kallmar ferry", False),
    "fallen": ("Kallmar ferry: two dead, not three", False),
    "another place": ("Ferry sinks off Brenmark, five dead", False),
    "a place more on both": ("Ferry sinks near Brenmark, nine dead", False),
    "another thing": ("Kallmar bus crash leaves five dead", False),
    "others": ("Kallmar ferry: 14 arrested", False),
}


def joined(later, *, days=1.0, chance=UNLIKELY, dense=True, first=FIRST):
    """Similarity of a headline around the first toll and one around the next, and of the tolls themselves."""
    texts = [first, AROUND, later, "Divers go down to the wreck again"]
    matrix = np.full((4, 4), UNLIKELY, dtype=np.float32)
    matrix[0, 2] = matrix[2, 0] = chance
    matrix[0, 1] = matrix[1, 0] = matrix[2, 3] = matrix[3, 2] = 0.8
    np.fill_diagonal(matrix, 1)
    similarities = Similarities(matrix if dense else sparse.csr_matrix(matrix))
    at = np.array([2e4, 2e4, 2e4 + days, 2e4 + days])
    found = join_growing_tolls(similarities, PairContext(texts, at, np.empty((4, 0), np.float32)))
    assert found.of(0, 1) == found.of(2, 3) == np.float32(0.8)
    assert (found.of(1, 3), found.of(0, 2)) == (found.of(3, 1), found.of(2, 0))
    return found.of(1, 3) == found.of(0, 2) == ONE_EVENT


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize(("later", "one"), NEXT_DAY.values(), ids=NEXT_DAY)
def test_a_toll_that_rose_joins_what_is_around_both(later, one, dense):
    assert joined(later, dense=dense) is one


def test_a_toll_is_followed_for_a_day_and_a_half_forwards_and_never_against_a_look_alike():
    later = NEXT_DAY["risen"][0]
    assert joined(later, days=1.4)
    assert joined(later, days=0.1)
    assert not joined(later, days=1.6)
    assert not joined(later, days=-1.0)
    assert not joined(later, chance=0.01)
    assert not joined(later, days=np.nan)


def test_four_days_of_one_quake_are_one_event_and_the_tower_another():
    timeline = load_path(CASE)
    groups = regroup(prepare(timeline, Settings(), Runtime())).ids
    stating = [row for row, text in enumerate(timeline.texts) if "toll" in text or "killed" in text]
    tower = next(row for row, text in enumerate(timeline.texts) if "Bangkok tower collapse" in text)
    quake = [row for row in stating if "could exceed" not in timeline.texts[row]]
    assert len(quake) >= 8
    assert len({groups[row] for row in quake}) == 1
    assert groups[tower] not in groups[quake]
