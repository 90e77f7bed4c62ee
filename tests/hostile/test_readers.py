"""Every file of the corpus as a timeline, and files of one, two and four times a length through every reader.

A file gives its good rows, or one clear sentence; no reader takes more time than in proportion to a length.
"""

import contextlib
import gc
import json
import re
import time

import pytest

from benchmarks.fuzz_readers import PIECES, every_reader, repeated, through_readers
from core.data.timelines.load import load
from core.data.timelines.xlsx_writer import xlsx_bytes
from core.errors import CoreError
from core.text.normalise import has_hidden
from tests.hostile.corpus import BY_KIND
from tests.hostile.sentences import faults


def said_wrongly(file):
    """What is wrong with what comes of a file; a false value where nothing is."""
    try:
        timeline = load(file.content, file.name)
    except CoreError as refused:
        if isinstance(file.comes, int) or not re.search(file.comes, refused.message):
            return refused.message
        return faults(refused.message, refused.hint)
    if len(timeline) != file.comes:
        return f"{len(timeline)} headlines"
    return [text for text in timeline.texts if not text.strip() or has_hidden(text)] + [
        row.reason for row in timeline.report.rejected if not row.reason.endswith(".")
    ]


@pytest.mark.parametrize("kind", BY_KIND)
def test_a_timeline_or_one_sentence(kind, monkeypatch):
    wrong = {}
    for name, file in BY_KIND[kind].items():
        with monkeypatch.context() as limited:
            file.under_its_limits(limited)
            if found := said_wrongly(file):
                wrong[name] = found
    assert wrong == {}


STEEPEST = 9.0
"""A text of four times the length may take so many times as long: in proportion it is 4, by the square 16."""
FLOOR = 0.1  # seconds of processor time that are not looked at any closer


def seconds(work, *, looks=3):
    """Processor time, the least of so many looks; what is plainly quick or slow is not repeated."""
    best = float("inf")
    for _ in range(looks):
        start = time.process_time()
        with contextlib.suppress(CoreError):  # one sentence that refuses a text is an answer, too
            work()
        best = min(best, time.process_time() - start)
        if not FLOOR / 10 < best < 10 * FLOOR:
            break
    return best


def steepness(work_of):
    """How many times as long a text of four times the length takes; 0 where that is next to nothing.

    Twice the length is looked at as well: a short text may lie below what can be measured.
    """
    # What one look says is at least what the least of three does: a ratio that is small enough is settled.
    longest = seconds(work_of(4), looks=1)
    if longest < FLOOR:
        return 0.0
    single = max(seconds(work_of(1)), FLOOR / 16)
    if longest <= STEEPEST * single:
        return longest / single
    longest = min(longest, seconds(work_of(4)))
    double = max(seconds(work_of(2)), FLOOR / 4)
    return min(longest / single, (longest / double) ** 2)


LENGTH = 4_000  # characters of the shortest; the others have twice and four times as many
COLUMNS = ("headline", "text", "headline_a", "headline_b", "label", "judge", "article", "system",
           "numeral_accuracy", "cloze", "check", "a", "b", "expected")  # fmt: skip
"""So that each reader finds what it reads."""
READERS = every_reader()


def row(run):
    """A row that each reader takes, with a run in its longest cells."""
    cells = dict.fromkeys(COLUMNS, "Storm hurts ____ people")
    short = {"label": "1", "judge": "Ann", "numeral_accuracy": "2", "expected": "same", "system": "One"}
    return cells | short | {"text": f"<b>A storm</b> {run} x", "article": run, "cloze": run, "a": run}


def cells_of(run):
    quoted = ['"{}"'.format(cell.replace('"', '""')) for cell in row(run).values()]
    return "\n".join([",".join(COLUMNS), ",".join(quoted)]).encode()


def workbook_of(run):
    pieces = [run[at : at + 30_000] for at in range(0, len(run), 30_000)]
    return xlsx_bytes({"A": [COLUMNS, *([*row(piece).values()] for piece in pieces)]})


PLACES = {
    "in cells": lambda run: ("a.csv", cells_of(run)),
    "with a foreign tail": lambda run: ("a.csv", cells_of(run) + b"\ncaf\xe9 is open in the town\n"),
    "alone": lambda run: ("", run.encode()),
    "below a header": lambda run: ("a.csv", f"headline,text\n{run}".encode()),
    "below every column": lambda run: ("a.csv", f"{','.join(COLUMNS)}\n{run}".encode()),
    "in JSON": lambda run: ("a.json", json.dumps([row(run)]).encode()),
    "in lines of JSON": lambda run: ("a.jsonl", json.dumps(row(run)).encode() + b"\n" + run.encode()),
    "in a workbook": lambda run: ("a.xlsx", workbook_of(run)),
}


@pytest.fixture
def without_collections():
    """Garbage that others left is not looked through while time is taken."""
    gc.disable()
    yield
    gc.enable()


def on_files(read, place, piece):
    """The reading of files in which a run of a piece is so many times the shortest."""

    def work_of(times):
        name, data = place(repeated(piece, times * LENGTH))
        return lambda: read(data, name)

    return work_of


@pytest.mark.usefixtures("without_collections")
@pytest.mark.parametrize("reader", READERS)
def test_time_grows_in_proportion(reader):
    """Each reader is given each piece, each in one of the places: all readers together have every pair."""
    wrong, number = {}, [*READERS].index(reader)
    for place, (shape, piece) in enumerate(PIECES.items()):
        name = [*PLACES][(place + number) % len(PLACES)]
        steep = steepness(on_files(READERS[reader], PLACES[name], piece))
        if steep > STEEPEST:
            wrong[f"{shape}, {name}"] = round(steep, 1)
    assert wrong == {}


def test_generated_files_are_read_or_refused_in_time():
    told = through_readers(1_040)
    assert told["faults"] == []
    assert all(row["read"] > 0 for row in told["readers"].values())
    assert all(row["refused"] > 0 for row in told["readers"].values())
