"""How often headline selectors choose as people did."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.dialogue2021 import SelectionSet, Verdict
from core.headlines import selection
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.models.weights import weights_signature
from core.parts import Part
from core.results.number_forms import NOTHING, footnotes, marked, percent, spanned
from core.results.text_tables import markdown
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES, Figure, bootstrap_sums, holm, paired_bootstrap

_SIDES = {Verdict.LEFT: 1.0, Verdict.DRAW: 0.0, Verdict.RIGHT: -1.0}
ENCODER: Final = "e5_small.v1"  # the task's headlines are Russian; its baseline reads them multilingually
FLOOR: Final = "longest.v1"  # the strongest selector that learns nothing; the others are compared with it
_TREES: Final = ("catboost.v1|model:headline_selector", "catboost.v1|model:headline_selector_e5")
_GUIDED: Final = tuple(f"guidelines.v1|base:({trees})" for trees in _TREES)
SELECTORS: Final = ("medoid.v1", "longest.v1", "most_recent.v1", *_TREES, *_GUIDED)
LEFT: Final = "always the left one"
MOST_FREQUENT: Final = "most frequent answer"
"""Rows that look at no headline: a figure says something only as far as it is above theirs."""
SPLITS: Final = {"public": ["0527"], "private": ["0529"], "test": ["0527", "0529"]}
"""The task's two test files, and both together."""
# The copy of the paper that was read gives one figure for the best submission and not on which file.
PAPER: Final = (
    ("Dialogue 2021: USE + CatBoost, the baseline", "81.0 ± 1.5", "81.2 ± 0.5", "81.1 ± 0.4"),
    ("Dialogue 2021: best submission", None, "85.4 on one of the two", None),
)
"""Weighted accuracy on real headlines, in percent (sections 4.2 and 4.3): validation, public, private."""
_SHARES: Final = ("validation", "public (27 May)", "private (29 May)", "both test files")
HEAD: Final = ("selector", *_SHARES, "against longest")


@dataclass(frozen=True, slots=True)
class SelectorRow:
    selector: str  # full signature with that of its weights, or `LEFT` or `MOST_FREQUENT`
    cells: Mapping[str, Figure]  # weighted accuracy by split
    gain: Figure | None = None  # accuracy on both test files minus that of `FLOOR`; None where it is that one
    corrected: float | None = None  # the p-value by Holm over the table's rows; None where nothing was tested
    family: int = 0  # how many tests these are; 0 where nothing was tested
    why_not: str = ""  # why there are no figures; "" where there are


class SelectionBenchmark(NamedTuple):
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
    said = {name: [given.verdicts[row] for row in rows] for name, rows in splits.items()}
    events = {name: given.groups[given.left[rows]] for name, rows in splits.items()}
    vectors = encode_cached(given.texts, encoders.parse(ENCODER), runtime)

    def ranked(selector: str) -> tuple[dict[str, FloatArray], bool]:
        scores = np.zeros(len(given.texts))
        loaded = selection.headline_selectors.parse(selector).build(runtime)
        for rows in runtime.track(given.members(), "Ranking headlines"):
            texts = [given.texts[row] for row in rows]
            scores[rows] = loaded.rank(selection.Choices(texts, given.days[rows], vectors[rows])).scores
        gaps, margin = scores[given.left] - scores[given.right], best_margin(given, scores)
        values = {name: worth(said[name], chosen(gaps[splits[name]], margin)) for name in splits}
        return values, bool(gaps.any())

    floor, _ = ranked(FLOOR)
    rows = []
    for selector in selectors:
        recipe = selection.headline_selectors.parse(selector)
        signature = " · ".join([selection.headline_selectors.signature(recipe), *weights_signature(recipe)])
        values, differ = ranked(selector)
        if differ:
            rows.append(_compared(signature, values, floor["test"], events))
        else:
            why = "It cannot tell the headlines apart: only their day is known."
            rows.append(SelectorRow(signature, {}, why_not=why))
    counts = Counter(said["validation"])
    usual = max((Verdict.LEFT, Verdict.DRAW, Verdict.RIGHT), key=lambda verdict: counts[verdict])
    for name, answer in ((LEFT, Verdict.LEFT), (MOST_FREQUENT, usual)):
        values = {split: worth(verdicts, [answer] * len(verdicts)) for split, verdicts in said.items()}
        rows.append(_compared(name, values, floor["test"], events))
    tested = [row.gain.p if row.gain else None for row in rows]
    family = sum(p is not None for p in tested)
    chances = zip(rows, holm(tested), strict=True)
    corrected = tuple(row if p is None else replace(row, corrected=p, family=family) for row, p in chances)
    counted = {name: int((~np.isnan(values)).sum()) for name, values in floor.items()}
    pseudo = bool(given.pseudo.any())
    return SelectionBenchmark(corrected, counted, len(given.texts), pseudo, given.without_text)


def _compared(
    name: str, values: Mapping[str, FloatArray], floor: FloatArray, events: Mapping[str, IntArray]
) -> SelectorRow:
    cells = {split: _accuracy(values[split], events[split]) for split in values}
    if np.array_equal(values["test"], floor, equal_nan=True):
        return SelectorRow(name, cells)
    counted, groups = ~np.isnan(floor), events["test"]
    own, rival = (resampled_accuracy(each, groups) for each in (values["test"], floor))
    gap = float((values["test"] - floor)[counted].mean()) if counted.any() else None
    gain = paired_bootstrap(own, rival, gap, count=len(np.unique(groups[counted])), units="events")
    return SelectorRow(name, cells, gain)


def _accuracy(values: FloatArray, events: IntArray) -> Figure:
    counted = ~np.isnan(values)
    mean = float(values[counted].mean()) if counted.any() else None
    units, drawn = len(np.unique(events[counted])), partial(resampled_accuracy, values, events)
    how: dict[str, Any] = {"count": int(counted.sum()), "reason": "no pair has a verdict but bad"}
    return Figure.resampled(mean, drawn, units=units, unit="events", **how)


def best_margin(given: SelectionSet, scores: FloatArray) -> float:
    """The difference of scores up to which a draw is best called on validation pairs; 0 without any."""
    rows = given.pairs(parts=[Part.VALIDATION])
    said = [given.verdicts[row] for row in rows]
    gaps = scores[given.left[rows]] - scores[given.right[rows]]
    if all(verdict is Verdict.BAD for verdict in said):
        return 0.0
    margins = np.unique(np.append(np.quantile(np.abs(gaps), np.linspace(0, 1 / 3, 34)), 0.0)).tolist()
    return float(max(margins, key=lambda margin: (np.nanmean(worth(said, chosen(gaps, margin))), -margin)))


def chosen(gaps: FloatArray, margin: float) -> list[Verdict]:
    """What is chosen for each difference of scores, left minus right; a draw up to the margin."""
    return [
        Verdict.DRAW if abs(gap) <= margin else Verdict.LEFT if gap > 0 else Verdict.RIGHT
        for gap in gaps.tolist()
    ]


def worth(said: Sequence[Verdict], chosen: Sequence[Verdict]) -> FloatArray:
    """What each choice is worth, float64 [m]: 0, 0.5 or 1; NaN where people said "bad"."""
    people = np.array([_SIDES.get(verdict, np.nan) for verdict in said], dtype=np.float64)
    system = np.array([_SIDES[verdict] for verdict in chosen], dtype=np.float64)
    return np.asarray(1 - np.abs(people - system) / 2, dtype=np.float64)


def resampled_accuracy(values: FloatArray, groups: IntArray) -> FloatArray:
    """Weighted accuracy in each resample of the events, float64 [`RESAMPLES`], the same for all systems."""
    counted = ~np.isnan(values)
    if not counted.any():
        return np.full(RESAMPLES, np.nan)
    _, places = np.unique(groups[counted], return_inverse=True)
    sums, counts = np.bincount(places, weights=values[counted]), np.bincount(places)
    drawn = bootstrap_sums(np.column_stack([sums, counts]), resamples=RESAMPLES, seed=0)
    return drawn[:, 0] / drawn[:, 1]


def as_markdown(benchmark: SelectionBenchmark) -> str:
    rows = [(row.selector, *_cells(row)) for row in benchmark.rows]
    warnings = footnotes(cell.warning for row in benchmark.rows for cell in row.cells.values())
    counted = ", ".join(f"{name} {count:,}" for name, count in benchmark.pairs.items())
    tested = max((row.family for row in benchmark.rows), default=0)
    texts = (
        "Headlines were rebuilt from addresses (pseudo-headlines), not read: the figures are no replication "
        "of the paper's, which are on real ones."
        if benchmark.pseudo
        else "Headlines are those of the documents that were given."
    )
    about = (
        f"Weighted accuracy in percent with 95 % intervals over events. {texts} Pairs that count: {counted}; "
        f"{benchmark.without_text:,} judged pairs lack the text of a headline. A draw is called where scores "
        "differ by no more than a margin, the best one on validation pairs. p (Holm): two-sided paired "
        f"bootstrap against the longest, corrected for the {tested} comparisons of the table."
    )
    return "\n\n".join([markdown([HEAD, *rows]), about, *warnings]) + "\n"


def figures(row: SelectorRow) -> dict[str, Any]:
    # A bar would end the cell of a table.
    name = row.selector.replace("|", " · ")
    heads = (head.partition(" (")[0].replace(" ", "_") for head in HEAD[1:])
    return {"selector": name, **dict(zip(heads, _cells(row), strict=True))}


def _cells(row: SelectorRow) -> tuple[str, ...]:
    if row.why_not:
        return (row.why_not, *[NOTHING] * 4)
    cells = (row.cells[name] for name in ("validation", "public", "private", "test"))
    shown = ("undefined" if cell.value is None else spanned(cell, percent()) for cell in cells)
    return (*shown, _gain(row))


def _gain(row: SelectorRow) -> str:
    if row.gain is None or row.gain.low is None:
        return NOTHING
    span = spanned(replace(row.gain, warning=""), lambda value: f"{100 * value:+.1f}")
    if row.corrected is None:
        return marked(span, row.cells["test"].warning)
    p = "p (Holm) < 0.001" if row.corrected < 0.001 else f"p (Holm) = {row.corrected:.3f}"
    return f"{span}, {p}"
