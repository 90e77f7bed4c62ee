"""Folders of pairs as libraries of the field keep them: files by part, arrow of `datasets`, the hub."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from core.data.pair_sets import division, pair_file, pair_set
from core.data.timelines.arrow_folder import arrow_columns
from core.errors import DataSourceError, InputError
from core.models.weights import ALLOW_HUB, hub_allowed, prepare_hub_libraries
from core.parts import Part
from core.registry import told

NAMES: Final = {"train": Part.TRAIN, "test": Part.TEST} | dict.fromkeys(
    ("validation", "valid", "dev"), Part.VALIDATION
)
_SUFFIXES: Final = (".arrow", ".parquet", ".jsonl", ".json", ".csv", ".tsv")
_FILE: Final = re.compile(rf"({'|'.join(NAMES)})(?:-\w[\w-]*)?")  # "test", "test-00000-of-00002"
_COMMIT: Final = re.compile("[0-9a-f]{40}")


@pair_set.pair_sources.register("dataset.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class DatasetFolder(pair_set.PairSource):
    """Labelled pairs of a folder with train, validation (or dev) or test, or of a data set of the hub.

    A part is one file or several (arrow, Parquet, JSONL, JSON, CSV, TSV), or a folder of them, as `datasets`
    saves a dictionary of splits. From the hub a commit is read, no branch, and downloading needs
    `HEADLINE_LAB_ALLOW_HUB=1`; what the hub's client has in its cache is read without.
    """

    summary: ClassVar[str] = "Any folder of pairs by part, or a data set of the hub"
    licence: ClassVar[str] = "That of the data set"

    path: str = told("", "a folder with files for train, validation or test")
    hub: str = told("", "owner/name of a data set of the hub, in place of a folder")
    revision: str = told("", "its commit: 40 hexadecimal digits")

    def __post_init__(self) -> None:
        if self.hub and not _COMMIT.fullmatch(self.revision):
            said = f"{self.hub[:80]} is read at a commit, and {self.revision[:60]!r} is none."
            raise InputError(said, hint="Give revision:… with the 40 digits that the hub shows.")

    @property
    def name(self) -> str:
        return (self.hub or os.path.abspath(self.path)).rpartition("/")[2]

    def find(self) -> Path | None:
        return Path(self.path) if self.path and parts_of(Path(self.path)) else None

    def load(self) -> pair_set.PairSet:
        parts = parts_of(self._downloaded() if self.hub else Path(self.path)) if self.hub or self.path else {}
        if not parts:
            said = f"{self.hub or self.path or 'The folder'} has no files for train, validation or test."
            raise DataSourceError(said, hint="Call them train.jsonl, test.parquet and the like.")
        return read_parts(parts, self.name)

    def _downloaded(self) -> Path:
        prepare_hub_libraries()
        from huggingface_hub import snapshot_download

        try:
            patterns = [f"*{suffix}" for suffix in _SUFFIXES]
            how: dict[str, Any] = {
                "repo_type": "dataset",
                "revision": self.revision,
                "allow_patterns": patterns,
            }
            return Path(snapshot_download(self.hub, local_files_only=not hub_allowed(), **how))
        except Exception as error:  # the library's errors share no base
            said = f"The data set {self.hub[:80]} at {self.revision[:12]} is not on this machine."
            hint = f"Set {ALLOW_HUB}=1 with a network, check id and commit, or give a folder."
            raise DataSourceError(said, hint=hint) from error


def parts_of(folder: Path) -> dict[Part, list[Path]]:
    """The files of each part that is there, all of one kind, of a folder or else of `data` in it."""
    found: dict[Part, list[Path]] = {}
    for entry in sorted(folder.iterdir()) if os.path.isdir(folder) else ():
        if name := _FILE.fullmatch(entry.name if entry.is_dir() else entry.stem):
            inside = sorted(entry.glob("data-*.arrow")) if entry.is_dir() else [entry]
            found.setdefault(NAMES[name[1]], []).extend(inside)
    kinds = {
        part: next(filter(None, ([file for file in files if file.suffix == end] for end in _SUFFIXES)), [])
        for part, files in found.items()
    }
    own = {part: files for part, files in kinds.items() if files}
    return own or (parts_of(folder / "data") if os.path.isdir(folder / "data") else {})


def read_parts(parts: Mapping[Part, Sequence[Path]], name: str) -> pair_set.PairSet:
    read = [_read(file, part) for part in Part for file in parts.get(part, ())]
    pairs = pair_set.concatenate(read, name=name)
    return replace(pairs, groups=division.joined_groups(pairs))


def _read(file: Path, part: Part) -> pair_set.PairSet:
    if file.suffix != ".arrow":
        return pair_file.read_pair_file(file, part=part).strict()
    table = arrow_columns(file)
    try:
        frame = table.to_pandas()
    except ValueError as error:  # pyarrow's own among them
        said = f"{file.name} has a column of a kind, or a day, that cannot be read."
        raise InputError(said, hint="Save the data set with texts and numbers alone.") from error
    return pair_file.pairs_of_frame(frame, part=part, labels=True, name=file.name).strict()
