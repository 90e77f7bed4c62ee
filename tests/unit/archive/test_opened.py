"""Archives that are opened: points, questions, and what is said of damage."""

import os
import shutil
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.archive.layout import SPAN, ArchiveQuery
from core.archive.opened import OpenArchive, archives_folder, is_shared, kept_archives, name_for, open_archive
from core.errors import DataSourceError, InputError
from tests.archives import GROUP, OUTLETS, made

COUNT = 900
DEEP = b"[" * 100_000


@pytest.fixture
def table(tmp_path):
    return made(tmp_path / "storms", COUNT)


@pytest.fixture
def archive(table, tmp_path):
    return open_archive(tmp_path / "storms")


def found(archive, **asked):
    return archive.ask(ArchiveQuery(**asked)).rows.tolist()


def whole(places):
    """Places as whole numbers from 0 to SPAN, as points have them."""
    low, high = places.min(axis=0), places.max(axis=0)
    return np.rint((places - (low + high) / 2) * SPAN / (high - low).max() + SPAN / 2)


def test_points_are_the_places_and_large_groups_come_last(archive, tmp_path):
    exact = whole(np.load(tmp_path / "storms" / "places.npy").astype(np.float64))
    assert np.abs(archive.x - exact[:, 0]).max() <= 1
    assert np.abs(archive.y - exact[:, 1]).max() <= 1
    sizes = np.bincount(archive.groups)[archive.groups[archive.order]]
    assert (np.diff(sizes) >= 0).all()
    assert set(sizes.tolist()) == {1, GROUP}
    for event in (0, len(archive.events) - 1):
        number = archive.events["group"].iloc[event]
        assert archive.members(event).tolist() == np.flatnonzero(archive.groups == number).tolist()


@pytest.mark.parametrize(
    "lasso",
    [
        ((0, 0), (SPAN, 0), (SPAN, SPAN), (0, SPAN)),
        ((10_000, 5_000), (60_000, 30_000), (20_000, 65_000)),
        ((0, 0), (SPAN, SPAN), (SPAN, 0), (0, SPAN)),  # crosses itself
        ((5, 5), (5, 5), (5, 5)),
    ],
)
def test_a_lasso_holds_what_lies_inside(archive, lasso):
    def inside(x, y):
        crossed = False
        for (x1, y1), (x2, y2) in zip(lasso, (*lasso[1:], lasso[0]), strict=True):
            if (y1 <= y) != (y2 <= y):
                crossed ^= x < x1 + (y - y1) * (x2 - x1) / (y2 - y1)
        return crossed

    points = zip(archive.x.tolist(), archive.y.tolist(), strict=True)
    expected = [row for row, (x, y) in enumerate(points) if inside(x, y)]
    assert found(archive, lasso=lasso) == expected


def test_words_outlets_days_and_groups_are_met_together(archive, table):
    text, day = table["headline"].str.lower(), table["published"].dt.date
    storm = text.str.contains("genoa") & text.str.contains("77")
    assert 0 < storm.sum() < len(text) / 5
    assert found(archive, words=" 77  GENOA ") == np.flatnonzero(storm).tolist()
    assert found(archive, words="nosuchword") == []
    outlet = table["publisher"] == OUTLETS[2]
    assert found(archive, outlet=OUTLETS[2]) == np.flatnonzero(outlet).tolist()
    assert found(archive, outlet="Nobody") == []
    first, last = date(2024, 5, 3), date(2024, 5, 9)
    days = (day >= first) & (day <= last)
    assert found(archive, first=first, last=last) == np.flatnonzero(days).tolist()
    assert found(archive, first=first, outlet=OUTLETS[2], words="genoa") == np.flatnonzero(
        (day >= first) & outlet & text.str.contains("genoa")
    ).tolist()  # fmt: skip
    assert found(archive, group=3) == np.flatnonzero(archive.groups == 3).tolist()
    assert found(archive, group=999_999_999) == []


def test_the_groups_of_an_answer_are_counted(archive):
    answer = archive.ask(ArchiveQuery(words="dover"))
    numbers = archive.events["group"].to_numpy()[answer.groups]
    counted = pd.Series(archive.groups[answer.rows]).value_counts()
    assert dict(zip(numbers.tolist(), answer.counts.tolist(), strict=True)) == counted.to_dict()
    assert (np.diff(answer.counts) <= 0).all()
    bits = np.unpackbits(np.frombuffer(archive.marked(answer), np.uint8), bitorder="little")[:COUNT]
    assert sorted(archive.order[bits == 1].tolist()) == answer.rows.tolist()


def test_half_made_and_damaged_archives_are_said_in_a_sentence(table, tmp_path):
    folder = tmp_path / "storms"
    for name in ("points.gz", "events.parquet", "groups.npy", "summary.json"):
        content = (folder / name).read_bytes()
        for wrong in (b"", content[: len(content) // 2], b"\x00" * 64, DEEP):
            (folder / name).write_bytes(wrong)
            with pytest.raises(DataSourceError, match=f"{name}.*storms is missing or damaged"):
                OpenArchive(folder)
        (folder / name).write_bytes(content)
    OpenArchive(folder)
    (folder / "summary.json").write_bytes(b"[]")
    with pytest.raises(DataSourceError, match=r"summary\.json"):
        OpenArchive(folder)
    (folder / "summary.json").write_bytes(b"{}")
    early = OpenArchive(folder)
    groups = np.load(folder / "groups.npy")
    for array in (groups.astype(np.float64), groups[:, None], groups - 1, groups[:-1]):
        np.save(folder / "groups.npy", array)
        with pytest.raises(DataSourceError, match="is missing or damaged"):
            OpenArchive(folder)
    np.save(folder / "groups.npy", groups)
    assert len(early.groups) == COUNT, "a file that is cut short later harms nobody"
    (folder / "headlines.parquet").write_bytes(b"PAR1")
    with pytest.raises(DataSourceError, match=r"headlines.parquet"):
        OpenArchive(folder).ask(ArchiveQuery(words="storm"))
    (folder / "summary.json").unlink()
    with pytest.raises(DataSourceError, match="storms is not finished"):
        open_archive(folder)


def test_it_is_opened_once_and_again_where_it_was_made_anew(table, tmp_path):
    first = open_archive(tmp_path / "storms")
    assert open_archive(tmp_path / "storms") is first
    with pytest.raises(InputError, match="another file"):
        made(tmp_path / "storms", 500)
    summary = tmp_path / "storms" / "summary.json"
    summary.write_bytes(summary.read_bytes() + b"\n")
    assert open_archive(tmp_path / "storms") is not first


def test_archives_are_found_by_their_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    assert kept_archives() == {}
    made(archives_folder() / "own", 50)
    made(archives_folder() / "for-all", 50, shared=True)
    (archives_folder() / "No archive").mkdir()
    made(archives_folder() / ".begun", 50)
    no_text = archives_folder() / os.fsdecode(b"\xff")
    no_text.mkdir()
    (no_text / "headlines.parquet").write_bytes(b"")
    assert set(kept_archives()) == {"own", "for-all"}
    made(archives_folder() / "News 2025 (100 %)", 50)
    assert kept_archives()["News 2025 (100 %)"] == archives_folder() / "News 2025 (100 %)"
    shutil.rmtree(archives_folder() / "News 2025 (100 %)")
    (archives_folder() / "for-all" / "summary.json").unlink()
    assert list(kept_archives()) == ["own", "for-all"], "the one that is not finished comes last"
    made(archives_folder() / "for-all", 50, shared=True)
    assert {name for name, path in kept_archives().items() if is_shared(path)} == {"for-all"}
    made(archives_folder() / "for-all", 50)
    assert not is_shared(archives_folder() / "for-all"), "as the last run said"
    assert name_for(Path("/a/News 2025 (May).csv.gz")) == "news-2025-may"
    assert name_for(Path("新聞.csv")) == "新聞"
    assert name_for(Path(".hidden.csv")) == "hidden"
    for nameless in ("...csv", "?.csv", ".csv.gz"):
        with pytest.raises(InputError, match="gives its archive no name"):
            name_for(Path(nameless))
