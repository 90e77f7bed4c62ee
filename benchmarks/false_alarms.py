"""Simulated studies: how often an interval over items and judges leaves out what is true."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from scipy.stats import norm

from core.arrays import FloatArray
from core.people.choices import FIRST, SECOND, Preferences
from core.people.strengths import strengths
from core.statistics.crossed import crossed_estimates
from core.statistics.study_size import SUMMEVAL, AnswerSpread, needed, simulate

SPREADS: Final = {"SummEval": SUMMEVAL, "judges differ": AnswerSpread(items=0.15, judges=0.1, answers=0.15)}
JUDGES: Final = (3, 5, 10)
ITEMS: Final = (20, 50, 200)
STUDIES: Final = 10_000
AT_ONCE: Final = 500
CHOSEN: Final = 500  # studies of choices, three differences each
LEVELS: Final = np.arange(5) / 4  # answers of a scale from 1 to 5, as shares
MIDDLE: Final = 0.7  # of what judges mean, before it falls on the scale


def run_false_alarms() -> dict[str, Any]:
    """Intervals of people's answers: % of simulated studies that leave out what is true, of power what the
    advisor promises and what studies reach.
    """
    return {"benchmark": "false alarms", "studies": STUDIES, "rows": [*_alarms(), *_choices(), *_power()]}


def _alarms() -> Iterator[dict[str, Any]]:
    for what in ("difference", "difference, 30 % missing", "mean on a scale of 5"):
        for name, spread in SPREADS.items():
            for judges in JUDGES:
                shares = {
                    f"{items}_items": percent(
                        wrong(spread, items, judges, scale="scale" in what, missing=lack)
                    )
                    for items in ITEMS
                    for lack in [0.3 if "missing" in what else 0.0]
                }
                yield {"of": what, "spread": name, "judges": judges, **shares}


def wrong(
    spread: AnswerSpread,
    items: int,
    judges: int,
    *,
    true: float = 0.0,
    scale: bool = False,
    missing: float = 0.0,
    studies: int = STUDIES,
    seed: int = 0,
) -> float:
    """Share of the studies whose interval leaves out 0, or the true mean of a scale; answers are drawn."""
    rng, alarms = np.random.default_rng([seed, items, judges]), 0
    for _ in range(studies // AT_ONCE):
        answers = true + rng.normal(0, spread.items, (1, items, AT_ONCE))
        answers = answers + rng.normal(0, spread.judges, (judges, 1, AT_ONCE))
        answers += rng.normal(0, spread.answers, (judges, items, AT_ONCE))
        known = rng.random((judges, items)) >= missing
        judge, item = np.nonzero(known)
        given, wanted = answers[judge, item], 0.0
        if scale:
            given, wanted = on_scale(given + MIDDLE, spread)
        means = given.mean(axis=0)
        figures = crossed_estimates(means, (given - means) / len(given), item, judge, unit="items")
        ends = np.array([figure.interval for figure in figures], dtype=np.float64)
        alarms += int(((ends[:, 0] > wanted) | (ends[:, 1] < wanted)).sum())
    return alarms / (studies // AT_ONCE * AT_ONCE)


def on_scale(answers: FloatArray, spread: AnswerSpread) -> tuple[FloatArray, float]:
    """Answers moved to the nearest level, and what their mean truly is."""
    edges = (LEVELS[1:] + LEVELS[:-1]) / 2
    above = norm.sf(edges, MIDDLE, np.sqrt(spread.items**2 + spread.judges**2 + spread.answers**2))
    return LEVELS[np.searchsorted(edges, answers)], float(above.sum() / 4)


def _choices() -> Iterator[dict[str, Any]]:
    for name, taste in (("quality .7, taste .3", 0.3), ("quality .7, taste .7", 0.7)):
        for judges in JUDGES:
            shares = {f"{items}_items": percent(wrong_choices(taste, items, judges)) for items in ITEMS}
            yield {"of": "difference of strengths", "spread": name, "judges": judges, **shares}


def wrong_choices(taste: float, items: int, judges: int, *, studies: int = CHOSEN) -> float:
    """Three equal systems; every judge chooses between each two on every item."""
    rng = np.random.default_rng([1, items, judges])
    first, second = np.array([(0, 1), (0, 2), (1, 2)]).T
    shape = judges, items, len(first)
    judge, item, pair = (axis.ravel() for axis in np.indices(shape))
    alarms: list[bool] = []
    for _ in range(studies):
        worth = rng.normal(0, taste, (judges, 1, 3)) + rng.normal(0, 0.7, (1, items, 3))
        wins = rng.logistic(size=shape) < worth[..., first] - worth[..., second]
        chosen = np.where(wins, FIRST, SECOND).ravel()
        ranking = strengths(Preferences(("A", "B", "C"), first[pair], second[pair], chosen, item, judge))
        ends = [gap.interval for gap in ranking.gaps.values()]
        alarms += [low is not None and high is not None and not low <= 0 <= high for low, high in ends]
    return float(np.mean(alarms))


def _power() -> Iterator[dict[str, Any]]:
    for name, spread in SPREADS.items():
        for judges in JUDGES:
            difference = simulate(spread, items=60, judges=judges).detectable()
            items, studies = needed(spread, difference, judges=judges)
            if items is not None:
                reached = wrong(spread, items, judges, true=difference)
                row = {"of": "power", "spread": name, "judges": judges, "needed_items": items}
                yield {**row, "promised": percent(studies.power(difference)), "reached": percent(reached)}


def percent(share: float) -> float:
    return round(100 * share, 1)
