import json
import re
import shutil
import sys
import threading
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.metrics import adjusted_mutual_info_score

from core import limits
from core.archive import cells, comparing, grouping, reading
from core.archive import vectors as vector_files
from core.archive.build import ArchiveSettings, build
from core.archive.cluster import computing, local_backend
from core.archive.events import MATCH
from core.archive.folder import GROUPS, HEADLINES, ArchiveFolder, at_work
from core.archive.kept import SHIPPED, archives_folder, free_name, keep_upload, summary_of
from core.archive.opened import OpenArchive
from core.archive.query import ArchiveQuery
from core.archive.resuming import beginning_or_all, unfinished
from core.archive.vectors import ENCODING_STEP, encode, vectors
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from core.errors import Cancelled, CoreError
from core.events.grouping import Settings, prepare
from core.files import ROOT
from core.groups.quality import quality
from core.runtime import Runtime
from tests.ray_cluster import running, workers

UCI = ROOT / "samples/uci/uci_stories.csv.gz"


@pytest.fixture(scope="module")
def sample():
    table = pd.read_csv(UCI, dtype=str).iloc[::8].reset_index(drop=True)
    return pd.DataFrame(
        {
            "headline": table["TITLE"],
            "published": pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True),
            "publisher": table["PUBLISHER"],
        }
    ).sort_values("published", ignore_index=True)


@pytest.fixture
def file(sample, tmp_path):
    path = tmp_path / "news.csv"
    sample.to_csv(path, index=False)
    return path


@pytest.fixture
def small(monkeypatch):
    """Parts of a hundred headlines, so that a sample has several."""
    monkeypatch.setattr(vector_files, "PART", 100)
    monkeypatch.setattr(comparing, "ROWS", 128)
    monkeypatch.setattr(comparing, "_COLUMNS", 64)
    monkeypatch.setattr(comparing, "_ROWS_AT_ONCE", 24)


@pytest.fixture(params=["", "150"], ids=["", "crowded"])
def crowded(request, monkeypatch):
    """Windows in which all are compared, or crowded ones in which all cells are near."""
    if request.param:
        monkeypatch.setenv(limits.ARCHIVE_WINDOW.variable, request.param)
        monkeypatch.setattr(cells, "_MEMBERS", 30)
    return bool(request.param)


@pytest.mark.parametrize("window", [pytest.param(0, marks=pytest.mark.slow), 3])
def test_every_pair_of_the_window_is_found(sample, tmp_path, small, window, *, crowded):
    folder = ArchiveFolder(tmp_path / "a", {})
    encode(pa.chunked_array([sample["headline"]]), "en", folder, Runtime(), local_backend)
    # Days with gaps between them, and one that no headline has.
    days = np.sort(np.random.default_rng(5).choice([0, 1, 2, 4, 9], len(sample))).astype(np.int64)
    blocks = comparing.compare(days, window, folder, Runtime(half=True), local_backend)
    assert folder.holds("cells/0") == crowded
    left, right, bits = np.concatenate([folder.array(f"pairs/{n}") for n in range(blocks)], axis=1)
    rows = vectors(folder, 0, len(sample))
    apart = np.abs(days[:, None] - days[None])
    faded = np.where(apart <= window, rows @ rows.T * np.exp(-apart / 5.0), 0.0)
    expected = np.argwhere(np.triu(faded >= comparing.FOUND, 1))
    assert sorted(zip(left.tolist(), right.tolist(), strict=True)) == list(map(tuple, expected.tolist()))

    assert np.allclose(bits.view(np.float32), faded[left, right], atol=1e-5)


@pytest.mark.slow
def test_headlines_of_several_languages_meet_by_their_meaning(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_files, "PART", 100)
    file, steps = tmp_path / "news.csv", list[float]()
    table = pd.read_csv(ROOT / "tests/data/languages/news.csv", dtype=str)
    table.rename(columns={"event": "group"}).drop(columns="language").to_csv(file, index=False)

    def report(step, done, total):
        if step == ENCODING_STEP:
            steps.append(done / total)

    runtime = Runtime(report=report, cache=tmp_path / "cache")  # nothing is encoded yet
    summary = build(file, tmp_path / "a", ArchiveSettings(), {}, runtime)
    assert summary["language"] == "mixed"
    assert summary["ami"] > 0.8  # 0.35 by static English word pieces and words
    assert len(steps) > 4
    assert steps == sorted(steps)


def test_pairs_are_the_same_on_any_number_of_threads(sample, tmp_path, small, monkeypatch):
    days = np.repeat([0, 1, 3], len(sample) // 3)
    found = []
    for count in (1, 3):
        monkeypatch.setattr(comparing, "_WORTH_THREADS", 1)
        monkeypatch.setattr(comparing, "workers_for", lambda _, count=count: count)
        folder = ArchiveFolder(tmp_path / str(count), {})
        encode(pa.chunked_array([sample["headline"]]), "en", folder, Runtime(), local_backend)
        blocks = comparing.compare(days, 3, folder, Runtime(), local_backend)
        found.append([folder.array(f"pairs/{n}").tobytes() for n in range(blocks)])
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_damaged_part_is_named_and_made_again(file, tmp_path):
    out = tmp_path / "a"

    def made():
        return build(file, out, ArchiveSettings(), {}, Runtime())["groups"]

    def is_named(name, content):
        (out / name).write_bytes(content)
        with pytest.raises(CoreError, match=f"{re.escape(name)} of the archive a is missing or damaged"):
            made()

    first = made()
    is_named("merges.npy", b"\x93NUMPY")
    for name in ("merges.npy", "level.npy", "points.gz", "pairs/0.npy", "reading.json"):
        (out / name).unlink()
        assert made() == first
    (out / "merges.npy").unlink()
    is_named("pairs/0.npy", b"")
    is_named("headlines.parquet", b"PAR1")
    is_named("archive.json", b"PAR1")
    shutil.rmtree(out)
    assert made() == first


def test_rows_that_cannot_be_used_are_counted_and_the_undated_stand_alone(tmp_path):
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


@pytest.mark.slow
def test_an_archive_is_cut_where_a_run_of_it_agrees_best_with_the_page_and_says_how_good_it_is(tmp_path):
    table = pd.read_csv(UCI, dtype=str).iloc[:90]
    table.to_csv(tmp_path / "news.csv", index=False)
    columns = {Field.HEADLINE: ("TITLE",), Field.PUBLISHED: ("TIMESTAMP",), Field.GOLD: ("STORY",)}
    steps: list[tuple[str, int, int]] = []
    runtime = Runtime(report=lambda *step: steps.append(step))
    summary = build(tmp_path / "news.csv", tmp_path / "a", ArchiveSettings(), columns, runtime)
    read = [(done, total) for step, done, total in steps if step == reading.STEP]
    assert read == [(1, 2), (90, 90)]
    assert list(summary["seconds"]) == ["read", "encode", "compare", "group", "map"]
    assert (summary["all_compared"], summary["shared"], summary["window_days"]) == (True, False, 3)
    headlines, groups = pd.read_parquet(tmp_path / "a" / HEADLINES), np.load(tmp_path / "a" / f"{GROUPS}.npy")
    gold = quality(groups, headlines["gold_group"].tolist())
    assert all(summary[name] == round(gold[name].value, 4) for name in MATCH)
    timeline = load((tmp_path / "news.csv").read_bytes(), "n.csv", mapping=columns)
    page = prepare(timeline, Settings(), Runtime())
    rows = [page.timeline.texts.index(text) for text in headlines["headline"]]
    best = adjusted_mutual_info_score(page.reference[rows], groups)
    assert best > 0.8
    events = pd.read_parquet(tmp_path / "a" / "events.parquet")
    sizes = pd.Series(groups).value_counts()
    assert events["headlines"].tolist() == sizes[events["group"]].tolist()
    order = sorted(zip(-sizes, sizes.index, strict=True))
    assert list(zip(-events["headlines"], events["group"], strict=True)) == order
    first = headlines.groupby(groups)
    assert events["title"].tolist() == first["headline"].first()[events["group"]].tolist()
    assert events["last"].tolist() == first["published"].max()[events["group"]].tolist()
    for cut in (0.1, 0.4, 0.6, 0.8, 1.0):
        build(tmp_path / "news.csv", tmp_path / "a", ArchiveSettings(granularity=cut), columns, Runtime())
        other = np.load(tmp_path / "a" / f"{GROUPS}.npy")
        assert adjusted_mutual_info_score(page.reference[rows], other) <= best
    with pytest.raises(CoreError, match="is not empty and holds no archive"):
        build(tmp_path / "news.csv", tmp_path, ArchiveSettings(), columns, Runtime())


def test_the_beginning_of_a_long_file_can_be_looked_at_until_all_is_grouped(
    sample, file, tmp_path, monkeypatch
):
    out = tmp_path / "news"
    assert beginning_or_all(file, out, None, Runtime()) == "", "a short file"
    monkeypatch.setattr(reading, "ROWS", 200)
    monkeypatch.setattr("core.archive.resuming.FIRST", 120)
    monkeypatch.setattr("core.archive.grouping.level", lambda *_: 0.9)
    name = beginning_or_all(file, out, None, Runtime())
    assert [(at, of) for at, of, _ in unfinished(tmp_path)] == [(out.name, file)]
    beginning = OpenArchive(tmp_path / name)
    assert len(beginning) == 120
    assert beginning.texts["headline"][0].as_py() == sample["headline"][0]
    assert len(beginning.events) < 120
    assert beginning_or_all(file, out, name, Runtime()) == out.name
    assert len(OpenArchive(out)) == len(sample)
    assert not (tmp_path / name).exists()
    assert not list(unfinished(tmp_path))


def stopping(step):
    """A runtime that is stopped within a step."""
    stop = threading.Event()
    return Runtime(report=lambda name, done, _: stop.set() if name == step and done else None, stop=stop)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_stopped_archive_says_how_far_it_came_and_goes_on_with_its_settings(
    file, sample, tmp_path, monkeypatch
):
    monkeypatch.setattr(reading, "ROWS", 200)
    out, settings = tmp_path / "news", ArchiveSettings(window=2, granularity=0.9)
    for step, said in (
        ("Reading headlines", "no row is kept"),
        ("Encoding headlines", f"at headline 100 of {len(sample)}, while they were encoded"),
        ("Comparing headlines", f"at headline 128 of {len(sample)}, while they were compared"),
    ):
        with pytest.raises(Cancelled):
            build(file, out, settings, {}, stopping(step))
        ((name, source, far),) = unfinished(tmp_path)
        assert (name, source) == ("news", file)
        assert said in far
    with at_work(out):
        assert not list(unfinished(tmp_path)), "somebody makes it at this moment"
        with pytest.raises(CoreError, match="is being made at this moment"):
            build(file, out, settings, {}, Runtime())
    beginning_or_all(file, out, "", Runtime())
    assert summary_of(out)["window_days"] == 2
    assert not list(unfinished(tmp_path))


@pytest.mark.usefixtures("small")
def test_joining_moves_and_is_stopped_in_each_of_its_parts(file, tmp_path):
    said = []
    build(file, tmp_path / "a", ArchiveSettings(), {}, Runtime())  # what it encodes is known from here on
    build(file, tmp_path / "b", ArchiveSettings(), {}, Runtime(report=lambda *step: said.append(step)))
    steps = list(dict.fromkeys(step for step, *_ in said))
    joining = steps[steps.index("Comparing headlines") + 1 : steps.index("Laying out the map")]
    assert set(joining) > {"Reading places", "Reading links", "Joining groups", grouping.STEP}
    for at, step in enumerate(joining):
        assert len({reached for name, reached, _ in said if name == step}) > 1
        with pytest.raises(Cancelled):
            build(file, tmp_path / f"{at}", ArchiveSettings(), {}, stopping(step))
    assert build(file, tmp_path / "0", ArchiveSettings(), {}, Runtime())["groups"]


REFUSED = {
    "empty.csv": b"",
    "picture.csv": b"\x89PNG\r\n\x1a\n" + bytes(400),
    "zipped.csv": b"PK\x03\x04" + bytes(60),
    "damaged.parquet": b"PAR1xxxxPAR1",
    "cut-off.csv.gz": b"\x1f\x8bbroken",
    "undated.csv": b"headline\nStorm\nRain\n",
    "no-headline.csv": b"headline,published\n,2024-01-01\n",
    "\U0001f600.csv": b"headline,published\nStorm,2024-01-01\n",
}


class _Unreadable(BytesIO):
    def read(self, *_):
        raise OSError("the sender is gone")


def test_a_refused_file_leaves_nothing_in_the_folder_of_archives():
    def send(name, content):
        sent = keep_upload(BytesIO(content), name, len(content))
        out = archives_folder() / free_name(sent)
        beginning_or_all(sent, out, beginning_or_all(sent, out, None, Runtime()), Runtime())

    for refused in REFUSED.items():
        with pytest.raises(CoreError):
            send(*refused)
    with pytest.raises(OSError, match="sender"):
        keep_upload(_Unreadable(), "news.csv", 9)
    assert [path for path in archives_folder().rglob("*") if path.name != ".uploads"] == []


def test_a_file_that_no_archive_can_be_made_of_leaves_nothing_to_go_on_with(tmp_path):
    (tmp_path / "news.csv").write_text("headline\nStorm\nRain\n")
    with pytest.raises(CoreError, match="has a date"):
        build(tmp_path / "news.csv", tmp_path / "news", ArchiveSettings(), {}, Runtime())
    assert not list(unfinished(tmp_path))


def test_a_file_that_grew_is_told_from_another_and_one_that_moved_is_the_same(tmp_path):
    file, moved = tmp_path / "news.csv", tmp_path / "moved.csv"
    file.write_text("headline,published\nStorm,2024-05-01\n")
    settings = ArchiveSettings(granularity=0.9)
    build(file, tmp_path / "a", settings, {}, Runtime())
    file.rename(moved)
    assert build(moved, tmp_path / "a", settings, {}, Runtime())["headlines"] == 1
    with moved.open("a") as more:
        more.write("Rain,2024-05-02\n")
    with pytest.raises(CoreError, match="before it grew"):
        build(moved, tmp_path / "a", settings, {}, Runtime())
    moved.write_text("headline,published\nStone,2024-05-01\nRain,2024-05-02\n")
    with pytest.raises(CoreError, match="another file"):
        build(moved, tmp_path / "a", settings, {}, Runtime())


@pytest.mark.parametrize(
    ("content", "message", "no_timeline"),
    [
        (b"headline\nStorm\nRain\n", "No headline of the file has a date", False),
        (b"headline,published\n,2024-01-01\n", r"No row of the file can be used\. Line 2: \w", False),
        (b"", "The file is empty", True),
        (b"\xef\xbb\xbf \n\n", "The file is empty", True),
        (b"headline,published\n", "has a header but no rows", True),
    ],
)
def test_a_file_that_is_no_archive_is_refused_in_the_words_of_a_timeline(
    tmp_path, content, message, no_timeline
):
    file = tmp_path / "news.csv"
    file.write_bytes(content)
    for _ in range(2):
        with pytest.raises(CoreError, match=message) as of_archive:
            build(file, tmp_path / "a", ArchiveSettings(), {}, Runtime())
    if no_timeline:
        with pytest.raises(CoreError) as of_timeline:
            load(content, "news.csv")
        assert str(of_archive.value) == str(of_timeline.value)
    file.write_text("headline,published\nStorm,2024-05-01\n")
    assert build(file, tmp_path / "a", ArchiveSettings(granularity=0.9), {}, Runtime())["headlines"] == 1


def test_a_finished_folder_says_what_is_another_file_column_or_setting(tmp_path):
    first, other = tmp_path / "first.csv", tmp_path / "other.csv"
    first.write_text("headline,published,note\nStorm,2024-05-01,Rain\n")
    other.write_text("headline,published,note\nStorms,2024-05-01,Rain\n")

    def made(file, given=(), **settings):
        build(file, tmp_path / "a", ArchiveSettings(granularity=0.9, **settings), dict(given), Runtime())

    made(first)
    with pytest.raises(CoreError, match="There is no column 'nope'"):
        made(first, {Field.HEADLINE: ("nope",)})
    for message, file, given, settings in (
        ("another file", other, {}, {}),
        ("this file with other settings: window", first, {}, {"window": 2}),
        ("this file with other settings: columns, window", first, {Field.HEADLINE: ("note",)}, {"window": 5}),
    ):
        with pytest.raises(CoreError, match=message):
            made(file, given, **settings)


def test_what_is_shown_of_uci_has_no_backslashes():
    archive = OpenArchive(SHIPPED)
    shown = archive.table(np.arange(len(archive)))
    for field in (Field.HEADLINE, Field.PUBLISHER, Field.URL):
        assert not shown[field.value].dropna().str.contains("\\", regex=False).any()
    assert len(set(archive.outlets)) == len(archive.outlets)
    found = [
        archive.ask(ArchiveQuery(outlet=f"Law360 {rest}")).rows
        for rest in ("(subscription)", r"\(subscription\)")
    ]
    assert len(found[0])
    assert np.array_equal(*found), "links that have the outlet as it was shown before"


@pytest.mark.slow
def test_the_groups_of_uci_are_as_good_as_those_of_all_pairs(tmp_path):
    """AMI .918 on the page Timeline, .904 with all pairs of the same vectors."""
    columns = {Field.HEADLINE: ("TITLE",), Field.PUBLISHED: ("TIMESTAMP",), Field.GOLD: ("STORY",)}
    summary = build(UCI, tmp_path / "a", ArchiveSettings(), columns, Runtime())
    assert summary["ami"] > 0.904 - 0.01
    shipped = np.load(SHIPPED / f"{GROUPS}.npy")
    assert adjusted_mutual_info_score(shipped, np.load(tmp_path / "a" / f"{GROUPS}.npy")) > 0.99
    texts = pd.read_parquet(SHIPPED / HEADLINES)["headline"]
    assert texts.equals(pd.read_parquet(tmp_path / "a" / HEADLINES)["headline"])


@pytest.mark.slow
def test_a_crowded_day_is_grouped_as_well_as_if_all_were_compared(tmp_path, monkeypatch):
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


@pytest.fixture(scope="module")
def cluster():
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def connection(cluster):
    with computing(cluster.address) as backend:
        yield backend


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_and_a_machine_makes_the_same_archive(
    cluster, connection, tmp_path, monkeypatch
):
    monkeypatch.setattr(vector_files, "PART", 100)
    monkeypatch.setattr(comparing, "ROWS", 64)
    monkeypatch.setenv(limits.ARCHIVE_WINDOW.variable, "300")  # the first blocks are crowded, the last not
    table = pd.read_csv(UCI, dtype=str).iloc[::8]
    published = pd.to_datetime(table["TIMESTAMP"].astype("int64"), unit="ms", utc=True)
    file = tmp_path / "news.csv"
    pd.DataFrame({"headline": table["TITLE"], "published": published}).to_csv(file, index=False)
    build(file, tmp_path / "here", ArchiveSettings(), {}, Runtime())
    killed: list[str] = []

    def report(step, done, total):
        if step == ENCODING_STEP and done == 1 and step not in killed:
            killed.append(step)
            workers()[0].kill()
        if step == comparing.STEP and done == 2 and step not in killed:
            killed.append(step)
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    build(file, tmp_path / "there", ArchiveSettings(), {}, Runtime(report=report), backend=connection)
    assert killed == [ENCODING_STEP, comparing.STEP]
    arrays = sorted(path.relative_to(tmp_path / "here") for path in (tmp_path / "here").rglob("*.npy"))
    assert len(arrays) > 20
    for name in [*arrays, Path("events.parquet"), Path("headlines.parquet")]:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes(), name


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "The cluster '127.0.0.1:1' cannot be reached: .*ray start --head"),
        ("http://127.0.0.1:8265", "is no address of a cluster. Write it as ray://"),
        ("ray://somewhere", "is no address of a cluster"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_one_sentence(address, message):
    with pytest.raises(CoreError, match=message), computing(address):
        pass


def test_without_ray_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    message = r"not installed\. Run `pip install 'headline-lab\[cluster\]'`"
    with pytest.raises(CoreError, match=message), computing("127.0.0.1:1"):
        pass
