"""How often selectors choose the headline that people chose: weighted accuracy on judged pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.selection_sets.verdicts import SelectionSet, Verdict
from core.headlines.selection.metrics import best_margin, chosen, resampled_accuracy, worth
from core.headlines.selection.selector import Choices, Selector, headline_selectors
from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import encoders
from core.models.weights import weights_told
from core.parts import Part
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray
from core.statistics.figure import Figure
from core.statistics.paired import holm, paired_bootstrap

FloatArray = npt.NDArray[np.float64]

ENCODER: Final = "use_multilingual.v1"
"""The task's headlines are Russian; its baseline reads them with this encoder."""
FLOOR: Final = "longest.v1"
"""The strongest selector that learns nothing; the others are compared with it."""
SELECTORS: Final = (
    "medoid.v1",
    "longest.v1",
    "most_recent.v1",
    "catboost.v1|model:headline_selector",
    "catboost.v1|model:headline_selector_use",
    "guidelines.v1|base:(catboost.v1|model:headline_selector)",
    "guidelines.v1|base:(catboost.v1|model:headline_selector_use)",
)
LEFT: Final = "always the left one"
MOST_FREQUENT: Final = "most frequent answer"
"""Rows that look at no headline: a figure says something only as far as it is above theirs."""
SPLITS: Final[Mapping[str, tuple[str, ...]]] = {
    "public": ("0527",),
    "private": ("0529",),
    "test": ("0527", "0529"),
}
"""The task's two test files, and both together."""


@dataclass(frozen=True, slots=True)
class SelectorRow:
    """What was measured of one selector.

    Attributes:
        selector: Full signature with that of its weights, or `LEFT` or `MOST_FREQUENT`.
        margin: Difference of scores up to which a draw was called; chosen on validation pairs.
        cells: Weighted accuracy by split, `count` pairs each: "validation", "public", "private", "test".
        gain: Accuracy on both test files minus that of `FLOOR`, with its test; None where it is that one.
        corrected: The p-value by Holm over the rows of the table; None where nothing was tested.
        family: How many tests these are; 0 where nothing was tested.
        why_not: Why there are no figures; "" where there are.
    """

    selector: str
    margin: float
    cells: Mapping[str, Figure]
    gain: Figure | None = None
    corrected: float | None = None
    family: int = 0
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class SelectionBenchmark:
    """The table.

    Attributes:
        rows: One a selector, in the order in which they were asked for.
        pairs: Counting pairs of each split.
        headlines: With text.
        pseudo: The headlines were rebuilt from addresses.
        without_text: Judged pairs that lack a headline.
    """

    rows: tuple[SelectorRow, ...]
    pairs: Mapping[str, int]
    headlines: int
    pseudo: bool
    without_text: int


def measure(
    given: SelectionSet, runtime: Runtime, *, selectors: Sequence[str] = SELECTORS
) -> SelectionBenchmark:
    """Ranks the headlines of every event with every selector, and compares with what people chose."""
    splits = {"validation": given.pairs(parts=[Part.VALIDATION])}
    splits |= {name: given.pairs(files=files) for name, files in SPLITS.items()}
    vectors = encode_cached(given.texts, encoders.parse(ENCODER), runtime)
    bench = _Bench(given, vectors, splits, runtime)
    floor = bench.worths(*bench.scored(FLOOR))
    counted = {name: int((~np.isnan(values)).sum()) for name, values in floor.items()}
    rows = [bench.row(selector, floor["test"]) for selector in selectors]
    rows += [bench.constant(name, floor["test"]) for name in (LEFT, MOST_FREQUENT)]
    return SelectionBenchmark(
        _corrected(rows),
        counted,
        len(given.texts),
        bool(given.pseudo.any()),
        given.without_text,
    )


def scores_of(given: SelectionSet, vectors: Float32Array, selector: Selector, runtime: Runtime) -> FloatArray:
    """The selector's score of every headline of a set, float64 [n]; comparable within an event."""
    scores = np.zeros(len(given.texts))
    for rows in runtime.track(given.members(), "Ranking headlines"):
        texts = [given.texts[row] for row in rows]
        scores[rows] = selector.rank(Choices(texts, given.days[rows], vectors[rows])).scores
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class _Bench:
    given: SelectionSet
    vectors: Float32Array
    splits: Mapping[str, IntArray]
    runtime: Runtime

    def scored(self, selector: str) -> tuple[FloatArray, float]:
        loaded = headline_selectors.parse(selector).build(self.runtime)
        scores = scores_of(self.given, self.vectors, loaded, self.runtime)
        return scores, best_margin(self.given, scores)

    def worths(self, scores: FloatArray, margin: float) -> dict[str, FloatArray]:
        gaps = scores[self.given.left] - scores[self.given.right]
        return {
            name: worth([self.given.verdicts[row] for row in rows], chosen(gaps[rows], margin))
            for name, rows in self.splits.items()
        }

    def row(self, selector: str, floor: FloatArray) -> SelectorRow:
        recipe = headline_selectors.parse(selector)
        signature = " · ".join([headline_selectors.signature(recipe), *weights_told(recipe)])
        scores, margin = self.scored(selector)
        if (scores[self.given.left] == scores[self.given.right]).all():
            why = "It cannot tell the headlines apart: only their day is known."
            return SelectorRow(signature, margin, {}, why_not=why)
        return self._compared(signature, margin, self.worths(scores, margin), floor)

    def constant(self, name: str, floor: FloatArray) -> SelectorRow:
        said = {split: [self.given.verdicts[row] for row in rows] for split, rows in self.splits.items()}
        answer = Verdict.LEFT
        if name == MOST_FREQUENT:
            counts = Counter(verdict for verdict in said["validation"] if verdict is not Verdict.BAD)
            answer = max((Verdict.LEFT, Verdict.DRAW, Verdict.RIGHT), key=lambda one: counts[one])
        values = {split: worth(one, [answer] * len(one)) for split, one in said.items()}
        return self._compared(name, 0.0, values, floor)

    def _compared(
        self, name: str, margin: float, values: Mapping[str, FloatArray], floor: FloatArray
    ) -> SelectorRow:
        events = {name: self.given.groups[self.given.left[rows]] for name, rows in self.splits.items()}
        cells = {name: _accuracy(values[name], events[name]) for name in self.splits}
        if np.array_equal(values["test"], floor, equal_nan=True):
            return SelectorRow(name, margin, cells)
        ahead = paired_bootstrap(
            resampled_accuracy(values["test"], events["test"]),
            resampled_accuracy(floor, events["test"]),
            _difference(values["test"], floor),
            count=len(np.unique(events["test"][~np.isnan(floor)])),
            units="events",
        )
        return SelectorRow(name, margin, cells, ahead)


def _corrected(rows: Sequence[SelectorRow]) -> tuple[SelectorRow, ...]:
    tested = [row.gain.p if row.gain else None for row in rows]
    family = sum(p is not None for p in tested)
    return tuple(
        row if p is None else replace(row, corrected=p, family=family)
        for row, p in zip(rows, holm(tested), strict=True)
    )


def _difference(one: FloatArray, other: FloatArray) -> float | None:
    gaps = (one - other)[~np.isnan(other)]
    return float(gaps.mean()) if len(gaps) else None


def _accuracy(values: FloatArray, events: IntArray) -> Figure:
    counted = ~np.isnan(values)
    return Figure.resampled(
        float(values[counted].mean()) if counted.any() else None,
        lambda: resampled_accuracy(values, events),
        units=len(np.unique(events[counted])),
        unit="events",
        count=int(counted.sum()),
        reason="no pair has a verdict but bad",
    )
