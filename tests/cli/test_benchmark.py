import csv
import json

from research.benchmark.pairs.rows import FILE

VERB = ("benchmark",)
FEW = ("--scorer", "time_only", "--scorer", "levenshtein", "--scorer", "levenshtein_time")


def test_the_sample_of_hlgd(call):
    code, out, err = call("pairs", "--set", "hlgd_sample", *FEW, "--quick")
    assert code == 0
    assert "Levenshtein ratio" in out
    assert "0.585" in out
    assert "hlgd_sample: 15 test pairs" in err


def test_a_folder_and_a_file_of_the_hub(ok, shared, tmp_path):
    folder = shared / "data" / "hlgd_sample"
    out = ok("pairs", "--set", folder, "--set", folder / "train.json", *FEW, "--json")
    told = json.loads(out)
    assert [one["count"] for one in told["sets"]] == [15, 5]
    assert all(cell["figures"]["f1"]["value"] is not None for cell in told["cells"])


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


def test_a_set_that_is_not_there_is_said_in_the_table(ok):
    out = ok("pairs", "--set", "no_such_set", "--set", "hlgd_sample", *FEW, "--quiet")
    assert "no_such_set" in out
