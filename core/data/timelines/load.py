"""Reading a timeline from bytes, a path, pasted text or the samples that ship: look first, then load."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from core import files, limits
from core.data.timelines import columns, raw, readers
from core.data.timelines.decode import GZIP, gunzip
from core.data.timelines.raw import Layout, RawFile, RawTable, TableContainer, listing
from core.data.timelines.readers import text_files
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.validate import checked, validate
from core.errors import CoreError, DataSourceError, InputError, UnknownNameError

if TYPE_CHECKING:
    import pandas as pd

_MARK = re.compile(rb"\A(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)")
_PAGE = re.compile(r"\s*<(?:!doctype html|html[\s>]|\?xml|rss[\s>]|svg[\s>])", re.IGNORECASE)
_BLANK = b" \t\r\n\x00"
EVERY_TIMELINE = "*"
_PREVIEW_ROWS = 10
_CORRECT = "Correct that file, or choose another format."


@dataclass(frozen=True, slots=True)
class Preview:
    format: str
    encoding: str
    delimiter: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    mapping: Mapping[Field, tuple[str, ...]]
    timelines: Mapping[str, int]  # headlines of each, biggest first; empty where the file holds one
    rejected: int
    notes: tuple[str, ...]
    header: int | None = None  # line; 0 where none names the columns, None where the format has no such line
    sheet: str = ""
    sheets: Mapping[str, int] = field(default_factory=dict)


def sniff(
    data: bytes,
    filename: str,
    *,
    format: str | None = None,
    sheet: str | None = None,
    header: int | None = None,
) -> Preview:
    """Looks at a file: its format, its columns and what they seem to mean; arguments as of `load`."""
    source = RawFile(*_unpacked(data, filename), sheet=sheet, header=header)
    name, table, _ = _open(source, format)
    mapping = columns.propose(table)
    cells, _, dates, notes = checked(table, mapping, datetime.now(UTC))
    head = [cells.get(name, table.column(name))[:_PREVIEW_ROWS] for name in table.columns]
    return Preview(
        format=name,
        encoding=table.encoding,
        delimiter=table.delimiter,
        columns=tuple(table.columns),
        rows=tuple(tuple(value or "" for value in row) for row in zip(*head, strict=True)),
        row_count=len(table),
        mapping=mapping,
        timelines=_timelines(table),
        rejected=len(table.rejected),
        notes=(*notes, *dates.notes),
        header=table.header,
        sheet=table.sheet,
        sheets=table.sheets,
    )


def load(
    data: bytes,
    filename: str,
    *,
    format: str | None = None,
    mapping: Mapping[Field, Sequence[str] | str] | None = None,
    timeline: str | None = None,
    name: str | None = None,
    sheet: str | None = None,
    header: int | None = None,
    now: datetime | None = None,
) -> Timeline:
    """Loads a timeline from the bytes of a file, gz or not; what is None is recognised.

    `format` is one of `readers.names()`. `mapping` gives the column of each field in place of the proposed
    ones, the headline's among them. Of several timelines None takes the biggest, "*" all; of several sheets
    None takes the one with most rows. `header` is the line that names the columns, 0 for none; `now`, an
    aware time, tells which dates are future. InputError where it cannot be read or no row is left.
    """
    source = RawFile(*_unpacked(data, filename), sheet=sheet, header=header)
    format_name, table, explicit = _open(source, format)
    every = EVERY_TIMELINE if timeline == EVERY_TIMELINE and _timelines(table) else ""
    table, chosen = _choose(table, timeline)
    title = name or _stem(filename)
    if name is None and chosen:
        title = f"{title} · {chosen}"
    result = validate(
        table,
        columns.check(columns.propose(table) if mapping is None else mapping, table.columns),
        name=title,
        format_name=format_name,
        now=now or datetime.now(UTC),
    )
    return replace(result, report=replace(result.report, format_told=explicit, timeline=chosen or every))


def load_path(path: str | Path, *, format: str | None = None, name: str | None = None) -> Timeline:
    return load(read_bytes(path), PurePath(path).name, format=format, name=name)


def load_frame(frame: pd.DataFrame) -> Timeline:
    """Loads a data frame as a file with its columns; its rows are lines, from 1."""
    if not len(frame):
        raise InputError("There is no headline.", hint="Give at least one.")
    table = frame_table(frame)
    mapping = columns.check(columns.propose(table), table.columns)
    return validate(table, mapping, name="Headlines", format_name="frame", now=datetime.now(UTC))


def frame_table(frame: pd.DataFrame) -> RawTable:
    """A data frame as a file with its columns; whatever is missing in it is None."""
    raw.check_rows(len(frame))
    raw.check_columns(len(frame.columns))
    names, notes = raw.unique_names(map(str, frame.columns))
    filled = frame.astype(object).where(frame.notna(), None)
    return RawTable(
        cells=raw.texts_frame([[*map(raw.cell_text, row)] for row in filled.itertuples(index=False)], names),
        lines=np.arange(1, len(frame) + 1),
        notes=tuple(notes),
        ledger={"lines": len(frame)},
    )


def load_text(text: str) -> Timeline:
    """Loads pasted text: one headline a line, a table, JSON or CSV with a header."""
    check_pasted(text)
    return load(text.encode("utf-8", errors="replace"), "", name="Pasted headlines")


def check_pasted(text: str) -> None:
    most = limits.PASTED_CHARACTERS.value
    if len(text) > most:
        raise InputError(
            f"The pasted text has {len(text):,} characters; at most {most:,} are read.",
            hint=f"Save it as a file, or raise {limits.PASTED_CHARACTERS.variable}.",
        )


def read_bytes(path: str | Path) -> bytes:
    """A file's bytes, its size looked at first; DataSourceError where it is no plain file to be read."""
    shown = str(path)[:200]
    try:
        facts = os.stat(path)
        if Path(path).is_dir():
            raise DataSourceError(f"{shown} is a folder, not a file.", hint="Give the file inside it.")
        if not Path(path).is_file():
            raise DataSourceError(f"{shown} is not a plain file.", hint="Copy its content to a file first.")
        _check_size(facts.st_size)
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise DataSourceError(f"There is no file {shown}.", hint="Check the path and the spelling.") from None
    except PermissionError:
        raise DataSourceError(f"{shown} may not be read.", hint="Ask for the right to read it.") from None
    except CoreError:
        raise
    except (OSError, ValueError):  # too long a name, a NUL in it, a broken disk
        raise DataSourceError(f"{shown!r} cannot be read.", hint="Check the path.") from None


def _check_size(size: int) -> None:
    if size > limits.FILE_MEGABYTES.value * 1_000_000:
        raise InputError(
            f"The file has {size / 1_000_000:,.0f} MB; at most {limits.FILE_MEGABYTES.value:,} MB are read.",
            hint=f"Split it or leave out columns, or raise {limits.FILE_MEGABYTES.variable}.",
        )


def read_table(data: bytes, filename: str, *, blank_rows: bool = False) -> RawTable:
    source = RawFile(*_unpacked(data, filename), blank_rows=blank_rows)
    return _read(source, _recognised(source, [], any_suffix=False), [])[1]


def _unpacked(data: bytes, filename: str) -> tuple[bytes, str]:
    _check_size(len(data))
    if data.startswith(GZIP):
        data = gunzip(data)
        filename = filename[:-3] if filename.lower().endswith(".gz") else filename
    elif filename.lower().endswith(".gz"):
        filename = filename[:-3]  # some browsers unpack without renaming
    check_filled(data)
    return data, filename


def check_filled(data: bytes) -> None:
    if not _MARK.sub(b"", data).strip(_BLANK):
        raise InputError("The file is empty.", hint="Give a file with at least one row.")


def _check_rows(table: RawTable) -> None:
    if not len(table) and not table.rejected:
        raise InputError("The file has a header but no rows.", hint="Give at least one row.")


def _open(source: RawFile, wanted: str | None) -> tuple[str, RawTable, bool]:
    """The format's name (of the layout where there is one), the table, whether the format had to be told."""
    form, faults = readers.get(wanted) if wanted else None, list[str]()
    likely = _recognised(source, faults, any_suffix=form is not None)
    container, table = _read(source, [form] if isinstance(form, TableContainer) else likely, faults)
    fitting = [known for known in readers.layouts() if readers.tried(known, known.recognises, table, faults)]
    by_itself = fitting[0] if fitting else None
    if isinstance(form, Layout) and form not in fitting:
        raise InputError(
            f"The file is not {form.title}: it needs the columns {listing(form.columns)}.",
            hint=" ".join(faults)
            or f"It has {listing(table.columns)}. Let the format be recognised, or choose another.",
        )
    layout: Layout | None = None
    arranged = table
    for known in fitting if form is None else [form] if isinstance(form, Layout) else []:
        if (answer := readers.tried(known, known.arrange, table, faults)) is not None:
            layout, arranged = known, answer
            break
    if faults and form not in (None, layout, container):
        raise InputError(faults[-1], hint=_CORRECT)
    explicit = wanted is not None and not (layout is by_itself and _is_recognised(source, container))
    return (layout or container).name, replace(arranged, notes=(*arranged.notes, *faults)), explicit


def _read(
    source: RawFile, containers: Iterable[TableContainer], faults: list[str]
) -> tuple[TableContainer, RawTable]:
    for container in containers:
        table = readers.tried(container, container.read, source, faults)
        if table is not None:
            _check_rows(table)
            return container, table
    raise InputError(faults[-1], hint=_CORRECT)


def _is_recognised(source: RawFile, container: TableContainer) -> bool:
    try:
        return next(_recognised(source, [], any_suffix=False)) is container
    except InputError:
        return False


def _recognised(source: RawFile, faults: list[str], *, any_suffix: bool) -> Iterator[TableContainer]:
    """The formats that a file may have, the likeliest first and plain text last."""
    known = readers.suffixes()
    for container in readers.containers():
        binary = container.order <= 20  # these look at the first bytes and must come before the name
        if not binary and source.suffix and source.suffix not in known and not any_suffix:
            _ = source.decoded  # a picture is called a picture first
            raise InputError(
                f"Files that end in .{source.suffix[:20]} are not read.",
                hint=f"Give one of: {', '.join(known)}; each also as .gz.",
            )
        if readers.tried(container, container.recognises, source, faults):
            if not binary and _PAGE.match(source.decoded.text):
                raise InputError(
                    "The file is a web page or XML, not a table of headlines.",
                    hint="Open it in a spreadsheet and save it as XLSX or CSV.",
                )
            yield container
    yield text_files.FORMAT


def _timelines(table: RawTable) -> dict[str, int]:
    if not table.timeline_column:
        return {}
    counts = Counter(value or "" for value in table.column(table.timeline_column))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))) if len(counts) > 1 else {}


def _choose(table: RawTable, wanted: str | None) -> tuple[RawTable, str]:
    counts = _timelines(table)
    values = [value or "" for value in table.column(table.timeline_column)] if table.timeline_column else []
    if wanted is not None and wanted not in (EVERY_TIMELINE, *(counts or values[:1])):
        hint = (
            f"Choose one of: {listing(counts)}." if counts else "It holds one timeline; leave the choice out."
        )
        raise InputError(f"There is no timeline {wanted[:80]!r} in the file.", hint=hint)
    if not counts or wanted == EVERY_TIMELINE:
        return table, ""
    chosen = wanted if wanted is not None else next(iter(counts))
    rows = [row for row, value in enumerate(values) if value == chosen]
    note = f"The file holds {len(counts)} timelines ({listing(counts)}); {chosen!r} was loaded."
    return replace(
        table,
        cells=table.cells.iloc[rows].reset_index(drop=True),
        lines=table.lines[rows],
        derived=table.derived.iloc[rows].reset_index(drop=True) if len(table.derived) else table.derived,
        notes=(*table.notes, note),
        ledger={**table.ledger, "other_timelines": len(values) - len(rows)},
    ), chosen


def _stem(filename: str) -> str:
    name = PurePath(filename.replace("\\", "/")).name
    return name.removesuffix("".join(PurePath(name).suffixes)).strip() or "Timeline"


FOLDER = files.ROOT / "samples"
DEFAULT = "iss"
PREFIX = "sample:"  # what stands before a sample's name where a file could stand


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    title: str
    description: str
    source: str
    licence: str
    language: str
    file: str
    format: str = ""
    rows: int = 0
    days: Sequence[str] = ()  # the first and the last

    @property
    def path(self) -> Path:
        return FOLDER / self.name / self.file


@lru_cache(maxsize=2)
def cards(file: str = "sample.json", default: str = DEFAULT) -> dict[str, Sample]:
    """The cards of all samples of one kind, the default one first."""
    samples = {
        path.parent.name: Sample(path.parent.name, **json.loads(path.read_text(encoding="utf-8")))
        for path in FOLDER.glob(f"*/{file}")
    }
    if not samples:
        raise DataSourceError(
            f"The folder {FOLDER} holds no samples.", hint="Restore it from the repository."
        )
    return dict(sorted(samples.items(), key=lambda card: (card[0] != default, card[0])))


def named(name: str, known: dict[str, Sample]) -> Sample:
    if name not in known:
        raise UnknownNameError(
            f"There is no sample called {name[:40]!r}.", hint=f"Choose one of: {', '.join(known)}."
        )
    return known[name]


def names() -> list[str]:
    return list(cards())


def info(name: str) -> Sample:
    return named(name, cards())


def load_sample(name: str = DEFAULT) -> Timeline:
    card = info(name)
    return load_path(card.path, format=card.format, name=card.title)


def load_named(name: str) -> Timeline:
    """The sample of a name `sample:NAME`, or the file at a path."""
    return load_sample(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else load_path(name)
