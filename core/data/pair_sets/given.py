"""Pairs as their makers hand them out: a file that somebody brings, HLGD, and Dialogue 2021."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.data.dialogue2021 import documents_at, no_headlines, read_documents
from core.data.files import DataPlace, named_columns, read_stacked, whole_days
from core.data.pair_sets import pair_set
from core.data.pair_sets.assembly import Sampling, Side, from_groups, from_pairs
from core.data.pair_sets.grouped import grouped
from core.data.pair_sets.pair_file import read_pair_file
from core.errors import DataSourceError, InputError
from core.parts import Part
from core.registry import told
from core.runtime import data_folder

BY_EVENT = "by_event"
SHARES = (0.6, 0.2, 0.2)


@pair_set.pair_sources.register("pair_file.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GivenPairs(pair_set.PairSource):
    """Labelled pairs in HLGD's JSON or a table with headline_a, headline_b and label.

    Where parts are drawn and one would lack one of the labels, all pairs are test. Every row must be usable.
    """

    summary: ClassVar[str] = "Any file of labelled pairs"
    licence: ClassVar[str] = "That of the file"

    path: str = field(default="", metadata={"help": "a file of pairs"})
    part: str = told(
        Part.TEST.value,
        "part of pairs that do not say; by_event draws whole events 60, 20, 20 % where none says",
        choices=(*(part.value for part in Part), BY_EVENT),
    )

    def find(self) -> Path | None:
        path = Path(self.path)
        return path if os.path.isfile(path) else None  # False also for names that no file can have

    def load(self) -> pair_set.PairSet:
        if not self.path:
            raise InputError("No file of pairs was named.", hint="Give it as `pair_file.v1|path:FILE`.")
        drawn = self.part == BY_EVENT
        read = read_pair_file(self.path, part=Part.TRAIN if drawn else Part(self.part))
        pairs = replace(read.strict(), name=Path(self.path).name.partition(".")[0])
        if not drawn or read.says_parts:
            return pairs
        parted = pair_set.by_event(pairs, SHARES, seed=0)
        learned, measured = (set(parted.part(part).labels.tolist()) for part in (Part.TRAIN, Part.TEST))
        if {pair_set.SAME, pair_set.DIFFERENT} <= learned & measured:
            return parted
        return replace(pairs, parts=np.full(len(pairs.texts), Part.TEST.value))


_NAMES = {Part.TRAIN: ("train",), Part.VALIDATION: ("validation", "valid", "dev"), Part.TEST: ("test",)}
_SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".parquet")


@pair_set.pair_sources.register("hlgd.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Hlgd(pair_set.PairSource):
    """HLGD's classification pairs: label 1 is the same event; positive pairs join gold groups.

    Reads train, validation (or dev) and test in the hub's field names or those of appendix C.

    Source: Laban et al. 2021, section 3.5 and appendix C.
    """

    summary: ClassVar[str] = "The paper's own 20,056 pairs of ten timelines (HLGD)"
    licence: ClassVar[str] = "Apache-2.0; headlines belong to their publishers"

    path: str = told("", "folder with train, validation and test; empty looks in the data folder and hub")

    def find(self) -> Path | None:
        if self.path:
            return Path(self.path) if _has_all(Path(self.path)) else None
        return next(filter(_has_all, _places()), None)

    def load(self) -> pair_set.PairSet:
        folder = self.find()
        if folder is None:
            raise DataSourceError(
                "The data set HLGD is not on this machine."
                if not self.path
                else f"{self.path[:200]} does not hold HLGD's train, validation (or dev) and test files.",
                hint=f"Put train.json, dev.json and test.json in {data_folder() / 'hlgd'}, or give "
                "their folder as hlgd.v1|path:FOLDER.",
            )
        return read_hlgd(folder, self.name)


@pair_set.pair_sources.register("hlgd_sample.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HlgdSample(pair_set.PairSource):
    """Five pairs each of HLGD's train, validation and test; too few to measure anything.

    Source: Laban et al. 2021.
    """

    summary: ClassVar[str] = "Fifteen real HLGD pairs, to see the format (HLGD)"
    licence: ClassVar[str] = "Apache-2.0 (the HLGD release); headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("HLGD sample", "hlgd_sample", "hlgd_sample", ships=True)

    def load(self) -> pair_set.PairSet:
        return read_hlgd(self.place.require(), self.name)


@pair_set.pair_sources.register("iss.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Iss(pair_set.PairSource):
    """All pairs of the excerpt of a HLGD timeline that the paper prints; everything is test.

    Nothing may be trained or tuned on it. With a window of 4 days its pairs are drawn as the paper's are.

    Source: Laban et al. 2021, appendix D.
    """

    summary: ClassVar[str] = "47 headlines on the International Space Station with HLGD's groups"
    licence: ClassVar[str] = "Apache-2.0 (the HLGD release); headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("ISS", "iss", "iss", ships=True)

    window_days: float | None = told(
        None,
        "days that the headlines of a negative are apart; none keeps all",
        label="Days apart, at most",
        low=0.0,
    )

    @property
    def name(self) -> str:
        return "iss" if self.window_days is None else f"iss, {self.window_days:g} days"

    def load(self) -> pair_set.PairSet:
        path = self.place.require() / "iss_excerpt.csv"
        texts, groups, dates = named_columns(path, "headline", "group", "date")
        headlines = grouped(texts, whole_days(dates), groups, np.full(len(groups), Part.TEST.value))
        window = float("inf") if self.window_days is None else self.window_days
        return from_groups(self.name, headlines, Sampling(window_days=window, ratio=None))


def read_hlgd(folder: Path, name: str) -> pair_set.PairSet:
    parts = []
    for part in Part:
        file = _file(folder, part)
        if file is None:
            message = f"{folder.name} has no {part.value} file."
            raise DataSourceError(message, hint=f"Add {_NAMES[part][-1]}.json.")
        parts.append(read_pair_file(file, part=part).strict())
    pairs = pair_set.concatenate(parts, name=name)
    return replace(pairs, groups=pair_set.joined_groups(pairs))


def _file(folder: Path, part: Part) -> Path | None:
    for name in _NAMES[part]:
        for suffix in _SUFFIXES:
            paths = [folder / f"{name}{suffix}", *sorted(folder.glob(f"{name}-*{suffix}"))]
            file = next((path for path in paths if path.is_file()), None)
            if file is not None:
                return file
    return None


def _has_all(folder: Path) -> bool:
    return os.path.isdir(folder) and all(_file(folder, part) for part in Part)


def _places() -> Iterator[Path]:
    if (data_folder() / "hlgd").exists():
        yield data_folder() / "hlgd"
    home = os.environ.get("HF_HOME", str(Path.home() / ".cache" / "huggingface"))
    hub = Path(os.environ.get("HF_HUB_CACHE", str(Path(home) / "hub")))
    for snapshot in sorted(hub.glob("datasets--*hlgd/snapshots/*")):
        yield from (snapshot, *sorted(path for path in snapshot.iterdir() if path.is_dir()))


_JUDGEMENTS: Final = {"OK": pair_set.SAME, "BAD": pair_set.DIFFERENT}
_EPOCH: Final = date(1970, 1, 1)
_FILES: Final = {
    "data__clustering__ru_clustering_0525_urls.tsv": (Part.TRAIN, date(2020, 5, 25), "validation"),
    "data__clustering__ru_clustering_0527_urls_final.tsv": (Part.VALIDATION, date(2020, 5, 27), "public"),
    "data__clustering__ru_clustering_0529_urls_final_v2.tsv": (Part.TEST, date(2020, 5, 29), "private"),
}


@pair_set.pair_sources.register("dialogue2021.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue2021(pair_set.PairSource):
    """31,811 judged pairs by address; each day of the shared task is one timeline.

    The task publishes addresses alone. Headlines come from an archive of the Telegram contest where one is
    given, else from addresses in Latin letters; pairs without, or with a wording of a later day, are
    excluded.

    Source: Gusev and Smurov 2021, section 3.1.
    """

    summary: ClassVar[str] = "Russian articles of three days, pseudo-headlines from addresses (Dialogue 2021)"
    licence: ClassVar[str] = "None stated; headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("Dialogue 2021", "ru_news_dialogue2021", files=tuple(_FILES))

    archive: str = told("", "a file or folder of documents with addresses and headlines; empty for none")

    def load(self) -> pair_set.PairSet:
        folder = self.place.require()
        documents = read_documents(Path(self.archive)) if self.archive else None
        files = {folder / file: file for file in _FILES}
        table, of_file = read_stacked(files, ("first_url", "second_url", "quality"))
        if not set(table["quality"]) <= set(_JUDGEMENTS):
            message = "A judgement is neither OK nor BAD."
            raise InputError(message, hint="Get the original files of the shared task.")
        both = list(zip(table["first_url"], table["second_url"], strict=True))
        known = documents_at({url: 0.0 for pair in both for url in pair}, documents)
        rows = [row for row, (a, b) in enumerate(both) if a in known and b in known and a != b]
        if not rows:
            raise no_headlines()
        chosen = [both[row] for row in rows]
        parts, days, tags = zip(*(_FILES[of_file[row]] for row in rows), strict=True)
        since = np.array([float((day - _EPOCH).days) for day in days])
        left, right = (
            Side([known[pair[at]].headline for pair in chosen], since, [pair[at] for pair in chosen])
            for at in (0, 1)
        )
        labels = np.array([_JUDGEMENTS[table["quality"][row]] for row in rows], dtype=np.int64)
        named = [part.value for part in parts]
        return from_pairs(
            self.name, left, right, labels, parts=named, timelines=named, tags=[(tag,) for tag in tags]
        )
