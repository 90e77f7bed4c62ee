"""Ways of grouping headlines beside one another: quality, time and memory, each in a process of its own.

Times are of grouping alone, after the method has grouped the ECB+ headlines, so that what it loads and
compiles is there; vectors are given, and what they cost stands in a row of its own, the loading of the
model included. An archive is timed from the file to the finished folder, with its own vectors and a map: by
default it groups a run of headlines as a timeline to find its level, whose vectors are there, and with the
level given it does not. Thresholds of the others are those with the highest AMI on ECB+ headlines; *best
possible ami* is that of the best threshold for the set itself, which nobody knows without its gold groups,
and is not asked of a method that took more than ten seconds. Ours needs none, but its constants and its
learned scorer were chosen on parts of both sets, too ([0003](decisions/0003-similarity-and-granularity.md),
[0017](decisions/0017-level-of-a-timeline.md)). What BERTopic and `community_detection` leave out are groups
of their own; BERTopic's threshold is its least size of a topic. Single pass is that of [live](#live), where
DBSTREAM stands too. Processor seconds are added over all cores; gigabytes are the peak of the process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pandas as pd

from benchmarks.groups import sets
from benchmarks.peer_methods import CHOSEN_ON, WAYS
from core import files
from core.files import ROOT

ENCODING: Final = "encoding by MiniLM"
SETS: Final = ("UCI", "AllSides")
LIMIT: Final = 600.0
"""Seconds after which a method is stopped."""


def run() -> dict[str, Any]:
    """One row a set and method."""
    tables = {name: table for name, table in sets().items() if name in (*SETS, CHOSEN_ON)}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, table in tables.items():
            write(folder, name, table)
        measured(folder, CHOSEN_ON, ENCODING, ("",))
        rows = [row for method in WAYS for row in _rows(folder, method)]
    return {"benchmark": "peers", "rows": sorted(rows, key=lambda row: SETS.index(row["set"]))}


def _rows(folder: Path, method: str) -> list[dict[str, Any]]:
    """A method on every set, with the threshold that is best on the set to choose by."""
    values = WAYS[method].values
    value = _best(measured(folder, CHOSEN_ON, method, values))["value"] if values else ""
    return [_row(folder, name, method, value) for name in SETS]


def _row(folder: Path, name: str, method: str, value: str) -> dict[str, Any]:
    """A method on a set, with the threshold that was chosen and with the best one for the set."""
    way = WAYS[method]
    row = {"set": name, "method": method, "encoder": way.encoder, "threshold": value or None}
    # What was chosen comes first: a method that is slow tries no others.
    others = [one for one in way.values if one != value]
    found = measured(folder, name, method, (value, *others))
    if not found:
        return row | {"seconds": f"over {LIMIT:.0f}"}
    row |= {key: figure for key, figure in found[0].items() if key != "value"}
    if others and len(found) == len(way.values):
        best = _best(found)
        row |= {"best_possible_ami": best["ami"], "best_threshold": best["value"]}
    print(row, flush=True)
    return row


def _best(found: list[dict[str, Any]]) -> dict[str, Any]:
    return max(found, key=lambda one: one["ami"])


def write(folder: Path, name: str, table: pd.DataFrame) -> None:
    """Writes a set as the methods read it, in the order of dates.

    Args:
        folder: Where.
        name: Of the set.
        table: With `headline`, perhaps `date`, and `group`.
    """
    from core.data.timelines.load import load
    from core.data.timelines.timeline import Field

    read = load(table.to_csv(index=False).encode(), "set.csv").table
    columns = {
        Field.HEADLINE.value: "headline",
        Field.PUBLISHED.value: "published",
        Field.GOLD.value: "group",
    }
    ordered = read[list(columns)].rename(columns=columns).sort_values("published", kind="stable")
    files.write(folder / f"{name}.csv", ordered.to_csv(index=False).encode())


def measured(folder: Path, name: str, method: str, values: Sequence[str]) -> list[dict[str, Any]]:
    """What a method took and reached with each value, in a process of its own; up to where it was stopped."""
    words = [sys.executable, "-m", "benchmarks.peer_methods", method, str(folder), name, *values]
    process = subprocess.Popen(
        words, cwd=ROOT, env=os.environ | {"TQDM_DISABLE": "1"}, stdout=subprocess.PIPE, text=True
    )
    try:
        said, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
    if process.returncode > 0:
        sys.exit(f"{method} failed on {name}.")
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]
