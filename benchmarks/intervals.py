"""Simulated data sets: how often a 95 % interval holds what is true."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.false_alarms import percent, wrong, wrong_choices
from benchmarks.routing import drawn_groups
from core.arrays import BoolArray, FloatArray, IntArray
from core.data.pair_sets.pair_alpha import pair_alpha
from core.data.pair_sets.simulated import FAULTS, Faults, with_faults
from core.data.timelines.load import load_text
from core.groups.quality import quality
from core.pairs.metrics import pair_intervals, pair_quality, resampled, units_of
from core.people.agreement import group_agreement
from core.people.gold import gold_groups, gold_labels, with_intervals
from core.statistics.bootstrap import RESAMPLES, Figure, bootstrap_sums, paired_bootstrap
from core.statistics.krippendorff import Scale, alpha_of
from core.statistics.study_size import SUMMEVAL

Draw = np.random.Generator
SIZES: Final = ((30, 10), (30, 40), (5, 20), (3, 50), (3, 15), (2, 30))  # people, items
SETS: Final = 1_000
MANY: Final = 400  # where a data set takes tens of milliseconds
FEW: Final = 40  # where it takes seconds
THRESHOLD: Final = 1.5  # of simulated scores
POPULATION: Final = 100_000  # items whose alpha is taken for that of all


def _yes(chances: FloatArray, draw: Draw, people: int, gaps: float = 0.0) -> FloatArray:
    answers = (draw.random((len(chances), people)) < chances[:, None]).astype(np.float64)
    answers[draw.random(answers.shape) < gaps] = np.nan
    return answers


def _by_beta(ends: tuple[float, float], gaps: float, draw: Draw, items: int, people: int) -> FloatArray:
    return _yes(draw.beta(*ends, items), draw, people, gaps)


def _four_answers(draw: Draw, items: int, people: int) -> FloatArray:
    ends = np.cumsum(draw.dirichlet(np.full(4, 0.4), items), axis=1)[:, None, :3]
    return np.asarray((draw.random((items, people, 1)) > ends).sum(axis=2), dtype=np.float64)


def _ratings(draw: Draw, items: int, people: int) -> FloatArray:
    """From 1 to 5; people differ in how well they rate all items, the same people in every data set."""
    strict = np.random.default_rng(0).normal(0, 0.4, people)
    noise = draw.normal(0, 1, (items, people))
    return np.asarray(np.round(3 + draw.normal(0, 1, (items, 1)) + strict + noise).clip(1, 5))


ANSWERS: Final[dict[str, tuple[Callable[[Draw, int, int], FloatArray], Scale]]] = {
    "yes or no, middling agreement": (partial(_by_beta, (0.6, 0.6), 0.0), Scale.NOMINAL),
    "low agreement": (partial(_by_beta, (2, 2), 0.0), Scale.NOMINAL),
    "high agreement": (partial(_by_beta, (0.15, 0.15), 0.0), Scale.NOMINAL),
    "30 % missing": (partial(_by_beta, (0.6, 0.6), 0.3), Scale.NOMINAL),
    "four answers": (_four_answers, Scale.NOMINAL),
    "ratings from 1 to 5, ordinal": (_ratings, Scale.ORDINAL),
    "ratings from 1 to 5, interval": (_ratings, Scale.INTERVAL),
    "one answer rare (12 %)": (partial(_by_beta, (0.2, 1.5), 0.0), Scale.NOMINAL),
}


def run_alpha() -> dict[str, Any]:
    """Intervals of Krippendorff's alpha: % of simulated sets whose interval holds that of all items.

    That is the alpha of 100,000 items answered by as many people alike, or by the same people. A set whose
    alpha is not defined, or has no interval, is not counted.
    """
    rows = []
    for name in ANSWERS:
        for people, items in SIZES:
            share, given = alpha_counts(people, items, sets=SETS, name=name)
            row = {"answers": name, "people": people, "items": items, "sets": given}
            rows.append(row | {"covers_%": percent(share)})
    return {"benchmark": "intervals of alpha", "rows": rows}


def alpha_counts(people: int, items: int, *, sets: int, name: str) -> tuple[float, int]:
    """The share of the intervals that hold the alpha of all items, and how many intervals there are."""
    make, scale = ANSWERS[name]
    draw = np.random.default_rng([people, items])
    true = alpha_of(make(draw, POPULATION, people), scale, interval=False).value or 0.0
    ends = [alpha_of(make(draw, items, people), scale).interval for _ in range(sets)]
    held = [low <= true <= high for low, high in ends if low is not None and high is not None]
    return float(np.mean(held)), len(held)


class Simulated(NamedTuple):
    """An interval of the program, what is drawn for it, and figures of one simulated data set."""

    of: str
    drawn: str
    size: str
    figures: Callable[[Draw], list[Figure]]
    sets: int = SETS
    true: float | None = None  # None for what data sets of that size give in the mean


def run_intervals() -> dict[str, Any]:
    """Intervals of the program: what each draws, and % of simulated data sets whose interval holds the truth.

    That is known, or else what simulated data sets of that size give in the mean.
    """
    return {"benchmark": "intervals", "rows": [*map(_row, _simulations()), *_judges()]}


def _row(simulated: Simulated) -> dict[str, Any]:
    draw = np.random.default_rng(0)
    figures = [figure for _ in range(simulated.sets) for figure in simulated.figures(draw)]
    defined = [figure for figure in figures if figure.value is not None]
    true = np.mean([figure.value for figure in defined]) if simulated.true is None else simulated.true
    ends = np.array([figure.interval for figure in defined if figure.interval != (None, None)])
    low, high = ends.astype(np.float64).T
    return {
        "interval": simulated.of,
        "drawn": simulated.drawn,
        "size": simulated.size,
        "sets": simulated.sets,
        "covers_%": percent(float(((low <= true) & (true <= high)).mean())),
        "above_%": percent(float((low > true).mean())),
        "below_%": percent(float((high < true).mean())),
    }


def _judges() -> Iterator[dict[str, Any]]:
    for of, share in (
        ("mean or difference of judges' answers", wrong(SUMMEVAL, 50, 5)),
        ("difference of strengths", wrong_choices(0.3, 50, 5)),
    ):
        what = {"interval": of, "drawn": "articles and judges (variances)", "size": "50 articles, 5 judges"}
        yield what | {"covers_%": percent(1 - share)}


def _simulations() -> Iterator[Simulated]:
    for count in (10, 30, 100):
        size = f"{count} articles"
        yield Simulated("mean of a metric", "articles", size, partial(_metric, count), true=0.25)
        yield Simulated("difference of two systems", "articles", size, partial(_systems, count), true=0.1)
        yield Simulated("share of numbers", "articles or events", size, partial(_share, count), true=0.8)
    for count in (20, 60):
        size = f"{count} gold groups"
        for name in ("ami", "ari", "pair_f1"):
            yield Simulated(name, "gold groups", size, partial(_grouping, count, name), MANY)
        yield Simulated("F1 of all pairs", "gold groups", size, partial(_all_pairs, count), MANY)
        size = f"{2 * count} headlines"
        for name in ("f1", "average_precision"):
            yield Simulated(
                f"{name} of pairs", "headlines", size, partial(_some_pairs, count, name), MANY // 4
            )
    for count in (40, 120):
        size = f"{count} headlines, 3 people"
        yield Simulated("alpha of groups", "headlines", size, partial(_group_alpha, count), MANY)
    size = "120 headlines, 5 people"
    for name in ("ami", "ari", "pair_f1", "alpha"):
        make = partial(_agreement, name)
        yield Simulated(f"agreement on groups: {name}", "groups and people", size, make, FEW)
    yield Simulated("expected F1 of an annotator", "groups", size, _annotator, FEW)
    yield Simulated("accuracy of a person", "items", "40 items, 5 people", _accuracy, FEW, true=0.8)
    for count, share in ((20, 0.1), (100, 0.02)):
        make = partial(_count, count, share)
        yield Simulated("share of errors", "nothing (Wilson)", f"{count} decisions", make, true=share)


def _metric(count: int, draw: Draw) -> list[Figure]:
    return [Figure.ratio(np.stack([draw.beta(0.5, 1.5, count), np.ones(count)], axis=1), unit="articles")]


def _systems(count: int, draw: Draw) -> list[Figure]:
    quality = draw.beta(0.5, 1.5, count)
    one, other = (np.clip(quality + draw.normal(0, 0.2, count), -9, 9) for _ in range(2))
    sums = bootstrap_sums(np.stack([one + 0.1, other], axis=1) / count)
    gap = float((one + 0.1 - other).mean())
    return [paired_bootstrap(sums[:, 0], sums[:, 1], gap, count=count, units="articles")]


def _share(count: int, draw: Draw) -> list[Figure]:
    """Numbers that are right, 80 % in all and more or fewer in an article."""
    numbers = draw.zipf(2.5, count).clip(1, 30)
    right = draw.binomial(numbers, draw.beta(4, 1, count))
    return [Figure.ratio(np.stack([right, numbers], axis=1).astype(np.float64), unit="articles")]


def _gold(groups: int, draw: Draw) -> IntArray:
    return np.repeat(np.arange(groups), draw.zipf(1.8, groups).clip(1, 15))


def _grouping(groups: int, name: str, draw: Draw) -> list[Figure]:
    gold = _gold(groups, draw)
    made = with_faults(gold, draw, Faults(0.2, 0.2, 0.05))
    return [quality(made, gold, resamples=RESAMPLES).scores[name]]


def _all_pairs(groups: int, draw: Draw) -> list[Figure]:
    """Each pair of headlines is scored; some headlines score high with all others."""
    gold = _gold(groups, draw)
    left, right = np.triu_indices(len(gold), 1)
    labels = gold[left] == gold[right]
    called = _scores(labels, left, right, draw) >= THRESHOLD
    drawn = resampled(labels, called, units_of(left, right, gold))["f1"]
    value = 2 * float((called & labels).sum()) / float(called.sum() + labels.sum())
    return [Figure.resampled(value, drawn, units=groups, unit="groups")]


def _some_pairs(count: int, name: str, draw: Draw) -> list[Figure]:
    """Each headline with three others, and no groups."""
    left = np.repeat(np.arange(2 * count), 3)
    right = (left + np.tile([1, 2, 3], 2 * count)) % (2 * count)
    labels = draw.random(len(left)) < 0.4
    scores = _scores(labels, left, right, draw)
    units = units_of(left, right, np.full(2 * count, -1))
    low, high = pair_intervals(labels, scores, THRESHOLD, units)[name]
    return [Figure(pair_quality(labels, scores, THRESHOLD)[name].value, low=low, high=high)]


def _scores(labels: BoolArray, left: IntArray, right: IntArray, draw: Draw) -> FloatArray:
    own = draw.normal(0, 0.4, int(right.max()) + 1)
    return np.asarray(3 * labels + own[left] + own[right] + draw.normal(0, 0.7, len(left)))


def _group_alpha(count: int, draw: Draw) -> list[Figure]:
    gold, _ = drawn_groups(int(draw.integers(1 << 30)), FAULTS)
    people = np.stack([with_faults(gold[:count], draw) for _ in range(3)], axis=1)
    return [pair_alpha(people, resamples=RESAMPLES)]


def _agreement(name: str, draw: Draw) -> list[Figure]:
    return [_agreements(int(draw.integers(1 << 30)))[name]]


@cache
def _agreements(seed: int) -> dict[str, Figure]:
    _, people = drawn_groups(seed, FAULTS)
    head = "headline", *(f"annot_{at}_group" for at in range(1, people.shape[1] + 1))
    rows = ((f"Headline {at}", *map(str, line)) for at, line in enumerate(people.tolist()))
    return with_intervals(group_agreement(load_text("\n".join(map(",".join, (head, *rows))))))


def _annotator(draw: Draw) -> list[Figure]:
    _, people = drawn_groups(int(draw.integers(1 << 30)), FAULTS)
    return list(gold_groups(people).people[:1])


def _accuracy(draw: Draw) -> list[Figure]:
    truth = draw.random(40) < 0.5
    codes = np.where(draw.random((40, 5)) < 0.8, truth[:, None], ~truth[:, None]).astype(np.int64)
    return list(gold_labels(codes, 2).people)


def _count(total: int, share: float, draw: Draw) -> list[Figure]:
    return [Figure.wilson(int(draw.binomial(total, share)), total)]
