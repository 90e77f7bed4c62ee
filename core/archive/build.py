"""From a file of any length to groups, a map and a table of events, each step kept on disk."""

from __future__ import annotations

import itertools
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from core import files
from core.archive import comparing, layout, reading
from core.archive.cluster import Backend, local_backend
from core.archive.layout import POINTS, drawing_order, packed
from core.arrays import Float32Array, FloatArray, IntArray
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.errors import DataSourceError, InputError
from core.events.grouping import Settings, prepare
from core.groups.average_linkage import AverageLinkage
from core.groups.dendrogram import Dendrogram
from core.groups.granularity import CUTS
from core.groups.grouper import GroupingInput, check_granularity
from core.groups.quality import quality
from core.models.loaded import give_memory_back
from core.models.networks.batches import one_core
from core.results.render import count_words
from core.runtime import Runtime
from core.similarities import Similarities
from core.text.language import SAMPLE_SIZE, timeline_language
from core.text.reading import any_lost, unread_notes

if TYPE_CHECKING:
    import pandas as pd

    from core.archive.cells import Links

SAMPLED: Final = 6_000  # headlines of the run, from the middle of the dated ones
PLACES: Final = "places"
FIRST: Final = 20_000  # headlines of a long file that are grouped before it is read whole
_FIRST: Final = "-first"
T = TypeVar("T")


def level(dated: int, links: Links, folder: reading.ArchiveFolder, runtime: Runtime) -> float:
    """The granularity at which a run agrees best (AMI) with its groups on the page Timeline, 0 to 1."""
    start = max((dated - SAMPLED) // 2, 0)
    rows = range(start, min(start + SAMPLED, dated))
    table = folder.headlines(Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER).slice(start, len(rows))
    run = load(table.to_pandas().to_csv(index=False).encode(), "archive.csv")
    page = prepare(run, Settings(), runtime)
    near = GroupingInput(Similarities(links.among(rows)), page.vectors)
    tree = AverageLinkage().fit(near, runtime.quietly())
    wanted = page.reference.tolist()
    agreement = [quality(tree.cut(float(cut)), wanted)["ami"].value or 0.0 for cut in CUTS]
    return float(CUTS[max(range(len(CUTS)), key=agreement.__getitem__)])


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSettings:
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
    backend: Backend = local_backend,
) -> dict[str, Any]:
    """Groups and maps the headlines of a file in a folder (docs/archive.md); goes on where it was stopped."""
    check_granularity(settings.granularity or 0.0)
    if given:  # a column that is not there is told first
        reading.mapping_of(next(reading.portions(path)), given)
    folder, seconds = _folder(path, out, settings, given), dict[str, float]()

    def timed(step: str, work: Callable[[], T]) -> T:
        begun = time.monotonic()
        done = work()
        seconds[step] = round(time.monotonic() - begun, 1)
        give_memory_back()
        return done

    def headlines() -> dict[str, Any]:
        file = out / reading.COUNTS
        if not file.exists():
            files.write(file, json.dumps(reading.read(path, given, out, runtime)).encode() + b"\n")
        counts: dict[str, Any] = reading.read_json(file)
        return counts

    def encoded() -> str:
        texts = folder.headlines(Field.HEADLINE)[0]
        language = timeline_language(texts[:: -(-len(texts) // SAMPLE_SIZE)].to_pylist())
        layout.encode(texts, language, folder, runtime, backend)
        return language

    with reading.at_work(out):
        counts = timed("read", headlines)
        dated = counts["headlines"] - counts["undated"]
        language = timed("encode", encoded)
        published = folder.headlines(Field.PUBLISHED)[0].slice(0, dated)
        days = published.to_numpy().astype("datetime64[D]").astype(np.int64)
        timed("compare", lambda: comparing.compare(days, settings.window, folder, runtime, backend))
        tree, granularity = timed(
            "group", lambda: _tree(counts["headlines"], dated, folder, runtime, wanted=settings.granularity)
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
            "all_compared": not folder.holds(f"{reading.CELLS}/0"),
            "seconds": seconds,
            "shared": settings.shared,
        }
        return store(folder, groups, places, summary)


def _folder(
    path: Path, out: Path, settings: ArchiveSettings, given: Mapping[Field, Sequence[str]]
) -> reading.ArchiveFolder:
    columns = {name.value: list(columns) for name, columns in given.items()}
    job = {"file": reading.fingerprint(path), "columns": columns, "window": settings.window}
    return reading.ArchiveFolder(out, job, path)


def beginning_or_all(path: Path, out: Path, beginning: str | None, runtime: Runtime) -> str:
    """Makes an archive of a long file's first headlines, to look at until all are grouped; called again with
    its name, the archive of all, which replaces it. What is begun goes on with the settings that it has.

    Gives the archive's name; "" for the beginning of a short file, or where there is nothing to group.
    """
    settings, columns = ArchiveSettings(), dict[Field, list[str]]()
    if (out / reading.MANIFEST).exists():
        job = reading.read_json(out / reading.MANIFEST)
        settings = ArchiveSettings(window=job["window"])
        columns = {Field(name): given for name, given in job["columns"].items()}
    if beginning is not None:
        build(path, out, settings, columns, replace(runtime, patient=True))
        if beginning:
            shutil.rmtree(out.with_name(beginning), ignore_errors=True)
        return out.name
    with tempfile.TemporaryDirectory() as place, suppress(InputError, DataSourceError):
        first, *more = itertools.islice(reading.portions(path), 2)
        if more:
            _folder(path, out, settings, columns)  # whatever stops this leaves a trace of the whole
            file, folder = Path(place) / "first.csv", out.with_name(out.name + _FIRST)
            first.cells.head(FIRST).to_csv(file, index=False)
            build(file, folder, settings, columns, runtime)
            return folder.name
    return ""


def unfinished(folders: Path) -> Iterator[tuple[str, Path, str]]:
    """Archives that were begun and that nobody makes at this moment: name, file, and how far each came."""
    for path in sorted(folders.iterdir()) if folders.is_dir() else ():
        whole = path.with_name(path.name.removesuffix(_FIRST))
        begun = (path / reading.MANIFEST).is_file() and not (path / reading.SUMMARY).is_file()
        if begun and (whole == path or not (whole / reading.MANIFEST).is_file()):
            with suppress(DataSourceError):  # the list of archives says so
                parts = (path, path.with_name(path.name + _FIRST))
                if not any(reading.is_made_now(part) for part in parts if part.is_dir()):
                    yield (
                        path.name,
                        Path(reading.read_json(path / reading.MANIFEST).get("source", "")),
                        _how_far(path),
                    )


def _how_far(path: Path) -> str:
    if not (path / reading.COUNTS).is_file():
        return "It stopped while the file was read, so no row is kept."
    count = reading.read_json(path / reading.COUNTS)["headlines"]
    for step, of_part, doing in (("pairs", comparing.ROWS, "compared"), ("vectors", layout.PART, "encoded")):
        if parts := sum(1 for _ in (path / step).glob("*.npy")):
            at = min(parts * of_part, count)
            return f"It stopped at headline {at:,} of {count:,}, while they were {doing}."
    return f"It stopped after {count_words(count, 'headline was', 'headlines were')} read."


def store(
    folder: reading.ArchiveFolder, groups: IntArray, places: Float32Array, summary: dict[str, Any]
) -> dict[str, Any]:
    """Writes what others read of an archive; until the summary is written it counts as not finished."""
    files.remove(folder.path / reading.SUMMARY)
    folder.write(reading.GROUPS, groups)
    folder.write(PLACES, places)
    events = _events(folder, groups)
    with files.beside(folder.path / reading.EVENTS) as partial:
        events.to_parquet(partial, index=False)
    order = drawing_order(groups, events["group"].to_numpy())
    points = packed(places[order], events["headlines"].to_numpy()[::-1])
    files.write(folder.path / POINTS, points)
    alone = int((events["headlines"] == 1).sum())
    body = {**summary, "groups": len(events), "alone": alone}
    gold = folder.headlines(Field.GOLD)[0]
    if not gold.null_count:
        rates = quality(groups, gold.combine_chunks().dictionary_encode().indices.to_numpy())
        body |= {name: round(rates[name].value or 0.0, 4) for name in ("ami", "ari", "pair_f1", "bcubed_f1")}
    files.write(folder.path / reading.SUMMARY, json.dumps(body, indent=1).encode() + b"\n")
    return body


def _tree(
    count: int, dated: int, folder: reading.ArchiveFolder, runtime: Runtime, *, wanted: float | None
) -> tuple[Dendrogram, float]:
    """The tree of all headlines and the level to cut it at; an undated headline is a group of its own."""

    @cache
    def links() -> Links:
        from core.archive.cells import Links  # it compiles with numba

        return Links(count, dated, comparing.ROWS, comparing.FOUND, folder)

    def merges() -> FloatArray:
        from core.groups.sparse_linkage import join_sparse  # it compiles with numba

        return join_sparse(count, links().portions(), runtime)

    def best_cut() -> FloatArray:
        return np.array(level(dated, links(), folder, runtime))

    tree = Dendrogram(count, np.array(folder.made("merges", merges)))
    return tree, float(folder.made("level", best_cut)) if wanted is None else wanted


def _events(folder: reading.ArchiveFolder, groups: IntArray) -> pd.DataFrame:
    import pandas as pd

    table = folder.headlines(Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER)
    outlets = table[Field.PUBLISHER.value].cast("string").combine_chunks().dictionary_encode()
    frame = pd.DataFrame(
        {
            "group": groups,
            "published": table[Field.PUBLISHED.value].to_pandas(),
            "outlet": outlets.indices.to_pandas(),
        }
    )
    frame = frame.groupby("group", sort=True).agg(
        headlines=("group", "size"),
        outlets=("outlet", "nunique"),
        first=("published", "min"),
        last=("published", "max"),
    )
    titles = table[Field.HEADLINE.value].take(np.unique(groups, return_index=True)[1])
    frame.insert(0, "title", titles.to_pandas().astype("str").to_numpy())
    return frame.reset_index().sort_values(["headlines", "group"], ascending=[False, True], ignore_index=True)
