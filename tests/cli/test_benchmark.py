import csv
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.data.articles.articles import articles_of
from core.models.endpoints import addresses
from core.runtime import Runtime
from research.benchmark import engine
from research.benchmark.headlines import run, tables
from research.benchmark.pairs.tables import FILE
from tests import language_model_server as server
from tests.cli.test_signatures import check_table

VERB = ("benchmark",)
FEW = ("--scorer", "time_only", "--scorer", "levenshtein", "--scorer", "levenshtein_time")


def test_the_sample_of_hlgd(call):
    code, out, err = call("pairs", "--set", "hlgd_sample", *FEW, "--quick")
    assert code == 0
    assert "Levenshtein ratio" in out
    assert "0.585" in out
    assert "hlgd_sample: 15 test pairs" in err


def test_everything_is_written(call, tmp_path):
    code, _, err = call(
        *("pairs", "--set", "iss", *FEW, "--quiet", "--out", tmp_path),
        *("--latex", tmp_path / "own.tex", "--csv", tmp_path / "own.csv"),
    )
    assert (code, err) == (0, "")
    found = FILE.load(tmp_path / "pair_benchmark.json")
    assert found.cell("iss", "levenshtein").chosen_on.startswith("train of ")
    assert (tmp_path / "own.tex").read_bytes() == (tmp_path / "pair_benchmark.tex").read_bytes()
    assert len(list(csv.reader((tmp_path / "own.csv").open()))) == 6
    assert "### iss" in (tmp_path / "pair_benchmark.md").read_text()


def test_a_file_that_cannot_be_measured_is_a_sentence(call, tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("headline_a,headline_b,label\nRocket lands safely,Rocket has landed,1\n")
    code, out, err = call("pairs", "--set", file, *FEW, "--quiet")
    assert code == 2
    assert "Its only test pair is labelled the same event" in out
    assert "No pair set could be measured." in err


SIX = ("--set", "numhg", "--limit", "6", "--aligner", "lexical")


def test_a_few_rows_are_measured_and_written(call, shared, tmp_path):
    code, out, _ = call("numerals", *(*SIX, "--json", "--out", tmp_path, "--latex", tmp_path / "own.tex"))
    assert code == 0
    told = json.loads(out)
    assert told == json.loads((tmp_path / "numeral_benchmark.json").read_text())
    assert (told["complete"], told["settings"]["part"], told["sets"][0]["count"]) == (True, "test", 6)
    missing = {one["system"] for one in told["cells"] if one["why_not"]}
    assert missing == {"published"}
    assert told["systems"][-1]["signature"].startswith("lexical.v1")
    assert (tmp_path / "own.tex").read_bytes() == (tmp_path / "numeral_benchmark.tex").read_bytes()
    check_table(tmp_path / "numeral_benchmark.csv", "lexical")
    assert "#### Blanks filled: NumHG held out" in (tmp_path / "numeral_benchmark.md").read_text()


def test_sets_that_are_not_here_say_so(call, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    code, out, err = call("numerals", "--quiet", "--limit", "3", "--aligner", "lexical")
    assert code == 2
    assert "NumHG held out: The data set NumHG is not on this machine." in out
    assert "No set could be measured." in err


def test_a_model_at_an_address_shows_what_its_answers_cost_and_when(call, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))

    def answer(body, number):
        said = server.chat(json.dumps({"score": 90 if number % 2 else 10}), used=0)
        return {**said, "usage": {"prompt_tokens": 90, "total_tokens": 100}}

    with server.serving(answer) as asked:
        priced = {"address": asked.address, "model": "tiny", "price_in": 10.0, "price_out": 100.0}
        addresses._write([addresses.Endpoint(**priced, currency="EUR")])
        given = ["pairs", "--set", "hlgd_sample", "--scorer", "endpoint|answer:scale", "--quick", "--quiet"]
        code, said, _ = call(*given, "--out", tmp_path)
        questions = len(asked.bodies)
        again = json.loads(call(*given, "--fresh", "--json")[1])
        assert len(asked.bodies) == questions
    assert code == 0
    (cell,) = [each for each in FILE.load(tmp_path / "pair_benchmark.json").cells if each.cost]
    assert cell.cost["questions"] == questions > 20
    assert (cell.cost["sent"], cell.cost["received"]) == (90 * questions, 10 * questions)
    assert cell.cost["EUR"] == pytest.approx((900 + 1000) * questions / 1e6)
    today = datetime.now(UTC).date().isoformat()
    assert f"{today}: {questions} questions" in said
    assert f"{90 * questions:,} tokens" in said
    assert f"{cell.cost['EUR']:.4f} EUR" in said
    assert [each["cost"] for each in again["cells"] if each["cost"]] == [
        cell.cost
    ]  # what was paid before is what it cost
    assert today in (tmp_path / "pair_benchmark.md").read_text()


def test_a_writer_at_an_address_shows_what_its_headlines_cost_and_when(call, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    texts = [f"Article {number} is about a storm at the coast." for number in range(3)]
    articles = articles_of("made", texts)
    system = tables.row("endpoint")

    def answer(body, number):
        return server.chat('{"headlines": ["Storm hits the coast"]}', used=50)

    with server.serving(answer) as asked:
        addresses.store(addresses.Endpoint(address=asked.address, model="tiny"))
        runtime = Runtime(cache=tmp_path / "cache")
        data = run.OpenedArticles(replace(run.SETS[0], count=3, whole=3), articles, {})
        plan = run.HeadlinePlan(sets=[], systems=[system], metrics=[], limits={}, resamples=10)
        cells = [engine.measure(plan, system, data, runtime).cell for _ in range(2)]
        assert len(asked.bodies) == 3
    for cell in cells:  # the second without a question
        assert cell.cost["questions"] == pytest.approx(3)
        assert cell.cost["sent"] + cell.cost["received"] == pytest.approx(150)
        assert cell.priced.startswith(datetime.now(UTC).date().isoformat())
