"""Any file as a table of texts, its format recognised and its size within the limits."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from core import limits
from core.data.timelines import gz, nested, raw, readers, shapes, web_pages
from core.data.timelines.arrow_folder import as_parquet, streams_of
from core.data.timelines.date_parts import with_days_of_sections, with_joined_days
from core.data.timelines.joined_tables import joined
from core.data.timelines.matrices import with_a_row_for_each_headline
from core.data.timelines.mixed_dates import with_dates_inside
from core.data.timelines.raw import Layout, RawFile, RawTable, TableContainer, listing
from core.data.timelines.readers import pasted
from core.data.timelines.relative_addresses import with_whole_addresses
from core.data.timelines.shown_texts import with_shown_texts
from core.data.timelines.timeline import Field
from core.errors import CoreError, DataSourceError, InputError

if TYPE_CHECKING:
    import pandas as pd

GivenFile = tuple[bytes, str]  # bytes and name
_MARK = re.compile(rb"\A(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)")
_XML = re.compile(r"\s*<(?:\?xml|rss[\s>]|svg[\s>])", re.IGNORECASE)
_LOOKED_AT = 20_000  # characters at the beginning of a text that tell a web page
_ENDINGS = re.compile(r"(?<=.)(?:\.[^\W\d]\w*)+$")  # of a file's name; in "17.01.2024.csv" the last alone
_BLANK = b" \t\r\n\x00"
_CORRECT = "Correct that file, or choose another format."


def frame_table(frame: "pd.DataFrame") -> RawTable:
    """A data frame as a file with its columns; whatever is missing in it is None."""
    raw.check_rows(len(frame))
    raw.check_columns(len(frame.columns))
    names, notes = raw.unique_names(map(str, frame.columns))
    filled = frame.astype(object).where(frame.notna(), None)
    table = RawTable(
        cells=raw.texts_frame([[*map(raw.cell_text, row)] for row in filled.itertuples(index=False)], names),
        lines=np.arange(1, len(frame) + 1),
        notes=tuple(notes),
        ledger={"lines": len(frame)},
    )
    return nested.with_plain_texts(table)


def read_bytes(path: str | Path) -> bytes:
    """A file's bytes, or a data set's folder's, the size looked at first; DataSourceError for others."""
    shown = str(path)[:200]
    try:
        facts = os.stat(path)
        if Path(path).is_dir():
            if streams := streams_of(Path(path)):
                check_size(sum(stream.stat().st_size for stream in streams))
                return as_parquet(streams)
            raise DataSourceError(f"{shown} is a folder, not a file.", hint="Give the file inside it.")
        if not Path(path).is_file():
            raise DataSourceError(f"{shown} is not a plain file.", hint="Copy its content to a file first.")
        check_size(facts.st_size)
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise DataSourceError(f"There is no file {shown}.", hint="Check the path and the spelling.") from None
    except PermissionError:
        raise DataSourceError(f"{shown} may not be read.", hint="Ask for the right to read it.") from None
    except CoreError:
        raise
    except (OSError, ValueError):  # too long a name, a NUL in it, a broken disk
        raise DataSourceError(f"{shown!r} cannot be read.", hint="Check the path.") from None


def check_size(size: int) -> None:
    if size > limits.FILE_MEGABYTES.value * 1_000_000:
        raise InputError(
            f"The file has {size / 1_000_000:,.0f} MB; at most {limits.FILE_MEGABYTES.value:,} MB are read.",
            hint=f"Split it or leave out columns, or raise {limits.FILE_MEGABYTES.variable}.",
        )


def read_table(data: bytes, filename: str, *, blank_rows: bool = False) -> RawTable:
    source = RawFile(*unpacked_file(data, filename), blank_rows=blank_rows)
    return _read(source, _recognised(source, [], any_suffix=False), [])[1]


def whole_table(data: bytes, filename: str) -> RawTable:
    """A table every line of which can be read."""
    table = read_table(data, filename, blank_rows=True)
    if table.rejected:
        first = table.rejected[0]
        more = f" ({len(table.rejected):,} lines in all)" if len(table.rejected) > 1 else ""
        message = f"Line {first.line:,} of {filename[:80]} cannot be read{more}: {first.reason}"
        raise InputError(message, hint="Correct it or take it out; nothing was loaded.")
    return replace(table, ledger={**table.ledger, "kept": len(table), "rejected": 0})


def unpacked_file(data: bytes, filename: str) -> tuple[bytes, str]:
    check_size(len(data))
    if data.startswith(gz.GZIP):
        data = gz.gunzip(data)
        filename = filename[:-3] if filename.lower().endswith(".gz") else filename
    elif filename.lower().endswith(".gz"):
        filename = filename[:-3]  # some browsers unpack without renaming
    check_filled(data)
    return data, filename


def check_filled(data: bytes) -> None:
    if not _MARK.sub(b"", data).strip(_BLANK):
        raise InputError("The file is empty.", hint="Give a file with at least one row.")


def files_in_format(
    files: Sequence[GivenFile], wanted: str | None, *, sheet: str | None = None, header: int | None = None
) -> tuple[str, RawTable, bool]:
    """The same of one file, gz or not, or of several that are read as one timeline."""
    read: dict[str, tuple[str, RawTable, bool]] = {}
    for data, filename in files:
        try:
            source = RawFile(*unpacked_file(data, filename), sheet=sheet, header=header)
            (name,) = raw.unique_names([*read, stem(filename)])[0][-1:]
            read[name] = table_in_format(source, wanted)
        except InputError as error:
            if len(files) == 1:
                raise
            raise InputError(f"{filename[:80]}: {error.message}", hint=error.hint) from None
    format_name, table, explicit = next(iter(read.values()))
    if len(files) > 1:
        table = joined({name: part for name, (_, part, _) in read.items()}, "file")
    return format_name, table, explicit


def stem(filename: str) -> str:
    name = PurePath(filename.replace("\\", "/")).name
    return _ENDINGS.sub("", name).strip() or "Timeline"


def table_in_format(source: RawFile, wanted: str | None) -> tuple[str, RawTable, bool]:
    """The format's name (of the layout where there is one), the table, whether the format had to be told."""
    form, faults = readers.get(wanted) if wanted else None, list[str]()
    likely = _recognised(source, faults, any_suffix=form is not None)
    container, table = _read(source, [form] if isinstance(form, TableContainer) else likely, faults)
    if source.header is None and shapes.names_are_a_row(table):
        container, table = _read(replace(source, header=0), [container], faults)
    fitting = [known for known in readers.layouts() if readers.tried(known, known.recognises, table, faults)]
    by_itself = fitting[0] if fitting else None
    if isinstance(form, Layout) and form not in fitting:
        message = f"The file is not {form.title}: it needs the columns {listing(form.columns)}."
        hint = f"It has {listing(table.columns)}. Let the format be recognised, or choose another."
        raise InputError(message, hint=" ".join(faults) or hint)
    layout: Layout | None = None
    arranged: RawTable | None = None
    for known in fitting if form is None else [form] if isinstance(form, Layout) else []:
        if (answer := readers.tried(known, known.arrange, table, faults)) is not None:
            layout, arranged = known, answer
            break
    if faults and form not in (None, layout, container):
        raise InputError(faults[-1], hint=_CORRECT)
    explicit = wanted is not None and not (layout is by_itself and _is_recognised(source, container))
    if arranged is None:
        plain = nested.with_plain_texts(with_shown_texts(table))
        arranged = with_a_row_for_each_headline(with_whole_addresses(plain))
    arranged = with_days_of_sections(with_joined_days(arranged)) if arranged.mapping is None else arranged
    arranged = with_dates_inside(arranged)
    notes = (*arranged.notes, *faults)
    final = arranged.titles_final or Field.GOLD in (arranged.mapping or {})  # a research format
    return (layout or container).name, replace(arranged, notes=notes, titles_final=final), explicit


def _read(
    source: RawFile, containers: Iterable[TableContainer], faults: list[str]
) -> tuple[TableContainer, RawTable]:
    for container in containers:
        table = readers.tried(container, container.read, source, faults)
        if table is not None:
            if not len(table) and not table.rejected:
                raise InputError("The file has a header but no rows.", hint="Give at least one row.")
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
            message = f"Files that end in .{source.suffix[:20]} are not read."
            raise InputError(message, hint=f"Give one of: {', '.join(known)}; each also as .gz.")
        if readers.tried(container, container.recognises, source, faults):
            if not binary:
                web_pages.refuse_page(source.decoded.text[:_LOOKED_AT], "a table of headlines")
                if container is pasted.FORMAT or source.suffix not in container.suffixes:
                    web_pages.refuse_notation(source.decoded.text[:_LOOKED_AT])
            if not binary and _XML.match(source.decoded.text):
                message = "The file is XML, not a table of headlines."
                raise InputError(message, hint="Open it in a spreadsheet and save it as XLSX or CSV.")
            yield container
    yield pasted.FORMAT
