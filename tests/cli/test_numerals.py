import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pandas as pd
import psutil
import pytest

from core.files import ROOT
from core.headlines.checked_systems import PEOPLE
from core.headlines.numeral_tables import WRITTEN
from core.models.endpoints import addresses
from core.numerals.checked_headline import Light
from core.numerals.expressions.parse import parse_expression
from tests import language_model_server
from tests.programs import finished

VERB = ("numerals",)
ARTICLE = (
    "(Oct 5, 2011 12:11 PM CDT) A gunman shot and killed three people and wounded seven others at a quarry "
    "near Genoa this morning, police say. The quarry, which opened in 1979, has 1,300 workers and paid $3.2 "
    "million in fines last year. He fled on foot after the shooting, which began at 4:30am."
)
POLISH = "W wypadku pociągu zginęło co najmniej 80 osób, a ponad 140 zostało rannych, podają władze."


@pytest.fixture
def article(tmp_path):
    path = tmp_path / "article.txt"
    path.write_text(ARTICLE, encoding="utf-8")
    return path


def csv_file(path, *rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def written(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


@pytest.fixture
def news(tmp_path):
    rows = [
        ("id", "text", "summary"),
        ("a", ARTICLE, "3 Dead, 7 Hurt in Quarry Shooting"),
        ("b", ARTICLE, "Quarry Paid $3.2M, Has 8,450 Workers"),
        ("c", ARTICLE, "Gunman Flees"),
    ]
    return csv_file(tmp_path / "news.csv", *rows)


class TestArticle:
    def test_supported_numbers_end_with_0(self, article, ok):
        headline = "Gunman Shot and Killed 3 People, Wounded Seven Others"
        told = ok("check", article, "--headline", headline)
        assert "Trans( three )" in told
        assert "    The article: " in told
        assert re.search(r"^1 headline: 1 (supported|found)\.$", told, re.MULTILINE)
        assert "\x1b" not in told

    def test_an_unsupported_number_ends_with_1(self, article, call):
        code, told, _ = call("check", article, "--headline", "Quarry With 8,450 Workers Attacked")
        assert code == 1
        assert "1 headline: 1 wrong." in told

    def test_a_threshold_decides_in_place_of_the_light(self, ok, article, call):
        given = ("check", article, "--headline", "Quarry Has 8,450 Workers")
        ok(*given, "--threshold", 0)
        given = ("check", article, "--headline", "Quarry Has 1,300 Workers")
        assert call(*given, "--threshold", 1)[0] == 3
        assert call(*given, "--threshold", "nan")[0] == 2

    def test_the_json_is_as_documented(self, article, call):
        given = ("check", article, "--headline", "3 Dead, $3.2M Paid", "--json")
        told = json.loads(call(*given)[1])
        page = (ROOT / "docs/formats.md").read_text(encoding="utf-8").partition("## Numerals of headlines")[2]
        assert all(f"`{key}`" in page for key in told)
        for numeral in told["headlines"][0]["numerals"]:
            assert all(f"`{key}`" in page for key in numeral)
            assert told["headlines"][0]["headline"][numeral["start"] : numeral["end"]] == numeral["numeral"]
            for derivation in numeral["derivations"]:
                assert all(f"`{key}`" in page for key in derivation)
                parse_expression(derivation["expression"])
                for source in derivation["sources"]:
                    assert source["sentence"][source["start"] : source["end"]] == source["numeral"]
                    assert source["sentence"] in ARTICLE
        values = [one["value"] for one in told["headlines"][0]["numerals"]]
        assert values == ["3", "3200000"]

    def test_the_recipe_of_the_guide_prints_the_reason(self, article, call):
        guide = (ROOT / "docs/numerals.md").read_text(encoding="utf-8")
        program = guide.partition("jq -r '")[2].partition("'")[0]
        told = json.loads(call("check", article, "--headline", "97 Dead", "--json")[1])
        (numeral,) = told["headlines"][0]["numerals"]
        assert numeral["claim"]["reason"]
        assert ".claim.reason" in program
        if jq := shutil.which("jq"):
            answer = subprocess.check_output([jq, "-r", program], input=json.dumps(told), text=True)
            assert answer == f"97: {numeral['claim']['reason']}\n"

    @pytest.mark.slow
    def test_the_hook_of_the_guide_holds_back_what_is_wrong_alone(self, tmp_path):
        guide = (ROOT / "docs/numerals.md").read_text(encoding="utf-8")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

        git = partial(finished, "git", cwd=tmp_path, PATH=path, **who)
        git("init", "-q")
        hook = tmp_path / ".git/hooks/pre-commit"
        hook.write_text(guide.partition("```sh\n")[2].partition("```")[0], encoding="utf-8")
        hook.chmod(0o755)

        (tmp_path / "unread.md").write_text(f"# 80 zabitych\n\n{POLISH}\n", encoding="utf-8")
        for headline, name, passes in (
            ("3 are killed at quarry near Cuxhaven", "zum Prüfen.md", True),
            ("Quarry Has 8,450 Workers", "falsch.md", False),
        ):
            (tmp_path / name).write_text(f"# {headline}\n\n{ARTICLE}\n", encoding="utf-8")
            git("add", ".")
            done = git("commit", "-q", "-m", "x")
            assert (done.returncode == 0) is passes, done.stderr
            said = done.stdout + done.stderr
            assert headline in said
            assert ("check this" if passes else "wrong") in said
            assert "Traceback" not in said


class TestTable:
    def test_one_row_a_numeral(self, news, tmp_path, call):
        out = tmp_path / "out.csv"
        code, told, notes = call("check", news, "--out", out, "--strict")
        found = written(out)
        assert code == 1
        # The worst headline first.
        assert list(filter(None, found["value"])) == ["3200000", "8450", "3", "7"]
        assert ((found["disagreement"] == "") == found["verdict"].isin(["supported", "found"])).all()
        (wrong,) = (found["value"] == "8450").to_numpy().nonzero()[0]
        assert found["verdict"][wrong] == found["headline_verdict"][wrong] == "wrong"
        assert {*found["right"][wrong + 1 :]} == {""}
        assert all(found["reason"])
        for expression in filter(None, found["expression"]):
            parse_expression(expression)
        assert "3 headlines (1 without a number), 4 numbers:" in told
        assert "from 'text', the headlines from 'summary'" in notes

    def test_a_headline_without_a_number_has_a_row_and_an_exit_code(self, tmp_path, call):
        article = "The council rejected the plan for a new harbour on Monday, the mayor said."
        lines = ("Council rejects plan for new harbour", "Council approves plan for new harbour")
        table, out = (
            csv_file(tmp_path / "n.csv", ("text", "summary"), *((article, x) for x in lines)),
            tmp_path / "o.csv",
        )
        code, _, _ = call("check", table, "--out", out, "--strict")
        found = written(out)
        assert code == 3
        assert found["row"].tolist() == ["1", "0"]  # the worst headline first
        assert found["verdict"].tolist() == found["headline_verdict"].tolist() == ["check this", "found"]
        assert "rejected" in found["reason"][0]

    def test_names_that_the_article_lacks_have_a_row(self, tmp_path, ok):
        given, out = tmp_path / "given.csv", tmp_path / "out.csv"
        row = '"Police say that three were hurt in a crash.","Three hurt in crash near Bellmore, police say"'
        given.write_text(f"text,summary\n{row}\n", encoding="utf-8")
        ok("check", given, "--out", out)
        found = written(out)
        assert found["numeral"].tolist() == ["Three", ""]
        assert "Bellmore" in found["reason"][1]
        assert set(found["headline_verdict"]) == {"check this"}

    def test_another_language_is_refused_in_one_sentence(self, refused, ok, tmp_path, call):
        path, out = tmp_path / "a.txt", tmp_path / "out.csv"
        path.write_text(POLISH, encoding="utf-8")
        for verb, line in (("check", "80 zabitych"), ("fill", "____ zabitych")):
            said = refused(verb, path, "--headline", line)
            assert "This is an article in Polish; numbers are read in English, French" in said
        rows = (("text", "summary"), (POLISH, "80 zabitych"), (ARTICLE, "3 Dead"))
        table = csv_file(tmp_path / "n.csv", *rows)
        ok("check", table, "--out", out)
        found = written(out)
        assert found["row"].tolist() == ["0", "1"]
        assert found["verdict"].tolist()[0] == "check this"
        assert found["verdict"].tolist()[1] in {"supported", "found"}
        assert found["reason"][0].startswith("This is an article in Polish; numbers are read in ")
        assert call("check", table, "--out", out, "--strict")[0] == 3

    def test_one_unread_candidate_does_not_refuse_the_others(self, article, tmp_path, call):
        candidates = tmp_path / "candidates.txt"
        candidates.write_text("Gunman Kills 3\nCo najmniej 3 zabitych w kamieniołomie\n", encoding="utf-8")
        code, told, _ = call("check", article, "--headlines", candidates, "--json", "--threshold", 0)
        found = json.loads(told)["headlines"]
        assert code == 3
        assert [one["unread"] for one in found] == [None, "a headline in Polish"]
        assert [one["passes"] for one in found] == [True, False]

    @pytest.mark.slow
    def test_ctrl_c_leaves_no_file_and_no_process(self, tmp_path, request):
        rows = [(f"{ARTICLE} It was number {n}.", f"{n} Dead, 7 Hurt") for n in range(20_000)]
        given, out = csv_file(tmp_path / "news.csv", ("text", "summary"), *rows), tmp_path / "out.csv"
        # Tests that run in the background ignore SIGINT, and so would what they start.
        python = ["env", "--default-signal=INT", sys.executable]
        running = subprocess.Popen(
            [*python, "-m", "cli", "numerals", "check", given, "--out", out, "--processes", "2"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        request.addfinalizer(running.kill)
        seen = psutil.Process(running.pid)
        while len(seen.children()) < 2:
            assert running.poll() is None, running.communicate()
            time.sleep(0.05)
        workers = seen.children()
        time.sleep(1)
        os.kill(running.pid, signal.SIGINT)
        told, notes = running.communicate(timeout=60)
        assert running.returncode == 2
        assert notes.strip().endswith("Stopped.")
        assert "Traceback" not in notes
        assert told == ""
        assert psutil.wait_procs(workers, timeout=10)[1] == []
        assert [path.name for path in tmp_path.iterdir()] == ["news.csv"]


class TestFill:
    @pytest.mark.slow
    def test_an_article_with_a_blank(self, article, ok):
        given = ("fill", article, "--headline", "____ Dead in Quarry Shooting", "--aligner", "lexical")
        told = ok(*given, "--json")
        found = json.loads(told)
        (one,) = found["headlines"]
        assert one["answer"]
        assert one["filled"] == f"{one['answer']} Dead in Quarry Shooting"
        assert 0 <= one["probability"] <= 1
        parse_expression(one["expression"])
        page = (ROOT / "docs/formats.md").read_text(encoding="utf-8").partition("## Numerals of headlines")[2]
        assert all(f"`{key}`" in page for key in (*found, *one))

    @pytest.mark.slow
    def test_a_table_keeps_its_columns(self, tmp_path, call):
        rows = [
            ("id", "news", "masked headline", "answer"),
            ("x", ARTICLE, "____ Dead in Quarry Shooting", "3"),
            ("y", ARTICLE, "Gunman Flees", ""),
            ("z", ARTICLE, "____ Dead, ____ Hurt", ""),
        ]
        given, out = csv_file(tmp_path / "blanks.csv", *rows), tmp_path / "out.csv"
        code, told, notes = call("fill", given, "--out", out)
        found = written(out)
        assert code == 0
        assert found["id"].tolist() == ["x", "y", "z"]
        assert [bool(answer) for answer in found["answer"]] == [True, False, False]
        assert "1 headline with a blank, 1 filled" in told
        assert "row 1 (no blank); row 2 (2 blanks)" in notes


SCORED = (
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
        writer.writerows([*row, int(not row[3].startswith("Copy"))] for row in SCORED)
    return path


@pytest.mark.slow
def test_people_and_a_system_side_by_side(call, articles, tmp_path):
    ours = tmp_path / "ours.txt"
    ours.write_text("11 Questioned\n93 Dead in Fire\nFirm Fined\n")
    out = tmp_path / "new" / "folder"
    code, printed, err = call("score", ours, "--articles", articles, "--out", out, "--json", "--quiet")
    assert (code, err) == (0, "")
    told = json.loads(printed)
    assert sorted(path.name for path in out.iterdir()) == sorted(WRITTEN)
    people, system = told["systems"]
    assert (people["system"], system["system"]) == (PEOPLE, "ours")
    assert people["figures"]["numeral_accuracy"]["value"] == 1
    assert system["figures"]["numeral_accuracy"]["value"] == pytest.approx(1 / 3)
    assert system["figures"]["headlines_with_numerals"]["value"] == pytest.approx(2 / 3)
    assert system["lights"][Light.WRONG] + system["lights"][Light.CHECK] >= 1  # the article knows no 93


def test_a_language_model_that_is_set_doubts_a_number_and_the_exit_code_says_so(tmp_path, call, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    text = "A bus crashed near Lyon on Monday. Police said 14 people were killed and 27 were injured."
    line = "14 killed in bus crash near Lyon"
    article, table = tmp_path / "article.txt", tmp_path / "table.csv"
    article.write_text(text, encoding="utf-8")
    pd.DataFrame({"text": [text], "summary": [line]}).to_csv(table, index=False)
    command = ["check", article, "--headline", line]
    assert call(*command)[0] == 0
    assert call(*command, "--ask-endpoint")[0] == 2  # none is set
    answer = {
        "verdict": "wrong",
        "quotation": "27 were injured",
        "number": "27",
        "holder": "",
        "expression": "",
    }
    said = language_model_server.chat(json.dumps(answer))
    with language_model_server.serving(lambda body, number: said) as asked:
        key = "sk-claims-0123456789abcdef"
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny", key=key))
        code, told, errors = call(*command, "--ask-endpoint", "--json")
        assert code == 3
        assert json.loads(told)["headlines"][0]["light"] == "check this"
        assert f"go to {asked.address}" in errors
        assert "1 doubt" in errors
        assert "1 question was answered" in errors
        out = tmp_path / "out.csv"
        code, _, more = call("check", table, "--out", out, "--ask-endpoint", "--strict")
        assert (code, len(asked.bodies)) == (3, 1)  # it was answered before
    assert "“27”" in pd.read_csv(out)["reason"][0]
    assert key not in told + errors + more + out.read_text(encoding="utf-8")


def test_words_with_labels_say_which_number_is_wrong(call, tmp_path):
    table, out = tmp_path / "table.csv", tmp_path / "words.conll"
    text = "A storm killed 1,234 people and hurt 40 in Graz on Monday."
    table.write_text(
        f'text,summary\n"{text}","Storm kills 1,234, hurts 60 in Graz"\n"{text}","Storm hits Graz"\n',
        encoding="utf-8",
    )
    code, _, err = call("check", table, "--out", out)
    assert code == 0, err
    first, second = out.read_text(encoding="utf-8").strip().split("\n\n")
    words = dict(line.split("\t") for line in first.splitlines() if not line.startswith("# "))
    assert list(words) == ["Storm", "kills", "1,234", ",", "hurts", "60", "in", "Graz"]
    assert words["60"] == "B-wrong"
    assert words["1,234"][:2] == "B-"
    assert words["1,234"] != "B-wrong"
    assert {label for word, label in words.items() if not word[0].isdigit()} == {"O"}
    assert [line for line in second.splitlines() if not line.startswith("#")] == [
        "Storm\tO",
        "hits\tO",
        "Graz\tO",
    ]
