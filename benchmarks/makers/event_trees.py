"""Trains `event_trees`: `python -m benchmarks.makers.event_trees OUT` writes the model and what it measured.

Desk timelines of five writers teach with minutes, with days alone, with times drawn by chance and without
dates, public sets as timelines drawn of their training parts. Each writer is left out in turn: that chooses
the threshold, and its figures stand in the model's README. Those who only watch are not read.
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

from benchmarks.desks import TEACHING
from core import files
from core.arrays import Float32Array, FloatArray, IntArray
from core.data.pair_sets.load import load_to_learn
from core.files import ROOT
from core.models import boosted_trees
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.pairs.context import PairContext
from core.pairs.features.event_evidence import event_evidence
from core.pairs.scorers.event_trees import EventTreesConfig, EventTreesModel
from core.pairs.selection import Tile
from core.parts import Part
from core.runtime import Runtime, cache_folder
from research.training.pairs.drawn_timelines import Pool

PUBLIC: Final = ("uci", "allsides", "neus", "ecbplus", "emergent")
DRAWN: Final = 10  # timelines of a public set
SIZES: Final = (25, 1_500)  # headlines of a drawn timeline
PAIRS: Final = 8_000  # of one timeline; the weights of those left out go to the others
SAME_SHARE: Final = 0.4  # of these, pairs of one event, where there are as many
HARD_SHARE: Final = 0.05  # nearest pairs of two events, of which half of the others are
PUBLIC_WEIGHT: Final = 0.5
VARIANT_WEIGHT: Final = 0.5  # of a desk's timeline beside the one as it is
FEW: Final = (2, 25)  # headlines of what somebody pastes to try
SHORT: Final = 12  # timelines of so few, drawn of each of more
SHORT_WEIGHT: Final = 0.1
BY_CHANCE: Final = (0.25, 0.6)  # from when, and how long, the day is in which times are drawn
TREES: Final[dict[str, Any]] = {
    "iterations": 300, "depth": 6, "learning_rate": 0.08, "l2_leaf_reg": 5, "border_count": 64,
    "bootstrap_type": "Bernoulli", "subsample": 0.7, "rsm": 0.5, "random_seed": 0, "verbose": 0,
    "allow_writing_files": False,
}  # fmt: skip
THRESHOLDS: Final = np.round(np.arange(0.1, 0.9, 0.02), 2)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Pairs of one timeline."""

    writer: str
    columns: Float32Array  # [pairs, columns]
    same: IntArray
    weights: FloatArray


class EvidenceReader:
    """The columns of all pairs of a timeline, in the order of a model's config."""

    def __init__(self, encoder: str, runtime: Runtime) -> None:
        self._encoder, self._runtime = encoders.parse(encoder), runtime
        self.encoder, self.names = encoders.signature(self._encoder), tuple[str, ...]()

    def lesson(
        self, writer: str, texts: Sequence[str], days: FloatArray, events: Sequence[Any], weight: float
    ) -> Lesson:
        context = PairContext(texts, days, encode_cached(texts, self._encoder, self._runtime))
        everything = Tile(slice(0, len(texts)), slice(0, len(texts)))
        values = dict(chain.from_iterable(family(everything) for family in event_evidence(context).values()))
        self.names = tuple(values)
        left, right = np.triu_indices(len(texts), 1)
        numbers = pd.factorize(np.asarray(events, dtype=object))[0]
        same = (numbers[left] == numbers[right]).astype(np.int64)
        rows, weights = _some(same, values["meaning"][left, right], np.random.default_rng(len(texts)))
        left, right, shape = left[rows], right[rows], (len(texts), len(texts))
        columns = np.stack([np.broadcast_to(value, shape)[left, right] for value in values.values()], axis=1)
        # Where pairs of one event are rare they would else hardly count.
        rare = np.sqrt(max(same.mean(), 1 / len(texts)))
        return Lesson(writer, columns, same[rows], weights * weight / rare)

    def short_lessons(
        self, writer: str, texts: Sequence[str], days: FloatArray, events: Sequence[Any]
    ) -> Iterator[Lesson]:
        """Timelines of few headlines: what stands together in time, or some events whenever they were."""
        random, order = np.random.default_rng(len(texts)), np.argsort(days)
        numbers = pd.factorize(np.asarray(events, dtype=object))[0]
        for _ in range(SHORT):
            count = int(np.exp(random.uniform(*np.log(FEW))).round())
            if random.random() < 0.5:
                start = int(random.integers(max(len(order) - count, 1)))
                rows = order[start : start + count]
            else:
                first = random.permutation(numbers.max() + 1)[numbers]
                rows = np.lexsort((random.random(len(numbers)), first))[:count]
            dated = random.choice([days, np.floor(days), np.full(len(days), np.nan)])
            own = [texts[row] for row in rows], dated[rows], [events[row] for row in rows]
            yield self.lesson(writer, *own, SHORT_WEIGHT)


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


def desk_lessons(reader: EvidenceReader, writer: str) -> Iterator[Lesson]:
    for number, table in enumerate(desk_tables(writer)):
        days, random = table["days"].to_numpy(), np.random.default_rng(number)
        whole, variants = np.floor(days), [(days, 1.0), (np.full(len(days), np.nan), VARIANT_WEIGHT)]
        if (days > whole).any():
            first, length = BY_CHANCE
            by_chance = whole + first + random.random(len(days)) * length
            variants += [(whole, VARIANT_WEIGHT), (by_chance, VARIANT_WEIGHT)]
        for dated, weight in variants:
            yield reader.lesson(writer, table["headline"].tolist(), dated, table["event"].tolist(), weight)
        yield from reader.short_lessons(writer, table["headline"].tolist(), days, table["event"].tolist())


def public_lessons(reader: EvidenceReader, name: str, runtime: Runtime) -> Iterator[Lesson]:
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
        yield reader.lesson(name, drawn[0].texts, drawn[0].days, drawn[1].tolist(), PUBLIC_WEIGHT)
        yield from reader.short_lessons(name, drawn[0].texts, drawn[0].days, drawn[1].tolist())


def grown(lessons: Sequence[Lesson]) -> boosted_trees.BoostedTrees:
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


def train(encoder: str, out: Path) -> None:
    runtime = Runtime(cache=cache_folder())
    reader = EvidenceReader(encoder, runtime)
    lessons = [lesson for writer in TEACHING for lesson in desk_lessons(reader, writer)]
    public = [lesson for name in PUBLIC for lesson in public_lessons(reader, name, runtime)]
    left_out, scores = list[Lesson](), list[FloatArray]()
    for writer in TEACHING:
        trees = grown([lesson for lesson in lessons if lesson.writer != writer] + public)
        own = [lesson for lesson in lessons if lesson.writer == writer]
        scores += [1 / (1 + np.exp(-trees.predict(lesson.columns))) for lesson in own]
        left_out += own
        threshold, f1 = best_threshold(own, scores[-len(own) :])
        print(f"{writer} left out: best F1 of pairs {f1:.3f} at {threshold}", flush=True)
    threshold, f1 = best_threshold(left_out, scores)
    print(f"threshold {threshold}, F1 of pairs {f1:.3f} over writers left out", flush=True)
    usual = np.median(np.concatenate([lesson.columns for lesson in lessons]), axis=0)
    config = EventTreesConfig(
        encoder=reader.encoder,
        columns=reader.names,
        usual=dict(zip(reader.names, np.round(usual.astype(float), 4).tolist(), strict=True)),
        threshold=threshold,
    )
    files.make_folder(out)
    EventTreesModel(config, grown(lessons + public)).write(out)


if __name__ == "__main__":
    train(sys.argv[2] if sys.argv[2:] else "e5_siamese.v1", Path(sys.argv[1]))
