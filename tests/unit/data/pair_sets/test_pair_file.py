import json

import numpy as np
import pytest

from core import limits
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.pair_columns import sniff_pairs
from core.data.pair_sets.pair_file import parse_pairs, read_pair_file
from core.errors import InputError
from core.files import ROOT

SAMPLE = ROOT / "samples/hlgd_sample"
HEADER = "headline_a,headline_b,date_a,date_b,label\n"


def table(*rows, header=HEADER):
    return (header + "\n".join(rows) + "\n").encode()


def test_hub_rows_keep_label_1_as_the_same_event():
    """The hub loader names class 0 "same_event"; the rows themselves say that 1 is."""
    rows = json.loads((SAMPLE / "train.json").read_text(encoding="utf-8"))
    same = next(row for row in rows if row["label"] == 1)
    pairs = read_pair_file(SAMPLE / "train.json").strict()
    place = rows.index(same)
    assert pairs.labels.tolist() == [row["label"] for row in rows]
    assert pairs.texts[pairs.left[place]] == same["headline_a"]
    assert pairs.texts[pairs.right[place]] == same["headline_b"]
    sized = load_pair_set("hlgd_sample")
    assert np.array_equal(sized.groups[sized.left] == sized.groups[sized.right], sized.labels == 1)


def test_appendix_c_names_are_the_same_columns():
    cells = "3,A,B,2018-11-26,2018-11-28,u,v,1"
    hub = "timeline_id,headline_a,headline_b,date_a,date_b,url_a,url_b,label\n"
    paper = "timeline,headline_a,headline_b,day_a,day_b,url_a,url_b,label,source_a,cut\n"
    first = parse_pairs(table(cells, header=hub), "p.csv").strict()
    second = parse_pairs(table(f"{cells},x,train", header=paper), "p.csv").strict()
    assert first.fingerprint == second.fingerprint
    assert first.days_apart.tolist() == [2.0]


def test_rows_that_cannot_be_used_are_named_and_the_others_stay_in_order():
    read = parse_pairs(
        table(
            "a,b,2015-01-14,2015-01-15,1",
            ",b,2015-01-14,2015-01-15,1",
            "c,d,,,",
            "e,f,2015-01-14,2015-02-31,0",
            "g,h,2015-01-14,2015-01-15,2",
            "i,j,2015-01-14,2015-01-15,nan",
            "b,a,2015-01-15,2015-01-14,0",
            "k,l,2015-01-14,someday,0",
        ),
        "pairs.csv",
    )
    assert read.rows.tolist() == [0, 2, 7]
    assert read.pairs.labels.tolist() == [1, -1, 0]
    assert [(fault.row, fault.column) for fault in read.rejected] == [
        (1, "headline_a"), (3, "date_b"), (4, "label"), (5, "label"), (6, "label"),
    ]  # fmt: skip
    assert "labelled 0 here and 1 in row 1" in read.rejected[-1].reason
    assert np.isnan(read.pairs.days_apart).tolist() == [False, True, True]
    assert read.table["headline_a"].tolist() == ["a", "", "c", "e", "g", "i", "b", "k"]


def test_without_labels_no_row_fails_for_its_label():
    data = table("a,b,,,2", "b,a,,,0", "a,b,,,1")
    read = parse_pairs(data, "pairs.csv", labels=False)
    assert read.rows.tolist() == [0, 1, 2]
    assert read.pairs.labels.tolist() == [-1, -1, -1]
    assert not read.rejected


def test_a_headline_in_several_pairs_is_one_row():
    pairs = parse_pairs(
        table("a,b,2015-01-14,2015-01-15,1", "a,c,2015-01-14,,0", "a,d,,,0"), "p.csv"
    ).strict()
    assert pairs.texts == ["a", "b", "c", "a", "d"]  # the last "a" has no date and is another headline
    assert pairs.left.tolist() == [0, 0, 3]
    assert set(pairs.timelines.tolist()) == {0}


def test_timelines_keep_equal_headlines_apart():
    header = "timeline_id,headline_a,headline_b,part\n"
    pairs = parse_pairs(table("x,a,b,train", "y,a,b,dev", header=header), "p.csv").strict()
    assert sorted(pairs.timelines.tolist()) == [0, 0, 1, 1]
    assert pairs.timelines[pairs.left].tolist() == [0, 1]
    assert pairs.pair_parts.tolist() == ["train", "validation"]


def test_labels_may_be_words():
    words = ("entailment", "not_entailment", "Paraphrase", "not paraphrase", "duplicate", "not-duplicate")
    words += ("ja", "nein", "Yes", "no")
    rows = "".join(f"Bank raises rate {at},Rain falls on {at},{word}\n" for at, word in enumerate(words))
    pairs = parse_pairs(f"sentence1,sentence2,label\n{rows}".encode(), "glue.csv").strict()
    assert pairs.labels.tolist() == [1, 0] * 5


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"headline_a,headline_b,label\n"),
        ("a.csv", b"headline_a,headline_b,label\n" + b"a,b,1\n" * 11),
        ("a.json", b"[]"),
        ("a.jsonl", b"3\n"),
    ],
)
def test_a_refused_file_of_pairs_is_not_called_a_timeline_of_headlines(name, content, monkeypatch):
    monkeypatch.setenv(limits.FILE_ROWS.variable, "10")
    for read in (sniff_pairs, parse_pairs):
        with pytest.raises(InputError) as refused:
            read(content, name)
        said = f"{refused.value.message} {refused.value.hint}".casefold().replace("headline_", "")
        assert not any(word in said for word in ("timeline", "headline"))
