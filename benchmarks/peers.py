"""Ways of grouping headlines compared: quality, time and memory, each in a process of its own.

Times are of grouping alone, after the method has grouped the ECB+ headlines, so that what it loads and
compiles is there; vectors of MiniLM are given, and what they cost stands in a row of its own, the loading
of the model included. *With encoding* adds it to the methods that read them: from headlines to groups.
An archive is timed from the file to the finished folder, with its own vectors and a map. By default it
groups a run of its headlines as a timeline, with MiniLM, to find its level; with *level chosen* it is given
one as the others are given a threshold: that with the highest AMI on ECB+ headlines. *Best possible ami* is
that of the best threshold for the set itself, which nobody knows without its gold groups, and is not asked
of a method that took more than ten seconds. The timeline needs no threshold, but its constants and its
learned scorer were chosen on parts of all three sets, too
([0003](decisions/0003-similarity-and-granularity.md), [0017](decisions/0017-level-of-a-timeline.md)); of
NeuS, which has no dates and gets one day, only the part for tests is grouped. What BERTopic and
`community_detection` leave out are groups of their own; BERTopic's threshold is its least size of a topic.
Single pass and DBSTREAM are those of [live](#live). Processor seconds are added
over all cores; gigabytes are the peak of the process.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pandas as pd

from benchmarks.groups import sets
from benchmarks.peer_methods import CHOSEN_ON, ENCODING, GIGABYTES, STATIC, TOO_LARGE, WAYS
from core import files
from core.files import ROOT

SETS: Final = ("UCI", "AllSides", "NeuS, test")
LIMIT: Final = 600
"""Processor seconds after which a method is stopped."""
_ONE_DAY: Final = "2020-01-01"


def run() -> dict[str, Any]:
    """One row a set and method."""
    tables = sets()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in (CHOSEN_ON, *SETS):
            write(folder, name, tables[name])
        encoded = {name: measured(folder, name, ENCODING, ("",))[0][0] for name in (CHOSEN_ON, *SETS)}
        rows = [_row(name, ENCODING, "", encoded[name], 0.0) for name in SETS]
        for method in (one for one in WAYS if one not in {ENCODING, STATIC}):
            value = chosen(folder, method)
            for name in SETS:
                row = _measured(folder, name, method, value, encoded[name]["processor_seconds"])
                print(row, flush=True)
                rows.append(row)
    return {"benchmark": "peers", "rows": sorted(rows, key=lambda row: SETS.index(row["set"]))}


def chosen(folder: Path, method: str) -> str:
    """The threshold that is best on the set to choose by; "" where a method needs none."""
    values = WAYS[method].values
    return _best(measured(folder, CHOSEN_ON, method, values)[0])["value"] if values else ""


def _measured(folder: Path, name: str, method: str, value: str, encoding: float) -> dict[str, Any]:
    way = WAYS[method]
    # What was chosen comes first: a method that is slow tries no others.
    others = [one for one in way.values if one != value]
    found, stopped = measured(folder, name, method, (value, *others))
    row = _row(name, method, value, found[0] if found else {"stopped": stopped}, encoding)
    if others and len(found) == len(way.values):
        best = _best(found)
        row |= {"best_possible_ami": best["ami"], "best_threshold": best["value"]}
    return row


def _row(name: str, method: str, value: str, found: dict[str, Any], encoding: float) -> dict[str, Any]:
    way, own = WAYS[method], found.get("processor_seconds")
    whole = own if own is None or not way.given_vectors else round(own + encoding, 2)
    return {
        "set": name,
        "method": method,
        "encoder": way.encoder,
        "threshold": value or None,
        "processor_seconds": own,
        "processor_seconds_with_encoding": whole,
        **{key: figure for key, figure in found.items() if key not in {"value", "processor_seconds"}},
    }


def _best(found: list[dict[str, Any]]) -> dict[str, Any]:
    return max(found, key=lambda one: one["ami"])


def write(folder: Path, name: str, table: pd.DataFrame) -> None:
    """Writes a set as the methods read it, in the order of dates; headlines without any get one day."""
    from core.data.timelines.load import load
    from core.data.timelines.timeline import Field

    dated = table if "date" in table else table.assign(date=_ONE_DAY)
    read = load(dated.to_csv(index=False).encode(), "set.csv").table
    columns = {
        Field.HEADLINE.value: "headline",
        Field.PUBLISHED.value: "published",
        Field.GOLD.value: "group",
    }
    ordered = read[list(columns)].rename(columns=columns).sort_values("published", kind="stable")
    files.write(folder / f"{name}.csv", ordered.to_csv(index=False).encode())


def measured(
    folder: Path, name: str, method: str, values: Sequence[str], *, limit: int = LIMIT
) -> tuple[list[dict[str, Any]], str]:
    """What a method took and reached with each value, in a process of its own, up to where it was stopped."""
    words = [sys.executable, "-m", "benchmarks.peer_methods", str(limit), method, str(folder), name, *values]
    ended = subprocess.run(
        words,
        cwd=ROOT,
        env=os.environ | {"TQDM_DISABLE": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    stopped = {
        0: "",
        TOO_LARGE: f"over {GIGABYTES} gigabytes",
        -signal.SIGXCPU: f"over {limit} processor seconds",
    }
    if ended.returncode not in stopped:
        sys.exit(f"{method} failed on {name}.")
    rows = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    return rows, stopped[ended.returncode]
