from __future__ import annotations

import csv

import pytest

from core.files import ROOT

SAMPLE = ROOT / "samples" / "numhg" / "numhg_slice.csv"


@pytest.fixture(scope="session")
def sample_rows() -> list[dict[str, str]]:
    """The committed rows of NumHG with their annotations."""
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
