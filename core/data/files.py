"""Where the files of data sets lie, and which rows of them are a sample."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import numpy as np

from core import files
from core.errors import DataSourceError
from core.runtime import data_folder

SAMPLES = files.ROOT / "samples"
Loaded = TypeVar("Loaded")


@dataclass(frozen=True, slots=True)
class DataPlace:
    """Where the files of a data set belong."""

    title: str  # the data set, in words
    folder: str  # a file or folder below the data folder, or of samples/
    wanted: str = ""  # what belongs there, as an error says it; "" for the folder itself
    files: tuple[str, ...] = ()  # files of the folder without which it is not there
    ships: bool = False  # it is part of the project, in samples/

    def find(self) -> Path | None:
        """None where it is not on this machine."""
        path = (SAMPLES if self.ships else data_folder()) / self.folder
        return path if path.exists() and all((path / file).is_file() for file in self.files) else None

    def require(self) -> Path:
        """The file or folder; DataSourceError where there is none, with a hint where it belongs."""
        path = self.find()
        if path is None:
            raise self.missing()
        return path

    def missing(self) -> DataSourceError:
        return DataSourceError(
            f"The data set {self.title} is not on this machine.",
            hint=f"Put it at {data_folder() / (self.wanted or self.folder)}, or set HEADLINE_LAB_DATA to the "
            "folder that holds it.",
        )


class DataSource(ABC, Generic[Loaded]):
    """Base of all sources of data sets: frozen dataclasses that read files."""

    __slots__ = ()
    summary: ClassVar[str]  # one line for people
    licence: ClassVar[str]  # as the source states it
    place: ClassVar[DataPlace]  # of its files; a source with a path of the user's overrides `find` instead

    def find(self) -> Path | None:
        """The file or folder that it reads, None where it is not on this machine."""
        return self.place.find()

    @abstractmethod
    def load(self) -> Loaded:
        """Reads it; DataSourceError where the files are not here, InputError where they are wrong."""


def sample(count: int, limit: int, *, seed: int) -> list[int]:
    """Rows of a sample in their order; a smaller sample is part of a larger one."""
    if not limit or limit >= count:
        return list(range(count))
    return sorted(np.random.default_rng(seed).permutation(count)[:limit].tolist())
