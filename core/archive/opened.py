"""A finished archive, opened once for everybody who looks at it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from core.archive.folder import EVENTS, GROUPS, HEADLINES, REMOVED, SUMMARY, damaged, read_array
from core.archive.kept import summary_of
from core.archive.meaning import has_meaning, nearness
from core.archive.points import POINTS, drawing_order, unpacked
from core.archive.query import ArchiveQuery, LassoIndex
from core.arrays import BoolArray, Float32Array, IntArray
from core.data.timelines.load import load
from core.data.timelines.timeline import Field, Timeline
from core.runtime import Runtime
from core.text.tokens import tokenize

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_KEPT_ANSWERS: Final = 32
K = TypeVar("K")
V = TypeVar("V")
_EPOCH: Final = date(1970, 1, 1)
_SHOWN: Final = (Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER, Field.URL, Field.GOLD)
_EVENT: Final = ("group", "title", "headlines", "outlets", "first", "last")
_KEPT: Final = 4
NEAREST: Final = 100  # headlines that a search by meaning finds
OF_GROUP: Final = 10  # of one group at most, so that a large one is not all that is near
_CLOSE: Final = 0.32  # cosine of the first above the mean of all, from which it is surely no chance
_READ_FOR_WORDS: Final = 10  # of the nearest, in which a word that was asked for speaks for them
_opened: Final[OrderedDict[tuple[Path, int], OpenArchive]] = OrderedDict()
_opening: Final = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveAnswer:
    rows: IntArray  # in the order of the archive, by date, int64
    groups: IntArray  # their places in `OpenArchive.events`, those with most of these headlines first
    counts: IntArray  # how many of them each of these groups has
    listed: IntArray  # the rows again, by date, or those that are nearest in meaning first, as groups are
    far: bool = False  # the nearest in meaning may be near by chance, as they are to nonsense


class OpenArchive:
    """Arrays and tables of a finished archive; texts are read when they are first asked for."""

    def __init__(self, path: Path) -> None:
        import pandas as pd
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = path
        self.summary = summary_of(path)
        self.has_meaning = has_meaning(path, self.summary)
        # Not left on disk: a mapped file that is cut short meanwhile ends the process.
        self.groups: IntArray = np.array(read_array(path / f"{GROUPS}.npy"))
        if self.groups.dtype != np.int64 or self.groups.ndim != 1 or self.groups.min(initial=1) < 1:
            raise damaged(path / f"{GROUPS}.npy")
        try:
            self.events = pd.read_parquet(path / EVENTS, columns=list(_EVENT))
            self.order = drawing_order(self.groups, self.events["group"].to_numpy())
            sizes = self.events["headlines"].to_numpy()
        except (OSError, ValueError, IndexError, pa.ArrowException) as error:
            raise damaged(path / EVENTS) from error
        try:  # the texts themselves are read later
            known = pq.read_metadata(path / HEADLINES).num_rows
        except (OSError, pa.ArrowException) as error:
            raise damaged(path / HEADLINES) from error
        if known != len(self.groups):
            raise damaged(path / HEADLINES)
        self.points, drawn_sizes, x, y = unpacked(path / POINTS)
        if not np.array_equal(drawn_sizes, sizes[::-1]) or len(x) != len(self.groups):
            raise damaged(path / POINTS)
        self.version = blake2b(self.points, digest_size=8).hexdigest()
        self.x, self.y = np.empty_like(x), np.empty_like(y)
        self.x[self.order], self.y[self.order] = x, y
        self._drawn_sizes = drawn_sizes
        self._answers: OrderedDict[ArchiveQuery, ArchiveAnswer] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.groups)

    def place_of(self, group: int) -> int | None:
        """Place of a group in `events` by its number; None where there is none."""
        places = np.flatnonzero(self.events["group"].to_numpy() == group)
        return int(places[0]) if len(places) else None

    @cached_property
    def texts(self) -> pa.Table:
        """The headlines with what is known of each, and in small letters without accents as `folded`."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            table = pq.read_table(
                self.path / HEADLINES,
                columns=[field.value for field in _SHOWN],
                read_dictionary=[Field.PUBLISHER.value],
            )
            # In one piece each: lines that are shown are taken without looking through all pieces.
            table = table.replace_schema_metadata().unify_dictionaries().combine_chunks()
            for field in (Field.PUBLISHER.value, Field.URL.value):
                table = table.set_column(table.column_names.index(field), field, _unescaped(table[field]))
            table = table.append_column("folded", _folded(table[Field.HEADLINE.value]))
        except (OSError, KeyError, pa.ArrowException) as error:
            raise damaged(self.path / HEADLINES) from error
        if len(table) != len(self):
            raise damaged(self.path / HEADLINES)
        return table

    @cached_property
    def days(self) -> IntArray:
        """Days since 1970 of the headlines that have a date, in their order, which is that of the rows."""
        import pyarrow as pa

        published = self.texts[Field.PUBLISHED.value].drop_null().cast(pa.timestamp("s", "UTC"), safe=False)
        epoch_days: IntArray = published.to_numpy().astype("datetime64[D]").astype(np.int64)
        return epoch_days

    @property
    def span(self) -> tuple[date, date] | None:
        if not len(self.days):
            return None
        return _EPOCH + timedelta(int(self.days[0])), _EPOCH + timedelta(int(self.days[-1]))

    @cached_property
    def outlets(self) -> list[str]:
        counted = self.texts[Field.PUBLISHER.value].drop_null().value_counts()
        pairs = [(outlet["values"], outlet["counts"]) for outlet in counted.to_pylist()]
        return [name for name, _ in sorted(pairs, key=lambda pair: (-pair[1], pair[0]))]

    @cached_property
    def _lassos(self) -> LassoIndex:
        return LassoIndex(self.x, self.y)

    def nearness(self, words: str, runtime: Runtime) -> Float32Array:
        """What `ask` needs for a query by meaning."""
        import pyarrow.compute as pc

        texts, language = self.texts[Field.HEADLINE.value], self.summary["language"]
        near = nearness(self.path, texts, language, words, runtime)
        near[pc.equal(texts, REMOVED).to_numpy()] = 0  # its vector still holds what it said
        return near

    def ask(self, query: ArchiveQuery, near: Float32Array | None = None) -> ArchiveAnswer:
        """The headlines that a query finds; the last answers are kept."""
        with self._lock:
            return _recent(self._answers, query, lambda: self._answer(query, near), _KEPT_ANSWERS)

    def _answer(self, query: ArchiveQuery, near: Float32Array | None) -> ArchiveAnswer:
        keep = np.ones(len(self), dtype=np.bool_)
        if query.group:
            keep = self.groups == query.group
        if query.lasso:
            keep &= self._lassos.inside(query.lasso)
        if query.first is not None or query.last is not None:
            first = 0 if query.first is None else (query.first - _EPOCH).days
            last = date.max if query.last is None else query.last
            begin, end = np.searchsorted(self.days, (first, (last - _EPOCH).days + 1)).tolist()
            keep[:begin], keep[end:] = False, False
        if query.outlet or query.words:
            keep &= self._said(query)
        rows = listed = np.flatnonzero(keep)
        if near is not None:
            listed = rows[near[rows] > 0]
            listed = listed[np.argsort(-near[listed], kind="stable")]
            listed = listed[_earlier_of_group(self.groups[listed]) < OF_GROUP][:NEAREST]
            rows = np.sort(listed)
        of_listed = self.events_of_rows[listed]
        counts = np.bincount(of_listed, minlength=len(self.events))
        groups = np.flatnonzero(counts)
        groups = groups[np.argsort(-counts[groups], kind="stable")]
        if near is not None:
            groups = np.array([*dict.fromkeys(of_listed.tolist())], dtype=np.int64)
        return ArchiveAnswer(rows, groups, counts[groups], listed, self._is_far(query.words, near, listed))

    def _is_far(self, words: str, near: Float32Array | None, listed: IntArray) -> bool:
        import pyarrow as pa
        import pyarrow.compute as pc

        if near is None or not len(listed) or near[listed[0]] - near.mean() >= _CLOSE:
            return False
        asked = [token.text for token in tokenize(words) if not token.stop]
        said = self.texts["folded"].take(listed[:_READ_FOR_WORDS])
        asked = [word for word in _folded(pa.array(asked, pa.string())).to_pylist() if len(word.encode()) > 2]
        return not any(pc.any(pc.match_substring(said, word)).as_py() for word in asked)

    @cached_property
    def events_of_rows(self) -> IntArray:
        """Place in `events` of the group of each headline, int64 [n]."""
        events = np.empty(len(self), dtype=np.int64)
        events[self.order] = np.repeat(np.arange(len(self.events))[::-1], self._drawn_sizes)
        return events

    def _said(self, query: ArchiveQuery) -> BoolArray:
        import pyarrow as pa
        import pyarrow.compute as pc

        keep = np.ones(len(self), dtype=np.bool_)
        words = [] if query.meaning else query.words.split()
        for word in _folded(pa.array(words, pa.string())).to_pylist():
            keep &= pc.match_substring(self.texts["folded"], word).to_numpy()
        if query.outlet:
            outlet = _unescaped(pa.chunked_array([[query.outlet]]))[0]  # links may have it as it was shown
            of = pc.equal(self.texts[Field.PUBLISHER.value], outlet.cast("string"))
            keep &= pc.fill_null(of, False).to_numpy()
        return keep

    def table(self, rows: IntArray) -> pd.DataFrame:
        frame: pd.DataFrame = self.texts.select([field.value for field in _SHOWN]).take(rows).to_pandas()
        frame[Field.PUBLISHER.value] = frame[Field.PUBLISHER.value].astype(object)
        return frame.assign(archive_group=self.groups[rows])

    def timeline(self, rows: IntArray, name: str) -> Timeline:
        """Headlines as a timeline; `archive_group` in it is their group's number."""
        table = self.table(rows)
        columns = {field: (field.value,) for field in _SHOWN if table[field.value].notna().any()}
        content = table.to_csv(index=False).encode()
        return load(content, "archive.csv", format="csv", mapping=columns, name=name, header=1)

    def marked(self, answer: ArchiveAnswer) -> bytes:
        """A bit a point, in the order in which points are drawn: whether a query finds it."""
        keep = np.zeros(len(self), dtype=np.bool_)
        keep[answer.rows] = True
        return np.packbits(keep[self.order], bitorder="little").tobytes()


def _earlier_of_group(groups: IntArray) -> IntArray:
    """How many before each are of the same group, int64 [n]."""
    order = np.argsort(groups, kind="stable")
    _, starts, sizes = np.unique(groups[order], return_index=True, return_counts=True)
    earlier = np.empty(len(groups), dtype=np.int64)
    earlier[order] = np.arange(len(groups)) - np.repeat(starts, sizes)
    return earlier


def _unescaped(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Without the backslash that the UCI News Aggregator has before marks: "Design \\& Trend"."""
    import pyarrow.compute as pc

    escaped = texts.cast("large_string")
    if not pc.any(pc.match_substring(escaped, "\\")).as_py():
        return texts
    return pc.replace_substring_regex(escaped, pattern=r"\\([^\w\s])", replacement=r"\1").cast(texts.type)


def _folded(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    import pyarrow.compute as pc

    letters = pc.utf8_normalize(pc.utf8_lower(texts), form="NFD")
    return pc.replace_substring_regex(letters, pattern=r"\p{Mn}", replacement="")


def open_archive(path: Path) -> OpenArchive:
    """An archive, read once for all who ask; again where it was made anew. The last four stay open."""
    summary_of(path)
    try:
        key = path, (path / SUMMARY).stat().st_mtime_ns
    except OSError as error:  # made anew at this moment
        raise damaged(path / SUMMARY) from error
    with _opening:
        return _recent(_opened, key, lambda: OpenArchive(path), _KEPT)


def _recent(held: OrderedDict[K, V], key: K, make: Callable[[], V], most: int) -> V:
    """What is held under a key, made where it is not; the one asked for longest ago goes."""
    if key not in held:
        held[key] = make()
        if len(held) > most:
            held.popitem(last=False)
    held.move_to_end(key)
    return held[key]
