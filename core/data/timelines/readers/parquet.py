"""Parquet, with its size looked at before anything is read."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core import limits
from core.data.timelines import raw
from core.data.timelines.decode import too_big_unpacked
from core.data.timelines.raw import (
    Layout,
    RawFile,
    RawTable,
    TableContainer,
    as_text,
    check_columns,
    check_rows,
    texts_frame,
    unique_names,
)
from core.data.timelines.timeline import Field
from core.errors import InputError

_MAGIC = b"PAR1"
_LEAST_WIDTH = 8  # bytes that a value takes at least once it is unpacked and referred to


def read(source: RawFile) -> RawTable:
    """Reads a Parquet file; every value becomes text, times in ISO 8601 with their zone."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    _check_marks(source.data[: len(_MAGIC)], source.data[-len(_MAGIC) :], len(source.data))
    try:
        facts = pq.read_metadata(io.BytesIO(source.data))
        check_rows(facts.num_rows)
        check_columns(facts.num_columns)
        _check_size(_declared(facts))
        # Kept as dictionaries: a text that is stored once may stand in every row.
        texts = [leaf.path for leaf in _leaves(facts) if leaf.physical_type == "BYTE_ARRAY"]
        data = pq.ParquetFile(io.BytesIO(source.data), read_dictionary=texts).read()
        _check_size(sum(_unpacked(chunk) for column in data.columns for chunk in column.chunks))
        names, notes = unique_names(data.column_names)
        columns = [_texts(column) for column in data.columns]
    except (InputError, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, UnicodeDecodeError) as error:
        raise _damaged() from error
    if not names or not columns[0]:
        raise InputError("The Parquet file holds no rows.", hint="Give at least one row.")
    rows = list(zip(*columns, strict=True))
    return RawTable(
        cells=texts_frame(rows, names),
        lines=np.arange(1, len(rows) + 1, dtype=np.int64),
        notes=tuple(notes),
        ledger={"lines": len(rows)},
    )


def portions_of(path: Path, most: int) -> Iterator[RawTable]:
    """Reads a Parquet file of any length, `most` rows a table; see `read`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
        file.seek(max(0, size - len(_MAGIC)))
        _check_marks(start, file.read(), size)
    try:
        data = pq.ParquetFile(path)
        names, notes = unique_names(data.schema_arrow.names)
        count, row = data.metadata.num_rows, 1
        for batch in data.iter_batches(most):
            columns = [_texts(column) for column in batch.columns]
            lines = np.arange(row, row + len(batch), dtype=np.int64)
            row += len(batch)
            yield RawTable(
                texts_frame(list(zip(*columns, strict=True)), names),
                lines,
                notes=tuple(notes),
                ledger={"lines": count} if row > count else {},
            )
            notes = []
    except (pa.ArrowException, OSError, ValueError, OverflowError, UnicodeDecodeError) as error:
        raise _damaged() from error


def _check_marks(start: bytes, end: bytes, size: int) -> None:
    if start != _MAGIC:
        raise InputError(
            "The file is called Parquet but is not one.", hint="Check the name, or export it again."
        )
    if end != _MAGIC:
        raise InputError(
            f"The Parquet file is cut off after {size:,} bytes: its end mark is missing.",
            hint="Download or copy it again.",
        )


def _damaged() -> InputError:
    return InputError(
        "The Parquet file is damaged: a part of it cannot be read.", hint="Download or export it again."
    )


def _texts(column: Any) -> list[str | None]:
    """Values as texts; a moment that no calendar or zone has is the number it is stored as."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    try:
        values: list[Any] = column.to_pylist()
        return values if pa.types.is_string(kind) else [as_text(value) for value in values]
    except (pa.ArrowException, ValueError, OverflowError, LookupError):
        if not pa.types.is_temporal(column.type):
            raise
    return [_moment(value) for value in column]


def _moment(value: Any) -> str | None:
    import pyarrow as pa

    try:
        return as_text(value.as_py())
    except (pa.ArrowException, ValueError, OverflowError, LookupError):
        return as_text(str(value.value))


def _check_size(size: int) -> None:
    if size > limits.UNPACKED_MEGABYTES.value * 1_000_000:
        raise too_big_unpacked()


def _leaves(facts: Any) -> list[Any]:
    return [facts.schema.column(at) for at in range(facts.num_columns)]


def _declared(facts: Any) -> int:
    groups = [facts.row_group(at) for at in range(facts.num_row_groups)]
    values = sum(
        group.column(at).num_values * max(_LEAST_WIDTH, leaf.length or 0)
        for group in groups
        for at, leaf in enumerate(_leaves(facts))
    )
    return int(max(values, sum(group.total_byte_size for group in groups)))


def _unpacked(values: Any) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(values, pa.DictionaryArray):
        lengths = pc.binary_length(values.dictionary)
        return int(pc.sum(pc.take(lengths, values.indices)).as_py() or 0)
    if isinstance(values, pa.MapArray):
        return _unpacked(values.keys) + _unpacked(values.items)
    if isinstance(values, (pa.ListArray, pa.LargeListArray, pa.FixedSizeListArray)):
        return _unpacked(values.flatten())
    if isinstance(values, pa.StructArray):
        return sum(map(_unpacked, values.flatten()))
    return int(values.nbytes)


FORMAT = TableContainer(
    "parquet",
    "Parquet",
    ("parquet", "pq"),
    20,
    lambda source: source.data.startswith(_MAGIC) or source.suffix in ("parquet", "pq"),
    read,
)


_HLGD = {
    Field.HEADLINE: ("headline",),
    Field.GOLD: ("global_group",),
    Field.PUBLISHED: ("date",),
    Field.URL: ("url",),
    Field.PUBLISHER: ("source",),
    Field.AUTHORS: ("authors",),
}
_NEEDED = (Field.HEADLINE, Field.GOLD)


def _is_hlgd(table: RawTable) -> bool:
    found = raw.find(table.columns, _HLGD)
    return all(field in found for field in _NEEDED) and any(map(raw.is_annotator, table.columns))


def _arrange_hlgd(table: RawTable) -> RawTable:
    found = {field: (name,) for field, name in raw.find(table.columns, _HLGD).items()}
    annotators = filter(raw.is_annotator, table.columns)
    numbered = tuple(sorted(annotators, key=lambda name: int(re.sub(r"\D", "", name))))
    mapping = {**{field: found[field] for field in _NEEDED}, Field.ANNOTATOR: numbered, **found}
    several = raw.find(table.columns, {"timeline": ("timeline", "timeline_id")})
    return replace(table, mapping=mapping, timeline_column=several.get("timeline", ""))


HLGD_TIMELINE = Layout(
    "hlgd_timeline", "HLGD timeline", ("headline", "global_group"), _is_hlgd, _arrange_hlgd
)


_STAMP = re.compile(r"\s*\((?P<date>[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}[^)]{0,30})\)\s*")
_SPELLINGS = (("text", "summary"), ("news", "headline"))


def _columns(table: RawTable) -> tuple[str, str] | None:
    return next((pair for pair in _SPELLINGS if set(pair) <= set(table.columns)), None)


def _is_numhg(table: RawTable) -> bool:
    columns = _columns(table)
    if columns is None:
        return False
    first = [text for text in table.column(columns[0])[:20] if text]
    return bool(first) and sum(bool(_STAMP.match(text)) for text in first) >= 0.5 * len(first)


def _arrange_numhg(table: RawTable) -> RawTable:
    columns = _columns(table)
    assert columns is not None  # noqa: S101  recognised before
    text, headline = columns
    rows: list[list[str | None]] = []
    for value in table.column(text):
        found = _STAMP.match(value or "")
        rows.append([found["date"], (value or "")[found.end() :]] if found else [None, value])
    date, body = f"{text} (date)", f"{text} (body)"
    return replace(
        table,
        derived=texts_frame(rows, [date, body]),
        mapping={Field.HEADLINE: (headline,), Field.PUBLISHED: (date,), Field.BODY: (body,)},
        notes=(*table.notes, f"The date was taken from the beginning of {text!r}."),
    )


NUMHG = Layout("numhg", "NumHG", ("text", "summary"), _is_numhg, _arrange_numhg)


_UCI_NAMES = ("ID", "TITLE", "URL", "PUBLISHER", "CATEGORY", "STORY", "HOSTNAME", "TIMESTAMP")
_ESCAPED = ("PUBLISHER", "URL")
_UNESCAPED = "{} without backslashes"
_UCI_MAPPING = {
    Field.HEADLINE: ("TITLE",),
    Field.PUBLISHED: ("TIMESTAMP",),
    Field.PUBLISHER: ("PUBLISHER",),
    Field.URL: ("URL",),
    Field.GOLD: ("STORY",),
}


def _headerless(table: RawTable) -> bool:
    if table.columns != [f"column_{i}" for i in range(1, 9)] or not len(table):
        return False
    first = [value or "" for value in table.cells.iloc[0]]
    return first[0].isdigit() and len(first[4]) == 1 and len(first[7]) == 13 and first[7].isdigit()


def _is_uci(table: RawTable) -> bool:
    return {"TITLE", "STORY", "TIMESTAMP", "PUBLISHER", "URL"} <= set(table.columns) or _headerless(table)


def _arrange_uci(table: RawTable) -> RawTable:
    import pandas as pd

    if _headerless(table):
        table = replace(table, cells=table.cells.set_axis(list(_UCI_NAMES), axis="columns"))
    # Some rows escape punctuation: "Wall Street Journal \\(blog\\)", "story\\?track=rss".
    escaped = [name for name in _ESCAPED if any("\\" in (cell or "") for cell in table.column(name))]
    plain = {
        _UNESCAPED.format(name): [cell and re.sub(r"\\([^\w\s])", r"\1", cell) for cell in table.column(name)]
        for name in escaped
    }
    meaning = {
        field: tuple(_UNESCAPED.format(name) if name in escaped else name for name in names)
        for field, names in _UCI_MAPPING.items()
    }
    return replace(table, derived=pd.DataFrame(plain, index=table.cells.index), mapping=meaning)


UCI = Layout("uci_news_aggregator", "UCI News Aggregator", _UCI_NAMES, _is_uci, _arrange_uci)
