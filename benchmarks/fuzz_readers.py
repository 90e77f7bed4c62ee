"""Generated files, each through one reader, all readers in turn: what is not refused in one sentence."""

from __future__ import annotations

import os
import random
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from benchmarks.generated_files import ENDINGS, NAMES, generated
from core import limits
from core.consistency.checks.check import read_suite
from core.data.articles.articles import articles_of
from core.data.articles.load import parse_articles
from core.data.articles.outputs import parse_outputs
from core.data.pair_sets.pair_file import parse_pairs
from core.data.timelines import readers
from core.data.timelines.load import load, load_text, read_table, sniff
from core.data.timelines.writers import rejected_csv
from core.errors import CoreError, InputError
from core.headlines.reruns import GivenFile, load_given
from core.numerals.checks.opening import blanks_in, headlines_in
from core.people.rating_files import read_ratings
from core.people.ratings import evaluation_forms
from core.processes import apart

SEED: Final = 14
GENERATED: Final = 200_000
_AT_ONCE: Final = 4_400
FREE_SECONDS: Final = 0.25
"""Of processor time for any file, however short; a collection of garbage may come in between."""
SECONDS_A_BYTE: Final = 2e-5
"""Of processor time beyond that at most; ordinary tables take a hundredth of it."""
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_ARTICLES: Final = articles_of("news", ["A storm hurt 12 people.", "A bank raised rates by 2 %."])

_OWN: Final[dict[str, tuple[int, ...]]] = {
    "format hlgd_pairs": (1,),
    "format telegram_pairs": (2,),
    "format hlgd_timeline": (3,),
    "format uci_news_aggregator": (4,),
    "format numhg": (5,),
    "articles": (5, 6, 7),
    "pairs": (1,),
    "outputs": (7,),
    "articles with outputs": (5, 7),
    "ratings": (8,),
    "blanks": (5, 6),
    "checked headlines": (5, 6),
    "suite": (9,),
}
"""Which tables a reader is meant for; of the others, any."""
_OWN_ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "format feed": ("rss",),
    "format csv": ("csv", "tsv"),
    "format pasted": ("txt",),
    "suite": ("csv", "json"),
    **{f"format {ending}": (ending,) for ending in ("json", "jsonl", "xlsx", "parquet")},
}

Read = Callable[[bytes, str], object]


def every_reader() -> dict[str, Read]:
    """Whatever reads bytes that a user gives, by name: each registered format, and each kind of file."""
    formats: dict[str, Read] = {f"format {name}": _as_format(name) for name in readers.names()}
    return formats | {
        "timeline": _timeline,
        "preview": sniff,
        "pasted text": lambda data, name: load_text(data.decode("utf-8", errors="replace")),
        "articles": parse_articles,
        "pairs": parse_pairs,
        "outputs": lambda data, name: parse_outputs(data, name, _ARTICLES),
        "articles with outputs": _with_outputs,
        "ratings": lambda data, name: read_ratings(data, name, evaluation_forms.parse("numhg.v1")),
        "blanks": lambda data, name: blanks_in(read_table(data, name, blank_rows=True), name),
        "checked headlines": lambda data, name: headlines_in(read_table(data, name, blank_rows=True), name),
        "suite": read_suite,
    }


def _as_format(format_name: str) -> Read:
    return lambda data, name: load(data, name, format=format_name, now=_NOW)


def _timeline(data: bytes, name: str) -> None:
    found = load(data, name, now=_NOW)
    assert len(found) == len(found.table) == len(found.original) > 0
    assert found.fingerprint
    rejected_csv(found.report)


def _with_outputs(data: bytes, name: str) -> None:
    loaded = load_given(GivenFile(name, data), [GivenFile(name, data)], _ARTICLES)
    for problem in loaded.problems:
        raise problem


def through_readers(count: int, *, first: int = 0, seed: int = SEED) -> dict[str, Any]:
    """So many generated files, each through one reader, all readers in turn."""
    every = every_reader()
    _warm(every.values())
    told: dict[str, dict[str, Any]] = {
        name: {"files": 0, "read": 0, "refused": 0, "slowest_seconds": 0.0, "slowest_bytes": 0}
        for name in every
    }
    faults: list[dict[str, Any]] = []
    highest = total = 0.0
    size = 0
    for number in range(first, first + count):
        reader = list(every)[number % len(every)]
        name, data = file_of(reader, seed, number)
        wrong, seconds = _tried(every[reader], data, name)
        row = told[reader]
        row["files"] += 1
        row["refused" if wrong == "" else "read"] += 1
        total, size = total + seconds, size + len(data)
        if seconds > row["slowest_seconds"]:
            row["slowest_seconds"], row["slowest_bytes"] = round(seconds, 4), len(data)
        highest = max(highest, (seconds - FREE_SECONDS) / max(1, len(data)))
        if seconds > FREE_SECONDS + SECONDS_A_BYTE * len(data):  # once more: the machine may have paused
            seconds = min(seconds, _tried(every[reader], data, name)[1])
            if seconds > FREE_SECONDS + SECONDS_A_BYTE * len(data):
                wrong = f"took {seconds:.2f} s for {len(data):,} bytes"
        if wrong:
            faults.append({"seed": seed, "number": number, "reader": reader, "file": name, "what": wrong})
    return {
        "files": count,
        "bytes": size,
        "seconds": round(total, 1),
        "microseconds_a_byte": round(1e6 * total / max(1, size), 3),
        "highest_microseconds_a_byte_past_the_free_time": round(1e6 * max(0.0, highest), 3),
        "faults": faults,
        "readers": told,
    }


def file_of(reader: str, seed: int, number: int) -> tuple[str, bytes]:
    """A generated file; two of three are of the kind that the reader is meant for."""
    draw = random.Random(f"{seed}|{number}")
    if draw.random() < 1 / 3:
        return generated(draw)
    names = [NAMES[place] for place in _OWN.get(reader, range(len(NAMES)))]
    return generated(draw, endings=_OWN_ENDINGS.get(reader, ENDINGS), names=names)


def _tried(read: Read, data: bytes, name: str) -> tuple[str | None, float]:
    started = time.process_time()
    wrong: str | None = None
    try:
        read(data, name)
    except CoreError as error:
        wrong = "" if error.message and error.hint else f"an error without a sentence: {error!r}"
    except Exception:
        wrong = traceback.format_exc()[-2_000:]
    return wrong, time.process_time() - started


def _warm(every: Iterable[Read]) -> None:
    for read in every:
        for number in range(30):
            name, data = generated(random.Random(f"warm|{number}"))
            _tried(read, data, name)


def run_fuzz_readers() -> dict[str, Any]:
    """Generated files, each through one reader, all readers in turn: what is not refused in one sentence.

    Two of three files are of the kind that the reader is meant for, most of them spoiled. A fault is an
    exception that is no sentence, more processor time than 0.25 s and 20 microseconds a byte, or the end of
    the process. `HEADLINE_LAB_GENERATED` sets how many files are made, 200,000 where it does not.

    All files, some thousands in one process after another: a library may end its process over a file.
    """
    count = int(os.environ.get("HEADLINE_LAB_GENERATED", GENERATED))
    os.environ[limits.READING_SECONDS.variable] = "36000"
    parts = [
        part for first in range(0, count, _AT_ONCE) for part in _apart(first, min(_AT_ONCE, count - first))
    ]
    return summary(parts)


def _apart(first: int, count: int) -> list[dict[str, Any]]:
    try:
        return [apart(partial(through_readers, count, first=first), step="Reading generated files")]
    except InputError as error:
        if count > 1:
            half = count // 2
            return [*_apart(first, half), *_apart(first + half, count - half)]
        return [_ended(first, error.message)]


def _ended(number: int, what: str) -> dict[str, Any]:
    reader = list(every_reader())[number % len(every_reader())]
    name, data = file_of(reader, SEED, number)
    fault = {"seed": SEED, "number": number, "reader": reader, "file": name, "what": what}
    row = {"files": 1, "read": 0, "refused": 0, "slowest_seconds": 0.0, "slowest_bytes": 0}
    return {"files": 1, "bytes": len(data), "seconds": 0.0, "faults": [fault], "readers": {reader: row}}


def summary(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    rows: dict[str, dict[str, Any]] = {}
    for part in parts:
        for reader, told in part["readers"].items():
            row = rows.setdefault(
                reader, {"reader": reader, "files": 0, "read": 0, "refused": 0, "faults": 0}
            )
            for name in ("files", "read", "refused"):
                row[name] += told[name]
            row["faults"] += sum(fault["reader"] == reader for fault in part["faults"])
            if told["slowest_seconds"] >= row.get("slowest_seconds", 0.0):
                row |= {name: told[name] for name in ("slowest_seconds", "slowest_bytes")}
    size, seconds = (sum(part[name] for part in parts) for name in ("bytes", "seconds"))
    return {
        "benchmark": "fuzz_readers",
        "rows": list(rows.values()),
        "files": sum(part["files"] for part in parts),
        "megabytes": round(size / 1e6, 1),
        "microseconds_a_byte": round(1e6 * seconds / max(1, size), 3),
        "faults": [fault for part in parts for fault in part["faults"]],
    }
