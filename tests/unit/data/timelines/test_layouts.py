import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from core.data.timelines.load import load, load_path
from core.data.timelines.preview import sniff
from core.data.timelines.samples import info, load_sample
from core.data.timelines.timeline import Field
from core.errors import InputError

DATA = Path(__file__).parent / "data"


def pair(a, b, label, timeline=1, **more):
    row = {"headline_a": a, "headline_b": b, "label": label, "timeline_id": timeline}
    row |= {
        "date_a": "2019-01-25",
        "date_b": "2019-01-26",
        "url_a": f"http://x.y/{a}",
        "url_b": f"http://x.y/{b}",
    }
    return row | more


def pairs_file(*pairs):
    return json.dumps(pairs).encode()


def test_hlgd_pairs_of_the_hub():
    path = DATA / "hlgd_train.json"
    preview = sniff(path.read_bytes(), path.name)
    assert preview.format == "hlgd_pairs"
    assert preview.timelines == {"9": 6, "1": 2, "2": 2}
    timeline = load_path(path)
    assert len(timeline) == 6
    assert timeline.name == "hlgd_train · 9"
    assert any("3 timelines (9, 1, 2); '9' was loaded" in note for note in timeline.report.notes)
    data = path.read_bytes()
    assert len(load(data, path.name, timeline="1")) == 2
    assert len(load(data, path.name, timeline="*")) == 10
    with pytest.raises(InputError, match="no timeline '7'"):
        load(data, path.name, timeline="7")


@pytest.mark.parametrize("name", ["train", "dev", "test"])
def test_label_1_means_the_same_event(name):
    path = DATA / f"hlgd_{name}.json"
    pairs = json.loads(path.read_text())
    timeline = load(path.read_bytes(), path.name, timeline="*")
    group = dict(zip(timeline.texts, timeline.table[Field.GOLD], strict=True))
    for row in pairs:
        first, second = (" ".join(row[side].split()) for side in ("headline_a", "headline_b"))
        same = group[first] == group[second]
        assert same == (row["label"] == 1)


def test_groups_are_what_pairs_join_and_a_headline_of_two_dates_is_two():
    day = {"date_a": "2019-01-25", "date_b": "2019-01-25"}
    joined = [pair("a b", "c d", 1, **day), pair("c d", "e f", 1, **day)]
    timeline = load(pairs_file(*joined, pair("g h", "a b", 0, **day)), "p.json")
    assert timeline.texts == ["a b", "c d", "e f", "g h"]
    assert list(timeline.table[Field.GOLD]) == ["1", "1", "1", "2"]
    contradicted = load(pairs_file(*joined, pair("a b", "e f", 0, **day)), "p.json")
    assert list(contradicted.table[Field.GOLD]) == ["1", "1", "1"]
    assert any("1 pairs labelled different" in note for note in contradicted.report.notes)
    data = pairs_file(pair("a b", "c d", 1), pair("x y", "a b", 0))
    assert load(data, "p.json").texts == ["a b", "c d", "x y", "a b"]


def test_bad_pairs_are_rejected_and_the_others_load():
    data = pairs_file(pair("a b", "c d", 1), pair("", "e f", 1), pair("g h", "i j", 7))
    timeline = load(data, "p.json")
    assert timeline.texts == ["a b", "c d"]
    assert [(r.line, r.column, r.value) for r in timeline.report.rejected] == [
        (2, "headline_a", ""),
        (3, "label", "7"),
    ]
    with pytest.raises(InputError, match="None of the 1 pairs"):
        load(pairs_file(pair("g h", "i j", 7)), "p.json")


def test_hlgd_timeline_with_annotators_and_several_timelines():
    names = [f"annot_{i}_group" for i in range(1, 6)]
    text = ",".join(["url", "headline", "date", *names, "global_group", "timeline"])
    text += "\nhttps://www.bbc.co.uk/1,First one,2015-01-14,1,1,1,2,,1,iss"
    text += "\nhttps://cnn.com/2,Other one,,1,1,1,2,,1,brexit"
    text += "\nhttps://cnn.com/2,Second one,2015-01-15,2,1,1,2,3,1,iss\n"
    timeline = load(text.encode(), "t.csv")
    assert timeline.report.format == "hlgd_timeline"
    assert timeline.texts == ["First one", "Second one"]
    assert load(text.encode(), "t.csv", timeline="brexit").texts == ["Other one"]
    assert tuple(timeline.table[timeline.annotators].iloc[0]) == ("1", "1", "1", "2", None)
    assert timeline.publishers[0] == "bbc.co.uk"
    assert timeline.has_gold


def test_uci_loads_whole_and_without_its_escapes():
    timeline = load_sample("uci")
    assert (len(timeline), timeline.table[Field.GOLD].nunique(), timeline.undated) == (4774, 60, 0)
    assert str(timeline.table[Field.PUBLISHED][0]) == "2014-03-10 16:52:50.698000+00:00"
    assert not timeline.table[Field.PUBLISHER].str.contains("\\\\").any()
    # What the file said stays as it was for exports.
    assert timeline.original["PUBLISHER"].str.contains("\\\\").sum() == 455


def test_uci_original_file_without_header():
    whole = gzip.decompress(info("uci").path.read_bytes()).decode()
    rows = list(csv.DictReader(io.StringIO(whole)))[:200]
    rows[0]["TITLE"] = '"Noah" banned in three countries'
    rows[1]["TITLE"] = '"Frozen song wins'
    data = "".join("\t".join(row.values()) + "\n" for row in rows).encode()
    timeline = load(data, "newsCorpora.csv")
    assert timeline.report.format == "uci_news_aggregator"
    assert len(timeline) == 200
    assert timeline.texts[:2] == ['"Noah" banned in three countries', '"Frozen song wins']


def test_telegram_pairs():
    timeline = load_path(DATA / "telegram_pairs.tsv")
    assert (len(timeline), timeline.report.format) == (10, "telegram_pairs")
    assert timeline.table[Field.BODY].notna().all()
    cells = timeline.table[["url", "headline", "gold_group"]].itertuples(index=False)
    group = {(url, text): gold for url, text, gold in cells}
    with (DATA / "telegram_pairs.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            first, second = (
                group[(row[f"INPUT:{side}_url"].strip(), " ".join(row[f"INPUT:{side}_title"].split()))]
                for side in ("first", "second")
            )
            assert (first == second) == (row["GOLDEN:quality"] == "OK")


def test_telegram_pairs_that_contradict_have_no_gold():
    text = "first_title\tsecond_title\tquality\na b\tc d\tOK\nc d\te f\tOK\na b\te f\tBAD\n"
    timeline = load(text.encode(), "p.tsv")
    assert len(timeline) == 3
    assert not timeline.has_gold
    assert any("No gold groups" in note for note in timeline.report.notes)


def test_numhg_takes_the_date_from_the_text():
    timeline = load_sample("numhg")
    assert timeline.report.format == "numhg"
    assert len(timeline) == 200
    assert timeline.undated < 5
    data = b'text,summary\n"(Sep 25, 2016  1:28 PM CDT) Seven people hurt.",Melee leaves 7 hurt\n'
    only = load(data, "n.csv").table.iloc[0]
    assert (str(only.published), only.body) == ("2016-09-25 18:28:00+00:00", "Seven people hurt.")


def test_files_of_research_as_they_come(data):
    numeval = load_path(data / "numeval2024/Dev_Headline_Generation.json")
    assert (numeval.report.format, len(numeval)) == ("numhg", 2365)
    assert len(load_path(data / "numhg/numhg_train.csv.gz")) == 9295
    allsides = load_path(data / "allsides_stories/allsides_stories.csv.gz")
    assert (len(allsides), allsides.table[Field.GOLD].nunique() > 300, allsides.undated) == (1110, True, 0)
    ecb = load_path(data / "ecbplus/ecbplus_headlines_only.csv")
    assert (len(ecb), ecb.report.columns[Field.PUBLISHED]) == (502, ("url_date",))
    emergent = load(
        (data / "emergent/data__url-versions-2015-06-14-clean.csv").read_bytes(),
        "emergent.csv",
        mapping={Field.HEADLINE: "articleHeadline", Field.GOLD: "claimId"},
    )
    assert (len(emergent), emergent.table[Field.GOLD].nunique()) == (2595, 300)


def test_a_format_by_name_that_does_not_fit_says_what_it_needs():
    with pytest.raises(InputError, match="not HLGD pairs: it needs the columns headline_a"):
        load(b"headline\nOne two\n", "a.csv", format="hlgd_pairs")
