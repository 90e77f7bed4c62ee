"""Archives as they grow: the UCI sample expanded (`benchmarks/expanded.py`), grouped and mapped by
`headline-lab archive`.

Each row is a process of its own, from the file to the finished folder; cut where the command cuts the
sample itself, since a page's encoder finds no sense in exchanged words. Processor seconds, added over all
cores, hardly depend on who else uses the machine; memory is the peak of the process. The gold groups of
expanded headlines are those of the sample in each copy. Runs on the real sample stand above the others.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import expanded
from core.files import ROOT

COUNTS = (1_000, 10_000, 100_000, 1_000_000)
UCI = ROOT / "samples/uci/uci_stories.csv.gz"


def run() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        real = measured(UCI, Path(folder) / "real", [])
        rows = [{"headlines_of": "UCI sample", **real}]
        for count in COUNTS:
            file = Path(folder) / f"{count}.csv"
            expanded.write(file, count)
            level = ["--granularity", str(real["granularity"])]
            rows.append({"headlines_of": "expanded", **measured(file, Path(folder) / str(count), level)})
            print(rows[-1], flush=True)
    return {"benchmark": "archives", "rows": rows}


def measured(file: Path, out: Path, options: list[str]) -> dict[str, Any]:
    """What the command says of an archive that it makes, with its time and memory."""
    words = [sys.executable, "-m", "cli", "archive", str(file), "--out", str(out), "--json", "--quiet"]
    begun = time.monotonic()
    with subprocess.Popen([*words, *options], cwd=ROOT, stdout=subprocess.PIPE) as process:
        said = process.stdout.read() if process.stdout else b""
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode:
        sys.exit(f"The archive of {file.name} was not made.")
    told = json.loads(said)
    seconds = usage.ru_utime + usage.ru_stime
    return {
        "headlines": told["headlines"],
        "groups": told["groups"],
        "granularity": told["granularity"],
        "ami": told["ami"],
        "pair_f1": told["pair_f1"],
        "seconds": round(time.monotonic() - begun, 1),
        "processor_seconds": round(seconds, 1),
        "processor_seconds_per_thousand": round(seconds * 1_000 / told["headlines"], 2),
        "gigabytes": round(usage.ru_maxrss / 2**20, 2),
        "seconds_of": told["seconds"],
    }
