"""Time, symmetry and calibration around other scorers; curves through labelled numbers."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from core.data.timelines.samples import load_sample
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.scorer import Formula, Need, PairScorer, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.scorers import baselines
from core.pairs.scorers.baselines import Levenshtein, TimeOnly
from core.pairs.scorers.voting import Voting
from core.pairs.scorers.wrappers import DEEPEST, Symmetric, WithTime, fit_curve
from core.runtime import Runtime
from core.statistics.logistic import fit_logistic

TEXTS = ["Storm shuts airports", "Airports shut by the storm", "Bank raises rates"]
DAYS = np.array([10.9, 12.1, np.nan])
EVERYTHING = (slice(0, 3), slice(0, 3))
CONTEXT = PairContext(TEXTS, DAYS, np.empty((3, 0), np.float32))


@dataclass(frozen=True, kw_only=True, slots=True)
class Longer(PairScorer):
    """How much longer the first is: as asymmetric as can be."""

    summary: ClassVar[str] = "test"
    scale: ClassVar[ScoreScale] = ScoreScale(symmetric=False)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.BODIES})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        lengths = np.array([len(text) for text in context.texts], np.float32)
        return Formula(lambda at: at.sides(lengths)[0] / np.add(*at.sides(lengths)))


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    pair_scorers.names()
    recipes = {**pair_scorers._recipes, "longer.v1": Longer}
    monkeypatch.setattr(pair_scorers, "_recipes", recipes)


def block(recipe):
    return recipe.prepare(CONTEXT, Runtime()).block(*EVERYTHING)  # type: ignore[attr-defined]


def test_time_fades_by_whole_days_and_leaves_the_undated_alone():
    plain = block(Levenshtein())
    faded = block(WithTime(base="levenshtein", tau_days=2.0))
    assert faded[0, 1] == pytest.approx(plain[0, 1] * math.exp(-2 / 2))  # days 10 and 12
    np.testing.assert_allclose(faded[2], plain[2])


def test_time_multiplies_fades_and_parts():
    twice = WithTime(base="with_time|tau_days:4.0", tau_days=4.0)
    fade = twice.fade(DAYS[:1], DAYS[1:2])
    assert fade[0] == pytest.approx(math.exp(-2 / 4) ** 2)
    score = float(block(twice)[0, 1])
    parts = twice.parts(CONTEXT, 0, 1, score)
    assert [part.multiplies for part in parts] == [False, True, True]
    assert math.prod(part.value for part in parts) == pytest.approx(score)


def test_both_orders_are_averaged():
    both = Symmetric(base="longer")
    assert both.scale.symmetric
    one = block(Longer())
    np.testing.assert_allclose(block(both), (one + one.T) / 2, atol=1e-6)
    left, right = np.array([0, 1]), np.array([2, 0])
    ready = both.prepare(CONTEXT, Runtime())
    np.testing.assert_allclose(ready.pairs(left, right), 0.5, atol=1e-6)
    assert both.needs == Longer.needs


def test_calibration_is_fitted_as_scikit_learn_fits():
    random = np.random.default_rng(0)
    scores = random.uniform(0.01, 0.99, 20_000)
    odds = np.log(scores / (1 - scores))
    labels = random.random(20_000) < 1 / (1 + np.exp(-(0.7 * odds - 1.2)))
    found = fit_curve("levenshtein", scores, labels)
    reference = LogisticRegression(C=1e9).fit(odds[:, None], labels)
    assert found.slope == pytest.approx(reference.coef_[0, 0], abs=2e-3)
    assert found.intercept == pytest.approx(reference.intercept_[0], abs=2e-3)


def test_calibration_refuses_scores_that_point_the_wrong_way():
    with pytest.raises(InputError, match="do not go with"):
        fit_curve("levenshtein", np.array([0.1, 0.2, 0.8, 0.9]), np.array([1, 1, 0, 0]))


def test_the_curve_stays_finite_where_the_kinds_do_not_overlap():
    slope, intercept = fit_logistic([0.0, 1.0, 2.0, 3.0], [0, 0, 1, 1])
    assert 0 < slope < 100
    assert math.isfinite(intercept)


@pytest.mark.parametrize(
    ("values", "labels"),
    [([1.0, 2.0], [1, 1]), ([1.0, np.nan], [0, 1]), ([1.0], [0, 1]), ([1.0, 2.0], [0, 2])],
)
def test_curves_need_numbers_of_both_kinds(values, labels):
    with pytest.raises(InputError):
        fit_logistic(values, labels)


def test_time_only_is_the_curve_over_whole_days():
    found = block(TimeOnly(intercept=1.0, slope=-0.5))
    assert found[0, 1] == pytest.approx(1 / (1 + math.exp(-(1.0 - 0.5 * 2))))
    assert found[0, 0] == pytest.approx(1 / (1 + math.exp(-1.0)))
    np.testing.assert_array_equal(found[2], 0)  # without a date nothing joins


def test_time_only_is_the_most_likely_curve_where_dates_lie_years_apart():
    timeline = load_sample("iss")
    left, right = np.triu_indices(len(timeline), 1)
    apart = np.abs(np.subtract(*(np.floor(timeline.days)[side] for side in (left, right))))
    gold = timeline.table[Field.GOLD].to_numpy()
    same = gold[left] == gold[right]
    found = baselines.fit(apart, same)
    assert apart.max() > 1_000
    theirs = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10).fit(apart[:, None], same)
    assert found.slope == pytest.approx(theirs.coef_[0, 0], abs=1e-4)
    assert found.intercept == pytest.approx(theirs.intercept_[0], abs=1e-4)


def test_time_only_never_rewards_distance():
    found = baselines.fit([0, 0, 5, 5], [0, 0, 1, 1])
    assert found.slope == 0
    assert found.intercept == pytest.approx(0, abs=1e-6)
    with pytest.raises(InputError, match="lacks a date"):
        baselines.fit([0.0, np.nan], [0, 1])


@pytest.mark.parametrize("around", ["symmetric", "clustered"])
def test_scorers_around_each_other_have_an_end(around):
    deep = "cosine"
    for _ in range(DEEPEST + 2):
        deep = f"{around}|base:({deep})"
    with pytest.raises(InputError, match="around each other"):
        pair_scorers.parse(deep)


def test_voting_says_what_most_of_three_say():
    names = ("levenshtein.v1", "token_overlap.v1", "tfidf.v1")
    recipes = [pair_scorers.parse(name) for name in names]
    votes = np.sum([block(recipe) >= recipe.threshold for recipe in recipes], axis=0)
    np.testing.assert_array_equal(block(Voting()) >= Voting().threshold, votes >= 2)
    assert 0 < (votes >= 2).sum() < votes.size
    with pytest.raises(InputError, match="different encoders"):
        Voting(first="event_pair.v1", second="cosine.v1")
