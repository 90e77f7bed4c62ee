"""How ways of grouping grow: the UCI sample expanded (`benchmarks/expanded.py`), a process for each.

Methods, thresholds and times are those of [peers](#peers), but all that read vectors are given WordLlama's
static ones, and their thresholds are chosen anew on ECB+ headlines: exchanged words have no meaning that an
encoder could find, and MiniLM alone would take longer than what follows. An archive encodes inside of its
time. A method is stopped after 300 processor seconds or at 20 gigabytes, and is not tried where it would be
stopped if it grew as it did before. *Growth* is the processor time of a headline as a multiple of that at a
tenth of the headlines: 1 is linear, 10 is quadratic. The gold groups of expanded headlines are those of the
sample in each copy.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks import expanded
from benchmarks.groups import sets
from benchmarks.peer_methods import CHOSEN_ON, STATIC
from benchmarks.peers import chosen, measured, write

COUNTS: Final = (1_000, 10_000, 100_000, 1_000_000)
METHODS: Final = (
    "Headline Lab, archive, level chosen",
    "community_detection",
    "single pass",
    "DBSTREAM",
    "average linkage of the vectors",
    "BERTopic",
)
LIMIT: Final = 300
"""Processor seconds after which a method is stopped; the archive of a million takes the greater part."""
_LEAST: Final = 0.05  # processor seconds below which nothing is said of growth


def run() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(folder, CHOSEN_ON, sets()[CHOSEN_ON])
        for name in (CHOSEN_ON, *map(str, COUNTS)):
            if name != CHOSEN_ON:
                expanded.write(folder / f"{name}.csv", int(name))
            measured(folder, name, STATIC, ("",))
        rows = [row for method in METHODS for row in _rows(folder, method)]
    return {"benchmark": "growth", "rows": rows}


def _rows(folder: Path, method: str) -> list[dict[str, Any]]:
    value = chosen(folder, method)
    rows: list[dict[str, Any]] = []
    took: list[float] = []
    for count in COUNTS:
        row: dict[str, Any] = {"method": method, "headlines": count, "threshold": value or None}
        rows.append(row)
        likely = extrapolated(took)
        if likely > LIMIT:
            row["stopped"] = f"not tried: {likely:,.0f} processor seconds are likely"
            break
        found, stopped = measured(folder, str(count), method, (value,), limit=LIMIT)
        if not found:
            row["stopped"] = stopped
            break
        row |= {key: figure for key, figure in found[0].items() if key != "value"}
        if took and took[-1] >= _LEAST:
            row["growth"] = round(row["processor_seconds"] / took[-1] / 10, 2)
        took.append(row["processor_seconds"])
        print(row, flush=True)
    return rows


def extrapolated(took: Sequence[float]) -> float:
    """Processor seconds of the next size, ten times the last, if they grow as they did, or as the headlines;
    0 before the first."""
    if len(took) < 2 or took[-2] < _LEAST:
        return 10 * took[-1] if took else 0.0
    return took[-1] * max(10.0, took[-1] / took[-2])
