"""The desk timelines that ship are what their card says."""

import csv
import re
from itertools import pairwise

import numpy as np
import pytest

from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.files import ROOT
from core.groups.quality import quality

DESKS = ROOT / "samples" / "desks"
SECOND = sorted(DESKS.glob("second_labels/*.csv"))
FILES = sorted(set(DESKS.glob("*/*.csv")) - set(SECOND))


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


def test_the_card_says_how_far_a_second_editor_agrees():
    agreed = {"event": [], "story": []}
    for path in SECOND:
        writer, name = path.stem.split("-")
        first, second = rows_of(DESKS / writer / f"{name}.csv"), rows_of(path)
        assert [row["row"] for row in second] == [str(number) for number in range(1, len(first) + 1)]
        for column, figures in agreed.items():
            _, ids = np.unique([row[column] for row in second], return_inverse=True)
            figures.append(quality(ids, [row[column] for row in first])["pair_f1"].value)
    said = (DESKS / "README.md").read_text("utf-8").split("pair F1 of one's events")[1]
    of_events, of_stories = ([min(f), max(f), np.mean(f)] for f in agreed.values())
    assert len(SECOND) == 13
    assert [float(number) for number in re.findall(r"\d?\.\d{3}", said)] == pytest.approx(
        [*of_events, *of_stories], abs=5e-4
    )
