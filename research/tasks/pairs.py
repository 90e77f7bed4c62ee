"""Tasks on pairs: does a scorer say what people say?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import isnan
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.pair_sets.load import load_pair_set, source_of
from core.data.pair_sets.pair_columns import LABELS, label_key
from core.data.pair_sets.pair_file import read_pair_file
from core.errors import CoreError, InputError
from core.pairs.metrics import (
    PAIR_MEASURES,
    Units,
    pair_quality,
    resampled,
    resampled_average_precision,
)
from core.pairs.scorer import pair_scorers
from core.parts import Part
from core.results.table import Value
from core.runtime import Runtime
from core.text.normalise import clean_line
from core.text.tokens import words
from research.benchmark.pairs.evaluate import CAPS, PairSettings, scorer_fingerprint
from research.benchmark.pairs.rows import row
from research.benchmark.pairs.run import evaluate_row
from research.benchmark.pairs.sets import MeasuredSet, measured, sampled_places
from research.benchmark.results import BenchmarkSet
from research.tasks import items
from research.tasks.items import Answered, Answers, Estimates, Items
from research.tasks.task import Task, TaskSystem

KNOWN: Final = dict.fromkeys((name for name in PAIR_MEASURES if name != "roc_auc"), "higher")
DEFAULT: Final = ("f1", "precision", "recall", "accuracy")
ANSWER: Final = "same_event"  # the column of a file of answers, as `headline-lab score` writes it


@dataclass(frozen=True, slots=True, eq=False)
class PairItems(Items):
    slices: ClassVar[tuple[str, ...]] = ("length", "days apart", "language", "common words")
    data: MeasuredSet
    place: str

    @property
    def texts(self) -> list[tuple[str, str]]:
        test = self.data.test
        both = zip(test.left.tolist(), test.right.tolist(), strict=True)
        return [(test.texts[left], test.texts[right]) for left, right in both]

    def signature(self, system: TaskSystem) -> str:
        return row(system.method).signature

    def depends_on(self, system: TaskSystem, runtime: Runtime) -> Sequence[str]:
        scorer = pair_scorers.parse(self.signature(system))
        return [scorer_fingerprint(self.data.pairs.texts, scorer), self.data.pairs.fingerprint]

    def ask(self, system: TaskSystem, runtime: Runtime) -> Answered:
        if system.file:
            return self._from_file(system.file)
        caps = MappingProxyType({pace: (len(self.data.test), most) for pace, (_, most) in CAPS.items()})
        settings = PairSettings(caps=caps, seed=runtime.seed)
        done = evaluate_row(self.data, row(system.method), (), runtime, settings)
        if done.cell.why_not:
            raise CoreError(done.cell.why_not, hint="")
        scores, called = (np.full(len(self.data.test), np.nan) for _ in range(2))
        scores[done.places], called[done.places] = done.scores, done.called
        return Answered({"scores": scores, "called": called}, done.cell.signature, done.cell.notes)

    def _from_file(self, path: str) -> Answered:
        said = _by_pair(path, ANSWER)
        answers = [LABELS.get(label_key(str(said.get(pair) or "")), -1) for pair in self.texts]
        called = np.where(np.array(answers) < 0, np.nan, answers).astype(np.float64)
        missing = int(np.isnan(called).sum())
        if missing == len(called):
            message = f"{Path(path).name} answers none of the {len(called):,} pairs."
            raise InputError(message, hint=f"Give the same two headlines a row, and {ANSWER} as 1 or 0.")
        notes = (f"{missing:,} pairs have no answer in {Path(path).name}.",) if missing else ()
        return Answered({"scores": called, "called": called}, f"answers of {Path(path).name}", notes)

    def answered(self, answers: Answers) -> BoolArray:
        return ~np.isnan(answers["called"])

    def estimate(self, answers: Answers, rows: IntArray, *, resamples: int, seed: int) -> Estimates:
        labels, called = self.data.test.labels[rows], answers["called"][rows]
        scores, units = answers["scores"][rows], self._units(rows)
        quality = pair_quality(labels, called, 0.5).scores
        drawn = resampled(labels, called, units, resamples=resamples, seed=seed) if units.count > 1 else {}
        if "average_precision" in self.better and units.count > 1:
            quality = {**quality, "average_precision": pair_quality(labels, scores, 0.5)["average_precision"]}
            how = {"resamples": resamples, "seed": seed}
            drawn["average_precision"] = resampled_average_precision(labels, scores, units, **how)
        nothing = np.full(resamples, np.nan)
        return {name: (quality[name].value, drawn.get(name, nothing)) for name in self.better}

    def _units(self, rows: IntArray) -> Units:
        return self.data.units.only(np.isin(np.arange(len(self.data.test)), rows))

    def units(self, rows: IntArray) -> tuple[int, str]:
        units = self._units(rows)
        return units.count, units.name

    def values(self, name: str) -> Sequence[float | str | None]:
        if name == "length":
            return [len(words(left)) + len(words(right)) for left, right in self.texts]
        if name == "days apart":
            return _defined(self.data.test.days_apart)
        if name == "language":
            return items.languages([left for left, _ in self.texts])
        if name == "common words":
            return [items.common_words(left, right) for left, right in self.texts]
        own = _by_pair(self.place, name.removeprefix(items.COLUMN))
        return items.numbers_or_words([own.get(pair) for pair in self.texts])

    def listed(self) -> Mapping[str, Sequence[Value]]:
        both = {f"headline_{letter}": [pair[at] for pair in self.texts] for at, letter in enumerate("ab")}
        return {**both, "label": self.data.test.labels.tolist()}

    def shown(self, answers: Answers) -> Sequence[Value]:
        return _defined(answers["called"])


def open_pairs(task: Task, place: str) -> PairItems:
    better = items.measures_of(task, KNOWN, DEFAULT)
    pairs = load_pair_set(place)
    if task.split is not None and task.split is not Part.TEST:
        pairs = pairs.part(task.split)
        pairs = replace(pairs, parts=np.full(len(pairs.texts), Part.TEST.value))
    data = measured(pairs, key=task.data, summary=source_of(place).summary)
    if data.facts.why_not:
        raise InputError(data.facts.why_not, hint="Give labelled pairs of both kinds, or another split.")
    test = data.test
    if 0 < task.sample < len(test):
        chosen = sampled_places(len(test), task.sample, seed=0)
        units = data.units.only(np.isin(np.arange(len(test)), chosen))
        data = replace(data, test=test.with_pairs(chosen), units=units)
    known = {field.name: getattr(data.facts, field.name) for field in fields(BenchmarkSet)}
    known |= {"fingerprint": data.test.fingerprint, "count": len(data.test), "units": data.units.count}
    return PairItems(facts=BenchmarkSet(**known), better=better, data=data, place=place)


def _defined(numbers: FloatArray) -> list[float | str | None]:
    return [None if isnan(number) else int(number) for number in numbers.tolist()]


def _by_pair(path: str, column: str) -> dict[tuple[str, str], str | None]:
    """What a column of a file says of each pair of headlines."""
    if not Path(path).is_file():
        raise InputError("Only a file has columns of its own.", hint="Give a path as data.")
    file = read_pair_file(path, labels=False)
    if column not in file.table.columns:
        raise items.no_column(column, list(file.table.columns))
    sides = [[clean_line(text or "") for text in file.table[file.columns[f"headline_{x}"]]] for x in "ab"]
    return dict(zip(zip(*sides, strict=True), file.table[column].tolist(), strict=True))
