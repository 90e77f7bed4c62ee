"""A small day of headlines, in files that grow."""

import pytest

from core.data.timelines.samples import load_sample
from core.live.arrivals import arrivals_of

HEADER = "headline,date,source\n"


@pytest.fixture(scope="module")
def iss():
    return arrivals_of(load_sample("iss"))


def rows(*numbers):
    return "".join(f"Headline number {n} says something,2024-05-0{1 + n % 9},wire\n" for n in numbers)


@pytest.fixture
def growing(tmp_path):
    path = tmp_path / "growing.csv"
    path.write_text(HEADER + rows(1, 2), encoding="utf-8")
    return path
