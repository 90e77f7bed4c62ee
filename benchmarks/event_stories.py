"""Stories of desk timelines: how many pairs of headlines of two events are right, and what links weigh."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.desks import TEACHING
from benchmarks.grouping import DATA, read
from core.arrays import FloatArray, IntArray
from core.events import story_links
from core.events.grouping import Grouping, Prepared, Settings, prepare, regroup
from core.events.stories import CUT, story_of
from core.files import ROOT
from core.runtime import Runtime

THEME: Final = 0.3  # a file with a story of more of its events teaches no pair: all it has is of that story
MOST_PAIRS: Final = 30  # of a word count
Weights = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Desk:
    writer: str
    name: str
    prepared: Prepared
    found: IntArray  # event of each headline as the program finds it
    event: IntArray  # as labelled
    story: IntArray

    def words(self) -> story_links.SharedWords:
        return story_links.shared_words(
            self.prepared.context.texts, self.prepared.context.reading.names, self.event
        )

    @property
    def teaches(self) -> bool:
        _, first = np.unique(self.event, return_index=True)
        return bool(np.bincount(self.story[first]).max() < THEME * len(first))


def desks(cache: Path) -> list[Desk]:
    """The timelines that may teach, and the city desk's, which is only watched here."""
    tables = [
        (writer, path.stem, pd.read_csv(path, dtype=str))
        for writer in TEACHING
        for path in sorted((ROOT / "samples/desks" / writer).glob("*.csv"))
    ]
    for path in sorted((DATA / "desk_timelines").glob("*_truth.csv")):
        name = path.stem.removesuffix("_truth")
        labels = pd.read_csv(path, dtype=str)[["event", "story"]]
        tables.append(("city", name, pd.read_csv(path.with_name(f"{name}.csv"), dtype=str).join(labels)))
    return [_desk(writer, name, table, cache) for writer, name, table in tables]


def _desk(writer: str, name: str, table: pd.DataFrame, cache: Path) -> Desk:
    timeline = read(table[["headline", "date", "outlet"]])
    if len(timeline) != len(table):
        raise ValueError(f"{name} has rows that are not read")
    prepared = prepare(timeline, Settings(), Runtime(cache=cache, patient=True))
    own = table["story"].fillna(table["event"])
    event, story = (pd.factorize(column)[0].astype(np.int64) for column in (table["event"], own))
    return Desk(writer, name, prepared, regroup(prepared).ids, event, story)


@dataclass(frozen=True, eq=False)
class Lesson:
    writer: str
    words: story_links.SharedWords
    events: story_links.Events
    signs: story_links.Signs  # of its words
    right: FloatArray  # whether each pair of events is of one story
    weight: float


def lesson(desk: Desk) -> Lesson:
    event, vectors = desk.event, desk.prepared.context.vectors
    sums = np.zeros((event.max() + 1, vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, event, vectors)
    middles = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    words = desk.words()
    story = np.zeros(len(sums), dtype=np.int64)
    story[event] = desk.story
    events = story_links.measured(middles, desk.prepared.context.days, event)
    right = (story[words.left] == story[words.right]).astype(np.float64)
    return Lesson(
        desk.writer,
        words,
        events,
        story_links.word_signs(words, events),
        right,
        200 / (len(sums) * (len(sums) - 1)),
    )


def fit(lessons: Sequence[Lesson]) -> Weights:
    """Words first; pairs see what words are worth as told by those of other writers."""
    values: list[FloatArray] = []
    names: list[str] = []
    told = {
        writer: _words([each for each in lessons if each.writer != writer])
        for writer in {each.writer for each in lessons}
    }
    for each in lessons:
        quality = story_links.probability(each.signs, told[each.writer])
        pair = story_links.pair_signs(each.words, each.events, quality)
        values.append(np.column_stack(list(pair.values())))
        names = list(pair)
    weights = np.concatenate([np.full(len(each.right), each.weight) for each in lessons])
    right = np.concatenate([each.right for each in lessons])
    return {"word": _words(lessons), "pair": _logistic(np.concatenate(values), right, weights, names)}


def _words(lessons: Sequence[Lesson]) -> dict[str, float]:
    values, right, weights = [], [], []
    names: list[str] = []
    for each in lessons:
        times = np.bincount(each.words.word, minlength=len(each.words.names))
        tying = np.flatnonzero(times)
        share = np.bincount(each.words.word, each.right[each.words.pair], len(times))[tying] / times[tying]
        names = list(each.signs)
        values.append(np.column_stack(list(each.signs.values()))[tying])
        right.append(share)
        weights.append(np.sqrt(np.minimum(times[tying], MOST_PAIRS)))
    return _logistic(np.concatenate(values), np.concatenate(right), np.concatenate(weights), names)


def _logistic(
    values: FloatArray, right: FloatArray, weights: FloatArray, names: Sequence[str]
) -> dict[str, float]:
    """Ridge penalty of 1 on standardised signs; `right` is the share of yes."""
    from sklearn.linear_model import LogisticRegression

    mean, spread = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-9)
    twice = np.concatenate([(values - mean) / spread] * 2)
    yes = np.repeat([1, 0], len(values))
    shares = np.concatenate([weights * right, weights * (1 - right)])
    model = LogisticRegression(max_iter=500).fit(twice, yes, sample_weight=shares)
    slopes = model.coef_[0] / spread
    found = {"base": float(model.intercept_[0] - slopes @ mean)}
    return found | dict(zip(names, map(float, slopes), strict=True))


def run_event_stories() -> dict[str, Any]:
    """How many pairs of headlines of two events are rightly of one story, each writer left out of the fit.

    Precision, recall and F1 are means over the files of a writer; of a file where no story is found, the
    precision is not counted. With events as labelled, and with those that the program finds: there a pair
    is right that is of one story or of one event.
    """
    with tempfile.TemporaryDirectory() as cache:
        every = desks(Path(cache))
    lessons = [lesson(desk) for desk in every if desk.teaches and desk.writer != "city"]
    shipped = story_links.WEIGHTS
    rows: list[dict[str, Any]] = []
    for writer in (*TEACHING, "city"):
        given = fit([each for each in lessons if each.writer != writer])
        watched = [desk for desk in every if desk.writer == writer]
        rows += [_row(writer, watched, given, found=found) for found in (False, True)]
    story_links.WEIGHTS = shipped  # type: ignore[misc]
    return {"benchmark": "event_stories", "cut": CUT, "rows": rows, "weights": fit(lessons)}


def _row(writer: str, watched: Sequence[Desk], weights: Weights, *, found: bool) -> dict[str, Any]:
    story_links.WEIGHTS = weights  # type: ignore[misc]
    counts = np.array(
        [_counts(desk, desk.found if found else desk.event) for desk in watched],
        dtype=np.float64,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        right, said, real, across_right, across = counts.T
        figures = {"precision": right / said, "recall": right / real, "f1": 2 * right / (said + real)}
        row = {name: round(float(np.nanmean(values)), 3) for name, values in figures.items()}
        row |= {"precision_of_all_pairs": round(float(right.sum() / said.sum()), 3)}
        row |= {"right_across_events": round(float(across_right.sum() / across.sum()), 3)}
    print(writer, "found" if found else "labelled", row, counts.sum(axis=0), flush=True)
    return {"writer": writer, "events": "found" if found else "as labelled", "files": len(watched), **row}


def _counts(desk: Desk, ids: IntArray) -> list[int]:
    """Pairs of different events: right, said, real; of events that were not joined: right, said."""
    one, other = np.triu_indices(len(ids), 1)
    grouping = Grouping(ids=ids + 1, granularity=0.5, automatic=True, quality=None, signature="")
    story = story_of(desk.prepared, grouping)
    said, real = story[one] == story[other], desk.story[one] == desk.story[other]
    apart, across = desk.event[one] != desk.event[other], said & (ids[one] != ids[other])
    return [
        int(mask.sum())
        for mask in (said & real & apart, said & apart, real & apart, across & (real | ~apart), across)
    ]
