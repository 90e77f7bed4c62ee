"""An archive that is made under kills and cuts: it is whole, as if nothing had happened, or not there."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from core import files
from core.archive import kept, layout, vectors
from core.archive.build import ArchiveSettings, build
from core.archive.folder import HEADLINES, REMOVED, SUMMARY
from core.archive.forgetting import clean_archives
from core.archive.opened import OpenArchive
from core.archive.query import ArchiveQuery
from core.arrays import Float32Array
from core.journal import erasure
from core.journal.spellings import ErasureTarget
from core.models.networks import precision
from core.runtime import Runtime
from tests.simulation.schedule import World, hold

HEADLINE = "Storm {0} hits the coast of land {0} and keeps {0} people from their homes"


@dataclass(eq=False)
class ArchiveWorld(World):
    done: list[float] = field(default_factory=list)  # levels of the archives that may be there
    removed: set[str] = field(default_factory=set)  # outlets whose removal was acknowledged
    asked: set[str] = field(default_factory=set)  # whose removal was asked for
    early: bool = False  # whether a headline went before the archive was finished
    made: bool = False  # whether one was acknowledged

    steps = 10
    stores = False

    @classmethod
    @contextmanager
    def around(cls) -> Iterator[None]:
        """Vectors and places are drawn, no processor is measured: what is computed is not what is tested."""

        def embed(texts: Sequence[str]) -> Float32Array:
            rows = [np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint8) for text in texts]
            vectors = np.array(rows, np.float32) - 128
            return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

        def places(groups: Any, *_: object) -> Float32Array:
            return np.column_stack([groups, np.arange(len(groups))]).astype(np.float32)

        with (
            mock.patch.object(vectors, "embed", embed),
            mock.patch.object(layout, "places", places),
            mock.patch.object(precision, "_processor_gains", return_value=False),
        ):
            yield

    def actions(self) -> dict[Callable[[], None], int]:
        return {self.make: 6, self.look: 2, self.remove: 1, self.power_cut: 2, self.trouble: 4}

    @property
    def path(self) -> Path:
        return self.folder / "archives" / "news"

    def make(self) -> None:
        level = self.chance.choice((0.3, 0.7))
        self.done.append(level)
        make(self.path, level)
        self.done, self.made = [level], True

    def look(self) -> None:
        if not (self.path / SUMMARY).exists():
            return
        archive = OpenArchive(self.path)
        level = json.loads((self.path / SUMMARY).read_bytes())["granularity"]
        hold(level in self.done, "an archive of another level")
        groups, texts, whole = reference(level)
        hold(bool(self.asked) or made_of(self.path) == whole, "an undisturbed archive has other bytes")
        hold(self.early or archive.groups.tolist() == groups, "other groups")
        for text, outlet, wanted in zip(
            *(archive.texts[name].to_pylist() for name in ("headline", "publisher")), texts, strict=True
        ):
            hold(text == wanted or (self.asked and text == REMOVED), "another headline")
            hold(outlet not in self.removed, f"{outlet} was removed and is back")
        hold(len(archive.ask(ArchiveQuery()).rows) == len(groups), "headlines are missing")

    def remove(self) -> None:
        if not (self.path / HEADLINES).exists() or len(self.asked) > 2:
            return
        outlet = f"Paper {self.chance.randrange(5)}"
        self.asked.add(outlet)
        self.early = self.early or not (self.path / SUMMARY).exists()
        with mock.patch.object(kept, "archives_folder", return_value=self.path.parent):
            report = clean_archives(erasure.secret_of(ErasureTarget.PUBLISHER, outlet))
        if report and "problem" not in report[0]:
            self.removed.add(outlet)

    def audit(self) -> None:
        self.look()
        hold(not self.made or (self.path / HEADLINES).exists(), "the archive is gone")

    def end(self) -> None:
        """Whatever happened, the same command makes the archive in the end."""
        self.make()
        self.audit()


def made_of(path: Path) -> list[bytes]:
    return [(path / name).read_bytes() for name in ("groups.npy", "places.npy", "events.parquet")]


def make(path: Path, level: float) -> None:
    build(source(), path, ArchiveSettings(granularity=level), {}, Runtime())


@cache
def source() -> Path:
    path = Path(tempfile.mkdtemp()) / "news.csv"
    rows = [(HEADLINE.format(n), f"2026-01-{1 + n // 9:02}", f"Paper {n % 5}") for n in range(40)]
    path.write_text("headline,published,publisher\n" + "".join(f"{','.join(row)}\n" for row in rows))
    return path


@cache
def reference(level: float) -> tuple[list[int], list[str], list[bytes]]:
    """Groups, headlines and files of the archive when nothing fails."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(files, "SYSTEM", files.System()):
        make(Path(folder) / "news", level)
        archive = OpenArchive(path := Path(folder) / "news")
        return archive.groups.tolist(), archive.texts["headline"].to_pylist(), made_of(path)
