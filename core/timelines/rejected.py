"""The rows that were left out, given back as a file."""

from __future__ import annotations

import csv
import io

from core.timelines.formulas import neutralise
from core.timelines.timeline import LoadReport

COLUMNS = ("rejected_line", "rejected_column", "rejected_value", "rejected_reason")


def rejected_csv(report: LoadReport) -> bytes:
    """The rejected rows as CSV in UTF-8: four columns on what was wrong, then the row as it was.

    Args:
        report: Of a loaded timeline.

    Returns:
        A header and one row a rejected row, in file order; the header alone where there is none.
    """
    names = list(dict.fromkeys(name for row in report.rejected for name in row.cells))
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([*COLUMNS, *map(neutralise, names)])
    for row in report.rejected:
        what = [str(row.line), row.column, row.value, row.reason]
        cells = [row.cells.get(name, "") for name in names]
        writer.writerow([neutralise(text.replace("\x00", "\ufffd")) for text in (*what, *cells)])
    return buffer.getvalue().encode("utf-8", errors="replace")
