"""The rows that were left out, given back as a file."""

from __future__ import annotations

from core.data.timelines.timeline import LoadReport
from core.results.delimited import delimited

COLUMNS = ("rejected_line", "rejected_column", "rejected_value", "rejected_reason")


def rejected_csv(report: LoadReport) -> bytes:
    """The rejected rows as CSV in UTF-8: four columns on what was wrong, then the row as it was.

    Args:
        report: Of a loaded timeline.

    Returns:
        A header and one row a rejected row, in file order; the header alone where there is none.
    """
    names = list(dict.fromkeys(name for row in report.rejected for name in row.cells))
    rows: list[list[str]] = [[*COLUMNS, *names]]
    for row in report.rejected:
        what = [str(row.line), row.column, row.value, row.reason]
        cells = [row.cells.get(name, "") for name in names]
        rows.append([text.replace("\x00", "\ufffd") for text in (*what, *cells)])
    return delimited(rows, line_end="\r\n").encode("utf-8", errors="replace")
