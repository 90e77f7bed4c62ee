"""What one outlet writes in one form about other names, or anew on another day, is kept apart."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse

from core.data.timelines.load import load_path
from core.events.grouping import Settings, prepare, regroup
from core.files import ROOT
from core.pairs.context import PairContext
from core.pairs.look_alikes import LOOK_ALIKE, part_look_alikes
from core.runtime import Runtime
from core.similarities import Similarities

CASE = ROOT / "tests/data/cases/recurring_templates.csv"
LIKELY = np.float32(0.9)
APART = {
    "names": ("Fire destroys school in Althof", "Fire destroys church in Bremmen", 0.04),
    "given names": (
        "Councillor Ada Brun charged with fraud",
        "Councillor Leo Brun charged with assault",
        0.1,
    ),
    "German": ("Raub auf Kiosk in Erfurt – Zeugen gesucht", "Raub auf Laden in Köln – Zeugen gesucht", 0.2),
    "Russian": ("Пожар в школе в Перми потушен", "Пожар в школе в Чите потушен", 0.1),
    "labels": ("EIL: Siemens senkt die Prognose", "UPDATE 1-Merck senkt die Prognose", 0.1),
    "another day": ("La Bourse de Paris termine en hausse", "La Bourse de Paris termine en baisse", 1.0),
    "the same again": ("Ce qu'il faut savoir ce matin", "Ce qu'il faut savoir ce matin", 1.0),
}
TOGETHER = {
    "a toll": ("Death toll in Brenmark flood rises to 12", "Death toll in Brenmark flood rises to 15", 1.0),
    "a spelled toll": ("Storm in Kall: two dead, roads shut", "Storm in Kall: four dead, roads shut", 1.0),
    "soon": ("Ship refloated in Suez Canal after hours", "Ship runs aground in Suez Canal after hours", 0.2),
    "a name more": ("Man held after Leeds stabbing", "Man held after Leeds stabbing named as Ian Roe", 0.3),
    "common words": ("Homes lost in Grampians bushfire", "Eleven homes lost in Grampians bushfire", 0.5),
}


def parted(pair, *, outlets=("Wire", "wire"), dense=True):
    first, second, days = pair
    ones = np.full((2, 2), LIKELY)
    similarities = Similarities(ones if dense else sparse.csr_matrix(ones))
    context = PairContext([first, second], np.array([2e4, 2e4 + days]), np.empty((2, 0), np.float32))
    part_look_alikes(similarities, context, outlets)
    assert similarities.of(0, 1) == similarities.of(1, 0)
    return similarities.of(0, 1) == LOOK_ALIKE


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("pair", APART.values(), ids=APART)
def test_look_alikes_of_one_outlet_are_unlikely_to_be_one_event(pair, dense):
    assert parted(pair, dense=dense)
    assert parted((pair[1], pair[0], -pair[2]), dense=dense)
    assert not parted(pair, outlets=("Wire", "Post"))
    assert not parted(pair, outlets=(None, None))


@pytest.mark.parametrize("pair", TOGETHER.values(), ids=TOGETHER)
def test_what_goes_on_with_one_event_stays_as_likely(pair):
    assert not parted(pair)


FORMS = {"x1": "charged", "x2": "charged", "x3": "fire", "x4": "fire"}  # of other events the first letter


def test_what_recurs_is_grouped_as_an_editor_would():
    timeline = load_path(CASE)
    events = timeline.original["expected"].tolist()
    forms = [FORMS.get(event, event[0]) for event in events]
    of_outlet = list(zip(forms, timeline.publishers, strict=True))
    prepared = prepare(timeline, Settings(), Runtime())
    for left, right in combinations(range(len(timeline)), 2):
        similarity = prepared.similarities.of(left, right)
        if events[left] == events[right]:
            assert similarity > 0.5, "the two reports of a quake"
        elif of_outlet[left] == of_outlet[right]:
            assert similarity <= LOOK_ALIKE
    alone = prepare(timeline, Settings(events_alone=True), Runtime())
    ids = alone.spread(regroup(alone).ids).tolist()
    assert len(set(ids)) == len(set(events)) == len(set(zip(ids, events, strict=True)))
