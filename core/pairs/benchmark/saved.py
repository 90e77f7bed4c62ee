"""The table that ships with the project, and the newest one of this user."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from core import files
from core.errors import CoreError
from core.pairs.benchmark.results import PairBenchmark, load, to_json
from core.runtime import cache_folder

SHIPPED = files.ROOT / "benchmarks" / "results"
PATTERN = "pair_benchmark-*.json"  # one a day; the last name is the newest
OWN = "pair_benchmark.json"


def newest() -> PairBenchmark | None:
    """The user's own table, else the one that ships; None where there is neither.

    An own table that is damaged or of another version is passed over.
    """
    for path in _files():
        try:
            return load(path)
        except CoreError:
            continue
    return None


def version() -> str:
    """Changes when `newest` would give another table."""
    marks = [(path.stat().st_mtime_ns, path.stat().st_size) for path in _files()]
    return str(marks)


def keep(found: PairBenchmark) -> PairBenchmark:
    """Puts the sets of a new run in place of the same sets of the newest table, and keeps the result.

    Rows of the new run come first; sets that it did not measure stay as they were, and `SetFacts.measured`
    tells which run each is of.

    Raises:
        DataSourceError: The table cannot be written.
    """
    path = cache_folder() / OWN
    files.make_folder(path.parent)
    with files.locked(path.with_name(f".{OWN}.lock")):
        before = newest()
        merged = found if before is None else _merged(before, found)
        files.write(path, to_json(merged).encode())
    return merged


def _files() -> list[Path]:
    shipped = sorted(SHIPPED.glob(PATTERN), reverse=True)
    return [path for path in (cache_folder() / OWN, *shipped[:1]) if path.is_file()]


def _merged(before: PairBenchmark, found: PairBenchmark) -> PairBenchmark:
    again = {one.key for one in found.sets}
    known = {row.key for row in found.rows}
    return dataclasses.replace(
        found,
        sets=(*(one for one in before.sets if one.key not in again), *found.sets),
        rows=(*found.rows, *(row for row in before.rows if row.key not in known)),
        cells=(*(one for one in before.cells if one.set not in again), *found.cells),
        comparisons=(*(one for one in before.comparisons if one.set not in again), *found.comparisons),
    )
