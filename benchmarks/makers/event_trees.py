"""Trains `event_trees`: `python -m benchmarks.makers.event_trees OUT` writes the model and what it measured.

With `--languages`, `event_trees_languages`: writers in several languages teach as well, and what two
headlines show across languages is read.

Desk timelines of those who may teach are read with minutes, with days alone, with times drawn by chance and
without dates, public sets as timelines drawn of their training parts. A third of the writers is left out in
turn: so the second trees read what the first say of writers that are new to them, and so the threshold is
chosen; the figures stand in the model's README. Those who only watch are not read.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.desks import SEVERAL_LANGUAGES, TEACHING
from core import files
from core.arrays import Float32Array, FloatArray, IntArray
from core.data.pair_sets.load import load_to_learn
from core.files import ROOT
from core.models import boosted_trees
from core.models.boosted_trees import BoostedTrees
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.models.tree_sums import sums_of_trees
from core.pairs.context import PairContext
from core.pairs.features.additive import probability
from core.pairs.features.event_evidence import event_evidence
from core.pairs.scorers.event_trees import EventTreesConfig, EventTreesModel, around, table
from core.pairs.selection import Tile
from core.parts import Part
from core.runtime import Runtime, cache_folder
from research.training.pairs.drawn_timelines import Pool

ENCODER: Final = "e5_siamese.v1"
PUBLIC: Final = ("uci", "allsides", "neus", "ecbplus", "emergent")
DRAWN: Final = 10  # timelines of a public set
SIZES: Final = (25, 1_500)  # headlines of a drawn timeline
PAIRS: Final = 5_000  # of one timeline; the weights of those left out go to the others
SAME_SHARE: Final = 0.4  # of these, pairs of one event, where there are as many
HARD_SHARE: Final = 0.05  # nearest pairs of two events, of which half of the others are
PUBLIC_WEIGHT: Final = 0.5
PUBLIC_BESIDE_MORE: Final = 0.65  # the same where more writers teach
VARIANT_WEIGHT: Final = 0.5  # of a desk's timeline beside the one as it is
FOLDS: Final = 3  # parts of writers and sets of which the first trees that the second learn from read two
FEW: Final = (2, 25)  # headlines of what somebody pastes to try
SHORT: Final = 8  # timelines of so few, drawn of each of more
SHORT_WEIGHT: Final = 0.1
BY_CHANCE: Final = (0.25, 0.6)  # from when, and how long, the day is in which times are drawn
TREES: Final[dict[str, Any]] = {
    "iterations": 300, "depth": 6, "learning_rate": 0.08, "l2_leaf_reg": 5, "border_count": 64,
    "bootstrap_type": "Bernoulli", "subsample": 0.7, "rsm": 0.5, "random_seed": 0, "verbose": 0,
    "allow_writing_files": False,
}  # fmt: skip
THRESHOLDS: Final = np.round(np.arange(0.1, 0.9, 0.02), 2)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A timeline with its events, and how much it counts."""

    writer: str
    texts: Sequence[str]
    days: FloatArray
    events: Sequence[Any]
    weight: float = 1.0

    def short(self) -> Iterator["Labelled"]:
        """Timelines of few headlines: what stands together in time, or some events whenever they were."""
        random, order = np.random.default_rng(len(self.texts)), np.argsort(self.days)
        numbers = pd.factorize(np.asarray(self.events, dtype=object))[0]
        for _ in range(SHORT):
            count = int(np.exp(random.uniform(*np.log(FEW))).round())
            if random.random() < 0.5:
                start = int(random.integers(max(len(order) - count, 1)))
                rows = order[start : start + count]
            else:
                first = random.permutation(numbers.max() + 1)[numbers]
                rows = np.lexsort((random.random(len(numbers)), first))[:count]
            dated = random.choice([self.days, np.floor(self.days), np.full(len(self.days), np.nan)])
            own = [self.texts[row] for row in rows], dated[rows], [self.events[row] for row in rows]
            yield Labelled(self.writer, *own, SHORT_WEIGHT)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Pairs of one timeline."""

    writer: str
    columns: Float32Array  # [pairs, columns]
    same: IntArray
    weights: FloatArray


class EvidenceReader:
    """The columns of pairs of a timeline, in the order of a model's config."""

    def __init__(self, encoder: str, runtime: Runtime, *, languages: bool) -> None:
        self._encoder, self._runtime, self._languages = encoders.parse(encoder), runtime, languages
        self.encoder = encoders.signature(self._encoder)
        self.first, self.second = tuple[str, ...](), tuple[str, ...]()

    def lesson(self, timeline: Labelled, first: BoostedTrees | None = None) -> Lesson:
        """What the first trees read of a timeline, or the second where the first are given."""
        texts, n = timeline.texts, len(timeline.texts)
        context = PairContext(texts, timeline.days, encode_cached(texts, self._encoder, self._runtime))
        everything = Tile(slice(0, n), slice(0, n))
        families = event_evidence(context, languages=self._languages)
        if first is not None:
            columns, shape = table(everything, families, self.first)
            families = around(families, probability(sums_of_trees(first, columns)).reshape(shape))
        values = dict(chain.from_iterable(family(everything) for family in families.values()))
        if first is None:
            self.first = tuple(values)
        else:
            self.second = tuple(values)
        left, right = np.triu_indices(n, 1)
        numbers = pd.factorize(np.asarray(timeline.events, dtype=object))[0]
        same = (numbers[left] == numbers[right]).astype(np.int64)
        rows, weights = _some(same, values["meaning"][left, right], np.random.default_rng(n))
        left, right = left[rows], right[rows]
        columns = np.stack([np.broadcast_to(value, (n, n))[left, right] for value in values.values()], axis=1)
        # Where pairs of one event are rare they would else hardly count.
        rare = np.sqrt(max(same.mean(), 1 / n))
        return Lesson(timeline.writer, columns, same[rows], weights * timeline.weight / rare)


def _some(same: IntArray, near: Float32Array, random: np.random.Generator) -> tuple[IntArray, FloatArray]:
    """At most `PAIRS` rows, and weights that sum up to 1 and give each kind of pair what it has."""
    if len(same) <= PAIRS:
        return np.arange(len(same)), np.full(len(same), 1 / len(same))
    alike, others = np.flatnonzero(same), np.flatnonzero(same == 0)
    hard = near[others] >= np.quantile(near[others], 1 - HARD_SHARE)
    few = random.permutation(alike)[: int(PAIRS * SAME_SHARE)]
    half = (PAIRS - len(few)) // 2
    kinds = [
        (few, alike),
        *((random.permutation(whole)[:half], whole) for whole in (others[hard], others[~hard])),
    ]
    weights = [np.full(len(part), len(whole) / len(part) / len(same)) for part, whole in kinds]
    return np.concatenate([part for part, _ in kinds]), np.concatenate(weights)


def desk_tables(writer: str) -> list[pd.DataFrame]:
    """The timelines of a writer, and all of them as one: headline, event, days since its first."""
    tables = []
    for file in sorted((ROOT / "samples" / "desks" / writer).glob("*.csv")):
        table = pd.read_csv(file, dtype=str, keep_default_na=False)
        published = pd.to_datetime(table["date"], format="mixed")
        days = (published - published.min().normalize()).dt.total_seconds() / 86_400
        tables.append(table.assign(days=days, event=file.stem + table["event"]))
    return [*tables, pd.concat(tables)]


def desks(writer: str) -> Iterator[Labelled]:
    for number, timeline in enumerate(desk_tables(writer)):
        texts, events = timeline["headline"].tolist(), timeline["event"].tolist()
        days, random = timeline["days"].to_numpy(), np.random.default_rng(number)
        whole, variants = np.floor(days), [(days, 1.0), (np.full(len(days), np.nan), VARIANT_WEIGHT)]
        if (days > whole).any():
            first, length = BY_CHANCE
            by_chance = whole + first + random.random(len(days)) * length
            variants += [(whole, VARIANT_WEIGHT), (by_chance, VARIANT_WEIGHT)]
        for dated, weight in variants:
            yield Labelled(writer, texts, dated, events, weight)
        yield from Labelled(writer, texts, days, events).short()


def public(name: str, weight: float, runtime: Runtime) -> Iterator[Labelled]:
    pairs, random = load_to_learn(name), np.random.default_rng(7)
    rows = np.flatnonzero((pairs.parts == Part.TRAIN.value) & (pairs.groups >= 0))
    rows = rows[pairs.timelines[rows] == pairs.timelines[rows].min()]
    vectors = encode_cached(pairs.texts, encoders.parse("minilm"), runtime)
    pool, count = Pool(pairs, vectors, rows, random), 0
    while count < DRAWN:
        drawn = pool.draw(random) if count else pool.whole(random)
        if drawn is None or (count and not SIZES[0] <= len(drawn[0]) <= SIZES[1]):
            continue
        count += 1
        timeline = Labelled(name, drawn[0].texts, drawn[0].days, drawn[1].tolist(), weight)
        yield timeline
        yield from timeline.short()


def grown(lessons: Sequence[Lesson]) -> BoostedTrees:
    from catboost import CatBoostClassifier

    weights = np.concatenate([lesson.weights for lesson in lessons])
    model = CatBoostClassifier(**TREES)
    columns, same = (
        np.concatenate([getattr(lesson, name) for lesson in lessons]) for name in ("columns", "same")
    )
    model.fit(columns, same, sample_weight=weights / weights.mean())
    with TemporaryDirectory() as folder:
        model.save_model(str(path := Path(folder) / "trees.json"), format="json")
        return boosted_trees.from_catboost(path)


def best_threshold(lessons: Sequence[Lesson], scores: Sequence[FloatArray]) -> tuple[float, float]:
    """The threshold with the best mean F1 over timelines, and that F1."""
    means = np.zeros(len(THRESHOLDS))
    for lesson, own in zip(lessons, scores, strict=True):
        for place, threshold in enumerate(THRESHOLDS):
            found = own >= threshold
            right = float(lesson.weights[found & (lesson.same == 1)].sum())
            both = float(lesson.weights[found].sum() + lesson.weights[lesson.same == 1].sum())
            means[place] += 2 * right / both / len(lessons) if both else 0.0
    return float(THRESHOLDS[means.argmax()]), float(means.max())


def left_out(lessons: Sequence[Lesson], folds: Sequence[frozenset[str]]) -> list[BoostedTrees]:
    """Trees that have read no lesson of a fold, for each fold."""
    return [grown([lesson for lesson in lessons if lesson.writer not in fold]) for fold in folds]


def told(
    kind: str,
    lessons: Sequence[Lesson],
    trees: Sequence[BoostedTrees],
    folds: Sequence[frozenset[str]],
    writers: Sequence[str],
) -> float:
    """Prints the best F1 of pairs over each teaching writer left out; the threshold that is best for all."""
    scores, every = list[FloatArray](), [lesson for lesson in lessons if lesson.writer in writers]
    for lesson in every:
        own = next(some for some, fold in zip(trees, folds, strict=True) if lesson.writer in fold)
        scores.append(probability(own.predict(lesson.columns).astype(np.float32)))
    for writer in writers:
        rows = [row for row, lesson in enumerate(every) if lesson.writer == writer]
        threshold, f1 = best_threshold([every[row] for row in rows], [scores[row] for row in rows])
        print(f"{kind}: {writer} left out, best F1 of pairs {f1:.3f} at {threshold}", flush=True)
    threshold, f1 = best_threshold(every, scores)
    print(f"{kind}: threshold {threshold}, F1 of pairs {f1:.3f} over writers left out", flush=True)
    return threshold


def train(out: Path, *, languages: bool) -> None:
    runtime = Runtime(cache=cache_folder())
    writers = sorted((*TEACHING, *SEVERAL_LANGUAGES)) if languages else TEACHING
    reader, names = EvidenceReader(ENCODER, runtime, languages=languages), (*writers, *PUBLIC)
    folds = [frozenset(names[fold::FOLDS]) for fold in range(FOLDS)]
    timelines = list(chain.from_iterable(map(desks, writers)))
    weight = PUBLIC_BESIDE_MORE if languages else PUBLIC_WEIGHT
    timelines += chain.from_iterable(public(name, weight, runtime) for name in PUBLIC)
    lessons = [reader.lesson(timeline) for timeline in timelines]
    first = left_out(lessons, folds)
    told("first", lessons, first, folds, writers)
    usual = np.median(np.concatenate([one.columns for one in lessons if one.writer in writers]), axis=0)
    trees = grown(lessons)
    # The second trees read what the first say of writers that these have not read.
    unread = {name: some for some, fold in zip(first, folds, strict=True) for name in fold}
    lessons = [reader.lesson(timeline, unread[timeline.writer]) for timeline in timelines]
    threshold = told("second", lessons, left_out(lessons, folds), folds, writers)
    config = EventTreesConfig(
        encoder=reader.encoder,
        columns=reader.first,
        around=reader.second,
        usual=dict(zip(reader.first, np.round(usual.astype(float), 4).tolist(), strict=True)),
        threshold=threshold,
    )
    files.make_folder(out)
    EventTreesModel(config, trees, grown(lessons)).write(out)


if __name__ == "__main__":
    train(Path(sys.argv[1]), languages="--languages" in sys.argv)
