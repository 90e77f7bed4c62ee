"""`headline-lab archive` as a person or a script calls it."""

from __future__ import annotations

import json
from pathlib import Path

from core.files import ROOT
from tests.cli.calling import Call

ISS = ROOT / "samples/iss/iss_excerpt.csv"


def test_a_file_becomes_an_archive(call: Call, tmp_path: Path) -> None:
    code, out, _ = call("archive", ISS, "--out", tmp_path / "iss", "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["headlines"], told["undated"], told["left_out"]) == (47, 0, 0)
    assert told["ami"] > 0.85
    code, out, _ = call("archive", ISS, "--out", tmp_path / "iss", "--granularity", "0.2")
    assert code == 0
    assert "granularity: 0.2" in out.splitlines()


def test_a_file_that_is_not_there(call: Call, tmp_path: Path) -> None:
    code, out, errors = call("archive", tmp_path / "no.csv", "--out", tmp_path / "a")
    assert (code, out) == (2, "")
    assert "cannot be read" in errors
