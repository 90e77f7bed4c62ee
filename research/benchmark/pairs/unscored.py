"""Rows without scores: people, by their own groups or votes, and one answer for every pair."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.arrays import IntArray
from core.data.pair_sets.pair_set import SAME
from core.errors import InputError
from core.pairs.metrics.scores import Units
from core.parts import Part
from core.runtime import data_folder
from core.statistics.bootstrap import Figure
from research.benchmark.pairs.evaluate import Evaluated, PairSettings, measure
from research.benchmark.pairs.rows import ALWAYS_YES, PairSystem
from research.benchmark.pairs.sets import MeasuredSet, PairCell, PairSetFacts

VOTES, VOTES_NAME = "dialogue2021_votes", "Dialogue 2021 votes"
"""Key and name of the raw votes of the Dialogue 2021 shared task."""

_FILE = Path("ru_news_dialogue2021", "data__clustering__raw_toloka_answers__assignments_0529_full_cut.tsv")
_SAID = {"OK": 1, "BAD": 0}
_PEOPLE = "people say yes or no, so there is no order of scores"
_CONSTANT = "one answer for every pair has no scores"
_OF_SCORES = ("average_precision", "roc_auc", "calibration_error", "calibrated_error", "brier")


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Votes on pairs, each with what the other people said of the same pair.

    Attributes:
        others: What most of the others said, int64 [v].
    """

    pair: IntArray
    said: IntArray
    others: IntArray
    workers: int
    pairs: int
    tied: int


def people_on_set(data: MeasuredSet, row: PairSystem, settings: PairSettings) -> Evaluated:
    """Each annotator's own groups against the gold labels, all annotators taken together.

    The gold groups were made from these people's groups, so this is an upper bound: the paper's figure
    is of a sixth person, who had no part in them.
    """
    test = data.test
    answered = (test.annotators[test.left] >= 0) & (test.annotators[test.right] >= 0)
    pair, person = np.nonzero(answered)
    left, right = test.left[pair], test.right[pair]
    same = test.annotators[left, person] == test.annotators[right, person]
    units = Units(data.units.name, data.units.left[pair], data.units.right[pair], data.units.count)
    cell = _cell(
        data.facts,
        row,
        test.labels[pair],
        same.astype(np.int64),
        units=units,
        settings=settings,
        note=f"Answers of {data.facts.annotated} people, each against the gold that all of them made.",
    )
    places = np.unique(pair).astype(np.int64)
    majority = np.bincount(pair, weights=same, minlength=len(test)) / np.maximum(answered.sum(axis=1), 1)
    scores = majority[places].astype(np.float32)
    return Evaluated(cell, None, places, scores, scores >= 0.5)


def find_votes() -> Path | None:
    file = data_folder() / _FILE
    return file if file.is_file() else None


def read_votes(path: Path) -> Votes:
    """Reads raw votes; a person's later vote on the same pair replaces the earlier."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    said: dict[tuple[tuple[str, str], str], int] = {}
    try:
        for row in rows:
            one, other = sorted((row["INPUT:first_url"], row["INPUT:second_url"]))
            said[(one, other), row["ASSIGNMENT:worker_id"]] = _SAID[row["OUTPUT:quality"]]
    except KeyError as error:
        raise InputError(
            f"{path.name} is not a file of raw votes: there is no {error.args[0]!r}.",
            hint="Take the shared task's file of raw answers as it was published.",
        ) from None
    return _against_others(said)


def people_on_votes(votes: Votes, row: PairSystem, settings: PairSettings) -> tuple[PairSetFacts, PairCell]:
    """Each vote against the majority of the other people, as a set of its own.

    It is about labels only: the shared task published addresses and votes, no texts, so no scorer
    can run on these pairs. Intervals resample pairs.
    """
    facts = PairSetFacts(
        key=VOTES,
        name=VOTES_NAME,
        about=f"{len(votes.said) + votes.tied:,} votes of {votes.workers} people on {votes.pairs:,} pairs "
        "of Russian news. Licence: none stated.",
        pairs={"test": votes.pairs},
        count=votes.pairs,
        whole=votes.pairs,
        language="ru",
        unit="pairs",
        units=votes.pairs,
        notes=(
            "Labels only: the texts are not published, so no scorer can run here.",
            f"{votes.tied:,} votes are left out because the others were split evenly.",
        ),
    )
    units = Units("pairs", votes.pair, votes.pair, votes.pairs).only(np.ones(len(votes.pair), dtype=np.bool_))
    note = "Each vote against what most of the others said of the same pair."
    return facts, _cell(facts, row, votes.others, votes.said, units=units, settings=settings, note=note)


def one_answer(data: MeasuredSet, row: PairSystem, settings: PairSettings) -> Evaluated:
    """Every test pair answered alike: "same", or what is most frequent in the other parts of the set.

    A set that has no other part gives its own most frequent answer, which no system can know.
    """
    test = data.test
    others = data.pairs.labels[data.pairs.pair_parts != Part.TEST]
    seen, chosen_on = (others, "its training and validation pairs") if len(others) else (test.labels, "test")
    chosen = row.key != ALWAYS_YES
    same = not chosen or 2 * int((seen == SAME).sum()) > len(seen)
    word = "same" if same else "different"
    called = np.full(len(test), same)
    cell = _cell(
        data.facts,
        row,
        test.labels,
        called.astype(np.int64),
        units=data.units,
        settings=settings,
        who=f"{row.key}: {word}",
        undefined=_CONSTANT,
        chosen_on=chosen_on if chosen else "nothing",
        note=f"It says “{word}” of every pair." if chosen else "",
    )
    return Evaluated(cell, None, np.arange(len(test)), called.astype(np.float32), called)


def _against_others(said: dict[tuple[tuple[str, str], str], int]) -> Votes:
    total: Counter[tuple[str, str]] = Counter()
    same: Counter[tuple[str, str]] = Counter()
    for (pair, _), vote in said.items():
        total[pair] += 1
        same[pair] += vote
    numbers = {pair: number for number, pair in enumerate(total)}
    kept = [
        (numbers[pair], vote, int(2 * (same[pair] - vote) > total[pair] - 1))
        for (pair, _), vote in said.items()
        if 2 * (same[pair] - vote) != total[pair] - 1
    ]
    columns = np.array(kept, dtype=np.int64).reshape(-1, 3)
    return Votes(
        pair=columns[:, 0],
        said=columns[:, 1],
        others=columns[:, 2],
        workers=len({worker for _, worker in said}),
        pairs=len(numbers),
        tied=len(said) - len(kept),
    )


def _cell(
    facts: PairSetFacts,
    row: PairSystem,
    labels: IntArray,
    said: IntArray,
    *,
    units: Units,
    settings: PairSettings,
    note: str,
    who: str = "people",
    undefined: str = _PEOPLE,
    chosen_on: str = "nothing: people answer yes or no",
) -> PairCell:
    figures, counts = measure(labels, said.astype(np.float32), 0.5, units, settings)
    return PairCell(
        set=facts.key,
        system=row.key,
        signature=f"{who} · data:{facts.fingerprint or facts.key} · seed:{settings.seed} · "
        f"resamples:{settings.resamples}",
        figures=figures | dict.fromkeys(_OF_SCORES, Figure(None, undefined)),
        counts=counts,
        chosen_on=chosen_on,
        count=facts.count,
        whole=facts.count,
        notes=(note,) if note else (),
    )
