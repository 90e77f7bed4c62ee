import csv
import json

from research.benchmark.pairs.tables import FILE
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
