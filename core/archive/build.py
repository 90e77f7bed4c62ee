"""From a file of any length to an archive, each step kept on disk."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from core import files
from core.archive import cluster, comparing, events, grouping, layout, reading
from core.archive.folder import CELLS, COUNTS, ArchiveFolder, at_work, fingerprint, read_json
from core.archive.vectors import encode
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.groups.grouper import check_granularity
from core.models.loaded import give_memory_back
from core.models.networks.batches import one_core
from core.runtime import Runtime
from core.text.language import SAMPLE_SIZE, timeline_language
from core.text.reading import any_lost, unread_notes

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSettings:
    window: int = 3  # greatest difference in days of two headlines that are compared, at least 0
    granularity: float | None = None  # where the tree is cut, 0 to 1; None asks a run of the headlines
    vectors: str | None = None  # a file of one's own, each with its headline, in place of the text encoder
    shared: bool = False  # visitors of a workshop see the archive in the app


def build(
    path: Path,
    out: Path,
    settings: ArchiveSettings,
    given: Mapping[Field, Sequence[str]],
    runtime: Runtime,
    *,
    backend: cluster.Backend = cluster.local_backend,
) -> dict[str, Any]:
    """Groups and maps the headlines of a file in a folder (docs/archive.md); goes on where it was stopped."""
    check_granularity(settings.granularity or 0.0)
    if settings.vectors is not None and backend is not cluster.local_backend:
        raise InputError("Vectors of your own stay on this computer.", hint="Use a model (or no --cluster).")
    if given:  # a column that is not there is told first
        reading.mapping_of(next(reading.portions(path)), given)
    folder, seconds = archive_folder(path, out, settings, given), dict[str, float]()

    def timed(step: str, work: Callable[[], T]) -> T:
        begun = time.monotonic()
        done = work()
        seconds[step] = round(time.monotonic() - begun, 1)
        give_memory_back()
        return done

    def headlines() -> dict[str, Any]:
        file = out / COUNTS
        if not file.exists():
            files.write(file, json.dumps(reading.read(path, given, out, runtime)).encode() + b"\n")
        counts: dict[str, Any] = read_json(file)
        return counts

    def encoded() -> str:
        texts = folder.headlines(Field.HEADLINE)[0]
        language = timeline_language(texts[:: -(-len(texts) // SAMPLE_SIZE)].to_pylist())
        encode(texts, language, folder, runtime, backend, own=settings.vectors)
        return language

    with at_work(out):
        counts = timed("read", headlines)
        dated = counts["headlines"] - counts["undated"]
        language = timed("encode", encoded)
        published = folder.headlines(Field.PUBLISHED)[0].slice(0, dated)
        days = published.to_numpy().astype("datetime64[D]").astype(np.int64)
        timed("compare", lambda: comparing.compare(days, settings.window, folder, runtime, backend))
        tree, granularity = timed(
            "group",
            lambda: grouping.tree_and_level(
                counts["headlines"], dated, folder, runtime, wanted=settings.granularity
            ),
        )
        groups = tree.cut(granularity) + 1
        with one_core():
            places = timed("map", lambda: layout.places(groups - 1, folder, runtime))
        texts = folder.headlines(Field.HEADLINE)[0].to_pylist() if any_lost() else []
        summary = {
            **counts,
            "notes": [*counts["notes"], *unread_notes(texts)],
            "language": language,
            "granularity": granularity,
            "window_days": settings.window,
            "all_compared": not folder.holds(f"{CELLS}/0"),
            "seconds": seconds,
            "shared": settings.shared,
        }
        return events.store(folder, groups, places, summary)


def archive_folder(
    path: Path, out: Path, settings: ArchiveSettings, given: Mapping[Field, Sequence[str]]
) -> ArchiveFolder:
    columns = {name.value: list(columns) for name, columns in given.items()}
    job = {"file": fingerprint(path), "columns": columns, "window": settings.window}
    if settings.vectors is not None:
        job["vectors"] = fingerprint(Path(settings.vectors))
    return ArchiveFolder(out, job, path)
