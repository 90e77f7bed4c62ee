import json
import os
import re
import subprocess
import sys
import zipfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pandas as pd
import pytest

from core.files import ROOT
from core.models.endpoints import addresses
from tests import language_model_server
from tests.programs import finished
from tests.unit.data.timelines.source_samples import SAMPLES, TITLES

ISS = ROOT / "samples/iss/iss_excerpt.csv"


def test_iss_against_gold(ok):
    out = ok("group", ISS, "--json")
    told = json.loads(out)
    assert told["headlines"] == 47
    assert told["automatic"] is True
    assert told["quality"]["ami"] >= 0.849
    assert told["quality"]["pair_f1"] >= 0.759
    assert {"groups", "method", "granularity", "signature"} <= told.keys()


def test_a_source_is_recognised_said_and_can_be_read_otherwise(call, tmp_path):
    name, text = SAMPLES["nyt_search"]
    answer = tmp_path / name
    answer.write_text(text, encoding="utf-8")
    out = tmp_path / "groups.csv"
    code, told, errors = call("group", answer, "--out", out, "--json")
    assert (code, json.loads(told)["read_as"]) == (0, "the New York Times's answer")
    assert "Read as the New York Times's answer." in errors
    assert pd.read_csv(out)["headline"].str.contains(TITLES[0], regex=False).sum() == 1
    assert json.loads(call("group", answer, "--json", "--format", "json")[1])["read_as"] == "JSON"
    code, _, errors = call("group", answer, "--format", "media_cloud")
    assert code == 2
    assert "media_name" in errors


def test_csv_keeps_rows_order_and_columns(ok, tmp_path):
    out = tmp_path / "groups.csv"
    ok("group", ISS, "--out", out)
    given, written = pd.read_csv(ISS, dtype=str), pd.read_csv(out, dtype=str)
    assert written["headline"].tolist() == given["headline"].tolist()
    assert written["publisher"].tolist() == given["publisher"].tolist()
    assert written["group_input"].tolist() == given["group"].tolist()
    assert written["group"].str.fullmatch(r"[1-9]\d*").all()


def test_the_interactive_page_is_written_and_is_never_the_file_that_is_read(call, tmp_path):
    page = tmp_path / "page.html"
    code, told, _ = call("group", ISS, "--page", page, "--map", "pca")
    assert code == 0
    assert told.splitlines()[-1] in page.read_text("utf-8")
    code, _, errors = call("group", ISS, "--page", ISS)
    assert code == 2
    assert "the file that is read" in errors


def test_corrections_of_the_app_are_applied_and_what_is_absent_is_named(call, tmp_path):
    key = ["Space Station Crew Returns After Alarm Scare Prompts Evacuation", "2015-01-14", "bloomberg"]
    others = [["Another headline", "2015-01-14", ""]]
    entry = {"format": 1, "id": "0" * 16, "when": "2026-01-02T03:04:05+00:00", "who": "Ada"}
    log = tmp_path / "log.json"
    entry |= {"kind": "not_an_event", "headlines": [key, *others]}
    absent = entry | {"id": "1" * 16, "headlines": [["A third one", "2015-01-14", ""]]}
    log.write_text(json.dumps({"headline_lab_corrections": 1, "corrections": [entry, absent]}))
    out = tmp_path / "groups.csv"
    code, said, errors = call("group", ISS, "--corrections", log, "--out", out)
    assert code == 0
    assert "1 correction in force" in said
    assert "2 gone" in errors
    table = pd.read_csv(out, dtype=str).fillna("")
    row = table.set_index("headline").loc[key[0]]
    assert (row["corrected"], row["corrected_by"]) == ("not an event", "Ada")
    assert (table["group"] == row["group"]).sum() == 1
    code, _, errors = call("group", ISS, "--corrections", ISS)
    assert code == 2
    assert "holds no corrections" in errors


@pytest.mark.slow
def test_bundle_is_rebuilt_byte_for_byte(tmp_path):
    bundles = []
    for number in (1, 2):
        target = tmp_path / f"{number}.zip"
        done = finished(sys.executable, "-m", "cli", "group", ISS, "--bundle", target)
        assert done.returncode == 0, done.stderr
        bundles.append(target.read_bytes())
    assert bundles[0] == bundles[1]
    with zipfile.ZipFile(BytesIO(bundles[0])) as archive:
        assert {"report.html", "manifest.json", "settings.json"} <= set(archive.namelist())


def test_added_headlines_leave_the_numbers(ok, tmp_path):
    table = pd.read_csv(ISS, dtype=str)
    earlier, later = tmp_path / "earlier.csv", tmp_path / "later.csv"
    table.iloc[8:].to_csv(earlier, index=False)
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    # This scorer looks at pairs alone, so the old headlines form the same groups again.
    how = ("--scorer", "cosine_time", "--granularity", "0.7")
    ok("group", earlier, "--out", first, *how)
    table.to_csv(later, index=False)
    signature = ok("group", later, "--out", second, "--since", first, *how).splitlines()[-1]
    keys = re.findall(r"(?<= · )(\w+):", signature)
    assert "since" in keys
    assert len(keys) == len(set(keys)), "each key is there once"
    before = pd.read_csv(first).set_index("headline")["group"]
    after = pd.read_csv(second).set_index("headline")["group"]
    assert after[before.index].tolist() == before.tolist()
    assert set(after.drop(before.index)).isdisjoint(before)


@pytest.mark.slow
def test_a_full_disk_behind_stdout_is_one_sentence():
    with Path("/dev/full").open("w") as full:
        asked = [sys.executable, "-m", "cli", "methods"]
        done = subprocess.run(asked, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "no space is left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "closed"),
    [(["methods"], "stdout"), (["group", "--help"], "stdout"), (["group", "nowhere.csv"], "stderr")],
)
def test_a_reader_that_has_gone_ends_every_command_with_one_code(words, closed):
    reading, writing = os.pipe()
    os.close(reading)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, closed: writing}
    done = subprocess.run([sys.executable, "-m", "cli", *words], cwd=ROOT, check=False, **streams)
    os.close(writing)
    assert done.returncode == 141
    assert not done.stdout
    assert not done.stderr


@pytest.mark.parametrize(
    ("header", "words"),
    [("title,date", []), ("words,seen", ["--format", "csv", "--column", "headline=words"])],
)
def test_headlines_come_from_stdin(call, monkeypatch, header, words):
    text = f"{header}\nStorm hits coast,2024-05-01\nStorm batters coast,2024-05-01\n"
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
    code, out, errors = call("group", "-", *words, "--json")
    assert code == 0, errors
    told = json.loads(out)
    assert (told["headlines"], told["undated"]) == (2, 0)


def test_notes_are_of_accepted_rows_and_one_is_one(call, tmp_path):
    file, out = tmp_path / "news.csv", tmp_path / "groups.csv"
    first = ["headline,date", "Storm hits coast,2024-05-01", "Storm hits the coast,2024-05-02"]
    rejected = ["2024,someday", "7,01/02/2024", "8,2999-01-01", "n/a,-", "9,2024-05-01T09:30:00"]
    file.write_text("\n".join([*first, *rejected]))
    told = json.loads(call("group", file, "--json", "--out", out)[1])
    assert (told["headlines"], told["rejected"], told["undated"], told["notes"]) == (2, 5, 0, [])
    file.write_text("\n".join([*first, "Rain ends,someday", *rejected]))
    (note,) = json.loads(call("group", file, "--json")[1])["notes"]
    assert "line 4" in note
    file.write_text("headline\nStorm hits coast\n")
    assert call("group", file)[1].startswith("1 headline in 1 group (1 single report)\n")


def test_a_guessed_encoding_undated_rows_and_every_line_are_told(call, tmp_path):
    file = tmp_path / "news.csv"
    lines = (
        "headline,date\nSturm schließt Flughafen,2024-05-01\nBank erhöht die Zinsen,gestern\n\n,2024-05-01\n"
    )
    file.write_bytes(lines.encode("cp1252"))
    code, out, errors = call("group", file, "--json")
    told = json.loads(out)
    assert code == 0
    assert told["encoding"] == "cp1252"
    for note in told["notes"]:
        assert note in errors
    assert any("cp1252" in note and "line 2" in note for note in told["notes"])
    assert any("gestern" in note and "line 3" in note for note in told["notes"])
    assert (told["headlines"], told["undated"]) == (2, 1)
    ledger = told["ledger"]
    assert ledger.pop("lines") == sum(ledger.values()) == 5
    assert (ledger["kept"], ledger["rejected"], ledger["header"], ledger["empty"]) == (2, 1, 1, 1)


def test_answers_set_the_width(ok, tmp_path):
    answers = tmp_path / "answers.csv"
    unsure = pd.DataFrame(json.loads(ok("group", ISS, "--json", "--review", 4))["review"])

    def level(answer):
        unsure[["left", "right"]].assign(answer=answer).to_csv(answers, index=False)
        return float(json.loads(ok("group", ISS, "--json", "--answers", answers))["granularity"])

    assert level("different") < level("not sure") < level("same")


def test_the_least_sure_links_are_listed_and_different_does_what_is_said(ok, tmp_path):
    told = json.loads(ok("group", ISS, "--json", "--review", 4))
    assert [set(link) for link in told["review"]] == [
        {"left", "right", "probability", "level", "different"}
    ] * 4
    assert any(0.25 < link["probability"] < 0.75 for link in told["review"])
    shown = ok("group", ISS, "--review", 4)
    assert all(link["left"] in shown and link["different"] in shown for link in told["review"])
    assert "review" not in json.loads(ok("group", ISS, "--json"))
    divided = next(link for link in told["review"] if link["different"].startswith("divides"))
    answers, out = tmp_path / "answers.csv", tmp_path / "groups.csv"
    sides = sorted(map(int, re.findall(r"\d+", divided["different"])[1:]))
    rows = [["left", "right", "answer"], [divided["left"], divided["right"], "different"]]
    pd.DataFrame(rows[1:], columns=rows[0]).to_csv(answers, index=False)
    # The level moves with an answer; where it is, the two sides are groups of their own, or narrower ones.
    ok("group", ISS, "--out", out, "--answers", answers)
    table = pd.read_csv(out, dtype=str)
    groups = table.groupby("headline")["group"].first()
    assert groups[divided["left"]] != groups[divided["right"]]
    sizes = table["group"].value_counts()
    assert sorted(sizes[[groups[divided["left"]], groups[divided["right"]]]]) == sides


def test_a_method_without_a_tree_lists_no_links_in_one_sentence(call):
    code, _, error = call("group", ISS, "--review", 3, "--method", "leiden")
    assert code
    assert "no links to review" in error
    assert "Traceback" not in error


@pytest.mark.slow
def test_answers_hold_whatever_the_level(ok, tmp_path):
    answers, out = tmp_path / "answers.csv", tmp_path / "groups.csv"
    pair = "Astronauts declare first space salad 'awesome'", "Three astronauts blast off to ISS"
    answers.write_text("left,right,answer\n" + ",".join((*pair, "same")))
    ok("group", ISS, "--out", out, "--answers", answers)
    group_of = dict(pd.read_csv(out)[["headline", "group"]].itertuples(index=False))
    assert group_of[pair[0]] == group_of[pair[1]]
    again = [ok("group", ISS, "--json", "--answers", answers) for _ in range(2)]
    assert again[0] == again[1]
    answers.write_text("left,right,answer\n")
    assert json.loads(ok("group", ISS, "--json", "--answers", answers))["corrections"] == 0
    answers.write_text(
        "left,right,answer\n" + "".join(f"{','.join(pair)},{word}\n" for word in ("same", "different"))
    )
    refused = finished(sys.executable, "-m", "cli", "group", ISS, "--answers", answers)
    assert refused.returncode == 2
    assert "line 3" in refused.stderr


def test_several_files_and_sheets_are_one_timeline(ok, tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for at, day in enumerate(["15.01.2024", "16.01.2024"]):
        (tmp_path / f"{day}.csv").write_text(f"title\nFerry {at} runs aground off the northern coast\n")
        sheet = book.create_sheet(day)
        sheet.append(["title"])
        sheet.append([f"Ferry {at} runs aground off the northern coast"])
    book.save(tmp_path / "week.xlsx")
    files = sorted(tmp_path.glob("*.csv"))
    for given in (files, [tmp_path / "week.xlsx", "--sheet", "*"]):
        told = json.loads(ok("group", *given, "--json"))
        assert (told["headlines"], told["undated"]) == (2, 0)


def asked_in_a_terminal(answers, keys):
    """Types keys while a command asks, and gives its exit status and the words in the file of answers."""
    code = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    command = [sys.executable, "-m", "cli", "group", ISS, "--ask", "--answers", str(answers)]
    done = subprocess.run(
        [sys.executable, "-c", code, *command], check=False, input=keys, text=True, capture_output=True
    )
    return done.returncode, [line.rpartition(",")[2] for line in answers.read_text().splitlines()]


@pytest.mark.slow
def test_five_questions_are_asked_in_a_terminal_and_kept(tmp_path):
    status, words = asked_in_a_terminal(tmp_path / "answers.csv", "d\nu\nx\ns\n?\nq\n")
    assert (status, words) == (0, ["answer", "same", "not sure"])


@pytest.mark.slow
def test_each_answer_is_kept_when_it_is_given(tmp_path):
    status, words = asked_in_a_terminal(tmp_path / "answers.csv", "s\nd\n\x04")
    assert status
    assert words == ["answer", "same", "different"]


REPEATED = "title,outlet,date\n" + "".join(
    f"{title},Post,2024-01-15\n"
    for title in (
        "Storm closes airport in Brack",
        "Brack airport closed by storm",
        "Your horoscope for Monday",
        "Horoscope for Monday",
        "Morning briefing: storm and rates",
    )
)


def test_formats_that_repeat_are_in_no_event_unless_asked_for_and_in_every_export(ok, tmp_path):
    file, out = tmp_path / "desk.csv", tmp_path / "groups.csv"
    file.write_text(REPEATED)
    told = json.loads(ok("group", file, "--out", out, "--json"))
    assert (told["headlines"], told["grouped"], told["groups"]) == (5, 2, 1)
    assert "2 horoscopes" in told["set_aside"]
    table = pd.read_csv(out, dtype=str).fillna("")
    assert table["repeated_format"].tolist() == ["", "", "horoscope", "horoscope", "briefing"]
    assert table["group"].iloc[:2].nunique() == 1
    assert table["group"].iloc[1:].nunique() == 4
    told = json.loads(ok("group", file, "--keep-formats", "--out", out, "--json"))
    assert (told["grouped"], told["set_aside"]) == (5, "")
    assert pd.read_csv(out, dtype=str)["group"].iloc[2:4].nunique() == 1
    assert "5 headlines" in ok("group", file)


def test_what_looks_misread_is_asked_and_settled_on_request(ok, tmp_path):
    file = tmp_path / "news.csv"
    titles = (
        "Storm closes airport",
        "Airport shut by storm",
        "Bank lifts key rate",
        "Key rate lifted by bank",
    )
    file.write_text("title,source\n" + "".join(f"{n}. {t},Post\n" for n, t in enumerate(titles, 1)))
    (question,) = json.loads(ok("group", file, "--json"))["questions"]
    assert "4" in question
    assert question in ok("group", file)
    assert json.loads(ok("group", file, "--tidy", "--json"))["questions"] == []


def test_a_language_model_is_asked_about_the_links_in_doubt_and_what_it_costs_is_said(
    call, tmp_path, monkeypatch
):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    out = tmp_path / "groups.json"
    same = language_model_server.chat('{"score": 100}', used=50)
    with language_model_server.serving(lambda body, number: same) as asked:
        key = "sk-group-0123456789abcdef"
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", key=key, price_in=1000.0))
        command = ["group", ISS, "--ask-model", "endpoint|answer:scale", "--most-pairs", "10", "--out", out]
        code, told, errors = call(*command, "--quiet")
        questions = len(asked.bodies)
        again = call(*command, "--quiet")
    assert code == 0
    assert 0 < questions <= 10 == 10 * (len(asked.bodies) == questions)
    assert f"sent to {asked.address}" in errors or f"go to {asked.address}" in errors
    assert "10 questions: about" in errors
    assert f"{questions} questions were answered" in errors
    assert "USD" in errors
    assert "were answered" not in again[2]
    assert again[1] == told
    log = json.loads(out.read_text())["log"]["corrections"]
    assert {entry["who"] for entry in log} == {"tiny"}
    # What answered, as its server reports it, with prompt, seed and day: in the log and in the signature.
    (by,) = {entry["asked"] for entry in log}
    assert re.search(
        r"seed:0\|answer:scale · prompt:same_event_scale\.v1-[0-9a-f]{8} · answered:tiny-2026-11-01 20", by
    )
    assert f"asked:{by}" in json.loads(out.read_text())["signature"]
    assert key not in told + errors + out.read_text()


def test_it_is_said_which_links_a_model_answered_and_that_given_answers_hold_too(call, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    out, answers = tmp_path / "groups.csv", tmp_path / "answers.csv"
    same = language_model_server.chat('{"score": 100}')
    command = ["group", ISS, "--ask-model", "endpoint|answer:scale", "--most-pairs", "6", "--json"]
    with language_model_server.serving(lambda body, number: same) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        _, told, _ = call(*command, "--out", out, "--quiet")
        links = json.loads(told)["answered"]
        assert links
        # A person says the contrary of the first: the model is not asked about it, and that is said.
        rows = [link | {"answer": "different"} for link in links[:1]]
        pd.DataFrame(rows)[["left", "right", "answer"]].to_csv(answers, index=False)
        _, again, errors = call(*command, "--answers", answers, "--quiet")
    assert {"1 correction", "--out"} <= set(re.findall(r"1 correction\b|--out", errors))
    assert {frozenset((link["left"], link["right"])) for link in json.loads(again)["answered"]}.isdisjoint(
        {frozenset((links[0]["left"], links[0]["right"]))}
    )
    table = pd.read_csv(out, keep_default_na=False)
    said = {row["headline"]: row for _, row in table.iterrows() if row["corrected"]}
    sure = [link for link in links if link["answer"] != "not sure"]
    assert sure
    assert set(said) == {link[side] for link in sure for side in ("left", "right")}
    assert {row["corrected_by"] for row in said.values()} == {"tiny"}
    assert all("same_event_scale.v1" in link["by"] for link in links)
    last = sure[-1]
    assert last["right"] in said[last["left"]]["corrected"]


def test_events_are_named_by_a_model_and_names_with_wrong_numbers_are_not_taken(call, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    file, out = tmp_path / "news.csv", tmp_path / "groups.json"
    events = (
        "Bus crash near Lyon kills 14",
        "14 killed as bus crashes near Lyon",
        "Bank lifts key rate",
        "Key rate lifted by bank",
        "Whale stranded on beach in Sweden",
    )
    file.write_text("headline\n" + "\n".join(events))

    def answer(body, number):
        said = (
            "Bus crash at Lyon: 21 killed" if "Lyon" in body["messages"][-1]["content"] else "Bank lifts rate"
        )
        return language_model_server.chat(json.dumps({"headlines": [said]}))

    with language_model_server.serving(answer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        code, _, errors = call("group", file, "--name-with", "endpoint", "--out", out, "--quiet")
    assert code == 0
    assert len(asked.bodies) == 2  # nothing is asked about a single report
    assert "1 of 2" in errors
    assert f"Headlines go to {asked.address}" in errors
    assert "Articles" not in errors
    (entry,) = json.loads(out.read_text())["log"]["corrections"]
    assert (entry["kind"], entry["text"], entry["who"]) == ("rename", "Bank lifts rate", "tiny")
    assert "event_name.v1" in entry["asked"]
    titles = {row["headline"]: row["event_title"] for row in json.loads(out.read_text())["headlines"]}
    assert titles == dict(zip(events, ["", "", "Bank lifts rate", "Bank lifts rate", ""], strict=True))
