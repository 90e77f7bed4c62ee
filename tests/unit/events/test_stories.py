"""Stories: what joins events and what does not, how they are named, and that their numbers stay."""

import numpy as np
import pytest

from core.arrays import IntArray
from core.events.stories import stories
from core.text.names import learn_names

CASES = {
    "en": (
        ("Man charged with murder of Keighley baker Aldous Penn", "Baker Aldous Penn: man charged"),
        ("Trial over killing of Aldous Penn opens in Bradford", "Aldous Penn trial: jury sworn in"),
        ("Jury finds man guilty of murdering Aldous Penn", "Guilty: verdict in Aldous Penn trial"),
    ),
    "de": (
        ("Elmotec kappt seine Prognose", "Zulieferer Elmotec warnt vor weniger Gewinn"),
        ("Chef von Elmotec tritt zurück", "Elmotec verliert seinen Chef"),
        ("Elmotec streicht 1.200 Stellen", "Abbau bei Elmotec: 1.200 Stellen fallen weg"),
    ),
    "fr": (
        ("Disparition inquiétante de Nathan Vauquier à Lure", "Lure : on recherche Nathan Vauquier"),
        ("Nathan Vauquier retrouvé sain et sauf à Belfort", "Fin de la fugue de Nathan Vauquier"),
    ),
    "es": (
        ("Fontanar lanza una opa sobre Alcoreta", "La opa de Fontanar valora Alcoreta en 600 millones"),
        ("El consejo de Alcoreta rechaza la opa de Fontanar", "Alcoreta dice no a Fontanar"),
    ),
}
KINDS = {
    "quakes": (
        ("Magnitude 6.1 earthquake strikes off Peru", "Strong earthquake felt in Arequipa, Peru"),
        ("Magnitude 6.9 earthquake strikes Cebu", "Strong earthquake felt across Cebu island"),
        ("Magnitude 5.9 earthquake strikes Crete", "Strong earthquake felt in Heraklion, Crete"),
        ("Magnitude 6.3 earthquake strikes Kamchatka", "Strong earthquake felt on Kamchatka coast"),
    ),
    "results": (
        ("Diageo lifts quarterly profit", "Quarterly results: Diageo beats forecasts"),
        ("Vodafone lifts quarterly profit", "Quarterly results: Vodafone beats forecasts"),
        ("Barclays lifts quarterly profit", "Quarterly results: Barclays beats forecasts"),
    ),
    "matches": (
        ("Fulham draw with Bournemouth", "Fulham 0-0 Bournemouth: nobody scores"),
        ("Brentford draw with Wolves", "Brentford 1-1 Wolves: late goal"),
        ("Walsall draw with Barrow", "Walsall 2-2 Barrow: four goals"),
    ),
}
OTHERS = (
    ("Goat found on roof of Ripon bus station", "Goat climbs bus station in Ripon"),
    ("Library in Calderford to close in June", "Calderford loses its library"),
    ("Chess club wins county cup at Totnes", "County cup goes to Totnes chess players"),
    ("Heron seen again at Hornsea Mere", "Birdwatchers see heron at Hornsea"),
    ("Bakery in Malton sells last loaf", "Malton bakery shuts after ninety years"),
    ("Bridge at Whitby closed for repairs", "Whitby bridge shut until Friday"),
)


def made(*themes, days=None, seed=0):
    """Texts, names, vectors, days and events: those of a theme are near each other, whatever it is."""
    random = np.random.default_rng(seed)
    events = [(place, event) for place, theme in enumerate(themes) for event in theme]
    middles = np.eye(24)[[place for place, _ in events]] + 0.06 * random.normal(size=(len(events), 24))
    texts = [text for _, event in events for text in event]
    ids: IntArray = np.repeat(np.arange(1, len(events) + 1), [len(event) for _, event in events])
    vectors = middles[ids - 1] + 0.01 * random.normal(size=(len(ids), 24))
    vectors = np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)
    when = np.arange(len(events)) * 1.3 if days is None else np.array(days, dtype=np.float64)
    return texts, learn_names(texts), vectors, when[ids - 1], ids


def timeline(theme, **more):
    return made(theme, *((other,) for other in OTHERS), **more)


def found(theme, **more):
    return [story.events for story in stories(*timeline(theme, **more))]


@pytest.mark.parametrize("language", CASES)
def test_a_case_from_arrest_to_verdict_is_one_story_in_any_language(language):
    steps = CASES[language]
    assert found(steps) == [tuple(range(1, len(steps) + 1))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_shared_kind_alone_is_no_story_however_alike(kind):
    assert found(KINDS[kind]) == []


def test_a_story_has_the_least_number_of_its_events():
    assert [story.number for story in stories(*timeline(CASES["en"]))] == [1]


def test_what_returns_after_months_is_another_story_and_unknown_dates_do_not_count():
    rest = range(10, 10 + len(OTHERS))
    assert found(CASES["en"], days=[1, 3, 120, *rest]) == [(1, 2)]
    assert found(CASES["en"], days=[1, 3, np.nan, *rest]) == [(1, 2, 3)]


def test_time_counts_between_the_nearest_ends_of_two_events():
    texts, names, vectors, days, ids = timeline(CASES["en"], days=[1, 3, 120, *range(10, 16)])
    days[2:4] = 3, 100  # the second event lasts
    assert [story.events for story in stories(texts, names, vectors, days, ids)] == [(1, 2, 3)]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_headlines_does_not_matter_and_the_central_event_names(seed):
    texts, names, vectors, days, ids = timeline(CASES["en"])
    order = np.random.default_rng(seed).permutation(len(ids))
    here = stories([texts[row] for row in order], names, vectors[order], days[order], ids[order])
    assert here == stories(texts, names, vectors, days, ids)
    for story in here:
        own = vectors[np.isin(ids, story.events)].sum(axis=0)
        near = {event: float(vectors[event == ids].mean(axis=0) @ own) for event in story.events}
        assert near[story.central] == pytest.approx(max(near.values()), rel=1e-3)


def test_nothing_is_a_story_without_two_events_or_words():
    texts, names, vectors, days, ids = timeline(CASES["en"])
    assert stories([], names, vectors[:0], days[:0], ids[:0]) == []
    assert stories(texts[:2], names, vectors[:2], days[:2], ids[:2]) == []
    assert stories(["…"] * len(ids), frozenset(), vectors, days, ids) == []
