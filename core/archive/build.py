"""From a file of any length to groups, a map and a table of events, each step kept on disk."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from core import files
from core.archive import layout, neighbours, reading
from core.archive import layout as vectors
from core.archive.cluster import Backend, Here
from core.archive.layout import POINTS, drawing_order, packed
from core.archive.reading import CELLS, EVENTS, GROUPS, HEADLINES, SUMMARY, ArchiveFolder, damaged, read_json
from core.arrays import Float32Array, IntArray
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.events.grouping import Settings, prepare
from core.groups.average_linkage import AverageLinkage, Dendrogram, Float64Array
from core.groups.granularity import CUTS
from core.groups.grouper import GroupingInput, check_granularity
from core.groups.quality.metrics import quality
from core.models.networks.batches import one_core
from core.runtime import Runtime
from core.similarities import Similarities

if TYPE_CHECKING:
    import pandas as pd

SAMPLED: Final = 6_000  # headlines of the run, from the middle of the dated ones


def level(table: pd.DataFrame, dated: int, similarities: Similarities, runtime: Runtime) -> float:
    """The granularity at which the run has the highest AMI with its groups on the page Timeline, 0 to 1.

    Those are made with the settings that the page starts with, with their own encoder and all pairs.
    """
    start = max((dated - SAMPLED) // 2, 0)
    rows = slice(start, min(start + SAMPLED, dated))
    columns = [Field.HEADLINE.value, Field.PUBLISHED.value, Field.PUBLISHER.value]
    run = load(table.iloc[rows][columns].to_csv(index=False).encode(), "archive.csv")
    page = prepare(run, Settings(), runtime)
    near = GroupingInput(Similarities(similarities.matrix[rows, rows]), page.vectors)
    tree = AverageLinkage().fit(near, runtime.quietly())
    wanted = page.reference.tolist()
    agreement = [quality(tree.cut(float(cut)), wanted)["ami"].value or 0.0 for cut in CUTS]
    return float(CUTS[max(range(len(CUTS)), key=agreement.__getitem__)])


PLACES: Final = "places"
_READ: Final = "reading.json"
_LEVEL: Final = "level"
_MERGES: Final = "merges"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSettings:
    """How an archive is grouped."""

    window: int = 3  # greatest difference in days of two headlines that are compared, at least 0
    granularity: float | None = None  # where the tree is cut, 0 to 1; None asks a run of the headlines
    shared: bool = False  # visitors of a workshop see the archive in the app


def build(
    path: Path,
    out: Path,
    settings: ArchiveSettings,
    given: Mapping[Field, Sequence[str]],
    runtime: Runtime,
    *,
    backend: Backend | None = None,
) -> dict[str, Any]:
    """Groups and maps the headlines of a file in a folder; goes on where it was stopped.

    The folder gets `headlines.parquet` (sorted by date), `groups.npy` (int64 [n], from 1),
    `places.npy` (float32 [n, 2]), `points.gz` (see `core.archive.layout`), `events.parquet` (a row a
    group, the largest first) and `summary.json`, and parts that are read when it is made again.
    """
    import pandas as pd

    backend = backend or Here()
    check_granularity(settings.granularity or 0.0)
    job = {
        "file": reading.fingerprint(path),
        "columns": {name.value: list(columns) for name, columns in given.items()},
        "window": settings.window,
    }
    folder, seconds = ArchiveFolder(out, job), dict[str, float]()

    def timed(step: str, work: Callable[[], T]) -> T:
        begun = time.monotonic()
        done = work()
        seconds[step] = round(time.monotonic() - begun, 1)
        return done

    counts = timed("read", lambda: _headlines(path, given, folder, runtime))
    try:
        table = pd.read_parquet(out / HEADLINES)
    except (OSError, ValueError) as error:
        raise damaged(out / HEADLINES) from error
    dated = counts["headlines"] - counts["undated"]
    texts = list(table[Field.HEADLINE.value])
    timed("encode", lambda: vectors.encode(texts, folder, runtime, backend))
    days = table[Field.PUBLISHED.value].iloc[:dated].to_numpy("datetime64[D]").astype(np.int64)
    blocks = timed("compare", lambda: neighbours.compare(days, settings.window, folder, runtime, backend))
    tree, granularity = timed(
        "group", lambda: _tree(table, dated, blocks, folder, runtime, wanted=settings.granularity)
    )
    groups = tree.cut(granularity) + 1
    with one_core():
        places = timed("map", lambda: layout.places(groups - 1, folder, runtime))
    summary = {
        **counts,
        "granularity": granularity,
        "window_days": settings.window,
        "all_compared": not folder.holds(f"{CELLS}/0"),
        "seconds": seconds,
        "shared": settings.shared,
    }
    return store(folder, table, groups, places, summary)


def store(
    folder: ArchiveFolder,
    table: pd.DataFrame,
    groups: IntArray,
    places: Float32Array,
    summary: dict[str, Any],
) -> dict[str, Any]:
    """Writes what others read of an archive; until the summary is written it counts as not finished."""
    files.remove(folder.path / SUMMARY)
    folder.write(GROUPS, groups)
    folder.write(PLACES, places)
    events = _events(table, groups)
    with files.beside(folder.path / EVENTS, durable=False) as partial:
        events.to_parquet(partial, index=False)
    order = drawing_order(groups, events["group"].to_numpy())
    points = packed(places[order], events["headlines"].to_numpy()[::-1])
    files.write(folder.path / POINTS, points, durable=False)
    alone = int((events["headlines"] == 1).sum())
    told = {**summary, "groups": len(events), "alone": alone, **_measured(table, groups)}
    files.write(folder.path / SUMMARY, json.dumps(told, indent=1).encode() + b"\n")
    return told


def _headlines(
    path: Path, given: Mapping[Field, Sequence[str]], folder: ArchiveFolder, runtime: Runtime
) -> dict[str, Any]:
    counts = folder.path / _READ
    if not counts.exists():
        read = reading.read(path, given, folder.path, runtime)
        files.write(counts, json.dumps(read).encode() + b"\n")
    found: dict[str, Any] = read_json(counts)
    return found


def _tree(
    table: pd.DataFrame,
    dated: int,
    blocks: int,
    folder: ArchiveFolder,
    runtime: Runtime,
    *,
    wanted: float | None,
) -> tuple[Dendrogram, float]:
    """The tree of all headlines, and the level to cut it at: the one that is wanted, else found. An undated
    headline is a group of its own."""

    @cache
    def links() -> Similarities:
        from core.archive.cells import linked  # it compiles with numba

        return Similarities(linked(len(table), blocks, folder))

    def merges() -> Float64Array:
        none = np.empty((len(table), 0), np.float32)
        return AverageLinkage().fit(GroupingInput(links(), none), runtime).merges

    def found() -> Float64Array:
        return np.array(level(table, dated, links(), runtime))

    tree = Dendrogram(len(table), np.array(folder.made(_MERGES, merges)))
    return tree, float(folder.made(_LEVEL, found)) if wanted is None else wanted


def _events(table: pd.DataFrame, groups: IntArray) -> pd.DataFrame:
    """A row a group: its number, its first headline, how many it holds, of how many outlets, from when to
    when; the largest first."""
    frame = table[[Field.HEADLINE.value, Field.PUBLISHED.value, Field.PUBLISHER.value]].assign(group=groups)
    found = frame.groupby("group", sort=True).agg(
        title=(Field.HEADLINE.value, "first"),
        headlines=(Field.HEADLINE.value, "size"),
        outlets=(Field.PUBLISHER.value, "nunique"),
        first=(Field.PUBLISHED.value, "min"),
        last=(Field.PUBLISHED.value, "max"),
    )
    return found.reset_index().sort_values(["headlines", "group"], ascending=[False, True], ignore_index=True)


def _measured(table: pd.DataFrame, groups: IntArray) -> dict[str, float]:
    gold = table[Field.GOLD.value]
    if gold.isna().any():
        return {}
    found = quality(groups, gold.tolist())
    return {name: round(found[name].value or 0.0, 4) for name in ("ami", "ari", "pair_f1", "bcubed_f1")}
