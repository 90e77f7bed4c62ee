"""An archive that is finished, opened once for everybody who looks at it."""

from __future__ import annotations

import re
import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from core import files
from core.archive import reading
from core.archive.layout import POINTS, ArchiveQuery, LassoIndex, drawing_order, unpacked
from core.arrays import BoolArray, IntArray
from core.data.files import SAMPLES
from core.data.timelines.load import load
from core.data.timelines.periods import Period
from core.data.timelines.timeline import Field, Timeline
from core.errors import CoreError, DataSourceError, InputError
from core.journal.erasure import Secret
from core.journal.spellings import ErasureTarget
from core.runtime import user_folder

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

REMOVED: Final = "(removed on request)"  # stands in the place of a headline that was removed
_KNOWN: Final = (Field.URL.value, Field.PUBLISHER.value, Field.AUTHORS.value, Field.BODY.value)

SHIPPED: Final = SAMPLES / "uci" / "uci-sample"

_ENDING: Final = re.compile(r"(\.(csv|tsv|parquet))?(\.gz)?\Z", re.IGNORECASE)


def archives_folder() -> Path:
    """Where archives are kept that were given no other folder: `archives` in the user's folder."""
    return user_folder() / "archives"


def name_for(file: Path) -> str:
    """A name for the archive of a file: `news-2025` for `News 2025.csv.gz`, letters of any script."""
    stem = _ENDING.sub("", file.name).lstrip(".").partition(".")[0]
    name = re.sub(r"[\W_]+", "-", stem.lower()).strip("-")[:60].strip("-")
    if not name:
        message = f"The name of the file {file.name} gives its archive no name."
        raise InputError(message, hint="Name a folder with --out.")
    return name


def kept_archives() -> dict[str, Path]:
    """All archives in the folder by name: finished ones first, then the one that was changed last."""
    folder = archives_folder()
    ranked: list[tuple[bool, float, str]] = []
    with suppress(OSError):  # removed at this moment
        for path in folder.iterdir() if folder.is_dir() else ():
            # A name with lone surrogates cannot be shown.
            shown = path.name == path.name.encode(errors="replace").decode() and not path.name.startswith(".")
            if shown and (path / reading.HEADLINES).is_file():
                with suppress(OSError):
                    ranked.append((not (path / reading.SUMMARY).is_file(), -path.stat().st_mtime, path.name))
    return {name: folder / name for _, _, name in sorted(ranked)}


def shown_archives() -> dict[str, Path]:
    """All archives in the folder, and the one of the sample that ships."""
    kept = kept_archives()
    return kept | {SHIPPED.name: kept.get(SHIPPED.name, SHIPPED)}


def days_of(path: Path) -> Period | None:
    """First and last day of a finished archive, without its texts; None where no headline has a date."""
    import pandas as pd

    events = _table(path / reading.EVENTS, "first", "last")
    first, last = events["first"].min(), events["last"].max()
    return None if pd.isna(first) else Period(first.date(), last.date())


def remove_archive(path: Path) -> None:
    try:
        shutil.rmtree(path)
    except OSError as error:
        message = f"The archive {path.name} was not removed: {error.strerror}."
        raise DataSourceError(message, hint="Delete its folder by hand.") from error


def summary_of(path: Path) -> dict[str, Any]:
    """What the last step wrote about an archive."""
    if not (path / reading.SUMMARY).is_file():
        raise DataSourceError(
            f"The archive {path.name} is not finished.",
            hint="While its command runs, look again later; where it was stopped, run it again: it goes on"
            " where it was.",
        )
    summary = reading.read_json(path / reading.SUMMARY)
    if not isinstance(summary, dict):
        raise reading.damaged(path / reading.SUMMARY)
    return summary


def is_shared(path: Path) -> bool:
    try:
        return summary_of(path).get("shared") is True
    except CoreError:
        return False


def headlines_in_archives(secret: Secret) -> Iterator[str]:
    """The headlines that the archives in the folder say to be of an address or publisher."""
    for path in kept_archives().values():
        with suppress(CoreError):  # what cannot be read is said where it is cleaned
            table = _table(path / reading.HEADLINES)
            yield from table.loc[_gone(table, secret), Field.HEADLINE.value]


def clean_archives(secret: Secret) -> list[dict[str, Any]]:
    """Blanks headlines in the archives in the folder: what is known of each goes, its point stays."""
    report: list[dict[str, Any]] = []
    for name, path in kept_archives().items():
        try:
            table = _table(path / reading.HEADLINES)
            gone = _gone(table, secret)
            if not gone.any():
                continue
            if not any((path / written).is_file() for written in (reading.COUNTS, reading.SUMMARY)):
                why = "Its file is being read: run its command again or delete it, then forget again."
                report.append({"archive": name, "problem": why})
                continue
            if (path / reading.EVENTS).is_file():
                events = _table(path / reading.EVENTS)
                groups, first = np.unique(
                    reading.read_array(path / f"{reading.GROUPS}.npy"), return_index=True
                )
                events.loc[events["group"].isin(groups[gone[first]]), "title"] = REMOVED
                _write(path / reading.EVENTS, events)
            table.loc[gone, Field.HEADLINE.value] = REMOVED
            table.loc[gone, [name for name in _KNOWN if name in table]] = None
            _write(path / reading.HEADLINES, table)
            if (path / reading.SUMMARY).is_file():  # by its time a server sees that the archive was made anew
                files.write(path / reading.SUMMARY, (path / reading.SUMMARY).read_bytes())
            report.append({"archive": name, "removed": int(gone.sum())})
        except CoreError as error:
            report.append({"archive": name, "problem": str(error)})
    return report


def _table(path: Path, *columns: str) -> pd.DataFrame:
    import pandas as pd
    import pyarrow as pa

    try:
        return pd.read_parquet(path, columns=list(columns) or None)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise reading.damaged(path) from error


def _write(path: Path, table: pd.DataFrame) -> None:
    with files.beside(path) as partial:
        table.to_parquet(partial, index=False, row_group_size=reading.ROWS)


def _gone(table: pd.DataFrame, secret: Secret) -> npt.NDArray[np.bool_]:
    none = np.zeros(len(table), dtype=bool)

    def holds(name: str, is_it: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        if name not in table:
            return none
        texts = [text for text in table[name].dropna().unique() if is_it(str(text))]
        return np.asarray(table[name].isin(texts))

    if secret.kind is ErasureTarget.PERSON:
        return none
    beside = {ErasureTarget.URL: Field.URL.value, ErasureTarget.PUBLISHER: Field.PUBLISHER.value}[secret.kind]
    unknown = np.asarray(table[beside].isna()) if beside in table else ~none
    by_text = holds(Field.HEADLINE.value, secret.is_headline) & unknown
    named = holds(Field.URL.value, secret.is_in) | holds(Field.PUBLISHER.value, secret.is_in)
    return np.asarray(named | by_text)


_KEPT_ANSWERS: Final = 32
K = TypeVar("K")
V = TypeVar("V")
_EPOCH: Final = date(1970, 1, 1)
_SHOWN: Final = (Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER, Field.URL, Field.GOLD)
_EVENT: Final = ("group", "title", "headlines", "outlets", "first", "last")


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveAnswer:
    rows: IntArray  # in the order of the archive, by date, int64
    groups: IntArray  # their places in `OpenArchive.events`, those with most of these headlines first
    counts: IntArray  # how many of them each of these groups has


class OpenArchive:
    """Arrays and tables of a finished archive; texts are read when they are first asked for."""

    def __init__(self, path: Path) -> None:
        import pandas as pd
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = path
        self.summary = summary_of(path)
        # Not left on disk: a mapped file that is cut short meanwhile ends the process.
        self.groups: IntArray = np.array(reading.read_array(path / f"{reading.GROUPS}.npy"))
        if self.groups.dtype != np.int64 or self.groups.ndim != 1 or self.groups.min(initial=1) < 1:
            raise reading.damaged(path / f"{reading.GROUPS}.npy")
        try:
            self.events = pd.read_parquet(path / reading.EVENTS, columns=list(_EVENT))
            self.order = drawing_order(self.groups, self.events["group"].to_numpy())
            sizes = self.events["headlines"].to_numpy()
        except (OSError, ValueError, IndexError, pa.ArrowException) as error:
            raise reading.damaged(path / reading.EVENTS) from error
        try:  # the texts themselves are read later
            known = pq.read_metadata(path / reading.HEADLINES).num_rows
        except (OSError, pa.ArrowException) as error:
            raise reading.damaged(path / reading.HEADLINES) from error
        if known != len(self.groups):
            raise reading.damaged(path / reading.HEADLINES)
        self.points, drawn_sizes, x, y = unpacked(path / POINTS)
        if not np.array_equal(drawn_sizes, sizes[::-1]) or len(x) != len(self.groups):
            raise reading.damaged(path / POINTS)
        self.version = blake2b(self.points, digest_size=8).hexdigest()
        self.x, self.y = np.empty_like(x), np.empty_like(y)
        self.x[self.order], self.y[self.order] = x, y
        self._ends = np.concatenate([[0], np.cumsum(drawn_sizes)])
        self._answers: OrderedDict[ArchiveQuery, ArchiveAnswer] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.groups)

    def members(self, event: int) -> IntArray:
        begins = len(self.events) - 1 - event
        return self.order[self._ends[begins] : self._ends[begins + 1]]

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
                self.path / reading.HEADLINES,
                columns=[field.value for field in _SHOWN],
                read_dictionary=[Field.PUBLISHER.value],
            )
            # In one piece each: lines that are shown are taken without looking through all pieces.
            table = table.replace_schema_metadata().unify_dictionaries().combine_chunks()
            table = table.append_column("folded", _folded(table[Field.HEADLINE.value]))
        except (OSError, KeyError, pa.ArrowException) as error:
            raise reading.damaged(self.path / reading.HEADLINES) from error
        if len(table) != len(self):
            raise reading.damaged(self.path / reading.HEADLINES)
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
        """First and last day; None where no headline has a date."""
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

    def ask(self, query: ArchiveQuery) -> ArchiveAnswer:
        """The headlines that a query finds; the last answers are kept."""
        with self._lock:
            return _recent(self._answers, query, lambda: self._answer(query), _KEPT_ANSWERS)

    def _answer(self, query: ArchiveQuery) -> ArchiveAnswer:
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
        rows = np.flatnonzero(keep)
        counts = np.bincount(self.events_of_rows[rows], minlength=len(self.events))
        groups = np.flatnonzero(counts)
        groups = groups[np.argsort(-counts[groups], kind="stable")]
        return ArchiveAnswer(rows, groups, counts[groups])

    @cached_property
    def events_of_rows(self) -> IntArray:
        """Place in `events` of the group of each headline, int64 [n]."""
        events = np.empty(len(self), dtype=np.int64)
        events[self.order] = np.repeat(np.arange(len(self.events))[::-1], np.diff(self._ends))
        return events

    def _said(self, query: ArchiveQuery) -> BoolArray:
        import pyarrow as pa
        import pyarrow.compute as pc

        keep = np.ones(len(self), dtype=np.bool_)
        for word in _folded(pa.array(query.words.split(), pa.string())).to_pylist():
            keep &= pc.match_substring(self.texts["folded"], word).to_numpy()
        if query.outlet:
            of = pc.equal(self.texts[Field.PUBLISHER.value], query.outlet)
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


def _folded(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    import pyarrow.compute as pc

    letters = pc.utf8_normalize(pc.utf8_lower(texts), form="NFD")
    return pc.replace_substring_regex(letters, pattern=r"\p{Mn}", replacement="")


_KEPT: Final = 4
_opened: Final[OrderedDict[tuple[Path, int], OpenArchive]] = OrderedDict()
_opening: Final = threading.Lock()


def open_archive(path: Path) -> OpenArchive:
    """An archive, read once for all who ask; again where it was made anew. The last four stay open."""
    summary_of(path)
    try:
        key = path, (path / reading.SUMMARY).stat().st_mtime_ns
    except OSError as error:  # made anew at this moment
        raise reading.damaged(path / reading.SUMMARY) from error
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
