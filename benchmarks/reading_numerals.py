"""Numerals: where they come from, how fast that is said, and what the lights are worth."""

import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.publishing import machine, median, publish, save, seconds, tell
from core.data.articles.blanks import Blanks, load_blanks
from core.errors import ModelUnavailableError
from core.headlines.metrics.numeral_accuracy import official_accuracy
from core.numerals.checking import load_checker
from core.numerals.checks.opening import open_headlines
from core.numerals.checks.tables import check_table
from core.numerals.filling import load_filler
from core.numerals.question import read_article
from core.parts import Part
from core.results.table import text_rows
from core.runtime import Runtime, data_folder, detect_device
from research.benchmark import claims
from research.benchmark.numerals.run import ALIGNERS
from research.benchmark.numerals.run import measure_aligners as run_table
from research.benchmark.numerals.sets import TITLES, NumeralTask, rows_of
from research.benchmark.numerals.tables import FILE, NumeralBenchmark
from research.benchmark.numerals.unanswerable import abstention_table, measure_abstention

READ: Final = 500
"""Blanks of a set that the language model reads, drawn once: it takes half a second for each."""


def run_numerals() -> dict[str, Any]:
    """Where each number of a headline comes from, and whether it is right: what is found on held-out rows.

    Tables over systems are in [numeral_benchmark.md](numeral_benchmark.md), every figure, also by operator
    and by kind, in `benchmarks/results/numeral_benchmark-*.json`.
    """
    found = run_table(
        Runtime(device=detect_device(), patient=True),
        machine=machine(),
        read=READ,
        on_outcome=tell,
        on_set=lambda found: save(found, FILE),
    )
    publish(found, FILE, found.only(found.sets[0].key).as_markdown(brief=True), name="numerals")
    return {
        "benchmark": "numerals",
        "rows": summary(found),
        "seed": found.seed,
        "part": found.settings["part"],
    }


def run_unanswerable(*, limit: int = 60) -> dict[str, Any]:
    """Blanks whose article lacks the answer: how many a filler leaves blank."""
    runtime = Runtime(device=detect_device(), patient=True)
    table = abstention_table(*measure_abstention(load_filler(None, runtime), runtime, limit=limit))
    head, *rows = text_rows(table)
    rows = [dict(zip(head, row, strict=True)) for row in rows]
    return {"benchmark": "unanswerable", "rows": rows, "notes": table.notes, "articles": limit}


def summary(found: NumeralBenchmark) -> list[dict[str, Any]]:
    """One line a system and set, the first figures of each task."""
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for dataset in found.sets:
        for task, table in found.main_tables(dataset):
            if task is NumeralTask.CALIBRATION:
                continue
            head, *body = text_rows(table)
            for name, *values in body:
                line = lines.setdefault((dataset.name, name), {"set": dataset.name, "system": name})
                line |= {
                    f"{TITLES[task].lower()}: {label}": value
                    for label, value in zip(head[1:4], values[:3], strict=True)
                }
    return list(lines.values())


WORDS: Final = (180, 220)
ARTICLES: Final = 100
CORPUS: Final = 1_000
PROCESSES: Final = 2
REPEATS: Final = 5
SEED: Final = 0
PEER: Final = "quantulum3"
FOLDS: Final = (1, 2, 3, 4, 5)
processor_seconds = partial(seconds, clock=time.process_time)
OFFICIAL: Final = r"\d{1,3}(?:,\d{3})+|\d+[\/\.]{0,1}\d+|\d+"
"""The expression of NumHG's script, written out again so that the loop owes nothing to ours."""


def run_numeral_speed() -> dict[str, Any]:
    """Reading numerals and saying where they come from: how long it takes, against what is known to read.

    An article is one of NumHG's held-out ones of 180 to 220 words; milliseconds are the processor's in one
    thread, medians over the articles, each read and checked once with the models loaded. quantulum3 merely
    reads the same articles, without its classifier of units, whose pickled weights need an older
    scikit-learn; where it is not installed its row is left out. The corpus is checked in two processes,
    loading included, on rows drawn once, and the whole is reckoned from them. Official accuracy is over the
    headlines of NumHG's five folds, every third one taken for its neighbour's, and checked to be that of the
    loop. [Turn by turn with the program of before](decisions/0011-numerals.md#speed), the blend takes .36 of
    the time; since then, with rows that go through the network together, about .9 of that in one call; what a
    language model [reads a second time](decisions/0011-numerals.md#speed), at least half of these headlines,
    takes most of the time since.
    """
    blanks = load_blanks("numhg")
    return {
        "benchmark": "numerals, how fast",
        "rows": [*_articles(blanks.part(Part.TEST)), *_corpus(blanks), _official()],
    }


def _articles(blanks: Blanks) -> list[dict[str, Any]]:
    import torch

    fitting = [row for row, text in enumerate(blanks.texts) if WORDS[0] <= len(text.split()) <= WORDS[1]]
    drawn = np.random.default_rng(SEED).permutation(fitting)[:ARTICLES].tolist()
    rows = rows_of(blanks, sorted(drawn))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        read = [processor_seconds(partial(read_article, text)) for text in rows.given.texts]
        found = [_row("read an article", read, target=None)]
        for name in _aligners():
            checker = load_checker(name, Runtime())
            for text, headline in zip(rows.given.texts[:3], rows.headlines[:3], strict=True):
                checker.check([headline], [text], Runtime())
            times = [
                processor_seconds(partial(checker.check, [headline], [text], Runtime()))
                for text, headline in zip(rows.given.texts, rows.headlines, strict=True)
            ]
            found.append(_row(f"read an article and a headline, and check it ({name})", times, target=20))
    finally:
        torch.set_num_threads(threads)
    if find_spec(PEER):
        peer = _peer(rows.given.texts)
        found.append(_row(f"read an article, {PEER} {version(PEER)}", peer, target=None))
        found[0]["times_faster"] = round(statistics.median(peer) / statistics.median(read), 1)
    return found


def _aligners() -> list[str]:
    found = []
    for name in ALIGNERS:
        with suppress(ModelUnavailableError):
            load_checker(name, Runtime())
            found.append(name)
    return found


def _peer(texts: Sequence[str]) -> list[float]:
    from quantulum3 import classifier, parser

    classifier.USE_CLF = False
    parser.parse(texts[0])
    return [processor_seconds(partial(parser.parse, text)) for text in texts]


def _row(work: str, times: Sequence[float], *, target: int | None) -> dict[str, Any]:
    return {
        "work": work,
        "of": f"{len(times)} articles",
        "median_ms": round(1000 * statistics.median(times), 1),
        "slowest_tenth_ms": round(1000 * float(np.percentile(times, 90)), 1),
        "target_ms": target,
    }


def _corpus(blanks: Blanks) -> list[dict[str, Any]]:
    import pandas as pd

    drawn = np.sort(np.random.default_rng(SEED).permutation(len(blanks))[:CORPUS]).tolist()
    rows = rows_of(blanks, drawn)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        pd.DataFrame({"text": rows.given.texts, "summary": rows.headlines}).to_csv(path, index=False)
        for name in _aligners():
            started = time.perf_counter()
            table = check_table(
                open_headlines(str(path)),
                Runtime(patient=True),
                load=partial(load_checker, name),
                processes=PROCESSES,
            )
            took = time.perf_counter() - started
            found.append(
                {
                    "work": f"check a corpus in {PROCESSES} processes ({name})",
                    "of": f"{len(table.answers):,} rows",
                    "seconds": round(took, 1),
                    "seconds_for_all": round(took * len(blanks) / len(rows)),
                    "all": f"{len(blanks):,} rows",
                    "target_seconds": 240,
                }
            )
    return found


def _official() -> dict[str, Any]:
    folder = data_folder() / "numhg" / "targets"
    headlines, numbers, types = (
        [line for fold in FOLDS for line in (folder / f"fold-{fold}_{name}.txt").read_text().splitlines()]
        for name in ("target", "number_gt", "number_type")
    )
    headlines = [headlines[row - 1] if row % 3 == 0 else line for row, line in enumerate(headlines)]
    operations = ["reasoning" if kind == "1" else "copy" for kind in types]
    ours = partial(official_accuracy, headlines, numbers, operations)
    loop = partial(_loop, headlines, numbers)
    assert ours()["All"] == loop() / len(headlines) < 1
    quick, slow = (median(work, repeats=REPEATS, clock=time.process_time) for work in (ours, loop))
    return {
        "work": "official accuracy",
        "of": f"{len(headlines):,} predictions",
        "seconds": round(quick, 3),
        "target_seconds": 2,
        "plain_loop_seconds": round(slow, 3),
    }


def _loop(headlines: Sequence[str], numbers: Sequence[str]) -> int:
    right = 0
    for headline, number in zip(headlines, numbers, strict=True):
        found = re.findall(OFFICIAL, headline)
        if len(found) == 1 and found[0] == number.strip():
            right += 1
    return right


LIMIT: Final = 120
"""Test headlines of NumHG that are made wrong."""


def run_claims() -> dict[str, Any]:
    """What the lights of the check of numbers are worth on headlines that writers wrote, right and wrong.

    Every kind of error and both baselines are in [numeral_benchmark.md](numeral_benchmark.md).
    """
    began = time.process_time()
    found = claims.measure_lights(Runtime(patient=True), limit=LIMIT)
    whole = (each for each in found if each.system == claims.OURS and each.set in claims.SETS)
    ours = sum(each.headlines for each in whole if each.kind != "false" or each.set == claims.PLAIN)
    spent = 1000 * (time.process_time() - began) / max(ours, 1)
    read = claims.measure_lights(Runtime(patient=True), sets=[claims.UNSEEN], thorough=True)
    found += [light_shares for light_shares in read if light_shares.system == claims.THOROUGH]
    return claims.as_object(found) | {"processor_milliseconds_a_headline": round(spent, 1)}
