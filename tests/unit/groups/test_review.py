"""The joins of a tree, the queue of those that are least sure, and the level that follows from answers."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

from core.errors import InputError
from core.groups.answered_level import AnsweredLevel, PairAnswer
from core.groups.dendrogram import Dendrogram, merges_in_order
from core.groups.granularity import CUTS
from core.groups.joins import TreeJoins, speakers
from core.groups.level_curve import gold_curve, said_curve
from core.groups.quality import quality
from core.groups.review import ReviewQueue
from core.similarities import Similarities
from tests.unit.groups.test_granularity import made

SIZE = 40
START = 0.5


def tree_of(*heights):
    """Headlines in a row, each joined to what stands before it or after it at some height."""
    rows = np.arange(len(heights))
    return Dendrogram(len(heights) + 1, merges_in_order(len(heights) + 1, rows, rows + 1, np.array(heights)))


def chain():
    return TreeJoins(tree_of(*np.linspace(0.02, 0.98, SIZE - 1)))


def together(tree, cut, rows):
    return len({tree.cut(cut)[row] for row in rows}) == 1


@pytest.mark.parametrize("seed", range(6))
def test_a_join_has_its_sides_together_from_its_height_on_and_not_before(seed):
    heights = np.random.default_rng(seed).integers(1, 9, 11) / 10  # many are equal
    joins = TreeJoins(tree_of(*heights))
    for place, height in enumerate(joins.heights.tolist()):
        sides = joins.sides(place)
        rows = sorted(np.concatenate(sides).tolist())
        assert together(joins.tree, height, rows)
        assert not together(joins.tree, height - 1e-6, [side[0] for side in sides])
        assert all(joins.between(left, right) == place for left in sides[0] for right in sides[1])
        above = joins.parents[place]
        assert above < 0 or set(rows) < set(np.concatenate(joins.sides(above)).tolist())
    assert np.flatnonzero(joins.parents < 0).tolist() == [joins.between(*joins.tree.leaves[[0, -1]].tolist())]


def test_an_event_stays_as_it_is_from_its_highest_join_to_the_next_one():
    joins = TreeJoins(tree_of(0.2, 0.5, 0.3, 0.9, 0.1))
    inside, outside = joins.around([0, 1, 2, 3])
    assert joins.heights[[inside, outside]].tolist() == [0.5, 0.9]
    assert joins.around([0]) == (None, joins.between(0, 1))
    assert joins.around(range(6)) == (joins.between(0, 5), None)
    assert joins.around([1, 2]) is None  # no level has these two and no others
    assert joins.around([0, 4]) is None


def test_the_headlines_that_speak_for_a_join_are_nearest_to_the_other_side():
    matrix = np.array([[1, 0.9, 0.1, 0.2], [0.9, 1, 0.3, 0.6], [0.1, 0.3, 1, 0.8], [0.2, 0.6, 0.8, 1]])
    sides = np.array([0, 1]), np.array([2, 3])
    assert speakers(Similarities(matrix.astype(np.float32)), *sides) == (1, 3)


def queue(tree, answers=(), *, cut=START, until=None):
    joins = TreeJoins(tree)
    return joins, ReviewQueue(joins, AnsweredLevel(joins, cut, answers), cut, answers, until)


def asked(tree, answers=(), **more):
    joins, found = queue(tree, answers, **more)
    return joins.heights[found.places].round(2).tolist()


def test_the_queue_has_what_holds_each_event_together_and_what_would_join_two_whole_ones():
    # Events 0 1 2 (held at .45), 3 4 (at .2), 5; the first two would be one at .6, all at .9.
    tree = tree_of(0.3, 0.45, 0.6, 0.2, 0.9)
    assert sorted(asked(tree)) == [0.2, 0.45, 0.6]


def test_the_least_sure_come_first_and_of_equal_ones_those_of_most_headlines():
    assert asked(tree_of(0.3, 0.99, 0.48, 0.99, 0.1, 0.99, 0.7))[0] == 0.48
    large = tree_of(*[0.1] * 5, 0.55, *[0.1] * 5, 0.99, 0.55)
    joins, found = queue(large)
    assert joins.heights[found.places[0]] == 0.55
    assert {len(side) for side in joins.sides(int(found.places[0]))} == {6}


def test_an_answered_link_is_not_asked_again_and_shows_what_is_below():
    tree = tree_of(0.3, 0.45, 0.6, 0.2, 0.9)
    for same in (True, False):
        assert sorted(asked(tree, [PairAnswer(0, 2, same)], cut=0.5)) == [0.2, 0.3, 0.6]
    assert 0.3 not in asked(tree, [PairAnswer(0, 2, None)]), "nobody was sure of this event"
    assert sorted(asked(tree, [PairAnswer(1, 4, True)])) == [0.2, 0.45, 0.9], "joined, it may join the next"
    assert 0.9 not in asked(tree, [PairAnswer(1, 4, False)])


def test_what_another_level_would_join_is_asked_about_first():
    tree = tree_of(0.1, 0.49, 0.1, 0.99, 0.7, 0.99)
    assert asked(tree)[0] == 0.49
    assert asked(tree, until=0.75)[:2] == [0.7, 0.49]


def test_unsure_links_and_the_groups_that_hang_on_them_are_counted():
    tree = tree_of(0.49, 0.99, 0.02, 0.52, 0.02, 0.99)
    _, found = queue(tree)
    assert found.unsure(tree.cut(START)) == (2, 3)
    assert queue(tree_of(0.02, 0.99))[1].unsure(np.array([0, 0, 1])) == (0, 0)


def test_one_headline_has_no_links():
    assert asked(tree_of()) == []
    assert TreeJoins(tree_of()).around([0]) == (None, None)


def test_a_method_without_a_tree_has_no_links():
    class Flat:
        def cut(self, granularity: float) -> np.ndarray:
            return np.zeros(3, dtype=np.int64)

    with pytest.raises(InputError, match="no tree"):
        TreeJoins(Flat())


def answers_of(joins, width, count, *, wrong=-1):
    answers: list[PairAnswer] = []
    for number in range(count):
        level = AnsweredLevel(joins, START, answers)
        place = ReviewQueue(joins, level, level.level, answers).places[0]
        left, right = (int(side[0]) for side in joins.sides(int(place)))
        answers.append(PairAnswer(left, right, (joins.heights[place] <= width) != (number == wrong)))
    return answers


def test_without_an_answer_the_level_is_the_suggested_one():
    assert AnsweredLevel(chain(), START).level == START
    assert AnsweredLevel(chain(), START, [PairAnswer(0, 30, None)]).level == START


def test_the_best_cut_lies_near_the_suggested_one_or_in_four_of_ten_timelines_farther():
    likely = 0.6 * norm.pdf(CUTS, START, 0.03) + 0.4 * norm.pdf(CUTS, START, 0.10)
    np.testing.assert_allclose(AnsweredLevel(chain(), START).shares, likely / likely.sum(), atol=1e-9)


def test_levels_that_people_accept_hold_the_best_cut_of_eight_timelines_in_ten():
    low, high = AnsweredLevel(chain(), START).accepted
    random = np.random.default_rng(0)
    best = random.normal(START, np.where(random.random(20_000) < 0.4, 0.10, 0.03))
    assert np.mean((best > low - 0.005) & (best < high + 0.005)) == pytest.approx(0.8, abs=0.05)
    answers = answers_of(chain(), START, 8)
    narrower = AnsweredLevel(chain(), START, answers).accepted
    assert narrower[1] - narrower[0] < high - low


@pytest.mark.parametrize("width", [0.35, 0.65])
def test_answers_lead_to_the_width_that_the_person_means(width):
    answers = answers_of(chain(), width, 10)
    assert abs(AnsweredLevel(chain(), START, answers).level - width) < 0.6 * abs(START - width)


def test_one_wrong_answer_does_not_turn_the_level():
    assert AnsweredLevel(chain(), START, answers_of(chain(), 0.7, 10, wrong=2)).level > START


def test_what_is_joined_lower_is_likelier_one_event_and_half_so_at_the_level():
    chance = AnsweredLevel(chain(), START).probability(np.linspace(0, 1, 50))
    assert all(before > after for before, after in pairwise(chance))
    assert AnsweredLevel(chain(), START).probability(np.array([START]))[0] == pytest.approx(0.5, abs=1e-6)


def test_precision_and_recall_at_every_level_are_those_of_the_groups_there():
    tree, random = made(30, 0).tree, np.random.default_rng(3)
    gold = random.integers(0, 6, 30)
    curves = gold_curve(tree, gold)
    left, right = np.triu_indices(30, 1)
    said = said_curve(tree, left, right, gold[left] == gold[right], np.ones(len(left)))
    for place in range(0, len(CUTS), 7):
        scores = quality(tree.cut(float(CUTS[place])), gold)
        for measure, of_gold, of_pairs in zip(("precision", "recall"), curves, said, strict=True):
            value = scores[f"pair_{measure}"].value
            assert [of_gold[place], of_pairs[place]] == pytest.approx(
                [np.nan if value is None else value] * 2, nan_ok=True
            )
