"""HLGD's pairs, and the excerpts of it that ship."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.column_files import named_columns, whole_days
from core.data.files import DataPlace
from core.data.pair_sets import assembly, pair_set, sampling
from core.data.pair_sets.dataset_folder import parts_of, read_parts
from core.data.pair_sets.grouped import grouped
from core.errors import DataSourceError
from core.parts import Part
from core.registry import told
from core.runtime import data_folder


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
        return read_parts(parts_of(folder), self.name)


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
        return read_parts(parts_of(self.place.require()), self.name)


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
        return assembly.from_groups(self.name, headlines, sampling.Sampling(window_days=window, ratio=None))


def _has_all(folder: Path) -> bool:
    return set(parts_of(folder)) == set(Part)


def _places() -> Iterator[Path]:
    if (data_folder() / "hlgd").exists():
        yield data_folder() / "hlgd"
    home = os.environ.get("HF_HOME", str(Path.home() / ".cache" / "huggingface"))
    hub = Path(os.environ.get("HF_HUB_CACHE", str(Path(home) / "hub")))
    for snapshot in sorted(hub.glob("datasets--*hlgd/snapshots/*")):
        yield from (snapshot, *sorted(path for path in snapshot.iterdir() if path.is_dir()))
