"""Headlines of an archive that name different places are linked less."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from core.archive.build import ArchiveSettings, build
from core.archive.folder import GROUPS, ArchiveFolder
from core.archive.links import APART
from core.archive.other_places import NAMED, OtherPlaces, named_places
from core.runtime import Runtime

TEXTS = (
    "Fire guts school in Leeds",
    "Fire guts school in Lille",
    "Fire guts school in northern France",
    "Crash on road from Leeds to Lille",
    "Fire guts school, nobody hurt",
    "Storm hits Leeds, Lille and Turin",
    "Пожар в школе в Лилле",
)
APART_ONES = {(0, 1), (0, 2), (0, 6)}


def table_of(path, texts):
    rows = {"headline": texts, "published": ["2026-03-01"] * len(texts)}
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


@pytest.fixture
def folder(tmp_path):
    build(
        table_of(tmp_path / "a.csv", TEXTS), tmp_path / "a", ArchiveSettings(granularity=0.9), {}, Runtime()
    )
    return ArchiveFolder(tmp_path / "a", {})


def test_places_that_hold_each_other_or_none_or_many_are_not_apart(folder):
    apart = OtherPlaces(named_places(folder, Runtime()))
    texts = pd.read_parquet(folder.path / "headlines.parquet")["headline"].tolist()
    place = [TEXTS.index(text) for text in texts]
    pairs = np.array(list(combinations(range(len(texts)), 2)), dtype=np.int32)
    found = {tuple(sorted((place[a], place[b]))) for a, b in pairs[apart(*pairs.T)].tolist()}
    assert found == APART_ONES
    assert {
        tuple(sorted((place[a], place[b]))) for b, a in pairs[apart(*pairs.T[::-1])].tolist()
    } == APART_ONES


def test_an_archive_keeps_the_places_and_groups_by_them(folder, tmp_path, monkeypatch):
    assert folder.holds(NAMED)
    texts = [f"Fire guts school in {town}, two hurt" for town in ("Leeds", "Lille", "Turin", "Graz")] * 3

    def groups(name):
        out = tmp_path / name
        build(table_of(tmp_path / "b.csv", texts), out, ArchiveSettings(granularity=0.6), {}, Runtime())
        headlines = pd.read_parquet(out / "headlines.parquet")["headline"]
        return headlines.groupby(np.load(out / f"{GROUPS}.npy")).nunique()

    assert (groups("apart") == 1).all()
    monkeypatch.setattr("core.archive.links.APART", type(APART)(1))
    assert (groups("together") > 1).any()
