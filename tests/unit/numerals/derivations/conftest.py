from __future__ import annotations

import csv
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[4] / "samples" / "numhg" / "numhg_slice.csv"


@pytest.fixture(scope="session")
def sample_rows() -> list[dict[str, str]]:
    """The committed rows of NumHG with their annotations."""
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
