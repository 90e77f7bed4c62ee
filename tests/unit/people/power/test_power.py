import csv
import gzip
import io
from itertools import combinations

import numpy as np
import pytest

from core.errors import InputError
from core.files import ROOT
from core.people.power import (
    SUMMEVAL,
    AnswerSpread,
    found_table,
    needed,
    pilot_spread,
    plan_table,
    simulate,
    spread_of,
)
from core.people.ratings import Ratings
from core.statistics.bootstrap import crossed_mean
from tests.unit.people.by_hand import FORM, task_of

SYSTEMS = ("A", "B", "C")


def study(articles, judges, *, better=0.0, seed=0):
    """Answers drawn at random; system A is better by so much of a point in readability."""
    rng = np.random.default_rng(seed)
    values = np.empty((judges, 3, articles, 3))
    values[:, 0] = rng.integers(0, 3, (judges, articles, 3))
    values[:, 1] = rng.permuted(np.broadcast_to([1.0, 2, 3], (judges, articles, 3)).copy(), axis=-1)
    level = 3 + rng.normal(0, 0.6, (1, articles, 3)) + rng.normal(0, 0.6, (judges, articles, 3))
    level[..., 0] += better
    values[:, 2] = np.clip(np.rint(level), 1, 5)
    names = tuple(f"judge {at}" for at in range(judges))
    return Ratings(form=FORM, task=task_of(articles, SYSTEMS), judges=names, values=values)


def summeval(shared, question):
    """Experts' answers as shares of the most, float64 [systems, experts, articles]."""
    text = gzip.decompress((shared / "data/summeval/summeval_12systems_annotations.csv.gz").read_bytes())
    rows = list(csv.DictReader(io.StringIO(text.decode())))
    articles = sorted({row["id"] for row in rows})
    systems = sorted({row["model_id"] for row in rows})
    values = np.full((len(systems), 3, len(articles)), np.nan)
    for row in rows:
        for expert in range(3):
            at = systems.index(row["model_id"]), expert, articles.index(row["id"])
            values[at] = float(row[f"expert{expert + 1}_{question}"]) / 5
    return values


def test_power_is_that_of_the_formula_where_there_is_one():
    # With many judges who favour nothing the interval is close to mean ± 1.96 standard errors.
    from scipy.stats import norm

    found = simulate(AnswerSpread(items=0.2, judges=0.0, answers=0.3), items=100, judges=30, studies=4_000)
    error = np.sqrt((0.04 + 0.09 / 30) / 100)
    for difference in (0.03, 0.05, 0.08):
        assert found.power(difference) == pytest.approx(norm.cdf(difference / error - 1.96), abs=0.03)
    assert found.detectable() == pytest.approx((1.96 + 0.8416) * error, rel=0.04)
    assert found.power(found.detectable()) == pytest.approx(0.8, abs=0.002)
    assert found.false_alarms == pytest.approx(0.05, abs=0.02)


FAVOURING = AnswerSpread(items=0.1, judges=0.1, answers=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spread", "judges", "missing"),
    [(SUMMEVAL, 3, 0.0), (SUMMEVAL, 10, 0.3), (FAVOURING, 3, 0.3), (FAVOURING, 10, 0.0)],
)
def test_the_interval_of_the_tables_is_right_over_studies_that_were_drawn(spread, judges, missing):
    """Answers themselves are drawn here, and `simulate` is held to the intervals that tables print."""
    rng = np.random.default_rng(judges)
    wrong = []
    for _ in range(1_000):
        points = rng.normal(0, spread.items, 40) + rng.normal(0, spread.judges, (judges, 1))
        points = points + rng.normal(0, spread.answers, (judges, 40))
        points[rng.random(points.shape) < missing] = np.nan
        low, high = crossed_mean(points, unit="items", lowest=-1.0).interval
        wrong.append(low > 0 or high < 0)
    assert 0.03 <= np.mean(wrong) <= 0.08
    if not missing:
        simulated = simulate(spread, items=40, judges=judges).false_alarms
        assert np.mean(wrong) == pytest.approx(simulated, abs=0.02)


@pytest.mark.parametrize(("difference", "judges"), [(0.1, 3), (0.05, 10)])
def test_what_is_needed_is_the_fewest_items_that_find_it(difference, judges):
    items, studies = needed(SUMMEVAL, difference, judges=judges)
    assert studies.power(difference) >= 0.8
    assert simulate(SUMMEVAL, items=items - 1, judges=judges).power(difference) < 0.8


def test_the_figures_of_the_guide():
    said = (ROOT / "docs/evaluation.md").read_text(encoding="utf-8")
    one, three, ten = (simulate(SUMMEVAL, items=150, judges=judges).false_alarms for judges in (1, 3, 10))
    assert f"leaves out 0 in {one:.0%} of" in said.replace(" %", "%")
    assert f"that of three judges in {three:.0%}, of ten in {ten:.0%}." in said.replace(" %", "%")
    assert needed(SUMMEVAL, 0.05, judges=3)[0] is None


def test_the_spread_without_a_pilot_is_that_of_summevals_experts(shared):
    found = []
    for question in ("coherence", "consistency", "fluency", "relevance"):
        values = summeval(shared, question)
        for one, other in combinations(range(12), 2):
            spread = spread_of(values[one] - values[other])
            found.append([spread.items, spread.judges, spread.answers])
    middle = np.median(found, axis=0).round(2).tolist()
    assert middle == [SUMMEVAL.items, SUMMEVAL.judges, SUMMEVAL.answers]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: plan_table(SUMMEVAL, 0.0), "cannot be looked for"),
        (lambda: plan_table(SUMMEVAL, 0.1, wanted=1.0), "cannot be asked for"),
        (lambda: AnswerSpread(items=0, judges=0, answers=0), "share of the most points"),
        (lambda: found_table(study(3, 1), systems=["A"]), "1 systems make 0 pairs"),
        (lambda: found_table(study(3, 1), questions=["beauty"]), "no question 'beauty'"),
        (lambda: pilot_spread(study(3, 1), [], ["A", "B"]), "one question"),
        (lambda: pilot_spread(study(3, 1), ["readability"], ["A", "X"]), "two systems"),
        (lambda: spread_of(np.full((2, 5), np.nan)), "fewer than two items"),
        (lambda: spread_of(np.zeros((2, 5))), "it has no spread"),
    ],
)
def test_what_cannot_be_advised_is_refused(call, said):
    with pytest.raises(InputError, match=said):
        call()
