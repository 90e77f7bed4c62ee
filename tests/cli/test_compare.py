import csv
import json
import re

import pytest

from core.files import ROOT
from core.headlines.comparison.report import WRITTEN

VERB = ("compare",)
REFERENCES = ("3 Dead in Quarry Shooting", "Bank Cuts Rates Again", "Rover Finds Water on Mars")
FAST = ("--metrics", "rouge", "--metrics", "novelty", "--quiet")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def articles(tmp_path):
    path = tmp_path / "articles.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["id", "text", "headline"])
        writer.writerows([f"n{k}", f"{line}, said officials.", line] for k, line in enumerate(REFERENCES))
    return path


def lines(path, *headlines):
    path.write_text("\n".join(headlines) + "\n")
    return path


def test_the_prediction_file_of_semeval(call, shared, tmp_path):
    file = shared / "data" / "numeval2024" / "dev_headlines_two_systems.csv.gz"
    out = tmp_path / "new" / "folder"
    code, printed, err = call(file, "--out", out, "--metrics", "rouge", "--against", "michal", "--quiet")
    assert (code, err) == (0, "")
    assert "rougeL as published 0.3788, ROUGE-L here 0.3788" in printed
    assert "equal on 2,365 of 2,365" in printed
    assert sorted(path.name for path in out.iterdir()) == sorted(WRITTEN)
    rows = list(csv.DictReader((out / "table.csv").open()))
    assert [row["system"] for row in rows] == ["michal", "cz"]
    assert float(rows[0]["rougeL_low"]) < float(rows[0]["rougeL"]) < float(rows[0]["rougeL_high"])
    assert rows[1]["rougeL_p_holm"]
    assert not rows[0]["rougeL_p_holm"]
    assert len(list(csv.DictReader((out / "scores.csv").open()))) == 2 * 2365
    assert "\\toprule" in (out / "table.tex").read_text()
    report = (out / "report.html").read_text()
    assert "2,365 of 2,365" in report
    assert "http://" not in report.replace("http://www.w3.org", "")


def test_files_of_lines_with_named_articles(ok, articles, tmp_path):
    ours = lines(tmp_path / "ours.txt", *REFERENCES)
    theirs = lines(tmp_path / "theirs.txt", "News", "News", "Rover Finds Water")
    printed = ok(ours, theirs, "--articles", articles, "--out", tmp_path / "out", "--json", *FAST)
    told = json.loads(printed)
    assert [one["system"] for one in told["systems"]] == ["ours", "theirs"]
    rouge = next(one for one in told["columns"] if one["key"] == "rougeL")
    assert rouge["values"]["ours"]["value"] == 1.0
    assert rouge["duels"][0]["wins"] == 3
    assert {one["signature"] for one in told["metrics"]} >= {"rouge.v1|stems:true"}


def test_nothing_that_can_be_measured_ends_with_two(call, tmp_path):
    bare = tmp_path / "bare.csv"
    bare.write_text("text\nOne text of words.\nAnother text of words.\n")
    ours = lines(tmp_path / "ours.txt", "One", "Two")
    code, printed, err = call(ours, "--articles", bare, "--out", tmp_path / "out", "--metrics", "rouge")
    assert code == 2
    assert "No article here has a headline by people." in printed
    assert "No metric could be computed." in err


def test_the_evaluation_files_of_numhg(call, shared, tmp_path):
    folder = shared / "data" / "numhg"
    names = ("prediction", "number_gt", "number_type", "target")
    ours, numbers, types, targets = (folder / f"examples_{name}.txt" for name in names)
    code, printed, err = call(
        *(ours, "--numbers", numbers, "--types", types, "--references", targets),
        *("--metrics", "numeral_accuracy", "--metrics", "rouge", "--out", tmp_path / "out", "--quiet"),
    )
    assert (code, err) == (0, "")
    assert "All Accuracy: 1.000000, Copy Accuracy: 1.000000, Cal Accuracy: 1.000000" in printed
    table = next(csv.DictReader((tmp_path / "out" / "table.csv").open()))
    assert (table["numeral_accuracy"], table["numeral_accuracy_reasoning_headlines"]) == ("1", "2")
    assert float(table["rouge1"]) == pytest.approx(0.605, abs=0.001)


def test_numhg_s_table_stands_where_gold_numbers_are_known(call, tmp_path, articles):
    ours = lines(tmp_path / "ours.txt", *REFERENCES)
    gold = lines(tmp_path / "number_gt.txt", "3", "", "")
    shown = call(ours, "--numbers", gold, "--out", tmp_path / "a", *FAST)[1]
    assert "As published: Huang et al. 2023" in shown
    assert re.search(r"BRIO +66.56 +70.43 +60.07 +48.93", shown)
    assert re.search(r"BRIO +79.1 +65.2 +63.5", shown)
    assert "as NumHG's script" not in shown
    told = json.loads((tmp_path / "a" / "table.json").read_text())
    assert [one["systems"][0] for one in told["papers"]] == ["BART", "BART"]
    assert "70.09" in (tmp_path / "a" / "report.html").read_text()
    other = call(ours, "--articles", articles, "--out", tmp_path / "b", *FAST)[1]
    assert "Huang" not in other + (tmp_path / "b" / "report.html").read_text()


def test_a_system_with_made_up_numbers_is_seen_in_the_first_row(ok, tmp_path):
    file = ROOT / "tests" / "data" / "cases" / "systems_with_articles.csv"
    metrics = ("--metrics", "rouge", "--metrics", "numbers_in_article", "--quiet")
    printed = ok(file, "--out", tmp_path / "out", *metrics)
    systems, _, first = printed.splitlines()[:3]
    assert systems.split() == ["lead", "gpt", "bart"]
    assert first.startswith("Numbers in the article")
    lead, gpt, bart = (float(value) for value in re.findall(r"\d+\.\d\d(?= \[| †)", first))
    assert lead == 100 > bart > gpt
