"""How large a study must be: spreads found again, simulated studies against real ones, warnings."""

from __future__ import annotations

import csv
import gzip
import io
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.files import ROOT
from core.people.power import (
    SUMMEVAL,
    AnswerSpread,
    differences,
    found_table,
    needed,
    pilot_spread,
    plan_table,
    simulate,
    spread_of,
)
from core.people.ratings import Ratings
from core.results.render import as_csv, as_text
from core.statistics.bootstrap import crossed_mean
from tests.unit.people.by_hand import FORM, task_of

SYSTEMS = ("A", "B", "C")


def study(articles: int, judges: int, *, better: float = 0.0, seed: int = 0) -> Ratings:
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


def summeval(shared: Path, question: str) -> np.ndarray:
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


def test_a_spread_that_was_drawn_is_found_again() -> None:
    rng = np.random.default_rng(1)
    found = []
    for _ in range(60):
        points = rng.normal(0, 0.2, (1, 80)) + rng.normal(0, 0.1, (8, 1)) + rng.normal(0, 0.3, (8, 80))
        points[rng.random(points.shape) < 0.2] = np.nan
        one = spread_of(points)
        found.append([one.items**2, one.judges**2, one.answers**2])
    assert np.mean(found, axis=0) == pytest.approx([0.04, 0.01, 0.09], rel=0.08)


def test_power_is_that_of_the_formula_where_there_is_one() -> None:
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
def test_the_interval_of_the_tables_is_right_over_studies_that_were_drawn(
    spread: AnswerSpread, judges: int, missing: float
) -> None:
    """Answers themselves are drawn here, and `simulate` is held to the intervals that tables print."""
    rng = np.random.default_rng(judges)
    wrong = []
    for _ in range(1_000):
        points = rng.normal(0, spread.items, 40) + rng.normal(0, spread.judges, (judges, 1))
        points = points + rng.normal(0, spread.answers, (judges, 40))
        points[rng.random(points.shape) < missing] = np.nan
        low, high = crossed_mean(points, unit="items", lowest=-1.0).interval
        assert low is not None
        assert high is not None
        wrong.append(low > 0 or high < 0)
    assert 0.03 <= np.mean(wrong) <= 0.08
    if not missing:
        simulated = simulate(spread, items=40, judges=judges).false_alarms
        assert np.mean(wrong) == pytest.approx(simulated, abs=0.02)


@pytest.mark.parametrize(("difference", "judges"), [(0.1, 3), (0.05, 10)])
def test_what_is_needed_is_the_fewest_items_that_find_it(difference: float, judges: int) -> None:
    items, studies = needed(SUMMEVAL, difference, judges=judges)
    assert items is not None
    assert studies.power(difference) >= 0.8
    assert simulate(SUMMEVAL, items=items - 1, judges=judges).power(difference) < 0.8


def test_the_figures_of_the_guide() -> None:
    said = (ROOT / "docs/evaluation.md").read_text(encoding="utf-8")
    one, three, ten = (simulate(SUMMEVAL, items=150, judges=judges).false_alarms for judges in (1, 3, 10))
    assert f"leaves out 0 in {one:.0%} of" in said.replace(" %", "%")
    assert f"that of three judges in {three:.0%}, of ten in {ten:.0%}." in said.replace(" %", "%")
    assert needed(SUMMEVAL, 0.05, judges=3)[0] is None


@pytest.mark.slow
def test_a_pilot_of_twenty_says_what_real_studies_of_thirty_find(shared: Path) -> None:
    """SummEval's experts: the judges stay, so what they favour is taken off."""
    rng = np.random.default_rng(0)
    said, real = [], []
    for question in ("coherence", "fluency", "relevance"):
        values = summeval(shared, question)
        for one, other in combinations(range(12), 2):
            gaps = values[one] - values[other]
            gaps = (gaps - gaps.mean(axis=1, keepdims=True) + gaps.mean()) * np.sign(gaps.mean())
            if not 0.02 < gaps.mean() < 0.2 or rng.random() > 0.3:
                continue
            pilot = spread_of(gaps[:, rng.choice(100, 20, replace=False)])
            pilot = AnswerSpread(items=pilot.items, judges=0.0, answers=pilot.answers)
            said.append(simulate(pilot, items=30, judges=3, studies=500).power(float(gaps.mean())))
            studies = [gaps[:, rng.choice(100, 30)] for _ in range(300)]
            lows = [crossed_mean(one, unit="items", lowest=-1.0).low for one in studies]
            real.append(float(np.mean([low is not None and low > 0 for low in lows])))
    assert len(said) > 30
    assert np.abs(np.subtract(said, real)).mean() < 0.08
    assert abs(np.mean(said) - np.mean(real)) < 0.05
    assert np.corrcoef(said, real)[0, 1] > 0.9


def test_the_spread_without_a_pilot_is_that_of_summevals_experts(shared: Path) -> None:
    found = []
    for question in ("coherence", "consistency", "fluency", "relevance"):
        values = summeval(shared, question)
        for one, other in combinations(range(12), 2):
            spread = spread_of(values[one] - values[other])
            found.append([spread.items, spread.judges, spread.answers])
    middle = np.median(found, axis=0).round(2).tolist()
    assert middle == [SUMMEVAL.items, SUMMEVAL.judges, SUMMEVAL.answers]


def test_a_finished_study_says_what_it_could_have_found() -> None:
    ratings = study(40, 3, better=1.0)
    table = found_table(ratings, questions=["readability"])
    rows = {row[1]: row for row in table.rows}
    gap, detectable = rows["A – B"][2], rows["A – B"][5]
    points = differences(ratings, 2, 0, 1)
    assert gap.value == pytest.approx(np.nanmean(points))  # type: ignore[union-attr]
    assert gap.low > 0  # type: ignore[operator, union-attr]
    assert 0.05 < detectable.value < 0.2  # type: ignore[operator, union-attr]
    assert rows["B – C"][3:5] == (40, 3.0)


def test_under_ten_items_nothing_is_promised_and_every_interval_is_marked() -> None:
    table = found_table(study(9, 3, better=1.0))
    assert {row[5].value for row in table.rows} == {None}  # type: ignore[union-attr]
    text = as_text(table)
    assert all("†" in line for line in text.splitlines() if "[" in line)
    assert "† Too few items for a reliable interval (9; it takes at least 10)." in text
    assert as_csv(table).count("Too few items") == len(table.rows)


def test_a_plan_says_what_it_rests_on() -> None:
    ratings = study(30, 3, better=0.5)
    spread = pilot_spread(ratings, ["readability"], ["A", "C"])
    table = plan_table(spread, 0.1, judges=(1, 3))
    assert [row[0] for row in table.rows] == [1, 3]
    assert "a difference of 10.0 % of the maximum in 80 % of studies" in table.notes[0]
    assert f"items {100 * spread.items:.1f}" in table.notes[1]


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
def test_what_cannot_be_advised_is_refused(call, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=said):
        call()
