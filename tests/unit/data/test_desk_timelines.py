"""The desk timelines that ship are what their card says."""

import csv
import re
from itertools import pairwise

import pytest

from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.files import ROOT

DESKS = ROOT / "samples" / "desks"
FILES = sorted(DESKS.glob("*/*.csv"))


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_card_counts_headlines_and_events():
    said = re.findall(
        r"^\| `(\w+)` \|.*\| ([\d,]+) \| ([\d,]+) \|$", (DESKS / "README.md").read_text("utf-8"), re.M
    )
    counted = {}
    for path in FILES:
        rows, (headlines, events) = rows_of(path), counted.get(path.parent.name, (0, 0))
        counted[path.parent.name] = headlines + len(rows), events + len({row["event"] for row in rows})
    assert {name: (int(a.replace(",", "")), int(b.replace(",", ""))) for name, a, b in said} == counted


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_row_is_read_and_an_event_has_one_story(path):
    rows = rows_of(path)
    timeline = load(path.read_bytes(), path.name)
    assert len(timeline) == len(rows)
    assert timeline.table[Field.PUBLISHED].notna().all()
    assert all(earlier["date"] <= later["date"] for earlier, later in pairwise(rows))
    assert len({(row["event"], row["story"]) for row in rows}) == len({row["event"] for row in rows})
