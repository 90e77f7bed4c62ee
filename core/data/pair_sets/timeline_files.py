"""Pairs drawn from annotated timelines in files."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from core.data.pair_sets import annotated, division, grouped, pair_set
from core.data.timelines import preview, readers, samples
from core.data.timelines.load import load
from core.data.timelines.samples import PREFIX, load_sample
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import Timeline
from core.errors import DataSourceError, InputError
from core.parts import Part
from core.registry import told

BY_TIMELINE = "by_timeline"


@pair_set.pair_sources.register("timeline.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TimelineFiles(grouped.GroupedSource):
    """Pairs drawn from annotated timelines in a file, a folder of files, or a sample.

    The paper's builder with its defaults. Where there are no gold groups, annotators' groups are merged.
    """

    summary: ClassVar[str] = "Any timeline with gold or annotators' groups"
    licence: ClassVar[str] = "That of the timeline"

    path: str = field(default="", metadata={"help": "a file, a folder of files, or sample:NAME"})
    part: str = told(
        Part.TEST.value,
        "part of all pairs; by_timeline draws whole timelines 60, 20, 20 %",
        choices=(*(part.value for part in Part), BY_TIMELINE),
    )
    most_positives: int | None = told(None, "positives of a part, drawn at random; none keeps all", low=1)

    def find(self) -> Path | None:
        if self.path.startswith(PREFIX):
            return samples.info(self.path.removeprefix(PREFIX)).path
        path = Path(self.path)
        return path if self.path and os.path.exists(path) else None

    @property
    def name(self) -> str:
        return Path(self.path.removeprefix(PREFIX)).stem

    def headlines(self) -> pair_set.PairSet:
        timelines = read_timelines(self.path)
        if self.part != BY_TIMELINE:
            return annotated.annotated_headlines(timelines, Part(self.part), seed=self.seed)
        chosen = division.drawn(range(len(timelines)), grouped.SHARES, seed=self.seed)
        parts = [chosen[place] for place in range(len(timelines))]
        return annotated.annotated_headlines(timelines, parts, seed=self.seed)


def read_timelines(path: str) -> list[Timeline]:
    """Every timeline of a file, of all files of a folder, or a sample (`sample:NAME`)."""
    if path.startswith(PREFIX):
        return [load_sample(path.removeprefix(PREFIX))]
    if not path or not os.path.isdir(path):  # False also for names that no folder can have
        return _of_file(Path(path)) if path else _nothing(path)
    tables = [form for form in readers.containers() if form.name != "pasted"]  # a folder has its README
    suffixes = {suffix for form in tables for suffix in form.suffixes}
    endings = tuple(f".{suffix}{gz}" for suffix in suffixes for gz in ("", ".gz"))
    files = [file for file in sorted(Path(path).iterdir()) if file.name.lower().endswith(endings)]
    return [timeline for file in files for timeline in _of_file(file)] or _nothing(path)


def _of_file(file: Path) -> list[Timeline]:
    data = read_bytes(file)
    names = preview.sniff(data, file.name).timelines
    if not names:
        return [load(data, file.name)]
    return [load(data, file.name, timeline=name, name=f"{file.name}: {name}") for name in names]


def _nothing(path: str) -> list[Timeline]:
    if not path:
        raise InputError("No timeline was named.", hint="Give a file, a folder, or sample:NAME.")
    raise DataSourceError(f"The folder {path[:200]} holds no timeline.", hint="Put a CSV or JSON file there.")
