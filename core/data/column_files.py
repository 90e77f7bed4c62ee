"""Tables of a known format, read column by column."""

import csv
import gzip
import io
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.errors import DataSourceError, InputError
from core.text.normalise import clean_line

Columns = dict[str, list[str]]
_PLATFORM = re.compile("^(?:INPUT|GOLDEN):")


def read_columns(
    path: Path, *, delimiter: str = ",", quoted: bool = True, names: Sequence[str] = ()
) -> Columns:
    """A CSV or TSV file in UTF-8, gz or not, as texts by column; `names` where it has no header."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
        if quoted:
            lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        else:
            lines = [line.split(delimiter) for line in text.splitlines()]
    except OSError:
        raise DataSourceError(f"{path.name} cannot be read.", hint="Get the file again.") from None
    except (csv.Error, UnicodeDecodeError, EOFError) as error:
        raise InputError(f"{path.name} is not a table in UTF-8: {error}.", hint="Get it again.") from None
    rows = [line for line in lines if any(line)]
    header = list(names) or (rows.pop(0) if rows else [])
    short = next((row for row in rows if len(row) < len(header)), None)
    if not header or short is not None:
        what = "is empty" if not header else f"has a row with fewer than {len(header)} cells"
        raise InputError(f"{path.name} {what}.", hint="Get the file again.")
    # The names as crowdsourcing platforms give them: INPUT:first_title, GOLDEN:quality.
    return {_PLATFORM.sub("", name): [row[k] for row in rows] for k, name in enumerate(header)}


def named_columns(path: Path, *names: str, delimiter: str = ",", quoted: bool = True) -> list[list[str]]:
    """Some columns of such a table."""
    table = read_columns(path, delimiter=delimiter, quoted=quoted)
    return [column(table, name, path) for name in names]


def read_stacked(
    files: Mapping[Path, str],
    names: Sequence[str],
    *,
    quoted: bool = True,
    header: Sequence[str] = (),
    missing: Mapping[str, str] | None = None,
) -> tuple[Columns, list[str]]:
    """Several TSV files of one format as one table, and for each row what was said of its file."""
    table: Columns = {name: [] for name in names}
    words: list[str] = []
    for path, word in files.items():
        read = read_columns(path, delimiter="\t", quoted=quoted, names=header)
        count = len(next(iter(read.values())))
        read = {name: [text] * count for name, text in (missing or {}).items()} | read
        for name in names:
            table[name].extend(column(read, name, path))
        words.extend([word] * count)
    return table, words


def column(columns: Columns, name: str, path: Path) -> list[str]:
    if name not in columns:
        raise InputError(f"{path.name} has no column {name!r}.", hint="Get the original file.")
    return columns[name]


def cleaned(texts: Sequence[str]) -> list[str]:
    """Texts as headlines are kept everywhere: one line, nothing hidden."""
    return [clean_line(text) for text in texts]


def whole_days(dates: Sequence[str]) -> FloatArray:
    """Days since 1970 of texts that begin with a date such as 2021-09-03, float64 [n]; NaN for ""."""
    epoch = date(1970, 1, 1).toordinal()
    days = np.full(len(dates), np.nan)
    for row, text in enumerate(dates):
        if not text.strip():
            continue
        try:
            days[row] = date.fromisoformat(text.strip()[:10]).toordinal() - epoch
        except ValueError:
            raise InputError(f"{text[:40]!r} is not a date.", hint="Write dates like 2015-01-14.") from None
    return days
