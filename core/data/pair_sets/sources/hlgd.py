"""HLGD: its own pairs as the hub and the release have them, fifteen of them that ship, and a timeline."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.files import DataPlace, column, read_columns, whole_days
from core.data.pair_sets.assembly import concatenate, from_groups, joined_groups
from core.data.pair_sets.drawing import Sampling
from core.data.pair_sets.pair_file import read_pair_file
from core.data.pair_sets.pair_set import PairSet, PairSource, pair_sources
from core.data.pair_sets.sources.grouped import grouped
from core.errors import DataSourceError
from core.parts import Part
from core.runtime import data_folder

_NAMES = {Part.TRAIN: ("train",), Part.VALIDATION: ("validation", "valid", "dev"), Part.TEST: ("test",)}
_SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".parquet")


@pair_sources.register("hlgd.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Hlgd(PairSource):
    """HLGD's classification pairs: label 1 is the same event.

    The class names of the hub's loader say the opposite of the label; the rows and the paper's
    appendix C ("1 if paraphrase") agree that 1 is the same. Reads a folder with train, validation (or
    dev) and test as JSON, JSON lines, CSV or Parquet, in the hub's field names or those of appendix C.
    A headline's gold group is what positive pairs join.

    Source: Laban et al. 2021, section 3.5 and appendix C.
    """

    summary: ClassVar[str] = "The paper's own 20,056 pairs of ten timelines (HLGD)"
    licence: ClassVar[str] = "Apache-2.0; headlines belong to their publishers"

    path: str = field(
        default="",
        metadata={"help": "folder with train, validation and test; empty looks in the data folder and hub"},
    )

    def find(self) -> Path | None:
        if self.path:
            return Path(self.path) if _has_all(Path(self.path)) else None
        return next(filter(_has_all, _places()), None)

    def load(self) -> PairSet:
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


@pair_sources.register("hlgd_sample.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HlgdSample(PairSource):
    """Five pairs each of HLGD's train, validation and test; too few to measure anything.

    Source: Laban et al. 2021.
    """

    summary: ClassVar[str] = "Fifteen real HLGD pairs, to see the format (HLGD)"
    licence: ClassVar[str] = "Apache-2.0 (the HLGD release); headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("HLGD sample", "hlgd_sample", "hlgd_sample", ships=True)

    def load(self) -> PairSet:
        return read_hlgd(self.place.require(), self.name)


@pair_sources.register("iss.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Iss(PairSource):
    """All pairs of the excerpt of a HLGD timeline that the paper prints; everything is test.

    Nothing may be trained or tuned on it. With 47 headlines there is no need to draw; a window leaves
    out the negatives that are further apart, as the paper does.

    Source: Laban et al. 2021, appendix D.
    """

    summary: ClassVar[str] = "47 headlines on the International Space Station with HLGD's groups"
    licence: ClassVar[str] = "Apache-2.0 (the HLGD release); headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("ISS", "iss", "iss", ships=True)

    window_days: float | None = field(
        default=None,
        metadata={
            "label": "Days apart, at most",
            "help": "days that the headlines of a negative are apart; none keeps all",
            "low": 0.0,
        },
    )

    def load(self) -> PairSet:
        path = self.place.require() / "iss_excerpt.csv"
        table = read_columns(path)
        groups = column(table, "group", path)
        days = whole_days(column(table, "date", path))
        test = np.full(len(groups), Part.TEST.value)
        headlines = grouped(column(table, "headline", path), days, groups, test)
        window = float("inf") if self.window_days is None else self.window_days
        return from_groups(self.name, headlines, Sampling(window_days=window, ratio=None))


def read_hlgd(folder: Path, name: str) -> PairSet:
    """The three files of a folder as one pair set."""
    parts = []
    for part in Part:
        file = _file(folder, part)
        if file is None:
            raise DataSourceError(
                f"{folder.name} has no {part.value} file.", hint=f"Add {_NAMES[part][-1]}.json."
            )
        parts.append(read_pair_file(file, part=part).strict())
    pairs = concatenate(parts, name=name)
    return replace(pairs, groups=joined_groups(pairs))


def _file(folder: Path, part: Part) -> Path | None:
    for name in _NAMES[part]:
        for suffix in _SUFFIXES:
            found = [folder / f"{name}{suffix}", *sorted(folder.glob(f"{name}-*{suffix}"))]
            file = next((path for path in found if path.is_file()), None)
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
