"""The one place where rows become CSV or TSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from core.results.formulas import neutralise


def delimited(rows: Iterable[Sequence[object]], *, delimiter: str = ",", line_end: str = "\n") -> str:
    """Rows as delimited text that no spreadsheet runs, at whatever separator it splits."""
    out = io.StringIO(newline="")
    plain = csv.writer(out, delimiter=delimiter, lineterminator=line_end)
    # The minimal quoting leaves a lone carriage return bare, which readers take for a line end.
    quoted = csv.writer(out, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    for row in rows:
        # Split at another separator, a row begins with its first cell and goes on into the next: then not
        # even a number stands alone.
        cells = [neutralise(text_of(cell), numbers=place > 0) for place, cell in enumerate(row)]
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
    return out.getvalue()


def text_of(value: object) -> str:
    """A value as it stands in a cell."""
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
