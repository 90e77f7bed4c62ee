import csv
import json

import pytest

from core.data.articles.articles import info
from core.data.articles.sets import NumHG
from core.headlines.numeral_tables import PEOPLE, WRITTEN, open_systems
from core.numerals.verdict import Light

VERB = ("numerals", "score")
ROWS = (
    ("11 people were questioned on Monday. Three of them are suspects.", "11 Questioned", "11", "Copy( 11 )"),
    ("Seven people died in the fire, police say.", "7 Dead in Fire", "7", "Trans( seven )"),
    ("The fine is $65,000, the court says.", "Court Fines Firm $65K", "65", "Paraphrase( 65,000 , K )"),
)


@pytest.fixture
def articles(tmp_path):
    path = tmp_path / "articles.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["text", "summary", "cloze_gt", "cloze_annotation", "need_reasoning"])
        writer.writerows([*row, int(not row[3].startswith("Copy"))] for row in ROWS)
    return path


@pytest.mark.slow
def test_people_and_a_system_side_by_side(call, articles, tmp_path):
    ours = tmp_path / "ours.txt"
    ours.write_text("11 Questioned\n93 Dead in Fire\nFirm Fined\n")
    out = tmp_path / "new" / "folder"
    code, printed, err = call(ours, "--articles", articles, "--out", out, "--json", "--quiet")
    assert (code, err) == (0, "")
    told = json.loads(printed)
    assert (out / "scores.json").read_text().strip() == printed.strip()
    assert sorted(path.name for path in out.iterdir()) == sorted(WRITTEN)
    people, system = told["systems"]
    assert (people["system"], system["system"]) == (PEOPLE, "ours")
    assert people["figures"]["numeral_accuracy"]["value"] == 1
    assert system["figures"]["numeral_accuracy"]["value"] == pytest.approx(1 / 3)
    assert system["figures"]["headlines_with_numerals"]["value"] == pytest.approx(2 / 3)
    assert system["lights"][Light.WRONG] + system["lights"][Light.CHECK] >= 1  # the article knows no 93
    confusion = told["confusions"][0]
    assert (confusion["compared"], confusion["not_read"]) == (3, 0)
    rows = list(csv.DictReader((out / "systems.csv").open()))
    assert [row["system"] for row in rows] == [PEOPLE, "ours"]
    assert {row["table"] for row in csv.DictReader((out / "parts.csv").open())} >= {"kind", "operator"}


def test_annotations_of_a_sample_and_of_numhg(shared):
    sample = open_systems([str(info("articles").path.with_name("outputs.jsonl"))], articles="sample:articles")
    assert sample.outputs[0].system == PEOPLE
    assert len(sample.outputs) == 4
    assert all(sample.annotations)
    if not (shared / "data" / NumHG.place.folder).is_file():
        pytest.skip("NumHG is not here")
    whole = open_systems([], articles="numhg")
    assert len(whole.annotations) == len(whole.articles) == 1051
    assert all(whole.annotations)
