"""Tables of which every row can be read."""

from dataclasses import replace

from core.data.timelines.raw import RawTable
from core.data.timelines.tables import read_table
from core.errors import InputError


def whole_table(data: bytes, filename: str) -> RawTable:
    table = read_table(data, filename, blank_rows=True)
    if table.rejected:
        first = table.rejected[0]
        more = f" ({len(table.rejected):,} lines in all)" if len(table.rejected) > 1 else ""
        message = f"Line {first.line:,} of {filename[:80]} cannot be read{more}: {first.reason}"
        raise InputError(message, hint="Correct it or take it out; nothing was loaded.")
    return replace(table, ledger={**table.ledger, "kept": len(table), "rejected": 0})
