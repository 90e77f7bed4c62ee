import csv
import io
import json
from functools import partial

import numpy as np
import pytest

from core.data.timelines.load import load_path
from core.files import ROOT
from core.journal.entries import NewEntry
from core.journal.entry_receipts import published
from core.journal.journal import the_journal
from core.people import studies, study_material, study_results
from core.people.adjudication import ALONE, BLIND, DECIDED, OPEN, adjudication
from core.people.evaluation import as_json, ratings_table
from core.people.evaluation_task import make_task
from core.people.forms import form_of
from core.people.grouping import PLACED, grouping_task, place
from core.people.judges import Judges
from core.people.rating_files import ratings_csv
from core.people.ratings import asked_of, empty_ratings
from core.people.study import Study, study_file
from core.runtime import user_folder
from core.study_access.study_webhooks import webhooks
from core.study_access.tokens import holder, tokens
from tests.unit.people.by_hand import pairs_answered

PAPER = ("BART", "T5", "Pegasus", "SEASON", "BRIO")
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
    assert told["judges"] == {"Ada": 2, "Bo": 1}
    scores = {one["system"]: one for one in told["systems"]}
    assert scores["A"]["numeral_accuracy"] == 7 / 8
    assert scores["A"]["numeral_accuracy_points"] == 3.5
    assert scores["B"]["reasonableness"] == 5 / 8
    assert scores["A"]["readability"] == pytest.approx(14 / 15)
    assert scores["A"]["readability_missing"] == 1
    assert scores["BRIO (published)"]["numeral_accuracy"] == pytest.approx(0.791)


def test_the_table_is_printed_and_written(ok, files, tmp_path):
    figures, paper = tmp_path / "figures.csv", tmp_path / "table.tex"
    out = ok("evaluate", "table", *files, "--csv", figures, "--latex", paper)
    assert "87.5" in out
    assert "59.2" in out
    rows = list(csv.DictReader(figures.read_text(encoding="utf-8").splitlines()))
    assert [row["system"] for row in rows] == ["A", "B", *(f"{name} (published)" for name in PAPER)]
    assert r"\textbf{87.5}" in paper.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["numhg.v1", "italian.v1"])
def test_exported_answers_of_an_unfinished_study_give_the_table_of_the_page(call, tmp_path, form):
    """Of three articles Ada judged one in part and Bo another; nobody judged the third."""
    task = make_task("Storms", ["1", "2", "3"], ["A", "B", "C"], [["a", "b", "c"]] * 3)
    ratings = empty_ratings(form_of(form), task, ["Ada", "Bo"])
    wanted = asked_of(ratings.form, task)[:, 0]
    for judge, article in ((0, 0), (1, 2)):
        question, subject = np.argwhere(wanted)[judge]
        ratings.values[judge, question, article, subject] = 1
    path = tmp_path / "answers.csv"
    path.write_text(ratings_csv(ratings), encoding="utf-8")
    code, out, err = call("evaluate", "table", path, "--form", form, "--json")
    assert (code, err) == (0, "")
    page, command = json.loads(as_json(ratings_table(ratings), ratings)), json.loads(out)
    names = ("form", "judges", "notes", "systems")
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


@pytest.mark.slow
def test_a_study_is_planned_and_looked_back_on(refused, ok, files, tmp_path):
    out = ok("evaluate", "power", "--difference", "10", "--judges", "3", "--seed", "1")
    assert "1,000 items do not show a difference of 10.0 % to 3 judges" in out
    assert "between items 17.0, judges 3.0, answers 15.0." in out
    easy = ("--difference", "10", "--spread", "5", "0", "5", "--judges", "9", "--items", "20")
    out = ok("evaluate", "power", *easy)
    assert "10 items show a difference of 10.0 % to 9 judges." in out
    assert "3 judges of 20 items see a difference of 10.0 %." in out
    out_file = tmp_path / "figures.csv"
    named = ("--question", "readability", "--system", "A", "--system", "B")
    out = ok("evaluate", "power", *files, *named, "--difference", "5", "--csv", out_file)
    assert "10 items and 2 judges show a difference of " in out
    assert rows_of(out_file)[0]["question"] == "How many items?"
    assert "Name one of numeral_accuracy" in refused("evaluate", "power", *files)


def rows_of(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@pytest.mark.slow
def test_people_of_the_annotate_page_are_added_and_released_with_the_others(ok, call, tmp_path):
    """One annotator of the file, who joins all, and one of the page, who keeps the third headline apart."""
    file, again, figures, merged = (tmp_path / name for name in ("t.csv", "r.csv", "figures.csv", "m.csv"))
    file.write_text(
        "headline,date,annot_1_group\n,2024-05-01,1\n"  # a row without a headline is left out
        + "".join(f"Storm {at},2024-05-0{at},1\n" for at in (1, 2, 3))
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
    decided[1] |= {"confidence": "rather", "error": "Slip"}
    adjudication(load_path(file).index).append(
        [NewEntry(kind=DECIDED, who="Cy", body=body) for body in decided]
    )
    code, _, err = call("agreement", "groups", file, "--stored", "--released", again, "--out", merged)
    assert code == 0
    assert "2 decisions of adjudicators, 1 of them blind" in err
    assert "decision" not in call("agreement", "groups", again)[2]
    released = rows_of(again)
    assert [row["global_group"] for row in released] == ["1", "2", "2"]
    assert [row["adjudicated"] for row in released] == ["open", "", "blind"]
    assert [(row["confidence"], row["error"]) for row in released] == [("", ""), ("", ""), ("rather", "Slip")]
    gold = {row["headline"]: row["group"] for row in rows_of(merged)}
    assert [gold[f"Storm {at}"] for at in (1, 2, 3)] == ["1", "2", "2"]
    assert {(row["headline"], row["line"], row["date"]) for row in rows_of(merged)} == {
        (f"Storm {at}", str(at + 2), f"2024-05-0{at}") for at in (1, 2, 3)
    }
    ok("agreement", "groups", again, "--quorum", 0.5, "--csv", figures)
    told = json.loads(ok("agreement", "groups", again, "--quorum", 0.5, "--annotators", "--json"))
    assert [bool(table["title"]) for table in told["tables"]] == [False, True]
    assert all(table["rows"] for table in told["tables"])
    assert rows_of(figures)[0]["groups"] == "1"


def test_votes_are_decided(ok, tmp_path):
    table, out = tmp_path / "votes.csv", tmp_path / "decided.csv"
    rows = [f"{who},{pair},{'no' if pair % 3 else 'yes'}" for who in ("a", "b", "c") for pair in range(20)]
    table.write_text("\n".join(["worker,pair,label", *rows, "dan,0,no"]))
    said = ok("agreement", "votes", table, "--decide", "majority", "--quorum", 0.8, "--out", out)
    assert "19 of 20 items decided." in said
    assert [row["answer"] for row in rows_of(out)[:4]] == ["", "no", "no", "yes"]


def test_rows_that_are_items_of_their_own_are_said(ok, tmp_path):
    table = tmp_path / "votes.csv"
    rows = [f"{at},Storm,{who},yes" for at, who in enumerate("abc")]
    table.write_text("\n".join(["number,headline,worker,label", *rows]))
    assert "an item of its own" in ok("agreement", "votes", table)
    assert "an item of its own" not in ok("agreement", "votes", table, "--item", "headline")


@pytest.mark.parametrize("name", ["label_studio_spans.csv", "toloka_output_kind.tsv", "mturk_batch.csv"])
def test_agreement_on_an_export_is_that_of_its_labels(ok, shared, name):
    said = ok("agreement", "votes", shared / "cases" / "field" / name)
    assert " 0.432 " in said


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("headline,annot_1_group,annot_2_group\nStorm,1,2\nFlood,1,3\n", ["--person", "annot_*"]),
        ("headline,annotator,group\nStorm,Ada,1\nStorm,Bo,2\n", ["--answer", "group"]),
    ],
)
def test_numbers_of_groups_are_no_votes(refused, ok, tmp_path, table, columns):
    path, out = tmp_path / "groups.csv", tmp_path / "groups.json"
    path.write_text(table, encoding="utf-8")
    error = refused("agreement", "votes", path, *columns)
    assert "numbers of groups, which differ from person to person" in error
    assert "agreement groups" in error
    ok("exchange", path, "--as", "label_studio", "--out", out, *columns)
    path.write_text(table.replace(",1", ",fire").replace(",2", ",rain").replace(",3", ",rain"))
    ok("agreement", "votes", path, *columns)


def test_a_table_by_a_form_of_ones_own(ok, tmp_path):
    form, answers = tmp_path / "mine.toml", tmp_path / "ada.csv"
    question = '[[questions]]\nkey = "clear"\ntext = "Is it clear?"\nanswers = ["no", "yes"]\n'
    form.write_text(f'title = "Mine"\n{question}', encoding="utf-8")
    answers.write_text("judge,article,system,clear\nAda,1,A,1\nAda,1,B,0\n", encoding="utf-8")
    told = json.loads(ok("evaluate", "table", answers, "--form", form, "--json"))
    assert {one["system"]: one["clear"] for one in told["systems"]} == {"A": 1, "B": 0}


def test_votes_and_groups_go_to_other_tools_and_come_back(command, tmp_path):
    tools = ROOT / "tests/data/tools"
    out, groups = tmp_path / "potato.jsonl", tmp_path / "tasks.json"
    files = (tools / "prodigy.jsonl", tools / "anna.jsonl")
    code, _, said = command("exchange", *files, "--as", "potato", "--out", out)
    assert code == 0
    beside = {tmp_path / "potato-config.yaml", tmp_path / "potato-tasks.jsonl"}
    assert all(path.exists() and str(path) in said for path in beside)
    for given in (files, (out,)):
        code, said, _ = command("agreement", "votes", *given)
        assert code == 0
        assert said.splitlines()[2].split()[:4] == ["2", "3", "4", "33.3"]
        table, *_ = json.loads(command("agreement", "votes", *given, "--json")[1])["tables"]
        assert [*table["rows"][0].values()][:3] == [2, 3, 4]
    told = json.loads(command("exchange", *files, "--as", "potato", "--out", out, "--json")[1])
    assert (told["file"], {*told["next_to_it"]}) == (str(out), {*map(str, beside)})
    wanted = ("--groups", "--tasks", "--as", "label_studio", "--out", groups)
    assert command("exchange", "sample:iss", *wanted)[0] == 0
    assert groups.read_text(encoding="utf-8").count('"data"') == 47
    code, _, error = command("agreement", "groups", "sample:iss", "--answers", groups)
    assert code == 2
    assert "no question that is known" in error


def test_a_study_is_shown_and_its_answers_are_written_without_names(ok, call, tmp_path):
    study = studies.register(the_journal(), Study(title="Ours"))
    path = tmp_path / "ours.toml"
    path.write_bytes(study_file(study))
    for given in (path, study.code):
        assert 'title = "Ours"' in ok("study", "show", given)
    table = tmp_path / "headlines.csv"
    table.write_text("headline,date\nStorm nears,2024-05-01\nBank pays,2024-05-02\n", encoding="utf-8")
    timeline = load_path(table)
    study_material.keep_material(the_journal(), study, timeline)
    task = grouping_task(timeline, study=study)
    task.answers.append([NewEntry(kind=PLACED, who="Zoë", body=place(0, shown={}))])
    assert ", before the first answer" in ok("study", "results", study.code, "--out", tmp_path / "out.csv")
    (row,) = csv.DictReader((tmp_path / "out.csv").read_text(encoding="utf-8").splitlines())
    assert row["person"].startswith("p-")
    (entry,) = json.loads(ok("study", "person", "Zoë"))
    assert entry["kind"] == PLACED
    code, _, error = call("study", "results", study.code, "--labels", tmp_path / "labels.csv")
    assert code == 2
    assert "no labels yet" in error
    task.answers.append([NewEntry(kind=PLACED, who="Bo", body=place(row, shown={})) for row in range(2)])
    told = json.loads(ok("study", "results", study.code, "--labels", tmp_path / "labels.csv", "--json"))
    assert (told["sha256"], told["answers"]) == (study.sha256, 3)
    assert {entry["kind"] for entry in json.loads(ok("study", "person", "Bo", "--json"))} == {PLACED}
    shown = json.loads(ok("study", "show", study.code, "--json"))
    assert (shown["title"], shown["sha256"]) == ("Ours", study.sha256)
    assert "global_group" in (tmp_path / "labels.csv").read_text(encoding="utf-8")


def test_receipts_are_looked_up_in_the_published_list(ok, call, tmp_path):
    own, listed = tmp_path / "own.txt", tmp_path / "list.txt"
    own.write_text("ab\ncd\n")
    listed.write_text(published(["ab", "ef", "cd"], "0" * 64))
    assert "2 of 2" in ok("study", "receipts", own, listed)
    own.write_text("ab\n99\n")
    code, out, _ = call("study", "receipts", own, listed)
    assert code == 1
    assert "99" in out
    listed.write_text(listed.read_text().replace("ef", "ee"))
    code, _, err = call("study", "receipts", own, listed)
    assert code == 2
    assert "list.txt" in err


def as_edited(text, *, delimiter=",", yes="yes", no="no", head=str, begin=""):
    """The table as a spreadsheet gives it back: columns moved and added, with other marks and words."""
    rows = list(csv.DictReader(text.splitlines()))
    out = io.StringIO()
    columns = [*reversed(rows[0]), "Remark"]
    table = csv.writer(out, delimiter=delimiter)
    table.writerow(map(head, columns))
    for row in reversed(rows):
        row |= {"counts": {"yes": yes, "no": no}[row["counts"]], "Remark": "seen"}
        table.writerow(row[name] for name in columns)
    return begin + out.getvalue()


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text,
        partial(as_edited, delimiter=";", yes="TRUE", no="FALSE", begin="\ufeff"),
        partial(as_edited, delimiter="\t", yes="1", no="0", head=str.upper),
        partial(as_edited, yes=" Yes ", no="No", head=str.title),
    ],
)
def test_a_studys_own_answers_give_its_alpha_and_say_what_was_left_out(ok, tmp_path, edit):
    study, path = pairs_answered(the_journal()), tmp_path / "answers.csv"
    text = study_results.answers_csv(the_journal(), study)
    path.write_text(edit(text), encoding="utf-8", newline="")
    (row,), paper = study_results.result_tables(the_journal(), study)[0].rows, tmp_path / "votes.csv"
    known = "first" in path.read_text(encoding="utf-8").splitlines()[0]
    for columns in ((), ("--item", "first", "--item", "second"))[: 1 + known]:
        said = ok("agreement", "votes", path, *columns, "--csv", paper)
        (found,) = rows_of(paper)
        assert (found["items"], found["people"], found["answers"]) == ("12", "5", "40")
        assert float(found["alpha"]) == pytest.approx(row[-1].value, abs=1e-5)
        for part in ("Left out of answers.csv: 60 rows", "12 of training", "24 of the exam"):
            assert part in said
        assert "12 of control pairs" in said
        assert "12 of 1 person not counted" in said


def test_answers_to_a_study_of_groups_and_of_questions_are_read_as_what_they_are(refused, ok, tmp_path):
    head, path = (
        "study,person,consent,instructions,when,task,first,second,answer,counts\n",
        tmp_path / "a.csv",
    )
    path.write_text(head + "s,p-1,,,,group,Storm,,1,yes\ns,p-2,,,,group,Storm,,2,yes\n", encoding="utf-8")
    assert "agreement groups" in refused("agreement", "votes", path)
    rows = [
        f"s,p-{who},,,,{question},{article},A,{(who * article) % 3 if question == 'clear' else 1},yes"
        for question in ("clear", "true")
        for who in range(3)
        for article in range(12)
    ]
    path.write_text("\n".join([head.strip(), *rows]), encoding="utf-8")
    error = refused("agreement", "votes", path)
    assert "clear, true" in error
    assert "--answer" in error
    said = ok("agreement", "votes", path, "--answer", "clear", "--scale", "ordinal")
    assert "36 of true" in said
    assert said.splitlines()[2].split()[:3] == ["12", "3", "36"]


def test_another_table_with_tasks_is_read_as_before_and_one_without_main_pairs_says_so(refused, ok, tmp_path):
    path = tmp_path / "crowd.csv"
    path.write_text("task,worker,label\n1,a,yes\n1,b,yes\n2,a,no\n2,b,yes\n", encoding="utf-8")
    assert ok("agreement", "votes", path).splitlines()[2].split()[:3] == ["2", "2", "4"]
    path.write_text("person,task,first,second,answer\na,exam,x,y,same\nb,exam,x,y,same\n", encoding="utf-8")
    error = refused("agreement", "votes", path)
    assert "no answer that counts" in error
    assert "2 of the exam" in error


def test_tokens_and_webhooks_of_a_study_are_made_listed_and_ended(ok, call):
    study = studies.register(the_journal(), Study(title="Doors"))
    made = ok("study", "token", "--role", "annotator", "--name", "Robot", "--study", study.code).strip()
    known = holder(the_journal(), made)
    assert (known.study, known.role, known.who) == (study.code, "annotator", f"Robot ({study.code})")
    listed = json.loads(ok("study", "token", "--json"))
    assert [known.id[:8] in line and made not in line for line in listed] == [True]
    code, _, error = call("study", "token", "--role", "adjudicator", "--name", "Judge")
    assert (code, "for one study" in error) == (2, True)
    code, _, _ = call("study", "token", "--revoke", "none such")
    assert code == 2
    code, out, _ = call(
        "study", "token", "--role", "manager", "--name", "CI", "--study", study.code, "--revoke", known.id[:8]
    )
    assert (code, out.strip(), len(tokens(the_journal()))) == (2, "", 1)
    ok("study", "token", "--revoke", known.id[:8])
    assert holder(the_journal(), made) is None

    code, _, error = call("study", "webhook", study.code, "--address", "https://example.com/hook")
    assert code == 2
    address, file = "http://127.0.0.1:9/hook?key=1", user_folder() / "doors.toml"
    file.write_bytes(study_file(study))
    code, _, _ = call("study", "webhook", file, "--address", address)
    assert (code, webhooks(the_journal())) == (2, {})  # a file has no code, by which answers are told
    code, out, error = call("study", "webhook", study.code, "--address", address, "--answers", 7)
    assert (code, "nothing leaves" in error, "key=1" in out + error) == (0, True, False)
    (line,) = json.loads(ok("study", "webhook", study.code, "--json"))
    assert "at 7 answers" in line
    ok("study", "webhook", study.code, "--remove", line.split()[0])
    assert json.loads(ok("study", "webhook", study.code, "--json")) == []
