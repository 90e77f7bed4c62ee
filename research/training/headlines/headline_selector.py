"""Trains a headline selector on judged pairs, and measures how often selectors choose as people did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.data.dialogue2021 import SelectionSet, Verdict
from core.errors import InputError
from core.headlines import selection
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.models.weights import weights_signature
from core.parts import Part
from core.registry import number
from core.results.render import markdown
from core.results.table import NOTHING, footnotes, marked, percent, spanned
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES, Figure, bootstrap_sums, holm, paired_bootstrap
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, TreeTraining, grow, settings_of, signed, text, trainers


@trainers.register("headline_selector.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineSelectorTrainer(Trainer[SelectionSet]):
    """Gradient-boosted trees over the headlines of an event, grown on which of two people preferred.

    Source: Dialogue 2021 (Gusev and Smurov), section 4.2; Prokhorenkova et al. 2018 for CatBoost.
    """

    summary: ClassVar[str] = "Grows trees that choose the headline of a group (CatBoost)"
    kind: ClassVar[str] = "selector"
    result: ClassVar[str] = "catboost.v1"

    encoder: str = text("e5_small.v1", "encoder that says how close headlines are")
    directions: int = number(
        0, 0, 256, "directions of the encoder's vectors to weigh; 0 for a model that works with any encoder"
    )
    trees: int = number(300, 1, 10_000, "trees at most")
    depth: int = number(4, 1, 10, "questions of a tree")
    learning_rate: float = number(0.03, 1e-4, 1.0, "what each tree counts")
    l2: float = number(5.0, 0.0, 1000.0, "penalty of the leaves")

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", encoders.signature(encoders.parse(self.encoder)))

    def check(self, data: SelectionSet) -> None:
        if not _won(data, Part.TRAIN):
            hint = "Give documents of 25 May 2020, the day that the task learns from."
            raise InputError("There is no training pair in which one headline is better.", hint=hint)

    def train(self, data: SelectionSet, run: RunFolder, runtime: Runtime) -> None:
        model = self.learn(data, runtime, run)
        selection.write_model(run.model, model)
        run.record(training_pairs=len(_won(data, Part.TRAIN)), steps=len(model.trees.values))
        trained = f"{self.result}|model:{run.model}"
        table = as_markdown(measure(data, runtime, selectors=("medoid.v1", "longest.v1", trained)))
        told = [
            table.replace(f"model:{run.model}", "model:RUN/model").strip(),
            f"A draw is called up to a difference of {model.config.margin:.3f}, from validation pairs.",
            "What was not measured: headlines in other languages than Russian"
            + (", and headlines with their capitals and signs." if data.pseudo.any() else "."),
        ]
        run.record(measured=told)

    def learn(
        self, data: SelectionSet, runtime: Runtime, run: RunFolder | None = None
    ) -> selection.SelectorModel:
        vectors = encode_cached(data.texts, encoders.parse(self.encoder), runtime)
        directions = _directions(data, vectors, self.directions)
        columns = _columns(data, vectors, directions)
        pools = (_pool(data, columns, Part.TRAIN), _pool(data, columns, Part.VALIDATION))
        how = settings_of(TreeTraining, self, patience=100)
        trees = grow("PairLogit", pools, how, runtime, run)
        config = selection.SelectorConfig(
            encoder=self.encoder if self.directions else "",
            dimensions=len(directions),
            margin=best_margin(data, trees.predict(columns)),
            features=selection.feature_names(directions.shape[1]),
        )
        return selection.SelectorModel(config, trees, directions)


def _directions(given: SelectionSet, vectors: Float32Array, wanted: int) -> Float32Array:
    if not wanted:
        return np.zeros((0, 0), dtype=np.float32)
    rows = given.pairs(parts=[Part.TRAIN])
    mine = np.unique(np.append(given.left[rows], given.right[rows]))
    centred = vectors[mine].astype(np.float64)
    centred -= centred.mean(axis=0)
    _, _, basis = np.linalg.svd(centred, full_matrices=False)
    return np.ascontiguousarray(signed(basis[:wanted].T), dtype=np.float32)


def _columns(given: SelectionSet, vectors: Float32Array, directions: Float32Array) -> FloatArray:
    values = np.zeros((len(given.texts), len(selection.NAMES)))
    for rows in given.members():
        choices = selection.Choices([given.texts[row] for row in rows], given.days[rows], vectors[rows])
        values[rows] = selection.features(choices).values
    return np.column_stack([values, (vectors @ directions).astype(np.float64)]) if directions.size else values


def _pool(given: SelectionSet, columns: FloatArray, part: Part) -> Any:
    from catboost import Pool

    won = _won(given, part)
    if not won:
        return None
    left = np.array([given.verdicts[row] is Verdict.LEFT for row in won])
    sides = np.stack([given.left[won], given.right[won]], axis=1)
    sides[~left] = sides[~left, ::-1]
    used = np.unique(sides)
    used = used[np.argsort(given.groups[used], kind="stable")]
    places = np.argsort(used)[np.searchsorted(np.sort(used), sides)]
    groups = given.groups[used]
    return Pool(columns[used], label=np.zeros(len(used)), group_id=groups, pairs=places.tolist())


def _won(given: SelectionSet, part: Part) -> list[int]:
    decided = (Verdict.LEFT, Verdict.RIGHT)
    return [row for row in given.pairs(parts=[part]).tolist() if given.verdicts[row] in decided]


_SIDES = {Verdict.LEFT: 1.0, Verdict.DRAW: 0.0, Verdict.RIGHT: -1.0}


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


def chosen(gaps: FloatArray, margin: float) -> list[Verdict]:
    """What is chosen for each difference of scores, left minus right; a draw up to the margin."""
    return [
        Verdict.DRAW if abs(gap) <= margin else Verdict.LEFT if gap > 0 else Verdict.RIGHT
        for gap in gaps.tolist()
    ]


def best_margin(given: SelectionSet, scores: FloatArray) -> float:
    """The difference of scores up to which a draw is best called on validation pairs; 0 without any.

    Among 0 and the smallest third of the differences there, by weighted accuracy; the smallest of equals.
    """
    rows = given.pairs(parts=[Part.VALIDATION])
    said = [given.verdicts[row] for row in rows]
    gaps = scores[given.left[rows]] - scores[given.right[rows]]
    if all(verdict is Verdict.BAD for verdict in said):
        return 0.0
    margins = np.unique(np.append(np.quantile(np.abs(gaps), np.linspace(0, 1 / 3, 34)), 0.0)).tolist()
    return float(max(margins, key=lambda margin: (np.nanmean(worth(said, chosen(gaps, margin))), -margin)))


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


# The copy of the paper that was read gives one figure for the best submission and not on which file.
PAPER: Final = (
    ("Dialogue 2021: USE + CatBoost, the baseline", "81.0 ± 1.5", "81.2 ± 0.5", "81.1 ± 0.4"),
    ("Dialogue 2021: best submission", None, "85.4 on one of the two", None),
)
"""Weighted accuracy on real headlines, in percent (sections 4.2 and 4.3): validation, public, private."""

_SHARES: Final = ("validation", "public (27 May)", "private (29 May)", "both test files")
HEAD: Final = ("selector", *_SHARES, "against longest")


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
