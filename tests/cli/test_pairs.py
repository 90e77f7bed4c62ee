import json

from core.files import ROOT

VERB = ("pairs",)


def test_list_says_what_is_here_and_what_is_missing(ok, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    out = ok("list", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert rows["iss.v1"]["pairs"] == 1081
    assert rows["iss.v1"]["missing"] is None
    assert rows["mrpc.v1"]["path"] is None
    assert "mrpc_train_clean.tsv" in rows["mrpc.v1"]["missing"]
    out = ok("list")
    assert "1,081 pairs of 47 headlines" in out


def test_build_then_describe(ok, tmp_path):
    out_file = tmp_path / "pairs.json"
    out = ok("build", "sample:iss", "--out", out_file, "--ratio", "1", "--window", "10")
    assert "143 same, 99 different" in out
    rows = json.loads(out_file.read_text(encoding="utf-8"))
    assert list(rows[0]) == [
        "timeline_id",
        "headline_a",
        "headline_b",
        "date_a",
        "date_b",
        "url_a",
        "url_b",
        "label",
    ]
    out = ok("stats", out_file, "--json")
    told = json.loads(out)
    assert told["parts"]["test"]["same"] == 143
    assert told["same_inside_window"] == 1.0


def test_same_seed_same_file(call, tmp_path):
    files = [tmp_path / f"{number}.csv" for number in range(3)]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        call("build", ROOT / "samples/iss/iss_excerpt.csv", "--out", file, "--ratio", 0.2, "--seed", seed)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes() != files[2].read_bytes()
