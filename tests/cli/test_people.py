import csv
import json
import re

import numpy as np
import pytest

from core.data.timelines.load import load_path
from core.journal.journal import NewEntry, the_journal
from core.people.evaluation import as_object, ratings_table
from core.people.grouping import ALONE, BLIND, DECIDED, OPEN, PLACED, adjudication, grouping_task, place
from core.people.rating_files import ratings_csv
from core.people.ratings import asked, empty_ratings, evaluation_forms, make_task
from core.people.store import Judges

HEAD = "judge,article,system,numeral_accuracy,reasonableness,readability\n"
ADA = HEAD + "Ada,1,A,2,2,5\nAda,1,B,1,1,4\nAda,2,A,2,1,4\nAda,2,B,0,2,2\n"
BO = HEAD + "Bo,1,A,1,2,5\nBo,1,B,1,1,3\nBo,2,A,2,2,\nBo,2,B,1,1,1\n"


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / "ada.csv", tmp_path / "bo.csv"]
    for path, text in zip(paths, (ADA, BO), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_judges_are_put_together(ok, files):
    out = ok("evaluate", "table", *files, "--json")
    told = json.loads(out)
    assert [one["judge"] for one in told["judges"]] == ["Ada", "Bo"]
    scores = {one["system"]: one["scores"] for one in told["systems"]}
    assert scores["A"]["numeral_accuracy"]["value"] == 7 / 8
    assert scores["A"]["numeral_accuracy"]["points"] == 3.5
    assert scores["B"]["reasonableness"]["value"] == 5 / 8
    readability = scores["A"]["readability"]
    assert (readability["value"], readability["missing"]) == (pytest.approx(14 / 15), 1)
    assert told["published"]["systems"][4]["percent"]["numeral_accuracy"] == 79.1


def test_the_table_is_printed_and_written(ok, files, tmp_path):
    figures, paper = tmp_path / "figures.csv", tmp_path / "table.tex"
    out = ok("evaluate", "table", *files, "--csv", figures, "--latex", paper)
    assert "87.5" in out
    assert "59.2" in out
    assert "Missing answers: 1 for Readability." in out
    rows = list(csv.DictReader(figures.read_text(encoding="utf-8").splitlines()))
    assert [row["system"] for row in rows] == ["A", "B", "BART", "T5", "Pegasus", "SEASON", "BRIO"]
    assert r"\textbf{87.5}" in paper.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["numhg.v1", "italian.v1"])
def test_exported_answers_of_an_unfinished_study_give_the_table_of_the_page(call, tmp_path, form):
    """Of three articles Ada judged one in part and Bo another; nobody judged the third."""
    task = make_task("Storms", ["1", "2", "3"], ["A", "B", "C"], [["a", "b", "c"]] * 3)
    ratings = empty_ratings(evaluation_forms.parse(form), task, ["Ada", "Bo"])
    wanted = asked(ratings.form, task.systems)
    for judge, article in ((0, 0), (1, 2)):
        question, subject = np.argwhere(wanted)[judge]
        ratings.values[judge, question, article, subject] = 1
    path = tmp_path / "answers.csv"
    path.write_text(ratings_csv(ratings), encoding="utf-8")
    code, out, err = call("evaluate", "table", path, "--form", form, "--json")
    assert (code, err) == (0, "")
    page, command = as_object(ratings_table(ratings)), json.loads(out)
    names = ("articles", "judges", "questions", "systems")
    assert {name: command[name] for name in names} == {name: page[name] for name in names}


def test_a_lost_link_is_replaced(call, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    judges = Judges(journal=the_journal())
    lost = judges.take("Ada")
    code, out, _ = call("evaluate", "link", "ADA")
    token = out.strip().removeprefix("/judge?part=evaluate&token=")
    assert (code, judges.holder(token), judges.holder(lost)) == (0, "Ada", "")
    code, out, told = call("evaluate", "link", "Bo")
    assert code != 0
    assert "Nobody has judged as Bo here" in told


def test_preferences_rank_systems_and_say_what_bends_them(refused, ok, tmp_path):
    rows = ["left,right,answer,article"]
    for at in range(12):
        rows += [f"A,B,{'left' if at % 4 else 'right'},{at}", f"C,A,{'draw' if at % 3 else 'left'},{at}"]
    path = tmp_path / "choices.csv"
    path.write_text("\n".join([*rows, "B,C,bad,12", "B,C,left,12"]), encoding="utf-8")
    out_file = tmp_path / "figures.csv"
    out = ok("evaluate", "preferences", path, "--item", "article", "--csv", out_file)
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["C", "A", "B"]
    assert "25 choices about 13 items." in out
    assert "1 choice called both headlines bad: left out." in out
    assert "in a circle (by chance 25 %)" in out
    rows = list(csv.DictReader(out_file.read_text(encoding="utf-8").splitlines()))
    assert sum(float(row["strength"]) for row in rows) == pytest.approx(0, abs=1e-5)
    err = refused("evaluate", "preferences", path, "--answer", "nothing")
    assert "no column 'nothing'" in err


def test_preferences_are_read_from_what_the_page_exports(refused, ok, tmp_path):
    rows = ["judge,article,system,headline,preference,shown_first"]
    for at in range(12):
        rows += [f"Ada,a{at},A ⇄ B,x ⇄ y,{1 if at % 4 else -1},A", f"Ada,a{at},A ⇄ C,x ⇄ z,-1,C"]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    out = ok("evaluate", "preferences", path)
    assert "24 choices about 12 items." in out
    # C was shown first and taken 12 times, A 9 times of 12.
    assert "Without ties, 87.5 [" in out
    err = refused("evaluate", "preferences", path, "--form", "italian.v1")
    assert "--form" in err


def test_a_study_is_planned_and_looked_back_on(ok, files, tmp_path):
    out = ok("evaluate", "power", "--difference", "10", "--judges", "3", "--seed", "1")
    assert out.splitlines()[2].split()[0] == "3"
    assert "between items 17.0, judges 3.0, answers 15.0." in out
    out = ok("evaluate", "power", "--difference", "10", "--spread", "5", "0", "5", "--judges", "9")
    assert out.splitlines()[2].split()[:2] == ["9", "10"]
    out_file = tmp_path / "figures.csv"
    out = ok("evaluate", "power", *files, "--question", "readability", "--csv", out_file)
    assert "A – B" in out
    assert "† Too few items for a reliable interval (2; it takes at least 10)." in out
    assert "Too few items" in out_file.read_text(encoding="utf-8")
    named = ("--question", "readability", "--system", "A", "--system", "B")
    ok("evaluate", "power", *files, *named, "--difference", "5")


def test_a_table_by_a_form_of_ones_own(refused, call, tmp_path):
    form, answers = tmp_path / "mine.toml", tmp_path / "ada.csv"
    question = '[[questions]]\nkey = "clear"\ntext = "Is it clear?"\nanswers = ["no", "yes"]\n'
    form.write_text(f'title = "Mine"\n{question}', encoding="utf-8")
    answers.write_text("judge,article,system,clear\nAda,1,A,1\nAda,1,B,0\n", encoding="utf-8")
    code, out, _ = call("evaluate", "table", answers, "--form", form, "--json")
    scores = {one["system"]: one["scores"]["clear"]["value"] for one in json.loads(out)["systems"]}
    assert (code, scores) == (0, {"A": 1, "B": 0})
    form.write_text(question, encoding="utf-8")
    err = refused("evaluate", "table", answers, "--form", form)
    assert "mine.toml has no title" in err


VOTES = "worker,pair,label\n" + "".join(
    f"{worker},{pair},{'no' if pair % 3 else 'yes'}\n" for worker in ("ada", "bo", "cy") for pair in range(20)
)


def rows_of(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_simulated_annotators_from_import_to_table_1(ok, tmp_path):
    figures, merged, latex = (tmp_path / name for name in ("t.csv", "merged.csv", "t.tex"))
    out = ok(
        "agreement",
        *("groups", "sample:iss", "--simulate", 5, "--annotators"),
        *("--csv", figures, "--out", merged, "--latex", latex),
    )
    assert "simulated annotators" in out
    assert out.count("annotator_") == 5
    (row,) = rows_of(figures)
    assert (row["headlines"], row["annotators"]) == ("47", "5")
    assert 0.5 < float(row["ami"]) < 1
    assert len(rows_of(merged)) == 47
    assert r"\toprule" in latex.read_text()


def test_people_of_the_annotate_page_are_added_and_released_with_the_others(ok, call, tmp_path):
    """One annotator of the file, who joins all, and one of the page, who keeps the third headline apart."""
    file, again, figures, merged = (tmp_path / name for name in ("t.csv", "r.csv", "figures.csv", "m.csv"))
    file.write_text(
        "headline,date,annot_1_group\n" + "".join(f"Storm {at},2024-05-0{at},1\n" for at in (1, 2, 3))
    )
    task = grouping_task(load_path(file))
    kept = [place(0, shown={}), place(1, group="first", shown={}), place(2, shown={})]
    ids = ("first", "second", "third")
    new = [NewEntry(kind=PLACED, who="Ada", body=body, id=id) for id, body in zip(ids, kept, strict=True)]
    task.answers.append(new)
    ok("agreement", "groups", file, "--stored", "--released", again, "--csv", figures)
    released = rows_of(again)
    assert [row["annot_2_group"] for row in released] == ["1", "1", "2"]
    assert [row["global_group"] for row in released] == ["1", "1", "2"]
    assert rows_of(figures)[0]["annotators"] == "2"
    decided = [{"row": 0, "with": ALONE, "shown": OPEN}, {"row": 2, "with": 1, "shown": BLIND}]
    adjudication(load_path(file)).append([NewEntry(kind=DECIDED, who="Cy", body=body) for body in decided])
    code, _, err = call("agreement", "groups", file, "--stored", "--released", again, "--out", merged)
    assert code == 0
    assert "2 decisions of adjudicators, 1 of them blind" in err
    assert "decision" not in call("agreement", "groups", again)[2]
    released = rows_of(again)
    assert [row["global_group"] for row in released] == ["1", "2", "2"]
    assert [row["adjudicated"] for row in released] == ["open", "", "blind"]
    gold = {row["headline"]: row["group"] for row in rows_of(merged)}
    assert [gold[f"Storm {at}"] for at in (1, 2, 3)] == ["1", "2", "2"]
    ok("agreement", "groups", again, "--quorum", 0.5, "--csv", figures)
    assert rows_of(figures)[0]["groups"] == "1"


STORY = [
    "Storm hits the coast", "Bank raises rates", "Rates are raised", "Port shut by storm", "Rain in Rome",
]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "counts", "groups"),
    [
        (lambda lines: lines[::-1], (5, 0, 0), [3, 1, 2, 2, 1]),
        (lambda lines: [*lines[:2], *lines[3:]], (4, 0, 1), [1, 2, 1, 3]),
        (lambda lines: ["Snow in Oslo,2024-05-09,B,y", *lines], (5, 0, 0), [0, 1, 2, 2, 1, 3]),
        (lambda lines: [lines[0].replace("hits the", "hist the"), *lines[1:]], (5, 1, 0), [1, 2, 2, 1, 3]),
    ],
    ids=["reversed", "lost", "grown", "typo"],
)
def test_answers_of_the_page_belong_to_headlines_and_not_to_a_file(call, tmp_path, changed, counts, groups):
    lines = [f"{text},2024-05-0{day},A,https://a.example/{day}" for day, text in enumerate(STORY, 1)]
    before, after, released = (tmp_path / name for name in ("before.csv", "after.csv", "released.csv"))
    for file, rows in ((before, lines), (after, changed(lines))):
        file.write_text("\n".join(["headline,date,outlet,url", *rows, ""]))
    answers = grouping_task(load_path(before)).answers
    for who in ("Ada", "Bo"):
        for row, group in enumerate((0, 1, 1, 0, 4)):
            body = place(row, group="" if group == row else f"{who}{group}", shown={})
            answers.append([NewEntry(kind=PLACED, who=who, body=body, id=f"{who}{row}")])
    code, _, err = call("agreement", "groups", after, "--stored", "--released", released)
    assert code == 0
    assert tuple(map(int, re.findall(r"\d+", err.partition(": ")[2]))) == counts
    released_as = {row["headline"]: row["annot_1_group"] for row in rows_of(released)}
    names = [released_as[text] for text in load_path(after).texts]
    assert [one == other != "" for one in names for other in names] == [
        one == other != 0 for one in groups for other in groups
    ]


def test_votes_are_decided(ok, tmp_path):
    table, out = tmp_path / "votes.csv", tmp_path / "decided.csv"
    table.write_text(VOTES + "dan,0,no\ndan,0,yes\n")
    said = ok("agreement", "votes", table, "--decide", "majority", "--quorum", 0.8, "--out", out)
    assert "Alpha (nominal)" in said
    assert "1 further answers" not in said
    assert "1 further answer of a person to an item was left out." in said
    assert "19 of 20 items decided." in said
    decided = rows_of(out)
    assert [row["answer"] for row in decided[:4]] == ["", "no", "no", "yes"]
