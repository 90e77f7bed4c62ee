"""How often selectors choose the headline that people chose: weighted accuracy on judged pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.data.selection_sets import SelectionSet, Verdict
from core.headlines.selection import Choices, Selector, headline_selectors
from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import encoders
from core.models.weights import weights_told
from core.parts import Part
from core.results.render import markdown
from core.results.table import NOTHING, footnotes, marked, percent, spanned
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES, Figure, bootstrap_sums, holm, paired_bootstrap

_SIDES = {Verdict.LEFT: 1.0, Verdict.DRAW: 0.0, Verdict.RIGHT: -1.0}


def worth(said: Sequence[Verdict], chosen: Sequence[Verdict]) -> FloatArray:
    """What each choice is worth, float64 [m]: 0, 0.5 or 1; NaN where people said "bad"."""
    people = np.array([_SIDES.get(one, np.nan) for one in said], dtype=np.float64)
    system = np.array([_SIDES[one] for one in chosen], dtype=np.float64)
    return np.asarray(1 - np.abs(people - system) / 2, dtype=np.float64)


def weighted_accuracy(said: Sequence[Verdict], chosen: Sequence[Verdict]) -> float | None:
    """Mean worth of the choices, 0 to 1; None where no pair has another verdict than "bad"."""
    values = worth(said, chosen)
    counted = values[~np.isnan(values)]
    return float(counted.mean()) if len(counted) else None


def resampled_accuracy(values: FloatArray, groups: IntArray) -> FloatArray:
    """Weighted accuracy in each resample of the groups, float64 [`RESAMPLES`]; NaN where undefined.

    Pairs of one event share headlines, so events are drawn and not pairs. The same groups draw
    the same resamples: two systems can be compared draw by draw.
    """
    counted = ~np.isnan(values)
    _, places = np.unique(groups[counted], return_inverse=True)
    sums = np.bincount(places, weights=values[counted])
    counts = np.bincount(places)
    if not len(counts):
        return np.full(RESAMPLES, np.nan)
    drawn = bootstrap_sums(np.column_stack([sums, counts]), resamples=RESAMPLES, seed=0)
    return drawn[:, 0] / drawn[:, 1]


def chosen(gaps: FloatArray, margin: float) -> list[Verdict]:
    """What is chosen for each difference of scores, left minus right; a draw up to the margin."""
    return [
        Verdict.DRAW if abs(gap) <= margin else Verdict.LEFT if gap > 0 else Verdict.RIGHT
        for gap in gaps.tolist()
    ]


def best_margin(given: SelectionSet, scores: FloatArray) -> float:
    """The difference of scores up to which a draw is best called, by weighted accuracy on validation pairs.

    Among 0 and the smallest third of the differences there; the smallest of equals. 0 without validation
    pairs.
    """
    rows = given.pairs(parts=[Part.VALIDATION])
    said = [given.verdicts[row] for row in rows]
    gaps = scores[given.left[rows]] - scores[given.right[rows]]
    if not len(gaps):
        return 0.0
    margins = np.unique(np.append(np.quantile(np.abs(gaps), np.linspace(0, 1 / 3, 34)), 0.0)).tolist()
    return float(max(margins, key=lambda m: (weighted_accuracy(said, chosen(gaps, m)) or 0.0, -m)))


ENCODER: Final = "e5_small.v1"
"""The task's headlines are Russian; its baseline reads them with a multilingual encoder."""
FLOOR: Final = "longest.v1"
"""The strongest selector that learns nothing; the others are compared with it."""
SELECTORS: Final = (
    "medoid.v1",
    "longest.v1",
    "most_recent.v1",
    "catboost.v1|model:headline_selector",
    "catboost.v1|model:headline_selector_e5",
    "guidelines.v1|base:(catboost.v1|model:headline_selector)",
    "guidelines.v1|base:(catboost.v1|model:headline_selector_e5)",
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
    selector: str  # full signature with that of its weights, or `LEFT` or `MOST_FREQUENT`
    margin: float  # difference of scores up to which a draw was called; chosen on validation pairs
    # weighted accuracy by split, `count` pairs each: "validation", "public", "private", "test"
    cells: Mapping[str, Figure]
    # accuracy on both test files minus that of `FLOOR`, with its test; None where it is that one
    gain: Figure | None = None
    # the p-value by Holm over the rows of the table; None where nothing was tested
    corrected: float | None = None
    family: int = 0  # how many tests these are; 0 where nothing was tested
    why_not: str = ""  # why there are no figures; "" where there are


@dataclass(frozen=True, slots=True)
class SelectionBenchmark:
    rows: tuple[SelectorRow, ...]  # one a selector, in the order in which they were asked for
    pairs: Mapping[str, int]  # counting pairs of each split
    headlines: int  # with text
    pseudo: bool  # the headlines were rebuilt from addresses
    without_text: int  # judged pairs that lack a headline


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


# The copy of the paper that was read gives one figure for the best submission and not on which file.
PAPER: Final = (
    ("Dialogue 2021: USE + CatBoost, the baseline", "81.0 ± 1.5", "81.2 ± 0.5", "81.1 ± 0.4"),
    ("Dialogue 2021: best submission", None, "85.4 on one of the two", None),
)
"""Weighted accuracy on real headlines, in percent (sections 4.2 and 4.3): validation, public, private.
"""

HEAD: Final = (
    "selector",
    "validation",
    "public (27 May)",
    "private (29 May)",
    "both test files",
    "against longest",
)


def as_markdown(found: SelectionBenchmark, *, paper: bool = True) -> str:
    rows = [(row.selector, *_cells(row)) for row in found.rows]
    if paper:
        rows += [(name, *(cell or NOTHING for cell in cells), NOTHING, NOTHING) for name, *cells in PAPER]
    warnings = footnotes(cell.warning for row in found.rows for cell in row.cells.values())
    return "\n\n".join([markdown([HEAD, *rows]), about(found), *warnings]) + "\n"


def about(found: SelectionBenchmark) -> str:
    counted = ", ".join(f"{name} {count:,}" for name, count in found.pairs.items())
    tested = max((row.family for row in found.rows), default=0)
    texts = (
        "Headlines were rebuilt from addresses (pseudo-headlines), not read: the figures are no replication "
        "of the paper's, which are on real ones."
        if found.pseudo
        else "Headlines are those of the documents that were given."
    )
    return (
        f"Weighted accuracy in percent with 95 % intervals over events. {texts} Pairs that count: {counted}; "
        f"{found.without_text:,} judged pairs lack the text of a headline. A draw is called where scores "
        "differ by no more than a margin, the best one on validation pairs. p (Holm): two-sided paired "
        f"bootstrap against the longest, corrected for the {tested} comparisons of the table."
    )


def figures(row: SelectorRow) -> dict[str, Any]:
    # A bar would end the cell of a table.
    name = row.selector.replace("|", " · ")
    heads = (head.partition(" (")[0].replace(" ", "_") for head in HEAD[1:])
    return {"selector": name, **dict(zip(heads, _cells(row), strict=True))}


def _cells(row: SelectorRow) -> tuple[str, ...]:
    if row.why_not:
        return (row.why_not, *[NOTHING] * 4)
    cells = (row.cells[name] for name in ("validation", "public", "private", "test"))
    shown = ("undefined" if one.value is None else spanned(one, percent()) for one in cells)
    return (*shown, _gain(row))


def _gain(row: SelectorRow) -> str:
    if row.gain is None or row.gain.low is None:
        return NOTHING
    span = spanned(replace(row.gain, warning=""), lambda value: f"{100 * value:+.1f}")
    if row.corrected is None:
        return marked(span, row.cells["test"].warning)
    p = "p (Holm) < 0.001" if row.corrected < 0.001 else f"p (Holm) = {row.corrected:.3f}"
    return f"{span}, {p}"
