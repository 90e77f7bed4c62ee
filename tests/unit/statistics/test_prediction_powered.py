"""Few answers of people that correct many of a model: the formula of double sampling, and what covers."""

import numpy as np
import pytest

from core.statistics.prediction_powered import corrected_mean


def drawn(random, *, people, articles, noise=0.5, bias=1.0):
    """What people would say of all articles, what they said of some, and a judge that is off by `bias`."""
    whole = random.normal(size=articles)
    model = whole + bias + noise * random.normal(size=articles)
    return whole, np.where(np.arange(articles) < people, whole, np.nan), model


def test_it_is_the_regression_estimate_of_double_sampling():
    """Cochran 1977, Sampling Techniques, section 12.6: ȳ + b (x̄ of all − x̄ of the part)."""
    _, people, model = drawn(np.random.default_rng(1), people=40, articles=200)
    slope = np.cov(people[:40], model[:40])[0, 1] / np.var(model, ddof=1)
    expected = people[:40].mean() + slope * (model.mean() - model[:40].mean())
    assert corrected_mean(people, model, unit="articles").corrected.value == pytest.approx(expected)


def test_a_perfect_judge_stands_in_for_people_on_all_articles():
    whole = np.tile([0.0, 1.0], 100)
    people = np.where(np.arange(200) < 50, whole, np.nan)
    found = corrected_mean(people, whole, unit="articles")
    assert found.corrected.value == pytest.approx(whole.mean())
    assert found.worth == pytest.approx(200, rel=0.02)


def test_a_judge_that_says_nothing_of_people_leaves_their_mean():
    random = np.random.default_rng(2)
    _, people, _ = drawn(random, people=50, articles=200)
    for model in (np.full(200, 0.5), np.full(200, np.nan)):
        found = corrected_mean(people, model, unit="articles")
        assert found.corrected == found.people
    found = corrected_mean(people, random.normal(size=200), unit="articles")
    assert found.corrected.value == pytest.approx(found.people.value, abs=0.1)


def test_people_on_every_article_are_their_own_mean():
    whole, _, model = drawn(np.random.default_rng(3), people=0, articles=60)
    found = corrected_mean(whole, model, unit="articles")
    assert found.corrected == found.people
    assert found.worth == pytest.approx(60)


@pytest.mark.parametrize("people", [20, 60])
def test_intervals_cover_the_truth_of_a_biased_judge_and_are_narrower_than_peoples(people):
    random, covered, widths = np.random.default_rng(4), [], []
    for _ in range(600):
        _, said, model = drawn(random, people=people, articles=400)
        found = corrected_mean(said, model, unit="articles")
        covered.append(found.corrected.low <= 0 <= found.corrected.high)
        widths.append([figure.high - figure.low for figure in found[:2]])
    assert 0.925 <= np.mean(covered) <= 0.975
    alone, both = np.mean(widths, axis=0)
    assert both < 0.65 * alone


def test_one_answer_of_people_gives_nothing():
    found = corrected_mean(np.array([1.0, np.nan]), np.array([1.0, 0.0]), unit="articles")
    assert found.corrected.value is None
    assert found.worth is None
