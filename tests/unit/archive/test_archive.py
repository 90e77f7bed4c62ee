"""Archives: every pair of the window is found, and a stopped run goes on and ends the same."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import pyarrow
import pytest

from core import limits
from core.archive import build as neighbours
from core.archive import cells, layout
from core.archive.build import ArchiveSettings, build, level
from core.archive.cells import linked
from core.archive.cluster import Here
from core.archive.reading import HEADLINES, ArchiveFolder
from core.data.timelines.load import load_path
from core.data.timelines.timeline import Field
from core.errors import Cancelled, CoreError, InputError
from core.files import ROOT
from core.pairs.features.word_vectors import word_vectors
from core.pairs.scorers.cosine import embed
from core.runtime import Runtime

UCI = ROOT / "samples/uci/uci_stories.csv.gz"


@pytest.fixture(scope="module")
def sample() -> pd.DataFrame:
    """Six hundred headlines over three days, as a table with the names of the fields."""
    table = pd.read_csv(UCI, dtype=str).iloc[::8].reset_index(drop=True)
    return pd.DataFrame(
        {
            "headline": table["TITLE"],
            "published": pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True),
            "publisher": table["PUBLISHER"],
        }
    ).sort_values("published", ignore_index=True)


@pytest.fixture
def file(sample: pd.DataFrame, tmp_path: Path) -> Path:
    path = tmp_path / "news.csv"
    sample.to_csv(path, index=False)
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of a hundred headlines, so that a sample has several."""
    monkeypatch.setattr(layout, "PART", 100)
    monkeypatch.setattr(neighbours, "_ROWS", 128)
    monkeypatch.setattr(neighbours, "_COLUMNS", 64)
    monkeypatch.setattr(neighbours, "_ROWS_AT_ONCE", 24)


def test_a_product_blends_meaning_and_words(sample: pd.DataFrame, tmp_path: Path, small: None) -> None:
    texts = sample["headline"].tolist()
    folder = ArchiveFolder(tmp_path / "a", {})
    layout.encode(texts, folder, Runtime(), Here())
    found = layout.vectors(folder, 0, len(texts))
    meaning, words = embed(texts), word_vectors(texts)
    exact = 0.65 * meaning @ meaning.T + 0.35 * (words @ words.T).toarray()
    upper = np.triu_indices(len(texts), 1)
    error = (found @ found.T - exact)[upper]
    assert abs(error.mean()) < 0.003
    assert error.std() < 0.35 / np.sqrt(layout.WORDS) * 1.1, "as random signs have it"
    assert np.array_equal(layout.vectors(folder, 95, 207), found[95:207]), "across parts"


@pytest.fixture(params=["", "150"], ids=["", "crowded"])
def crowded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Windows in which all are compared, or crowded ones in which all cells are near."""
    if request.param:
        monkeypatch.setenv(limits.ARCHIVE_WINDOW.variable, request.param)
        monkeypatch.setattr(cells, "_MEMBERS", 30)
    return bool(request.param)


@pytest.mark.parametrize("window", [0, 3])
def test_every_pair_of_the_window_is_found(
    sample: pd.DataFrame, tmp_path: Path, small: None, window: int, *, crowded: bool
) -> None:
    folder = ArchiveFolder(tmp_path / "a", {})
    layout.encode(sample["headline"].tolist(), folder, Runtime(), Here())
    # Days with gaps between them, and one that no headline has.
    days = np.sort(np.random.default_rng(5).choice([0, 1, 2, 4, 9], len(sample))).astype(np.int64)
    blocks = neighbours.compare(days, window, folder, Runtime(half=True), Here())
    assert folder.holds("cells/0") == crowded
    left, right, bits = np.concatenate([folder.array(f"pairs/{n}") for n in range(blocks)], axis=1)
    rows = layout.vectors(folder, 0, len(sample))
    apart = np.abs(days[:, None] - days[None])
    faded = np.where(apart <= window, rows @ rows.T * np.exp(-apart / 5.0), 0.0)
    expected = np.argwhere(np.triu(faded >= neighbours.FOUND, 1))
    assert sorted(zip(left.tolist(), right.tolist(), strict=True)) == list(map(tuple, expected.tolist()))

    assert np.allclose(bits.view(np.float32), faded[left, right], atol=1e-5)


def test_pairs_are_the_same_on_any_number_of_threads(
    sample: pd.DataFrame, tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = np.repeat([0, 1, 3], len(sample) // 3)
    found = []
    for workers in (1, 3):
        monkeypatch.setattr(neighbours, "_WORTH_THREADS", 1)
        monkeypatch.setattr(neighbours, "workers_for", lambda _, workers=workers: workers)
        folder = ArchiveFolder(tmp_path / str(workers), {})
        layout.encode(sample["headline"].tolist(), folder, Runtime(), Here())
        blocks = neighbours.compare(days, 3, folder, Runtime(), Here())
        found.append([folder.array(f"pairs/{n}").tobytes() for n in range(blocks)])
    assert found[0] == found[1]


def test_links_are_scaled_by_their_neighbourhoods(sample: pd.DataFrame, tmp_path: Path, small: None) -> None:
    folder, count = ArchiveFolder(tmp_path / "a", {}), len(sample)
    layout.encode(sample["headline"].tolist(), folder, Runtime(), Here())
    days = np.zeros(count, dtype=np.int64)
    blocks = neighbours.compare(days, 3, folder, Runtime(), Here())
    matrix = linked(count, blocks, folder)
    rows = layout.vectors(folder, 0, count)
    faded = rows @ rows.T
    np.fill_diagonal(faded, 0.0)
    kept = np.where(faded >= neighbours.FOUND, faded, neighbours.FOUND)
    k = max(10, int(4 * (1 + (faded >= 0.4).sum() / count)))
    near = np.sort(kept, axis=1)[:, ::-1][:, :k].mean(axis=1)
    scale = (near / near.mean()) ** (-0.75 / 2)
    scaled = np.where(faded >= neighbours.FOUND, faded * scale[:, None] * scale[None], 0.0)
    expected = np.where(scaled >= 0.3, np.minimum(scaled, 1.0), 0.0)
    assert np.abs(matrix.toarray() - expected)[np.abs(scaled - 0.3) > 1e-4].max() < 1e-4
    assert (matrix != matrix.T).nnz == 0


def test_a_run_that_was_stopped_goes_on_and_ends_the_same(
    file: Path, tmp_path: Path, small: None, *, crowded: bool
) -> None:
    whole, broken, settings = tmp_path / "whole", tmp_path / "broken", ArchiveSettings(window=2)
    build(file, whole, settings, {}, Runtime())
    stops = 0
    while True:
        runtime, reports = Runtime(), 0

        def report(step: str, done: int, total: int, runtime: Runtime = runtime) -> None:
            nonlocal reports
            reports += 1
            if reports > 30:
                runtime.stop.set()

        try:
            build(file, broken, settings, {}, replace(runtime, report=report) if stops < 40 else runtime)
            break
        except Cancelled:
            stops += 1
    assert stops > 3
    for name in ("groups.npy", "places.npy"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()
    assert not list(broken.rglob(".*.partial"))
    assert (broken / "cells").exists() == crowded


def test_another_cut_computes_no_pair_again(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "a"
    fine = build(file, out, ArchiveSettings(granularity=0.5), {}, Runtime())
    times = {path: path.stat().st_mtime_ns for path in out.glob("*/*.npy")}
    coarse = build(file, out, ArchiveSettings(granularity=0.95), {}, Runtime())
    assert times == {path: path.stat().st_mtime_ns for path in out.glob("*/*.npy")}
    assert coarse["groups"] < fine["groups"]
    assert (fine["granularity"], coarse["granularity"]) == (0.5, 0.95)


def test_a_folder_of_something_else_is_left_alone(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="holds no archive"):
        build(file, out, ArchiveSettings(), {}, Runtime())
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]
    ArchiveFolder(tmp_path / "a", {"file": "another"})
    (tmp_path / "a" / HEADLINES).write_bytes(b"")
    with pytest.raises(InputError, match="another file or with other settings"):
        build(file, tmp_path / "a", ArchiveSettings(), {}, Runtime())


def test_a_damaged_part_is_named_and_made_again(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "a"
    first = build(file, out, ArchiveSettings(), {}, Runtime())
    (out / "merges.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(CoreError, match=r"merges\.npy of the archive .* is missing or damaged"):
        build(file, out, ArchiveSettings(), {}, Runtime())
    for name in ("merges.npy", "level.npy", "points.gz", "pairs/0.npy", "reading.json"):
        (out / name).unlink()
        assert build(file, out, ArchiveSettings(), {}, Runtime())["groups"] == first["groups"]
    (out / "pairs" / "0.npy").write_bytes(b"")
    (out / "merges.npy").unlink()
    with pytest.raises(CoreError, match=r"pairs/0\.npy of the archive a is missing or damaged"):
        build(file, out, ArchiveSettings(), {}, Runtime())
    for name in ("headlines.parquet", "archive.json"):
        (out / name).write_bytes(b"PAR1")
        with pytest.raises(CoreError, match="is missing or damaged") as told:
            build(file, out, ArchiveSettings(), {}, Runtime())
        assert name in told.value.message
        assert told.value.hint == "Delete the folder and run the same command again: all of it is made anew."
    shutil.rmtree(out)
    assert build(file, out, ArchiveSettings(), {}, Runtime())["groups"] == first["groups"]


def test_rows_that_cannot_be_used_are_counted_and_the_undated_stand_alone(tmp_path: Path) -> None:
    file = tmp_path / "news.tsv"
    file.write_text(
        "title\twhen\n"
        "Storm shuts the port of Dover\t2024-05-02\n"
        "\t2024-05-02\n"
        "Storm shuts the port of Dover\t\n"
        "Port of Dover shut by storm\t2024-05-01\n"
    )
    columns = {Field.HEADLINE: ("title",), Field.PUBLISHED: ("when",)}
    summary = build(file, tmp_path / "a", ArchiveSettings(granularity=0.9), columns, Runtime())
    assert {name: summary[name] for name in ("headlines", "left_out", "undated", "groups", "alone")} == {
        "headlines": 3, "left_out": 1, "undated": 1, "groups": 2, "alone": 1,
    }  # fmt: skip
    table = pd.read_parquet(tmp_path / "a" / HEADLINES)
    assert table["headline"].tolist() == [
        "Port of Dover shut by storm", "Storm shuts the port of Dover", "Storm shuts the port of Dover",
    ]  # fmt: skip
    assert np.load(tmp_path / "a" / "groups.npy").tolist() == [1, 1, 2]
    events = pd.read_parquet(tmp_path / "a" / "events.parquet")
    assert events["headlines"].tolist() == [2, 1]
    assert json.loads((tmp_path / "a" / "summary.json").read_text()) == summary


@pytest.mark.parametrize("cores", [1, 4])
def test_separator_and_encoding_are_found_and_rows_of_another_width_counted(
    tmp_path: Path, cores: int, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(partial(pyarrow.set_cpu_count, pyarrow.cpu_count()))
    pyarrow.set_cpu_count(cores)
    file = tmp_path / "news.csv"
    rows = "2024-05-01;Zürich öffnet den Flughafen wieder\n2024-05-01;zu;viele;Felder\n"
    file.write_bytes(("published;headline\n" + rows).encode("latin-1"))
    summary = build(file, tmp_path / "a", ArchiveSettings(granularity=0.9), {}, Runtime())
    assert (summary["headlines"], summary["left_out"], summary["undated"]) == (1, 1, 0)
    table = pd.read_parquet(tmp_path / "a" / HEADLINES)
    assert table["headline"].tolist() == ["Zürich öffnet den Flughafen wieder"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"headline\nStorm\nRain\n", "No headline of the file has a date"),
        (b"headline,published\n,2024-01-01\n", r"No row of the file can be used\. Line 2: \w"),
        (b"\x00\x01\xff\xfe\x00\x01" * 50, "text"),
        (b"", "no rows"),
    ],
)
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "news.csv"
    file.write_bytes(content)
    for _ in range(2):
        with pytest.raises(CoreError, match=message):
            build(file, tmp_path / "a", ArchiveSettings(), {}, Runtime())
    file.write_text("headline,published\nStorm,2024-05-01\n")
    assert build(file, tmp_path / "a", ArchiveSettings(granularity=0.9), {}, Runtime())["headlines"] == 1


def test_lists_beside_the_headlines_of_a_parquet_file_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "news.parquet"
    table = pd.DataFrame({"headline": ["Storm", "Rain"], "published": "2024-05-01", "tags": [["a"], []]})
    table.to_parquet(file)
    assert build(file, tmp_path / "a", ArchiveSettings(granularity=0.9), {}, Runtime())["headlines"] == 2
    table.assign(headline=[b"Storm\xff", b"Rain"]).to_parquet(file)
    build(file, tmp_path / "b", ArchiveSettings(granularity=0.9), {}, Runtime())
    assert pd.read_parquet(tmp_path / "b" / HEADLINES)["headline"].tolist() == load_path(file).texts


def test_repeated_headlines_of_a_crowded_day_stay_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(limits.ARCHIVE_WINDOW.variable, "500")
    titles = [*pd.read_csv(UCI, dtype=str)["TITLE"].iloc[::4], *["Storm shuts the port of Dover"] * 3_000]
    file = tmp_path / "news.csv"
    pd.DataFrame({"headline": titles, "published": "2024-05-01"}).to_csv(file, index=False)
    build(file, tmp_path / "a", ArchiveSettings(granularity=0.9), {}, Runtime())
    table = pd.read_parquet(tmp_path / "a" / HEADLINES)
    groups = np.load(tmp_path / "a" / "groups.npy")[table["headline"] == "Storm shuts the port of Dover"]
    assert len(np.unique(groups)) < 10
    monkeypatch.delenv(limits.ARCHIVE_WINDOW.variable)
    again = build(file, tmp_path / "a", ArchiveSettings(granularity=0.9), {}, Runtime())
    assert not again["all_compared"], "a folder keeps the pairs that it has"


@pytest.mark.slow
def test_the_groups_of_uci_are_as_good_as_those_of_all_pairs(tmp_path: Path) -> None:
    """AMI .918 on the page Timeline, .904 with all pairs of the same vectors."""
    columns = {Field.HEADLINE: ("TITLE",), Field.PUBLISHED: ("TIMESTAMP",), Field.GOLD: ("STORY",)}
    summary = build(UCI, tmp_path / "a", ArchiveSettings(), columns, Runtime())
    assert summary["ami"] > 0.904 - 0.01


@pytest.mark.slow
def test_a_crowded_day_is_grouped_as_well_as_if_all_were_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pd.read_csv(UCI, dtype=str)
    day = pd.DataFrame({"headline": table["TITLE"], "published": "2014-03-10", "gold_group": table["STORY"]})
    day.to_csv(tmp_path / "day.csv", index=False)
    found = {}
    for window in ("50000", "1000"):
        monkeypatch.setenv(limits.ARCHIVE_WINDOW.variable, window)
        settings = ArchiveSettings(granularity=0.9)
        found[window] = build(tmp_path / "day.csv", tmp_path / window, settings, {}, Runtime())
    assert [one["all_compared"] for one in found.values()] == [True, False]
    assert found["1000"]["ami"] > found["50000"]["ami"] - 0.01
    likely, every = (
        np.concatenate([np.load(one)[2].view(np.float32) for one in (tmp_path / name / "pairs").iterdir()])
        for name in ("1000", "50000")
    )
    assert (likely >= 0.5).sum() > 0.98 * (every >= 0.5).sum()
    assert len(likely) < len(every)


@pytest.mark.slow
def test_a_level_that_is_given_is_not_looked_for_and_one_that_is_not_is_found_later(
    file: Path, tmp_path: Path
) -> None:
    given, whole = tmp_path / "given", tmp_path / "whole"
    with patch("core.archive.build.level", wraps=level) as looked_for:
        assert build(file, given, ArchiveSettings(granularity=0.5), {}, Runtime())["granularity"] == 0.5
        assert not looked_for.called, "no run was grouped as a timeline"
        assert not (given / "level.npy").exists()
        found = build(file, whole, ArchiveSettings(), {}, Runtime())
        assert looked_for.called
    assert found["granularity"] == float(np.load(whole / "level.npy"))
    later = build(file, given, ArchiveSettings(), {}, Runtime())
    assert later["granularity"] == found["granularity"] != 0.5
    assert (given / "groups.npy").read_bytes() == (whole / "groups.npy").read_bytes()
