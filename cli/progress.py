"""What commands share: what they read and print, and a bar on stderr for the steps of core."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from cli.options import STDIN, asked, given_for
from core import files
from core.data.timelines.load import load
from core.data.timelines.preview import sniff
from core.data.timelines.samples import PREFIX, load_sample
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.runtime import Runtime, detect_device, in_precision

if TYPE_CHECKING:
    from core.results.table import Table

TOLD: Final = 5  # rows that are named one by one
BETWEEN: Final = 30.0  # seconds between two lines on the progress of work
T = TypeVar("T")


def as_latex(table: "Table") -> str:
    from core.results import table_files

    return table_files.as_latex(table, columns=given_for("--columns"))


@contextmanager
def working(*, bars: bool = True, seed: int = 0, patient: bool = True, device: str = "") -> Iterator[Runtime]:
    """Where to compute, with a bar on stderr unless --quiet is given; lines where it is no terminal."""
    shown, terminal = bars and not asked("--quiet"), sys.stderr.isatty()
    bar: Any = None
    said, spent = time.monotonic(), dict[str, float]()

    def report(step: str, done: int, total: int) -> None:
        nonlocal bar, said
        if shown and not terminal and time.monotonic() - said >= BETWEEN:
            said = time.monotonic()
            note(f"{step}: {done:,} of {total:,}")
        if not (shown and terminal):
            return
        if bar is None or bar.desc != step:
            from tqdm import tqdm

            if bar is not None:
                bar.close()
            bar = tqdm(total=total, desc=step, leave=False, file=sys.stderr)
        bar.update(done - bar.n)

    try:
        tell = lru_cache(note)  # once
        more: dict[str, Any] = {"report": report, "tell": tell, "patient": patient, "spent": spent}
        runtime = Runtime(device=device or detect_device(), seed=seed, **more)
        yield in_precision(runtime, given_for("--precision", "auto"))
    finally:
        if bar is not None:
            bar.close()
        if spent:
            from core.models.endpoints import costs

            note(costs.after(spent))


def show(told: Any, text: Callable[[], str]) -> None:
    """Prints a result as one JSON value where --json asks for it, or as text for people."""
    click.echo(json.dumps(told, ensure_ascii=False) if asked("--json") else text())


def rows_of(table: "Table") -> Any:
    """The rows of a table for JSON, an object each."""
    from core.results.table_files import as_frame

    # By pandas: null where there is nothing, which `json` would write as NaN.
    return json.loads(as_frame(table).to_json(orient="records", double_precision=15))


def show_table(table: "Table") -> None:
    """Prints a table: a row an object where --json asks for it, or as text."""
    from core.results.table import as_text

    show(rows_of(table), lambda: as_text(table))


def show_tables(titled: Iterable[tuple[str, "Table"]], above: str = "", **about: Any) -> None:
    """Prints tables with what stands above all and above each, or all that is told as one JSON object."""
    from core.results.table import as_text

    titled = list(titled)
    told = {**about, "tables": [{"title": title, "rows": rows_of(table)} for title, table in titled]}
    parts = ("\n".join(filter(None, (title, as_text(table)))) for title, table in titled)
    show(told, lambda: "\n\n".join(filter(None, (above, *parts))))


def write_table(table: T, *targets: tuple[Path | None, Callable[[T], str]]) -> None:
    """Writes a table into each file that was named, as its function puts it."""
    for path, text in targets:
        if path is not None:
            files.write(path, text(table).encode())


def write_figures(table: "Table") -> None:
    """Writes a table where --csv and --latex ask for it."""
    from core.results.table_files import as_csv

    write_table(table, (given_for("--csv"), as_csv), (given_for("--latex"), as_latex))


def note(*notes: str) -> None:
    """Says on stderr what is worth knowing."""
    for line in filter(None, notes):
        click.echo(line, err=True)


def name_rows(rows: Sequence[str], more: str) -> None:
    """Names the first rows on stderr, and says where the others stand."""
    note(*rows[:TOLD])
    if len(rows) > TOLD:
        note(f"… and {len(rows) - TOLD:,} more; {more}")


def read_given(file: str) -> tuple[bytes, str]:
    """A file's bytes and its name; of "-" what stdin has."""
    return (sys.stdin.buffer.read(), "stdin") if file == STDIN else (read_bytes(file), PurePath(file).name)


def table_format(out: Path, *, source: str) -> str:
    """The format of a table that is to be written; refuses a place where it cannot be."""
    from core.events.export import check_target
    from core.pairs.file_scoring import check_table_format

    check_target(out, source=source)
    return check_table_format(out)


def is_data_set(out: Path | None) -> bool:
    """Whether a table is written as a folder for other libraries: a name without an ending."""
    from core.events.export import check_target

    if out is None or out.suffix:
        return False
    if not os.path.exists(out):
        check_target(out)
    elif not os.path.isdir(out) or os.listdir(out):
        hint = "Give the name of a new folder; what lies in one would be read with the rest."
        raise InputError(f"{out} is there already, and no empty folder.", hint=hint)
    return True


def write_rows(out: Path, table: bytes, texts: Sequence[str], *, says: str, tasks: str = "") -> None:
    """Writes a table; as a folder, for which it comes as Parquet, where the name has no ending."""
    from core.data.dataset_files import files_of_table

    if out.suffix:
        files.write(out, table)
    else:
        write_folder(out, files_of_table(table, texts, name=out.name, says=says, tasks=tasks))


def write_folder(out: Path, content: Mapping[str, bytes]) -> None:
    for name, data in content.items():
        files.make_folder((out / name).parent)
        files.write(out / name, data)


def open_timeline(
    *files: str,
    file_format: str | None = None,
    columns: Sequence[str] = (),
    timeline: str | None = None,
    sheet: str | None = None,
) -> Timeline:
    """Loads FILE, stdin for "-", or a sample that is named `sample:NAME`; several files as one timeline."""
    if len(files) == 1 and files[0].startswith(PREFIX):
        if file_format or columns or timeline or sheet:
            said = "--format, --column, --timeline and --sheet have no meaning for a sample."
            raise InputError(said, hint="Leave them out: samples are read as their cards say.")
        return load_sample(files[0].removeprefix(PREFIX))
    (data, name), *more = map(read_given, files)
    mapping = None
    if columns:
        seen = sniff(data, name, format=file_format, sheet=sheet, more=more)
        mapping = {**seen.mapping, **column_mapping(columns)}
    return load(data, name, format=file_format, mapping=mapping, timeline=timeline, sheet=sheet, more=more)


def column_mapping(columns: Sequence[str]) -> dict[Field, tuple[str, ...]]:
    mapping: dict[Field, tuple[str, ...]] = {}
    for assignment in columns:
        field, equals, column = assignment.partition("=")
        if not equals or field not in set(Field):
            hint = f"Fields are: {', '.join(Field)}."
            raise InputError(f"--column {assignment!r} is not FIELD=NAME.", hint=hint)
        mapping[Field(field)] = (*mapping.get(Field(field), ()), column)
    return mapping
