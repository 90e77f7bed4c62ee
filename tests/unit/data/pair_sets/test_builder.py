"""From annotated timelines to a pair set, and back from the file that it is written to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.data.pair_sets.assembly import build_pair_set, concatenate
from core.data.pair_sets.drawing import Sampling
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.pair_file import parse_pairs
from core.data.pair_sets.pair_set import format_of, write_pairs
from core.data.pair_sets.sources.grouped import read_timelines
from core.data.timelines.load import load
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.parts import Part

ANNOTATED = b"""timeline,headline,date,url,annot_1_group,annot_2_group,annot_3_group,global_group
one,Crew returns,2015-01-14,http://a.example/1,a,a,x,
one,Crew is back,2015-01-15,http://a.example/2,a,a,y,
one,Storm nears,2015-01-15,http://a.example/3,b,b,x,
two,Bank raises rates,2015-01-14,,a,a,a,
two,Rates up,2015-01-14,,a,b,a,
two,Vote today,2015-01-16,,b,,b,
"""


def annotated(tmp_path: Path, name: str = "annotated.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(ANNOTATED)
    return path


def test_annotators_are_merged_where_there_is_no_gold(tmp_path: Path) -> None:
    pairs = load_pair_set(str(annotated(tmp_path)))
    same = pairs.labels == 1
    told = {
        (pairs.texts[a], pairs.texts[b]) for a, b in zip(pairs.left[same], pairs.right[same], strict=True)
    }
    assert told == {("Crew returns", "Crew is back"), ("Bank raises rates", "Rates up")}
    assert len(np.unique(pairs.timelines)) == 2
    assert pairs.annotators.shape == (6, 3)
    assert pairs.annotators[:, 0].tolist() == [0, 0, 1, 0, 0, 1]
    assert pairs.annotators[5, 1] == -1


def test_gold_goes_before_annotators(tmp_path: Path) -> None:
    lines = ANNOTATED.decode().splitlines()
    filled = [lines[0], *(f"{line}{number}" for number, line in enumerate(lines[1:]))]
    timeline = load("\n".join(filled).encode(), "t.csv", timeline="one")
    pairs = build_pair_set([timeline], sampling=Sampling(ratio=None))
    assert not (pairs.labels == 1).any()
    assert len(pairs) == 3


def test_whole_timelines_go_to_parts(tmp_path: Path) -> None:
    folder = tmp_path / "timelines"
    folder.mkdir()
    for number in range(5):
        text = ANNOTATED.replace(b"one", f"one{number}".encode()).replace(b"two", f"two{number}".encode())
        for word in (b"Crew", b"Storm", b"Bank", b"Rates", b"Vote"):
            text = text.replace(word, word + str(number).encode())
        (folder / f"{number}.csv").write_bytes(text)
    (folder / "notes.md").write_text("not a timeline", encoding="utf-8")
    pairs = load_pair_set(f"timeline.v1|path:{folder}|part:by_timeline")
    for timeline in range(10):
        assert len(set(pairs.parts[pairs.timelines == timeline].tolist())) == 1
    counts = [len(np.unique(pairs.timelines[pairs.parts == part.value])) for part in Part]
    assert counts == [6, 2, 2]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_what_is_written_is_read_back(form: str) -> None:
    built = build_pair_set([load_sample("iss")])
    read = parse_pairs(write_pairs(built, form), f"pairs.{form}").strict()
    assert [built.texts[row] for row in built.left] == [read.texts[row] for row in read.left]
    assert [built.texts[row] for row in built.right] == [read.texts[row] for row in read.right]
    assert np.array_equal(built.labels, read.labels)
    assert np.array_equal(built.days_apart, read.days_apart)


def test_unknown_dates_and_labels_are_written_as_such(tmp_path: Path) -> None:
    given = parse_pairs(b"headline_a,headline_b\n=1+1,b\n", "p.csv").strict()
    assert b"'=1+1" in write_pairs(given, "csv")
    assert b'"label": null' in write_pairs(given, "json")
    assert b'"date_a": ""' in write_pairs(given, "json")
    with pytest.raises(InputError, match="not written as"):
        format_of(Path("pairs.xlsx"))


def test_addresses_stay_with_their_headlines(tmp_path: Path) -> None:
    timelines = read_timelines(str(annotated(tmp_path)))
    built = build_pair_set(timelines)
    urls = [url or "" for timeline in timelines for url in timeline.table["url"]]
    read = parse_pairs(write_pairs(built, "json", urls=urls), "p.json")
    first = read.table.iloc[0]
    assert (first["headline_a"], first["url_a"]) in {
        ("Crew returns", "http://a.example/1"),
        ("Bank raises rates", ""),
    }


def test_several_sets_as_one_keep_timelines_and_groups_apart() -> None:
    iss = build_pair_set([load_sample("iss")])
    both = concatenate([iss, iss], name="both")
    n = len(iss.texts)
    assert len(both) == 2 * len(iss)
    assert not set(both.timelines[:n].tolist()) & set(both.timelines[n:].tolist())
    assert not set(both.groups[:n].tolist()) & set(both.groups[n:].tolist())
    assert np.array_equal(both.left[len(iss) :], iss.left + n)


def test_no_timeline() -> None:
    with pytest.raises(InputError, match="no timeline"):
        build_pair_set([])
