import csv
import json

from tests.cli.test_signatures import check_table

VERB = ("benchmark", "numerals")
FEW = ("--set", "numhg", "--limit", "6", "--attacher", "lexical")


def test_a_few_rows_are_measured_and_written(call, shared, tmp_path):
    code, out, err = call(
        *(*FEW, "--json", "--out", tmp_path, "--latex", tmp_path / "own.tex"),
        *("--csv", tmp_path / "own.csv"),
    )
    assert code == 0
    told = json.loads(out)
    assert told == json.loads((tmp_path / "numeral_benchmark.json").read_text())
    assert (told["complete"], told["settings"]["part"], told["sets"][0]["count"]) == (True, "test", 6)
    missing = {one["system"] for one in told["cells"] if one["why_not"]}
    assert missing == {"published"}
    assert told["systems"][-1]["signature"].startswith("lexical.v1")
    lines = list(csv.DictReader((tmp_path / "own.csv").open()))
    tasks = {line["task"] for line in lines if line["system"] == "lexical"}
    assert tasks == {"ranking", "calibration", "filling"}
    assert len(lines) == sum(len(one["figures"]) for one in told["cells"])
    assert (tmp_path / "own.tex").read_bytes() == (tmp_path / "numeral_benchmark.tex").read_bytes()
    check_table(tmp_path / "numeral_benchmark.csv", "lexical")
    assert "#### Blanks filled: NumHG held out" in (tmp_path / "numeral_benchmark.md").read_text()
    assert "  Attacher lexical: 6 measured" in err


def test_the_validation_part_has_other_rows_and_no_semeval(ok, shared):
    out = ok(*FEW, "--set", "numeval", "--part", "validation", "--quiet", "--json")
    told = json.loads(out)
    assert [(one["key"], one["count"]) for one in told["sets"]] == [("numhg", 6), ("numeval", 0)]
    assert "all test" in told["sets"][1]["why_not"]


def test_sets_that_are_not_here_say_so(call, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    code, out, err = call("--quiet", "--limit", "3", "--attacher", "lexical")
    assert code == 2
    assert "NumHG held out: The data set NumHG is not on this machine." in out
    assert "No set could be measured." in err
