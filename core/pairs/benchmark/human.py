"""People as a row: how often their own groups or votes agree with gold, or with each other."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.pair_set import PairSet
from core.errors import InputError
from core.pairs.benchmark.evaluate import Evaluated, measure
from core.pairs.benchmark.results import Cell, SetFacts
from core.pairs.benchmark.rows import Row
from core.pairs.benchmark.sets import Measured
from core.pairs.benchmark.tuning import Settings
from core.pairs.metrics.intervals import Units
from core.runtime import data_folder
from core.statistics.figure import Figure

IntArray = npt.NDArray[np.int64]

VOTES = "dialogue2021_votes"
"""Key of the raw votes of the Dialogue 2021 shared task."""

_FILE = Path("ru_news_dialogue2021", "data__clustering__raw_toloka_answers__assignments_0529_full_cut.tsv")
_SAID = {"OK": 1, "BAD": 0}
_UNDEFINED = "people say yes or no, so there is no order of scores"
_ORDER = ("average_precision", "roc_auc", "calibration_error", "calibrated_error", "brier")


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Votes on pairs, each with what the other people said of the same pair.

    Attributes:
        pair: Pair of each vote, int64 [v], from 0.
        said: 1 the same event, 0 not, int64 [v].
        others: What most of the others said, int64 [v].
        workers: How many people voted.
        pairs: How many pairs were voted on.
        tied: Votes that are left out because the others were split evenly or nobody else voted.
    """

    pair: IntArray
    said: IntArray
    others: IntArray
    workers: int
    pairs: int
    tied: int


def people_on_set(data: Measured, row: Row, settings: Settings) -> Evaluated:
    """Each annotator's own groups against the gold labels, all annotators taken together.

    The gold groups were made from these people's groups, so this is an upper bound: the paper's figure
    is of a sixth person, who had no part in them.

    Args:
        data: A set with annotators.
        row: The row of people.
        settings: Seed and resamples.
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
    """The file of raw votes, None where it is not on this machine."""
    file = data_folder() / _FILE
    return file if file.is_file() else None


def read_votes(path: Path) -> Votes:
    """Reads raw votes; a person's later vote on the same pair replaces the earlier.

    Raises:
        InputError: It is no file of votes.
    """
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


def people_on_votes(votes: Votes, row: Row, settings: Settings) -> tuple[SetFacts, Cell]:
    """Each vote against the majority of the other people, as a set of its own.

    It is about labels only: the shared task published addresses and votes, no texts, so no scorer
    can run on these pairs. Intervals resample pairs.
    """
    facts = SetFacts(
        key=VOTES,
        name="Dialogue 2021 votes",
        summary=f"{len(votes.said) + votes.tied:,} votes of {votes.workers} people on {votes.pairs:,} pairs "
        "of Russian news. Licence: none stated.",
        pairs={"test": votes.pairs},
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


def annotated(pairs: PairSet) -> bool:
    """Whether people's own groups come with a set."""
    return bool(pairs.annotators.size)


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
    facts: SetFacts,
    row: Row,
    labels: IntArray,
    said: IntArray,
    *,
    units: Units,
    settings: Settings,
    note: str,
) -> Cell:
    figures, counts = measure(labels, said.astype(np.float32), 0.5, units, settings)
    undefined: Iterable[tuple[str, Figure]] = ((name, Figure(None, _UNDEFINED)) for name in _ORDER)
    return Cell(
        set=facts.key,
        row=row.key,
        signature=f"people · data:{facts.fingerprint or facts.key} · seed:{settings.seed} · "
        f"resamples:{settings.resamples}",
        figures=figures | dict(undefined),
        counts=counts,
        chosen_on="nothing: people answer yes or no",
        pairs=facts.pairs.get("test", 0),
        pairs_of=facts.pairs.get("test", 0),
        notes=(note,),
    )
