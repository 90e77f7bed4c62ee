"""How many answers routing saves."""

import os
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.data.pair_sets.annotated import timeline_groups
from core.data.pair_sets.simulated import FAULTS, Faults, with_faults, with_simulated
from core.data.timelines.load import load_path
from core.data.timelines.samples import FOLDER
from core.groups.quality import quality
from core.people.gold import gold_groups, telling, telling_headlines
from core.people.vote_files import read_votes
from core.people.votes import consensus
from core.people.voting import SKILLS
from core.statistics.dawid_skene import posterior

SEEDS: Final = 20
FEW, MANY = 3, 5  # answers to each item, whatever they are
STEPS: Final = np.arange(1.0, 5.001, 0.05)  # answers an item
POOR: Final = (0.95, 0.9, 0.8, 0.7, 0.6)
VOTES: Final = "ru_news_dialogue2021/data__clustering__raw_toloka_answers__assignments_0529_full_cut.tsv"


def run_routing() -> dict[str, Any]:
    """How many answers routing saves: until all is settled, and for as many right labels as three each give.

    People come in turn and give some answers each, to the items of which theirs tell most; items that are
    settled are not asked again. A fixed number of answers is decided by the same posterior, so that routing
    alone makes the difference. Right is the known label, or for recorded votes that of the majority of all.
    Intervals are 95 % over seeds, which draw answers and the order of people (of recorded votes the order).
    """
    rows = []
    for name, (problem, seeds, at_once) in problems().items():
        runs = [one_run(*problem(seed), seed, at_once) for seed in range(seeds)]
        curves, ends, few, many = (np.array(column) for column in zip(*runs, strict=True))
        drawn = np.random.default_rng(0).integers(0, seeds, (1000, seeds))
        for_few = [_saved(curves[own], few[own], FEW) for own in (np.arange(seeds), *drawn)]
        rows.append(
            {
                "data": name,
                "right_of_three_%": _percent(few.mean()),
                "right_of_five_%": _percent(many.mean()),
                "right_routed_%": _percent(curves[:, -1].mean()),
                "less_five_%": _ends((curves[:, -1] - many)[drawn].mean(axis=1)),
                "answers_an_item": round(float(ends.mean()), 2),
                "fewer_than_five_%": _percent(1 - ends.mean() / MANY),
                "fewer_%": _ends(1 - ends[drawn].mean(axis=1) / MANY),
                "fewer_than_three_for_as_many_right_%": _percent(for_few[0]),
                "as_many_right_%": _ends(np.array(for_few[1:])),
            }
        )
    return {"benchmark": "routing", "rows": rows, "headlines": headline_routing()}


def headline_routing() -> list[dict[str, Any]]:
    """The same of whole headlines: five people in turn place what tells most, until nothing does.

    Everybody groups a whole timeline otherwise. F1 is that of the pairs of the groups of highest expected F1
    with the gold groups; intervals are 95 % over seeds.
    """

    def f1(people: Any, gold: Any) -> float:
        score = quality(gold_groups(people, resamples=0).groups, gold.tolist()).scores["pair_f1"].value
        return 100 * float(score or 0)

    rows = []
    problems = {
        "simulated, usual faults": (drawn_groups, FAULTS),
        "simulated, few faults": (drawn_groups, Faults(0.05, 0.03, 0.02)),
        "simulated, many faults": (drawn_groups, Faults(0.3, 0.2, 0.1)),
        "iss, five simulated annotators": (iss_groups, FAULTS),
    }
    for name, (problem, faults) in problems.items():
        runs = []
        for seed in range(SEEDS):
            gold, people = problem(seed, faults)
            given = np.full_like(people, -1)
            for person in [*range(MANY), *range(MANY)]:
                while ask := telling_headlines(given, person)[:3]:
                    given[ask, person] = people[ask, person]
            whole = [f1(people[:, :count], gold) for count in range(2, MANY + 1)]
            runs.append(((given >= 0).mean() * MANY, f1(given, gold), *whole))
        ends, routed, *whole = np.array(runs).T
        draws = np.random.default_rng(0).integers(0, SEEDS, (1000, SEEDS))
        means = [fixed.mean() for fixed in whole]
        enough = float(np.interp(routed.mean(), np.maximum.accumulate(means), range(2, MANY + 1)))
        rows.append(
            {
                "data": name,
                "answers_a_headline": round(float(ends.mean()), 2),
                "fewer_than_five_%": _percent(1 - ends.mean() / MANY),
                "fewer_%": _ends(1 - ends[draws].mean(axis=1) / MANY),
                "f1_routed": round(float(routed.mean()), 2),
                "f1_of_two_to_five": [round(float(mean), 2) for mean in means],
                "less_five": [
                    round(end, 2)
                    for end in np.percentile((routed - whole[-1])[draws].mean(axis=1), (2.5, 97.5))
                ],
                "fewer_for_the_same_f1_%": _percent(1 - ends.mean() / enough),
            }
        )
    return rows


def drawn_groups(seed: int, faults: Any) -> tuple[Any, Any]:
    draw, sizes = np.random.default_rng(seed), list[int]()
    while sum(sizes) < 120:
        sizes.append(min(int(draw.zipf(1.8)), 15))
    gold = np.repeat(np.arange(len(sizes)), sizes)[:120]
    gold = gold[np.argsort(np.arange(120) + draw.normal(0, 8, 120), kind="stable")]
    return gold, np.stack([with_faults(gold, draw, faults) for _ in range(MANY)], axis=1)


def iss_groups(seed: int, faults: Any) -> tuple[Any, Any]:
    gold, people, days = iss(seed)
    order = np.argsort(days, kind="stable")
    return gold[order], people[order]


def _percent(share: float) -> float:
    return round(100 * float(share), 2)


def _ends(values: Any) -> list[float]:
    return [_percent(end) for end in np.percentile(values, (2.5, 97.5))]


def _saved(routed: Any, fixed: Any, count: int) -> float:
    """The share of the answers that is saved where the mean curve first is as high; 0 where it never is."""
    high = np.flatnonzero(routed.mean(axis=0) >= fixed.mean() - 1e-9)
    return 1 - float(STEPS[high[0]]) / count if len(high) else 0.0


def problems() -> dict[str, Any]:
    """Answers, int64 [items, people], -1 for none, and right labels, -1 for unknown, by a seed.

    With each go the number of seeds and of answers that a person gives before another comes.
    """
    found: dict[str, Any] = {
        "simulated, 3 to 15 % wrong": (lambda seed: simulated(SKILLS, seed), SEEDS, 10),
        "simulated, 5 to 40 % wrong": (lambda seed: simulated(POOR, seed), SEEDS, 10),
        "iss, five simulated annotators": (annotated, SEEDS, 10),
    }
    path = Path(os.environ.get("HEADLINE_LAB_DATA", "")) / VOTES
    if path.exists():
        table = recorded(path)
        found["dialogue2021, votes of 66 people"] = (lambda seed: table, 3, 40)
    return found


def simulated(skills: tuple[float, ...], seed: int) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    right = (draw.random(300) < 0.4).astype(np.int64)
    wrong = draw.random((300, len(skills))) >= np.array(skills)
    return np.where(wrong, 1 - right[:, None], right[:, None]), right


def iss(seed: int) -> tuple[Any, Any, Any]:
    timeline = with_simulated(load_path(FOLDER / "iss" / "iss_excerpt.csv", name="iss"), 5, seed=seed)
    return (*timeline_groups(timeline), timeline.days)


def annotated(seed: int) -> tuple[Any, Any]:
    gold, people, days = iss(seed)
    left, right = np.triu_indices(len(gold), 1)
    near = np.abs(days[left] - days[right]) <= 4
    left, right = left[near], right[near]
    return (people[left] == people[right]).astype(np.int64), (gold[left] == gold[right]).astype(np.int64)


def recorded(path: Path) -> tuple[Any, Any]:
    votes = read_votes(path.read_bytes(), path.name, items=("INPUT:first_url", "INPUT:second_url"))
    places = {answer: at for at, answer in enumerate(votes.answers)}
    labels = consensus(votes).labels
    return votes.codes, np.array([places.get(label, -1) for label in labels])


def one_run(table: Any, right: Any, seed: int, at_once: int) -> tuple[Any, float, float, float]:
    """Share of right labels at each step, answers an item in the end, that share for both fixed numbers."""
    draw = np.random.default_rng([seed, 1])
    answers, known = int(table.max()) + 1, right >= 0

    def share(codes: Any) -> float:
        return float((posterior(codes, answers).labels.argmax(axis=1) == right)[known].mean())

    order = np.where(table >= 0, draw.random(table.shape), 2.0).argsort(axis=1).argsort(axis=1)
    few, many = (share(np.where(order < count, table, -1)) for count in (FEW, MANY))
    codes, curve = np.full_like(table, -1), {0.0: 0.0}
    waiting = True
    while waiting:
        waiting = False
        for person in draw.permutation(table.shape[1]).tolist():
            free = [row for row in telling(codes, answers, person) if table[row, person] >= 0][:at_once]
            codes[free, person] = table[free, person]
            waiting |= bool(free)
        curve[float((codes >= 0).sum() / len(codes))] = share(codes)
    steps = np.array(list(curve))
    reached = np.array(list(curve.values()))
    return reached[np.searchsorted(steps, STEPS, side="right") - 1], float(steps[-1]), few, many
