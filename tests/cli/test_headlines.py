import csv
import json
import re
import sys

import pandas as pd
import pytest

from core.files import ROOT
from core.headlines.comparison.exports import WRITTEN
from core.headlines.headline_text import first_sentence
from research.judging.leaderboard import read_board
from research.judging.separate_process import can_isolate

NEWS = [
    ("3", "A storm shut the airport of Genoa on Monday. Nobody was hurt, police said.", "=1+1 Storm", "a"),
    ("1", "МОСКВА, 21 авг — РИА Новости. В Москве прошёл митинг. На митинг пришли люди.", "Митинг", "b"),
    ("2", "ROMA (AP) – Il dott. Rossi è arrivato a Roma. Poi è ripartito per Milano.", "Rossi", "a"),
]
NEWS_COLUMNS = ["id", "text", "headline", "cluster"]


@pytest.fixture
def news(tmp_path):
    path = tmp_path / "news.csv"
    pd.DataFrame(NEWS, columns=NEWS_COLUMNS).to_csv(path, index=False)
    return path


def written(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def test_headlines_stand_in_input_order_beside_all_columns(news, tmp_path, call):
    out = tmp_path / "out.csv"
    code, told, notes = call("write", news, "--system", "first-sentence", "--out", out)
    assert code == 0
    found = written(out)
    assert list(found.columns) == ["id", "text", "headline_input", "cluster", "headline", "headline_check"]
    assert found["id"].tolist() == ["3", "1", "2"]
    assert found["headline"].tolist() == [first_sentence(row[1]) for row in NEWS]
    assert found["headline"][1] == "В Москве прошёл митинг."
    assert found["headline_input"][0] == "'=1+1 Storm"
    assert "first_sentence.v1|most_words:0" in told
    assert "taken from 'text'" in notes


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


def test_a_table_in_latex_has_as_many_columns_as_are_asked_for(articles, tmp_path, call, refused):
    file = lines(tmp_path / "ours.txt", *REFERENCES)

    def columns(*words):
        code, _, err = call("compare", file, "--articles", articles, "--out", tmp_path / "out", *words)
        assert code == 0, err
        text = (tmp_path / "out" / "table.tex").read_text("utf-8")
        head = next(line for line in text.splitlines() if line.startswith("System & "))
        return head.count("&") + 1, "Not shown" in text

    metrics = [word for name in ("rouge", "bleu", "chrf", "novelty") for word in ("--metrics", name)]
    assert columns(*metrics) == (8, True)
    assert columns(*metrics, "--columns", "3") == (3, True)
    assert columns(*metrics, "--columns", "all") == (12, False)
    for wrong in ("0", "-1", "many", "٣"):
        words = ("--articles", articles, "--out", tmp_path / "out", "--columns", wrong)
        assert "--columns" in refused("compare", file, *words)


COPIES = [
    ("แบงก์ชาติประกาศขึ้นดอกเบี้ยนโยบายเมื่อวันพุธ", "แบงก์ชาติขึ้นดอกเบี้ย"),
    ("四十名乘客在林岛附近搁浅的渡轮上获救。", "渡轮搁浅四十人获救"),
    ("日本銀行は水曜日に政策金利を引き上げると決めた。", "日銀利上げ決定"),
]


@pytest.mark.parametrize(("rows", "language"), [(COPIES, "mixed"), (COPIES[1:2], "zh"), (COPIES[2:], "ja")])
def test_a_copy_without_spaces_scores_all_and_another_headline_nothing(tmp_path, call, rows, language):
    others = [headline for _, headline in rows[1:] + rows[:1]] if len(rows) > 1 else ["Storm"]
    table = [(text, line, line, other) for (text, line), other in zip(rows, others, strict=True)]
    path, out = tmp_path / "copies.csv", tmp_path / "out"
    pd.DataFrame(table, columns=["text", "reference", "pred_same", "pred_other"]).to_csv(path, index=False)
    metrics = [word for name in ("rouge", "bleu", "chrf", "meteor") for word in ("--metrics", name)]
    code, _, err = call("compare", path, "--out", out, "--quiet", *metrics)
    assert (code, err) == (0, "")
    scores = pd.read_csv(out / "table.csv").set_index("system")
    assert f"language:{language} " in scores["signature"].iloc[0]
    for column, best in {"rouge1": 1, "rougeL": 1, "bleu": 100, "chrf": 100, "meteor_no_synonyms": 1}.items():
        assert scores.loc["same", column] >= 0.99 * best
        assert scores.loc["other", column] == 0


def test_headlines_too_short_for_a_metric_are_said_before_anybody_believes_it(articles, tmp_path, call):
    short = tmp_path / "short.csv"
    rows = [(f"{line}, said the police.", line, line) for line in ("Bank cuts", "Storm hits", "Team wins")]
    pd.DataFrame(rows, columns=["text", "reference", "pred_same"]).to_csv(short, index=False)
    for file, given in ((short, ()), (lines(tmp_path / "long.txt", *REFERENCES), ("--articles", articles))):
        code, told, _ = call(
            "compare", file, *given, "--out", tmp_path / "out", "--metrics", "bleu", "--quiet"
        )
        assert code == 0
        assert (len(re.findall(r"^BLEU: .*0\.00", told, re.MULTILINE)) == 1) == (file is short)


@pytest.mark.slow
def test_the_signature_of_a_comparison_names_the_precision(articles, tmp_path, call):
    file = lines(tmp_path / "ours.txt", *REFERENCES)
    for precision in ("float32", "bfloat16"):
        words = ("--metrics", "numeral_support", "--metrics", "rouge", "--precision", precision, "--json")
        code, told, err = call("compare", file, "--articles", articles, "--out", tmp_path / "out", *words)
        assert code == 0, err
        assert re.findall(r"numbers:(\w+)", json.loads(told)["signature"]) == [precision]


def test_the_prediction_file_of_semeval(call, shared, tmp_path):
    file = shared / "data" / "numeval2024" / "dev_headlines_two_systems.csv.gz"
    out = tmp_path / "new" / "folder"
    code, printed, err = call(
        "compare", file, "--out", out, "--metrics", "rouge", "--against", "michal", "--quiet"
    )
    assert (code, err) == (0, "")
    assert "rougeL as published 0.3788, ROUGE-L here 0.3788" in printed
    assert "equal on 2,363 of 2,365" in printed  # two headlines have &amp;, which is read as &
    assert sorted(path.name for path in out.iterdir()) == sorted(WRITTEN)
    rows = list(csv.DictReader((out / "table.csv").open()))
    assert [row["system"] for row in rows] == ["michal", "cz"]
    assert float(rows[0]["rougeL_low"]) < float(rows[0]["rougeL"]) < float(rows[0]["rougeL_high"])
    assert rows[1]["rougeL_p_holm"]
    assert not rows[0]["rougeL_p_holm"]
    assert len(list(csv.DictReader((out / "scores.csv").open()))) == 2 * 2365


def test_the_evaluation_files_of_numhg(call, shared, tmp_path):
    folder = shared / "data" / "numhg"
    names = ("prediction", "number_gt", "number_type", "target")
    ours, numbers, types, targets = (folder / f"examples_{name}.txt" for name in names)
    code, printed, err = call(
        "compare",
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
    shown = call("compare", ours, "--numbers", gold, "--out", tmp_path / "a", *FAST)[1]
    assert "As published: Huang et al. 2023" in shown
    assert re.search(r"BRIO +66.56 +70.43 +60.07 +48.93", shown)
    other = call("compare", ours, "--articles", articles, "--out", tmp_path / "b", *FAST)[1]
    assert "Huang" not in other + (tmp_path / "b" / "report.html").read_text()


SYSTEM = "import json, sys\nfor line in sys.stdin: print(json.loads(line)['text'][:30])\n"


@pytest.fixture
def towns(tmp_path):
    path = tmp_path / "articles.csv"
    rows = [f"The council of town {n} opens a bridge.,Town {n} opens bridge" for n in range(5)]
    path.write_text("\n".join(["text,headline", *rows]) + "\n")
    return path


def test_a_system_is_run_scored_and_kept(towns, tmp_path, call):
    script, board = tmp_path / "system.py", tmp_path / "board"
    script.write_text(SYSTEM)
    options = ["--name", "Mine", "--articles", towns, "--board", board, "--time", 60, "--quiet"]
    code, out, err = call("judge", *options, "--json", "--", sys.executable, "-S", script)
    assert code == 0
    told = json.loads(out)
    assert told["name"] == "Mine"
    assert told["command"][-2:] == ["-S", str(script)]
    assert told["limits"]["seconds"] == 60
    assert told["isolation"]["files"] is can_isolate()
    assert ("Not isolated" in err) is not can_isolate()
    names = {one.name for one in read_board(board).submissions}
    assert names == {"Mine", "First sentence"}


def test_private_scores_wait_for_the_end(towns, tmp_path, call):
    script, board = tmp_path / "system.py", tmp_path / "board"
    script.write_text(SYSTEM)
    options = ["--name", "Mine", "--articles", towns, "--board", board, "--quiet", "--private", 0.5]
    assert call("judge", *options, "--", sys.executable, "-S", script)[0] == 0
    assert "shown now: 2" in call("judge", "--end", "--board", board)[1]


def test_folders_are_shown_where_they_are_named_and_hold_no_references(towns, tmp_path, call):
    team = tmp_path / "team"
    team.mkdir()
    (team / "words.py").write_text("def headline(text): return text[:30]\n")
    script = team / "system.py"
    script.write_text(SYSTEM.replace("import json", "import words, json").replace("['text'][:30]", "['id']"))
    options = ["--name", "Mine", "--articles", towns, "--board", tmp_path / "board", "--quiet"]
    command = ["--", sys.executable, "-S", script]
    code, _, err = call("judge", *options, *command)
    assert (code, "No module named 'words'" in err) == ((2, True) if can_isolate() else (0, False))
    code, out, _ = call("judge", *options, "--with", team, *command)
    assert code == 0
    assert ("Isolated (new root)" in out) is can_isolate()
    for folder in (tmp_path, ROOT):
        code, _, err = call("judge", *options, "--with", folder, *command)
        assert code == 2
        assert "cannot be shown to the system" in err


def test_more_candidates_are_more_columns(news, tmp_path, ok):
    out = tmp_path / "out.csv"
    ok("write", news, "--system", "first_sentence", "--candidates", 3, "--max-words", 4, "--out", out)
    cells = written(out)
    assert (cells["headline"][0], cells["headline_2"][0]) == ("A storm shut the", "Nobody was hurt, police")
    assert "headline_3" not in cells.columns


def test_a_text_file_is_one_article(command, tmp_path):
    article = tmp_path / "article.txt"
    article.write_text("A storm shut both airports of the island on Monday. Nobody was hurt.")
    asked = ("--system", "first_sentence", "--out", tmp_path / "out.csv", "--quiet")
    assert command("write", article, *asked)[0] == 0
    assert "A storm shut both airports of the island on Monday" in (tmp_path / "out.csv").read_text()
