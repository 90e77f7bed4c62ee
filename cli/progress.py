"""What verbs share: options, what they read and print, and a bar on stderr for the steps of core."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from core import files
from core.data.timelines.load import load
from core.data.timelines.preview import sniff
from core.data.timelines.samples import PREFIX, load_sample
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.runtime import PRECISIONS, Runtime, detect_device, in_precision

if TYPE_CHECKING:
    from core.results.table import Table

TOLD: Final = 5  # rows that are named one by one
BETWEEN: Final = 30.0  # seconds between two lines on the progress of work
STDIN: Final = "-"
TABLE_FORMATS: Final = ".csv .tsv .json .jsonl .parquet .xlsx"
ALL: Final = "all"
T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])


def remembered(
    option: str, help: str, *, read: Callable[[str], Any] | None = None, **words: Any
) -> Callable[[Command], Command]:
    """An option that no command takes, a flag unless `words` say more: `asked` and `given` know of it."""

    def keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        context.meta[option] = value if read is None else read(value)

    words = words or {"is_flag": True}
    return click.option(option, help=help, expose_value=False, callback=keep, **words)


def given(option: str, otherwise: Any = None) -> Any:
    context = click.get_current_context(silent=True)
    return otherwise if context is None else context.meta.get(option, otherwise)


def asked(option: str) -> bool:
    return bool(given(option))


def choice(words: Sequence[str], default: str) -> dict[str, Any]:
    """What an option says that takes one of some words."""
    return {"type": click.Choice(words), "default": default, "show_default": True}


JSON: Final = remembered("--json", "Print one JSON object.")
JSON_LIST: Final = remembered("--json", "Print one JSON list.")
QUIET: Final = remembered("--quiet", "No progress bar.")
precision: Final = remembered("--precision", "What networks compute in.", **choice([*PRECISIONS], "auto"))


def _columns(value: str) -> int | None:
    if value != ALL and not (value.isascii() and value.isdigit() and int(value)):
        raise click.BadParameter(f"{value!r} is neither a number from 1 nor {ALL!r}.", param_hint="--columns")
    return None if value == ALL else int(value)


columns: Final = remembered(
    "--columns", "Columns in LaTeX.", read=_columns, metavar=f"N|{ALL}", default="8", show_default=True
)


def printed(command: Command) -> Command:
    return JSON(QUIET(command))


def as_latex(table: Table) -> str:
    from core.results import table_files

    return table_files.as_latex(table, columns=given("--columns"))


def in_files(command: Command) -> Command:
    figures = click.option("--csv", "csv_out", type=PATH, help="Write every figure.")
    return figures(click.option("--latex", type=PATH, help="Write the table for a paper.")(columns(command)))


@contextmanager
def working(*, bars: bool = True, seed: int = 0, patient: bool = True, device: str = "") -> Iterator[Runtime]:
    """Where to compute, with a bar on stderr unless --quiet is given; lines where it is no terminal."""
    shown, terminal = bars and not asked("--quiet"), sys.stderr.isatty()
    bar: Any = None
    said = time.monotonic()

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
        runtime = Runtime(device=device or detect_device(), seed=seed, report=report, patient=patient)
        yield in_precision(runtime, given("--precision", "auto"))
    finally:
        if bar is not None:
            bar.close()


def show(told: Any, text: Callable[[], str]) -> None:
    """Prints a result as one JSON value where --json asks for it, or as text for people."""
    click.echo(json.dumps(told, ensure_ascii=False) if asked("--json") else text())


def show_table(table: Table) -> None:
    """Prints a table: a row an object where --json asks for it, or as text."""
    from core.results.table import as_text
    from core.results.table_files import as_frame

    show(as_frame(table).to_dict("records"), lambda: as_text(table))


def write_table(table: T, *targets: tuple[Path | None, Callable[[T], str]]) -> None:
    """Writes a table into each file that was named, as its function puts it."""
    for path, text in targets:
        if path is not None:
            files.write(path, text(table).encode())


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


def open_timeline(
    file: str, *, file_format: str | None, columns: Sequence[str], timeline: str | None
) -> Timeline:
    """Loads FILE, stdin for "-", or a sample that is named `sample:NAME`."""
    if file.startswith(PREFIX):
        if file_format or columns or timeline:
            said = "--format, --column and --timeline have no meaning for a sample."
            raise InputError(said, hint="Leave them out: samples are read as their cards say.")
        return load_sample(file.removeprefix(PREFIX))
    data, name = read_given(file)
    mapping = None
    if columns:
        mapping = {**sniff(data, name, format=file_format).mapping, **column_mapping(columns)}
    return load(data, name, format=file_format, mapping=mapping, timeline=timeline)


def column_mapping(columns: Sequence[str]) -> dict[Field, tuple[str, ...]]:
    mapping: dict[Field, tuple[str, ...]] = {}
    for assignment in columns:
        field, equals, column = assignment.partition("=")
        if not equals or field not in set(Field):
            hint = f"Fields are: {', '.join(Field)}."
            raise InputError(f"--column {assignment!r} is not FIELD=NAME.", hint=hint)
        mapping[Field(field)] = (*mapping.get(Field(field), ()), column)
    return mapping


class NumberType(click.FloatRange):
    """A number in a range; unlike `click.FloatRange` it refuses "nan"."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is no number from {self.min:g} to {self.max:g}.", param, ctx)
        return number


class PathType(click.Path):
    """A path, but no "-": results go to stdout without an option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == STDIN:
            self.fail("'-' is not the name of a file; give one such as out.csv.", param, ctx)
        return super().convert(value, param, ctx)


SHARE: Final = NumberType(0, 1)
PATH: Final = PathType(path_type=Path)
