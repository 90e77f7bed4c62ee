"""What a study's answers show by now."""

import re
from dataclasses import replace

import numpy as np
import pytest

from components.people.study.reached import agreement_reached, differences_reached
from core.people.agreement import alpha
from core.people.forms import form_of
from core.people.power import pilot
from core.people.ratings import empty_ratings
from core.people.votes import vote_table
from core.statistics.study_size import simulate
from tests.unit.people.by_hand import task_of


def votes_of(items, *, seed=1):
    draw = np.random.default_rng(seed)
    right = draw.integers(0, 2, items)
    given = [
        (f"pair {at}", f"p{who}", str(right[at] if draw.random() < 0.8 else 1 - right[at]))
        for at in range(items)
        for who in range(3)
    ]
    return vote_table(given, "votes")


def numbers(text):
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def test_so_many_pairs_as_are_said_to_lack_make_the_interval_as_narrow():
    votes = votes_of(40)
    half, items, aim, more = numbers(agreement_reached(votes))
    low, high = alpha(votes).interval
    assert (items, aim) == (40, 0.1)
    assert abs(half - (high - low) / 2) < 0.006
    assert more > 20
    later = [np.ptp(alpha(votes_of(40 + int(more), seed=seed)).interval) / 2 for seed in range(10)]
    assert 0.085 < np.mean(later) < 0.115
    assert "is reached" in agreement_reached(votes_of(400))
    assert "no interval" in agreement_reached(votes_of(4))


def rated(seed, judges=0.0):
    ratings = empty_ratings(form_of("scale.v1"), task_of(30, ("A", "B", "C")), [f"j{at}" for at in range(4)])
    draw = np.random.default_rng(seed)
    taste = draw.normal(0, judges, (4, 1, 3))
    ratings.values[:, 0] = np.clip(np.rint(draw.normal((4, 3.6, 1.5), 1.2, (4, 30, 3)) + taste), 1, 5)
    return ratings


@pytest.mark.parametrize("judges", [0.0, 0.6])
def test_what_is_said_to_lack_finds_the_difference_of_the_two_best_systems_often_enough(judges):
    ratings = rated(3, judges)
    (said,) = differences_reached(ratings)
    assert "of A and B shows" in said or "of B and A shows" in said
    spread, *_ = pilot(ratings, "quality", ("A", "B"))
    assert simulate(spread, items=30, judges=4).power(0.1) < 0.8
    found = {what: int(count) for count, what in re.findall(r"about (\d+) more (articles|people)", said)}
    assert found
    if "articles" in found:
        assert 0.78 < simulate(spread, items=30 + found["articles"], judges=4).power(0.1) < 0.85
    if "people" in found:
        assert simulate(spread, items=30, judges=4 + found["people"]).power(0.1) > 0.78
        assert simulate(spread, items=30, judges=3 + found["people"]).power(0.1) < 0.81


def test_too_few_articles_say_so():
    ratings = rated(3)
    few = replace(ratings, values=np.where(np.arange(30)[None, None, :, None] < 4, ratings.values, np.nan))
    assert "too few" in next(differences_reached(few))
