"""Reading a file of any length, batch by batch, into headlines in the order of their dates."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from core import files, limits
from core.data.timelines import columns, readers
from core.data.timelines.decode import pieces, unpacked
from core.data.timelines.load import check_filled
from core.data.timelines.raw import RawFile, RawTable
from core.data.timelines.readers import tables
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.validate import NoRowLeftError, unread_dates, validate
from core.errors import DataSourceError, InputError
from core.runtime import Runtime

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST: Final = "archive.json"
_VERSION: Final = 2
HEADLINES: Final = "headlines.parquet"
COUNTS: Final = "reading.json"  # written last of what reading makes
ROWS: Final = 65_536  # headlines in one part of that file, which is read at once
SUMMARY: Final = "summary.json"
_AT_WORK: Final = f".at-work{files.PARTIAL}"
EVENTS: Final = "events.parquet"
GROUPS: Final = "groups"
CELLS: Final = "cells"
MIDDLES: Final = "middles"

Array = npt.NDArray[Any]


class ArchiveFolder:
    """Arrays and tables of one archive, each written whole or not at all; a file that is there is done."""

    def __init__(self, path: Path, job: Mapping[str, Any], source: Path | None = None) -> None:
        self.path = path
        files.make_folder(path)
        origin = {} if source is None else {"source": str(source.resolve()), "bytes": source.stat().st_size}
        wanted = json.loads(json.dumps({"version": _VERSION, **job, **origin}))
        manifest = path / MANIFEST
        try:
            begun = (path / HEADLINES).exists()
            rest = [file for file in path.iterdir() if file.name != MANIFEST and file.suffix != files.PARTIAL]
        except OSError as error:
            raise DataSourceError(
                f"The folder {path} cannot be read ({error.strerror}).", hint="Choose another folder."
            ) from error
        if not begun and rest:  # nothing of value is lost where not even the reading was done
            raise InputError(
                f"The folder {path} is not empty and holds no archive.", hint="Choose a new folder."
            )
        held = read_json(manifest) if begun else {}
        held = held if isinstance(held, dict) else {}
        # The same content may come from elsewhere.
        other = sorted(name for name in wanted if name not in origin and held.get(name) != wanted[name])
        if begun and other:
            hint = "Choose a new folder, or delete this one."
            if "file" not in other:
                of = f"this file with other settings: {', '.join(other)}"
            elif (
                source
                and isinstance(size := held.get("bytes"), int)
                and fingerprint(source, size) == held["file"]
            ):
                of = "this file before it grew, and new rows change how all are compared"
                hint = "Delete the folder to make an archive of all rows, or choose a new one."
            else:
                of = "another file"
            raise InputError(f"The folder {path} holds an archive of {of}.", hint=hint)
        if held != wanted:
            files.write(manifest, json.dumps(wanted, indent=1, sort_keys=True).encode() + b"\n")

    def holds(self, name: str) -> bool:
        return (self.path / f"{name}.npy").exists()

    def made(self, name: str, make: Callable[[], Array]) -> Array:
        """The array of a step, read from disk page by page; made first where it is missing."""
        if not self.holds(name):
            self.write(name, make())
        return self.array(name)

    def write(self, name: str, array: Array) -> None:
        path = self.path / f"{name}.npy"
        files.make_folder(path.parent)
        content = BytesIO()
        np.save(content, array, allow_pickle=False)
        files.write(path, content.getbuffer())

    def array(self, name: str) -> Array:
        return read_array(self.path / f"{name}.npy")

    def headlines(self, *fields: Field) -> pa.Table:
        """Some columns of the headlines, by date, the undated last."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.read_table(self.path / HEADLINES, columns=[field.value for field in fields])
        except (OSError, pa.ArrowException) as error:
            raise damaged(self.path / HEADLINES) from error


@contextmanager
def at_work(folder: Path) -> Iterator[None]:
    with files.only_one(folder / _AT_WORK) as alone:
        if not alone:
            raise InputError(
                f"The archive {folder.name} is being made at this moment.", hint="Wait until that is done."
            )
        try:
            yield
        except InputError:
            if not (folder / HEADLINES).exists():
                files.remove(folder / MANIFEST)  # there is nothing to go on with
            raise


def is_made_now(folder: Path) -> bool:
    with suppress(InputError), at_work(folder):
        return False
    return True


def read_array(path: Path) -> Array:
    try:
        array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, EOFError, ValueError, SyntaxError, TokenError) as error:
        raise damaged(path) from error  # the last two come from the head of the file, which is Python
    return array


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(path) from error


def damaged(path: Path) -> DataSourceError:
    # Parts of the work are numbered, in folders of their own.
    archive = path.parent.parent if path.stem.isdecimal() else path.parent
    name = path.relative_to(archive).as_posix()
    whole = path.name in (HEADLINES, MANIFEST)
    return DataSourceError(
        f"The file {name} of the archive {archive.name} is missing or damaged.",
        hint="Delete the folder and run the same command again: all of it is made anew."
        if whole
        else "Delete it and run the same command again: what is missing is made again.",
    )


STEP: Final = "Reading headlines"
KEPT: Final = (Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER, Field.URL, Field.GOLD)
_BLOCK: Final = 16 << 20
_REASONS: Final = 5  # why rows were left out: so many reasons are told
_FORMATS: Final = frozenset({"csv", "parquet", "pasted"})  # plain text is read as CSV


LeftOut = dict[str, tuple[int, int]]  # rows that cannot be used, by the reason: how many, and the first line


def fingerprint(path: Path, most: int | None = None) -> str:
    """The digest of a file, or of so many bytes at its beginning."""
    sha = sha256()
    try:
        with path.open("rb") as file:
            rest = path.stat().st_size if most is None else most
            while block := file.read(min(rest, _BLOCK)):
                sha.update(block)
                rest -= len(block)
    except OSError as error:
        raise DataSourceError(f"The file {path} cannot be read.", hint="Check the path.") from error
    return sha.hexdigest()[:16]


def read(path: Path, given: Mapping[Field, Sequence[str]], folder: Path, runtime: Runtime) -> dict[str, Any]:
    """Writes the checked headlines of a file, sorted by date, the undated last, as Parquet into a folder."""
    import pyarrow as pa

    now = datetime.now(UTC)
    parts: list[pa.Table] = []
    left_out, notes = LeftOut(), list[str]()
    headlines, encoding, ledger = 0, "", dict[str, int]()
    mapping: Mapping[Field, tuple[str, ...]] = {}
    for number, table in enumerate(portions(path)):
        if runtime.stop.is_set():
            next(runtime.track([0], STEP))  # raises
        mapping = mapping or mapping_of(table, given)
        encoding, ledger = table.encoding, dict(table.ledger)
        notes += table.notes
        timeline = _checked(table, mapping, now, left_out)
        if timeline is not None:
            if column := mapping.get(Field.PUBLISHED):
                notes += unread_dates(table.column(column[0]), table.lines.tolist())
            kept = timeline.table[[kept_field.value for kept_field in KEPT]]
            parts.append(pa.Table.from_pandas(kept, preserve_index=False))
            headlines += len(timeline)
        if headlines > limits.ARCHIVE_HEADLINES.value:
            raise InputError(
                f"The file has more than {limits.ARCHIVE_HEADLINES.value:,} headlines.",
                hint=f"Split it, or raise {limits.ARCHIVE_HEADLINES.variable}.",
            )
        runtime.report(STEP, number + 1, number + 2)
    reasons = sorted(left_out.items(), key=lambda entry: (-entry[1][0], entry[1][1]))[:_REASONS]
    rejected = sum(rows for rows, _ in left_out.values())
    if not parts:
        why = "".join(f" Line {line:,}: {reason}" for reason, (_, line) in reasons[:1])
        raise InputError(
            f"No row of the file can be used.{why}", hint="Name its column with --column headline=NAME."
        )
    undated = _write_by_date(pa.concat_tables(parts, promote_options="default"), folder / HEADLINES)
    runtime.report(STEP, headlines, headlines)
    return {
        "headlines": headlines,
        "left_out": rejected,
        "left_out_why": [{"reason": reason, "rows": rows, "line": line} for reason, (rows, line) in reasons],
        "undated": undated,
        "encoding": encoding,
        "notes": notes,
        "ledger": {**ledger, "kept": headlines, "rejected": rejected},
    }


def _write_by_date(table: pa.Table, path: Path) -> int:
    """Writes headlines by date, the undated last, a part of them at once; gives the number of the undated."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    published = table[Field.PUBLISHED.value]
    if published.null_count == len(table):
        raise InputError(
            "No headline of the file has a date, and an archive compares headlines by their days.",
            hint="Name the column with --column published=NAME, or use `headline-lab group`.",
        )
    order = np.argsort(published.to_numpy(), kind="stable")
    # What pandas says of the columns depends on whether they are empty, of all parts together.
    shown = {name: None if table[name].null_count == len(table) else "" for name in table.column_names}
    line = pd.DataFrame([shown | {Field.PUBLISHED.value: pd.Timestamp(0, tz="UTC")}]).astype(object)
    line = line.astype({Field.PUBLISHED.value: "datetime64[us, UTC]"})
    schema = pa.Schema.from_pandas(line, preserve_index=False)
    with files.beside(path) as partial, pq.ParquetWriter(partial, schema) as writer:
        for start in range(0, len(table), ROWS):
            part = table.take(order[start : start + ROWS]).combine_chunks()
            writer.write_table(part.replace_schema_metadata(schema.metadata), ROWS)
    return int(published.null_count)


def mapping_of(table: RawTable, given: Mapping[Field, Sequence[str]]) -> Mapping[Field, tuple[str, ...]]:
    """The columns of the fields, by their names and what stands in them, but for those that are given."""
    return columns.check({**columns.propose(table), **given}, table.columns)


def portions(path: Path) -> Iterator[RawTable]:
    try:
        portions_of = tables.parquet_portions if _format(path) == "parquet" else tables.delimited_portions
        yield from portions_of(path, ROWS)
    except OSError as error:
        raise DataSourceError(f"The file {path} cannot be read.", hint="Check the path.") from error


def _format(path: Path) -> str:
    with unpacked(path) as file:
        beginning = next(pieces(file), b"")
    check_filled(beginning)
    source = RawFile(beginning, path.name.lower().removesuffix(".gz"))
    try:
        known = (form for form in readers.containers() if readers.tried(form, form.recognises, source, []))
        form = next(known, tables.DELIMITED)
    except InputError as error:  # a picture, a zip archive
        raise InputError(error.message, hint="Give CSV, TSV or Parquet.") from None
    if form.name not in _FORMATS:
        raise InputError(
            f"An archive reads CSV, TSV or Parquet; this file has another format: {form.title}.",
            hint="Save it as CSV, or open it as a timeline under Sources › Open.",
        )
    return form.name


def _checked(
    table: RawTable, mapping: Mapping[Field, tuple[str, ...]], now: datetime, left_out: LeftOut
) -> Timeline | None:
    timeline: Timeline | None = None
    try:
        timeline = validate(table, mapping, name="archive", format_name="table", now=now)
    except NoRowLeftError as error:  # that no row of the file is left is told at the end
        if not (rejected := error.rejected):
            raise
    else:
        rejected = timeline.report.rejected
    for row in rejected:
        rows, first = left_out.get(row.reason, (0, row.line))
        left_out[row.reason] = rows + 1, min(first, row.line)
    return timeline
