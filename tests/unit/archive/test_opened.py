import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.archive.build import ArchiveSettings, build
from core.archive.folder import MANIFEST, SUMMARY
from core.archive.kept import archives_folder, free_name, is_shared, kept_archives, name_for
from core.archive.opened import open_archive
from core.archive.points import SPAN
from core.archive.query import ArchiveQuery
from core.archive.resuming import remove_unfinished
from core.errors import InputError
from core.runtime import Runtime
from tests.archives import made

COUNT = 900


@pytest.fixture
def table(tmp_path):
    return made(tmp_path / "storms", COUNT)


@pytest.fixture
def archive(table, tmp_path):
    return open_archive(tmp_path / "storms")


def found(archive, **asked):
    return archive.ask(ArchiveQuery(**asked)).rows.tolist()


@pytest.mark.parametrize(
    "lasso",
    [
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


def test_the_groups_of_an_answer_are_counted(archive):
    answer = archive.ask(ArchiveQuery(words="dover"))
    numbers = archive.events["group"].to_numpy()[answer.groups]
    counted = pd.Series(archive.groups[answer.rows]).value_counts()
    assert dict(zip(numbers.tolist(), answer.counts.tolist(), strict=True)) == counted.to_dict()
    assert (np.diff(answer.counts) <= 0).all()
    bits = np.unpackbits(np.frombuffer(archive.marked(answer), np.uint8), bitorder="little")[:COUNT]
    assert sorted(archive.order[bits == 1].tolist()) == answer.rows.tolist()


def test_accents_do_not_count_in_a_search(archive):
    assert found(archive, words="oran") == found(archive, words="ORÁN") != []
    assert found(archive, words="dóver") == found(archive, words="dover")


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
    assert {name for name, path in kept_archives().items() if is_shared(path)} == {"for-all"}
    made(archives_folder() / "for-all", 50)
    assert not is_shared(archives_folder() / "for-all"), "as the last run said"
    assert name_for(Path("/a/News 2025 (May).csv.gz")) == "news-2025-may"
    for nameless in ("...csv", "?.csv", ".csv.gz"):
        with pytest.raises(InputError, match="gives its archive no name"):
            name_for(Path(nameless))


@pytest.mark.slow
def test_a_file_of_the_same_name_gets_an_archive_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    for content, name in (("A", "news"), ("B", "news-2"), ("A", "news")):
        file = tmp_path / content / "news.csv"
        file.parent.mkdir(exist_ok=True)
        row = f"2026-03-01,Headline {content} of the day\n2026-03-02,Another {content} headline\n"
        file.write_text(f"published,headline\n{row}")
        assert free_name(file) == name
        build(file, archives_folder() / name, ArchiveSettings(), {}, Runtime())


def test_what_was_stopped_goes_with_its_beginning_but_not_with_a_finished_one(tmp_path):
    for name, files in (
        ("a", {MANIFEST}),
        ("a-first", {MANIFEST}),
        ("b", {MANIFEST}),
        ("b-first", {MANIFEST, SUMMARY}),
    ):
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text("{}")
    for name in "ab":
        remove_unfinished(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["b-first"]
