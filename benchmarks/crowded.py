"""Archives of crowded days: copies of the UCI sample with other words (`benchmarks/expanded.py`), ten or
forty of them in one day, and ten a day for three weeks, grouped by `headline-lab archive`.

With *all pairs*, every headline is compared with all of its window; else with those in cells near it
(`core/archive/cells.py`). The tree of both is cut at one granularity. Time, memory and gold groups as in
[archives](#archives); a million with all pairs is not run.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pandas as pd

from benchmarks.archives import measured
from benchmarks.expanded import expanded
from core import limits

SAMPLE: Final = 4_774
DAYS: Final = ((10, 1), (40, 1), (10, 21))  # copies a day, and days
_LEVEL: Final = "0.9"
_ALL: Final = 500_000


def run() -> dict[str, Any]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (copies, days) in enumerate(DAYS):
            file = Path(folder) / f"{number}.csv"
            for part, table in enumerate(_spread(copies, days)):
                table.to_csv(file, index=False, mode="a", header=part == 0)
            for all_pairs in (True, False)[days > 1 :]:
                os.environ[limits.ARCHIVE_WINDOW.variable] = str(_ALL if all_pairs else SAMPLE)
                made = measured(file, Path(folder) / f"{number}-{all_pairs}", ["--granularity", _LEVEL])
                rows.append({"headlines_a_day": copies * SAMPLE, "all_pairs": all_pairs, **made})
                print(rows[-1], flush=True)
    return {"benchmark": "crowded", "rows": rows}


def _spread(copies: int, days: int) -> Iterator[pd.DataFrame]:
    first = pd.Timestamp("2014-03-10")
    for number, table in enumerate(expanded(SAMPLE * copies * days)):
        yield table.assign(published=(first + pd.Timedelta(days=number // copies)).strftime("%Y-%m-%d"))
