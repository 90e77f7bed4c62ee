import gzip
import json

import pytest

from core.files import ROOT

ISS = ROOT / "samples/iss/iss_excerpt.csv"


def test_a_file_becomes_an_archive(ok, tmp_path):
    out = ok("archive", ISS, "--out", tmp_path / "iss", "--json")
    told = json.loads(out)
    assert (told["headlines"], told["undated"], told["left_out"]) == (47, 0, 0)
    assert told["ami"] > 0.85
    out = ok("archive", ISS, "--out", tmp_path / "iss", "--granularity", "0.2")
    assert "granularity: 0.2" in out.splitlines()


def test_why_rows_were_left_out_is_said(ok, call, tmp_path):
    file = tmp_path / "news.csv"
    rows = [
        "headline,published",
        "Storm shuts Dover,2024-05-01",
        ",2024-05-01",
        '"Rain,2024-05-02',
        ",2024-05-01",
    ]
    file.write_text("\n".join([*rows, "Storm shuts port of Dover,2024-05-01"]))
    words = ("archive", file, "--out", tmp_path / "a", "--granularity", "0.5")
    out = ok(*words)
    at = out.splitlines().index("left_out: 3")
    assert out.splitlines()[at + 1 : at + 3] == [
        "  line 3 and 1 more: The headline is empty.",
        "  line 4: A quotation mark is opened and never closed.",
    ]
    told = json.loads(call(*words, "--json")[1])
    assert told["left_out_why"][0] == {"reason": "The headline is empty.", "rows": 2, "line": 3}


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("news.csv.gz", gzip.compress(ISS.read_bytes())[:1000], "The gz file is cut off."),
        ("news.parquet", ISS.read_bytes(), "The file is called Parquet but is not one."),
        ("news.parquet", b"PAR1" + b"x" * 80, "The Parquet file is cut off after 84 bytes"),
    ],
    # Not of the content, which holds the time.
    ids=["cut gz", "false Parquet", "cut Parquet"],
)
def test_cut_and_false_files_are_one_sentence(refused, tmp_path, name, content, sentence):
    (tmp_path / name).write_bytes(content)
    errors = refused("archive", tmp_path / name, "--out", tmp_path / "a")
    assert errors.startswith(sentence)
    assert len(errors.splitlines()) == 2
