"""What a judge says of the numbers that stood in headlines and of those that were made wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.numerals.checking import Checker
from core.numerals.provenance import CheckedHeadline, CheckedNumeral, Status
from core.runtime import Runtime
from research.benchmark.numerals.measuring import Figures, Scope, ranking
from research.benchmark.numerals.wrong import Wrong
from research.training.numerals.corruptions import Corruption

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

FLAGGED: Final = frozenset({Status.CONTRADICTED, Status.UNSUPPORTED})
"""Verdicts that stop a headline."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What a judge says of one number of each of n headlines.

    Attributes:
        numerals: None where it read nothing at the place.
        support: Probability of support, float64 [n]; NaN where it read nothing.
        flagged: Whether it called the number contradicted or unsupported, bool [n].
    """

    numerals: tuple[CheckedNumeral | None, ...]
    support: FloatArray
    flagged: BoolArray


def judge_all(
    judge: Checker, scope: Scope, wrongs: Sequence[Wrong], runtime: Runtime
) -> tuple[Verdicts, dict[Corruption, Verdicts]]:
    """Checks every headline as it was and as it was made wrong; those of one article one after the other."""
    rows = scope.rows
    asked = [(row, -1, headline) for row, headline in enumerate(rows.headlines)]
    for k, wrong in enumerate(wrongs):
        asked += [
            (row, k, headline) for row, headline in zip(wrong.rows.tolist(), wrong.headlines, strict=True)
        ]
    asked.sort(key=lambda one: one[:2])
    checked = judge.check(
        [headline for _, _, headline in asked], [rows.texts[row] for row, _, _ in asked], runtime
    )
    found: dict[int, list[tuple[int, CheckedHeadline]]] = {k: [] for k in range(-1, len(wrongs))}
    for (row, k, _), one in zip(asked, checked, strict=True):
        found[k].append((row, one))
    found_by = {k: verdicts((rows.starts[row], one) for row, one in pairs) for k, pairs in found.items()}
    return found_by[-1], {wrong.how: found_by[k] for k, wrong in enumerate(wrongs)}


def verdicts(checked: Iterable[tuple[int, CheckedHeadline]]) -> Verdicts:
    """The verdict on the numeral at a place of each headline."""
    numerals = tuple(
        next((n for n in one.numerals if n.numeral.number_start <= start < n.numeral.number_end), None)
        for start, one in checked
    )
    return Verdicts(
        numerals=numerals,
        support=np.array([np.nan if one is None else one.support for one in numerals], dtype=np.float64),
        flagged=np.array([one is not None and one.status in FLAGGED for one in numerals], dtype=np.bool_),
    )


def judged(
    scope: Scope, originals: Verdicts, corrupted: Mapping[Corruption, Verdicts], wrongs: Sequence[Wrong]
) -> Figures:
    """All figures of a judge.

    A number that was not read where it stands counts against the judge: as not supported where the headline
    was right, as supported where it was made wrong. Calibration leaves it out, for nothing was said of it.
    """
    ranked = [[] if one is None else [way.candidate for way in one.derivations] for one in originals.numerals]
    found, alike = ranking(scope, ranked)
    read = ~np.isnan(originals.support)
    found.add(scope.shares("found", read & ~originals.flagged))
    found.add(scope.shares("false_alarm", originals.flagged))
    support = np.nan_to_num(originals.support, nan=0.0)
    for wrong in wrongs:
        said = corrupted[wrong.how]
        found.add(scope.areas(support, np.nan_to_num(said.support, nan=1.0), wrong))
        found.add(scope.shares(f"flagged {wrong.how}", said.flagged, at=wrong.rows))
    found.add(scope.probabilities("support", *even_mixture(originals, corrupted, wrongs, seed=scope.seed)))
    found.add(scope.probabilities("derivation", *_first_derivations(originals, alike)))
    return found


def even_mixture(
    originals: Verdicts, corrupted: Mapping[Corruption, Verdicts], wrongs: Sequence[Wrong], *, seed: int
) -> tuple[BoolArray, FloatArray]:
    """As many right numbers as wrong ones: of each row that could be made wrong, one wrong number, drawn.

    Returns:
        Whether each number is right, bool [m], and its support, float64 [m].
    """
    choices: dict[int, list[float]] = {}
    for wrong in wrongs:
        for row, support in zip(wrong.rows.tolist(), corrupted[wrong.how].support.tolist(), strict=True):
            choices.setdefault(row, []).append(support)
    generator = np.random.default_rng(seed)
    rows = sorted(choices)
    drawn = np.array([choices[row][generator.integers(len(choices[row]))] for row in rows], dtype=np.float64)
    said = np.concatenate([originals.support[rows], drawn])
    labels = np.concatenate([np.ones(len(rows)), np.zeros(len(rows))]).astype(np.bool_)
    return labels[~np.isnan(said)], said[~np.isnan(said)]


def _first_derivations(originals: Verdicts, alike: BoolArray) -> tuple[BoolArray, FloatArray]:
    rows = [row for row, one in enumerate(originals.numerals) if one is not None and one.derivations]
    said = [
        one.derivations[0].probability for one in originals.numerals if one is not None and one.derivations
    ]
    return alike[rows], np.array(said, dtype=np.float64)
