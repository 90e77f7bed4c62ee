"""The level of an archive: found where none is given, and only there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.archive.build import ArchiveSettings, build
from core.files import ROOT
from core.runtime import Runtime


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Every sixteenth headline of the UCI sample."""
    table = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str).iloc[::16]
    published = pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    path = tmp_path / "news.csv"
    pd.DataFrame({"headline": table["TITLE"], "published": published}).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_a_level_that_is_given_is_not_looked_for_and_one_that_is_not_is_found_later(
    file: Path, tmp_path: Path
) -> None:
    given, whole = tmp_path / "given", tmp_path / "whole"
    steps: list[str] = []
    watched = Runtime(report=lambda step, done, total: steps.append(step))
    assert build(file, given, ArchiveSettings(granularity=0.5), {}, watched)["granularity"] == 0.5
    assert not (given / "level.npy").exists()
    assert "Looking at neighbourhoods" not in steps, "no run was grouped as a timeline"

    found = build(file, whole, ArchiveSettings(), {}, watched)
    assert "Looking at neighbourhoods" in steps
    assert found["granularity"] == float(np.load(whole / "level.npy"))
    later = build(file, given, ArchiveSettings(), {}, Runtime())
    assert later["granularity"] == found["granularity"] != 0.5
    assert (given / "groups.npy").read_bytes() == (whole / "groups.npy").read_bytes()
