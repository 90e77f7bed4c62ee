"""Tasks on groups: are headlines together that people put together?"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import BoolArray, IntArray
from core.data.timelines.tables import read_bytes, read_table
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.events.grouping import Settings, prepare, regroup
from core.groups.grouper import groupers
from core.groups.quality import MEASURES, quality, resampled
from core.results.table import Value
from core.runtime import Runtime
from core.text.tokens import words
from research.benchmark import events
from research.benchmark.results import BenchmarkSystem
from research.tasks import items
from research.tasks.items import Answered, Answers, Estimates, Items
from research.tasks.task import Task, TaskSystem

KNOWN: Final = dict.fromkeys(MEASURES, "higher")
DEFAULT: Final = ("ami", "bcubed_f1", "pair_f1")
ANSWER: Final = "group"  # the column of a file of answers, as `headline-lab group` writes it


@dataclass(frozen=True, slots=True, eq=False)
class GroupItems(Items):
    slices: ClassVar[tuple[str, ...]] = ("length", "outlet", "language")
    plan: events.GroupPlan
    opened: events.OpenedTimeline

    @property
    def timeline(self) -> Timeline:
        return self.opened.timeline

    def signature(self, system: TaskSystem) -> str:
        return groupers.signature(groupers.parse(system.method))

    def depends_on(self, system: TaskSystem, runtime: Runtime) -> Sequence[str]:
        known = BenchmarkSystem(key=system.name, name=system.name, signature=self.signature(system))
        return [self.plan.scorer, *self.plan.depends_on(known, self.opened, runtime)]

    def ask(self, system: TaskSystem, runtime: Runtime) -> Answered:
        if not system.file:
            settings = Settings(scorer=self.plan.scorer, method=system.method)
            grouping = regroup(prepare(self.timeline, settings, runtime.quietly()))
            return Answered({ANSWER: np.asarray(grouping.ids, dtype=np.int64)}, grouping.signature)
        import pandas as pd

        name = Path(system.file).name
        table = read_table(read_bytes(system.file), name, blank_rows=True).cells
        if ANSWER not in table.columns:
            raise items.no_column(ANSWER, list(table.columns))
        if len(table) != len(self.timeline):
            said = f"{name} has {len(table):,} rows for {len(self.timeline):,} headlines."
            raise InputError(said, hint="Give a row a headline, in the order of the data.")
        codes = pd.factorize(table[ANSWER].fillna("").str.strip().replace("", None))[0].astype(np.int64)
        alone = codes.max(initial=-1) + 1 + np.arange(len(codes))  # a headline without a group is alone
        return Answered({ANSWER: np.where(codes < 0, alone, codes)}, f"groups of {name}")

    def answered(self, answers: Answers) -> BoolArray:
        return np.ones(len(self.timeline), dtype=np.bool_)

    def estimate(self, answers: Answers, rows: IntArray, *, resamples: int, seed: int) -> Estimates:
        labels, gold = answers[ANSWER][rows], self._gold(rows)
        values = quality(labels, gold)
        drawn = resampled(labels, gold, resamples=resamples, seed=seed)
        return {name: (values[name].value, drawn[name]) for name in self.better}

    def _gold(self, rows: IntArray) -> list[Hashable]:
        return [self.opened.gold[row] for row in rows.tolist()]

    def units(self, rows: IntArray) -> tuple[int, str]:
        return len(set(self._gold(rows))), "gold groups"

    def values(self, name: str) -> Sequence[float | str | None]:
        if name == "length":
            return [len(words(text)) for text in self.timeline.texts]
        if name == "outlet":
            return self.timeline.publishers
        if name == "language":
            given = self.timeline.table[Field.LANGUAGE].tolist()
            read = items.languages(self.timeline.texts)
            return [
                code if isinstance(code, str) and code else own for code, own in zip(given, read, strict=True)
            ]
        column, table = name.removeprefix(items.COLUMN), self.timeline.original
        if column not in table.columns:
            raise items.no_column(column, list(table.columns))
        return items.numbers_or_words(table[column].tolist())

    def listed(self) -> Mapping[str, Sequence[Value]]:
        return {"headline": self.timeline.texts, "gold_group": list(map(str, self.opened.gold))}

    def shown(self, answers: Answers) -> Sequence[Value]:
        numbers: list[Value] = answers[ANSWER].tolist()
        return numbers


def open_groups(task: Task, place: str) -> GroupItems:
    better = items.measures_of(task, KNOWN, DEFAULT)
    if task.sample or task.split is not None:
        said = "Groups are measured on a whole timeline: sample and split do not fit."
        raise InputError(said, hint="Leave them out, or give a smaller file.")
    plan = events.GroupPlan([place], [], events.signed(task.scorer or Settings().scorer), task.resamples)
    opened = plan.open(place, Runtime())
    facts = replace(opened.facts, key=task.data)
    return GroupItems(facts=facts, better=better, plan=plan, opened=opened)
