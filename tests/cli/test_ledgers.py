import json

import pytest

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
    lines = tmp_path / "ours.txt"
    lines.write_text("Storm\n\n")
    beside = told(wide, "compare", lines, "--articles", "FILE", "--out", "OUT", "--metrics", "novelty")
    adds_up(beside["articles_ledger"], 4, kept=2, empty=1)
    adds_up(beside["systems"][0]["ledger"], 2, kept=2)
