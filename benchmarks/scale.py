"""Long archives, crowded days, and ways of grouping as they grow."""

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.grouping import sets
from benchmarks.peer_methods import CHOSEN_ON, ENCODING, GIGABYTES, TOO_LARGE, WAYS
from benchmarks.publishing import rounded
from core import files, limits
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.files import ROOT
from core.groups.quality import quality
from core.live.arrivals import arrivals_of
from core.live.regrouping import compare
from core.live.stream import Stream
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import default_encoder, encoders
from core.runtime import Runtime
from core.text.tokens import STOP_WORDS

SETS: Final = ("UCI", "AllSides", "NeuS, test")
PEERS_LIMIT: Final = 600  # processor seconds after which a method is stopped
_ONE_DAY: Final = "2020-01-01"


def run_peers() -> dict[str, Any]:
    """Ways of grouping headlines compared: quality, time and memory, each in a process of its own.

    Times are of grouping alone, after the method has grouped the ECB+ headlines, so that what it loads and
    compiles is there; vectors of MiniLM are given, and what they cost stands in a row of its own, the loading
    of the model included. *With encoding* adds it to the methods that read them: from headlines to groups. An
    archive is timed from the file to the finished folder, with its own vectors and a map. By default it
    groups a run of its headlines as a timeline, with MiniLM, to find its level; with *level chosen* it
    is given one as the others are given a threshold: that with the highest AMI on ECB+ headlines. *Best
    possible ami* is that of the best threshold for the set itself, which nobody knows without its gold
    groups, and is not asked of a method that took more than ten seconds. The timeline needs no threshold, but
    its constants and its learned scorer were chosen on parts of all three sets, too
    ([0003](decisions/0003-similarity-and-granularity.md), [0017](decisions/0017-level-of-a-timeline.md)); of
    NeuS, which has no dates and gets one day, only the part for tests is grouped. What BERTopic and
    `community_detection` leave out are groups of their own; BERTopic's threshold is its least size of a
    topic. Single pass and DBSTREAM are those of [live](#live). Processor seconds are added over all cores;
    gigabytes are the peak of the process.
    """
    tables = sets()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in (CHOSEN_ON, *SETS):
            write_groups(folder, name, tables[name])
        encoded = {name: through_peer(folder, name, ENCODING, ("",))[0][0] for name in (CHOSEN_ON, *SETS)}
        rows = [_row(name, ENCODING, "", encoded[name], 0.0) for name in SETS]
        for method in (way for way in WAYS if way != ENCODING):
            value = chosen(folder, method)
            for name in SETS:
                row = _measured(folder, name, method, value, encoded[name]["processor_seconds"])
                print(row, flush=True)
                rows.append(row)
    return {"benchmark": "peers", "rows": sorted(rows, key=lambda row: SETS.index(row["set"]))}


def chosen(folder: Path, method: str) -> str:
    """The threshold that is best on the set to choose by; "" where a method needs none."""
    values = WAYS[method].values
    return _best(through_peer(folder, CHOSEN_ON, method, values)[0])["value"] if values else ""


def _measured(folder: Path, name: str, method: str, value: str, encoding: float) -> dict[str, Any]:
    way = WAYS[method]
    # What was chosen comes first: a method that is slow tries no others.
    others = [one for one in way.values if one != value]
    found, stopped = through_peer(folder, name, method, (value, *others))
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


def write_groups(folder: Path, name: str, table: pd.DataFrame) -> None:
    """Writes a set as the methods read it, in the order of dates; headlines without any get one day."""
    dated = table if "date" in table else table.assign(date=_ONE_DAY)
    read = load(dated.to_csv(index=False).encode(), "set.csv").table
    columns = {
        Field.HEADLINE.value: "headline",
        Field.PUBLISHED.value: "published",
        Field.GOLD.value: "group",
    }
    ordered = read[list(columns)].rename(columns=columns).sort_values("published", kind="stable")
    files.write(folder / f"{name}.csv", ordered.to_csv(index=False).encode())


def through_peer(
    folder: Path, name: str, method: str, values: Sequence[str], *, limit: int = PEERS_LIMIT
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


ARCHIVES_COUNTS = (1_000, 10_000, 100_000, 1_000_000)
UCI = ROOT / "samples/uci/uci_stories.csv.gz"


def run_archives() -> dict[str, Any]:
    """Archives as they grow: the UCI sample expanded (`benchmarks/scale.py`), grouped and mapped by
    `headline-lab archive`.

    Each row is a process of its own, from the file to the finished folder; cut where the command cuts the
    sample itself, since a page's encoder finds no sense in exchanged words. Processor seconds, added over all
    cores, hardly depend on who else uses the machine; memory is the peak of the process. The gold groups of
    expanded headlines are those of the sample in each copy. Runs on the real sample stand above the others.
    """
    with tempfile.TemporaryDirectory() as folder:
        real = through_archive(UCI, Path(folder) / "real", [])
        rows = [{"headlines_of": "UCI sample", **real}]
        for count in ARCHIVES_COUNTS:
            file = Path(folder) / f"{count}.csv"
            write_sample(file, count)
            level = ["--granularity", str(real["granularity"])]
            rows.append(
                {"headlines_of": "expanded", **through_archive(file, Path(folder) / str(count), level)}
            )
            print(rows[-1], flush=True)
    return {"benchmark": "archives", "rows": rows}


def through_archive(file: Path, out: Path, options: list[str]) -> dict[str, Any]:
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


SAMPLE: Final = 4_774
DAYS: Final = ((10, 1), (40, 1), (10, 21))  # copies a day, and days
_LEVEL: Final = "0.9"
_ALL: Final = 500_000


def run_crowded() -> dict[str, Any]:
    """Archives of crowded days: copies of the UCI sample with other words (`benchmarks/scale.py`), ten or
    forty of them in one day, and ten a day for three weeks, grouped by `headline-lab archive`.

    With *all pairs*, every headline is compared with all of its window; else with those in cells near it
    (`core/archive/cells.py`). The tree of both is cut at one granularity. Time, memory and gold groups as in
    [archives](#archives); a million with all pairs is not run.
    """
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (copies, days) in enumerate(DAYS):
            file = Path(folder) / f"{number}.csv"
            for part, table in enumerate(_spread(copies, days)):
                table.to_csv(file, index=False, mode="a", header=part == 0)
            for all_pairs in (True, False)[days > 1 :]:
                os.environ[limits.ARCHIVE_WINDOW.variable] = str(_ALL if all_pairs else SAMPLE)
                made = through_archive(
                    file, Path(folder) / f"{number}-{all_pairs}", ["--granularity", _LEVEL]
                )
                rows.append({"headlines_a_day": copies * SAMPLE, "all_pairs": all_pairs, **made})
                print(rows[-1], flush=True)
    return {"benchmark": "crowded", "rows": rows}


def _spread(copies: int, days: int) -> Iterator[pd.DataFrame]:
    first = pd.Timestamp("2014-03-10")
    for number, table in enumerate(expanded(SAMPLE * copies * days)):
        yield table.assign(published=(first + pd.Timedelta(days=number // copies)).strftime("%Y-%m-%d"))


_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]+")


def expanded(count: int, *, seed: int = 0) -> Iterator[pd.DataFrame]:
    """Copies of the UCI sample, `count` rows in all: headline, published, publisher and group."""
    sample = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str)
    times = pd.to_datetime(sample["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    span = times.max() - times.min()
    words = sorted(
        {word.lower() for title in sample["TITLE"] for word in _WORD.findall(title)} - STOP_WORDS["en"]
    )
    made, copy = 0, 0
    while made < count:
        draw = random.Random(seed * 1_000_003 + copy)
        other = _other(words, draw)
        titles = [_exchanged(title, other) for title in sample["TITLE"]]
        table = pd.DataFrame(
            {
                "headline": sample["TITLE"] if copy == 0 else titles,
                "published": (times + copy * span).dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "publisher": sample["PUBLISHER"],
                "group": [f"{copy}-{story}" for story in sample["STORY"]],
            }
        ).iloc[: count - made]
        made, copy = made + len(table), copy + 1
        yield table


def write_sample(path: Path, count: int) -> None:
    """Writes `count` rows as CSV, copy after copy, each in the order of its dates."""
    for part, table in enumerate(expanded(count)):
        ordered = table.sort_values("published", kind="stable")
        ordered.to_csv(path, index=False, mode="a", header=part == 0)


def _other(words: list[str], draw: random.Random) -> dict[str, str]:
    shuffled = draw.sample(words, len(words))
    return dict(zip(sorted(words, key=len), sorted(shuffled, key=len), strict=True))


def _exchanged(title: str, other: dict[str, str]) -> str:
    def named(found: re.Match[str]) -> str:
        new = other.get(found[0].lower(), found[0])
        return new.capitalize() if found[0][0].isupper() else new

    return _WORD.sub(named, title)


STREAM: Final = 50_000
STREAM_ROW: Final = 5_000  # headlines a row
ARRIVING: Final = 500


def run_live_growth() -> dict[str, Any]:
    """A stream to its end: fifty thousand headlines one by one, with the window that streams have.

    The UCI sample, expanded (`benchmarks/scale.py`), taken in 500 at a time, with a regrouping whenever a
    tenth of the window is new. Processor seconds are added over all cores, without encoding, which is done
    before. Quality is that of all groups so far against the gold groups; headlines of the first copy alone
    have meaning beyond shared words, so groups of the others are harder to find. Gigabytes are the peak of
    the process.
    """
    table = pd.concat(expanded(STREAM))
    arrivals = arrivals_of(load(table.to_csv(index=False).encode(), "expanded.csv"))
    with tempfile.TemporaryDirectory() as cache:
        runtime = Runtime(cache=Path(cache), patient=True)
        encoder = encoders.parse(default_encoder("en"))
        begun = time.process_time()
        encode_cached([arrival.text for arrival in arrivals], encoder, runtime)
        encoding = time.process_time() - begun
        compare(arrivals[:100], runtime)
        stream = Stream(runtime)
        rows = []
        for start in range(0, len(arrivals), STREAM_ROW):
            begun = time.process_time()
            for first in range(start, start + STREAM_ROW, ARRIVING):
                for _ in stream.add(arrivals[first : first + ARRIVING]):
                    pass
            took = time.process_time() - begun
            so_far = arrivals[: start + STREAM_ROW]
            labels = np.array([stream.book.group_of[arrival.key] for arrival in so_far])
            found = quality(labels, [arrival.gold_group for arrival in so_far])
            rows.append(
                {
                    "headlines": len(so_far),
                    "processor_seconds": round(took, 1),
                    "ms_a_headline": round(1000 * took / STREAM_ROW, 1),
                    **rounded(found, "ami", "pair_f1"),
                    "gigabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
                }
            )
            print(rows[-1], flush=True)
    return {"benchmark": "live_growth", "rows": rows, "encoding_processor_seconds": round(encoding)}
