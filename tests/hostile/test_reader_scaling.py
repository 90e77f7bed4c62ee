"""Hostile files of one, two and four times a length: no reader takes more than in proportion."""

import gc
import json

import pytest

from benchmarks.fuzz_readers import every_reader, through_readers
from benchmarks.generated_files import PIECES, run_of
from core.data.timelines.writers import xlsx_bytes
from tests.hostile.scaling import STEEPEST, steepness

LENGTH = 4_000
"""Characters of the shortest; the others have twice and four times as many."""
FLOOR = 0.1
"""Seconds of processor time that are not looked at any closer."""
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


@pytest.fixture(autouse=True)
def _without_collections():
    """Garbage that others left is not looked through while time is taken."""
    gc.disable()
    yield
    gc.enable()


def on_files(read, place, piece):
    """The reading of files in which a run of a piece is so many times the shortest."""

    def work_of(times):
        name, data = place(run_of(piece, times * LENGTH))
        return lambda: read(data, name)

    return work_of


@pytest.mark.parametrize("reader", READERS)
def test_time_grows_in_proportion(reader):
    """Each reader is given each piece, each in one of the places: all readers together have every pair."""
    wrong, number = {}, [*READERS].index(reader)
    for place, (shape, piece) in enumerate(PIECES.items()):
        name = [*PLACES][(place + number) % len(PLACES)]
        steep = steepness(on_files(READERS[reader], PLACES[name], piece), floor=FLOOR)
        if steep > STEEPEST:
            wrong[f"{shape}, {name}"] = round(steep, 1)
    assert wrong == {}


def test_generated_files_are_read_or_refused_in_time():
    told = through_readers(2_600)
    assert told["faults"] == []
    assert all(row["read"] > 0 for row in told["readers"].values())
    assert all(row["refused"] > 0 for row in told["readers"].values())
