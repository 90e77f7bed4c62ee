"""The table that ships with the project, and the newest one of this user."""

from __future__ import annotations

from pathlib import Path

from core.runtime import cache_folder
from core.workflows.pair_benchmark.results import PairBenchmark, load, to_json

SHIPPED = Path(__file__).resolve().parents[3] / "benchmarks" / "results" / "pair_benchmark.json"
OWN = "pair_benchmark.json"


def newest() -> PairBenchmark | None:
    """The user's own table, else the one that ships; None where there is neither.

    Raises:
        InputError: The file is of another version.
    """
    for path in (cache_folder() / OWN, SHIPPED):
        if path.is_file():
            return load(path)
    return None


def keep(found: PairBenchmark) -> PairBenchmark:
    """Puts the sets of a new run in place of the same sets of the newest table, and keeps the result.

    Rows are those of the new run; sets that it did not measure stay as they were if the rows agree.
    """
    before = newest()
    merged = found if before is None else _merged(before, found)
    path = cache_folder() / OWN
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(to_json(merged), encoding="utf-8")
    part.replace(path)
    return merged


def _merged(before: PairBenchmark, found: PairBenchmark) -> PairBenchmark:
    import dataclasses

    again = {one.key for one in found.sets}
    known = {row.key for row in found.rows}
    return dataclasses.replace(
        found,
        sets=(*(one for one in before.sets if one.key not in again), *found.sets),
        rows=(*found.rows, *(row for row in before.rows if row.key not in known)),
        cells=(*(one for one in before.cells if one.set not in again), *found.cells),
        comparisons=(*(one for one in before.comparisons if one.set not in again), *found.comparisons),
    )
