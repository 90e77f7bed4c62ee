"""Timelines and articles as folders that `datasets` and Croissant's readers open, and back."""

import json

import pyarrow as pa
import pytest
import yaml
from pyarrow import parquet

from core.data.articles.opening import load_articles
from core.data.dataset_files import dataset_files
from core.data.pair_sets.load import load_pair_set
from core.data.timelines.load import load_path
from core.data.timelines.samples import load_sample
from core.errors import CoreError
from headline_lab import group_headlines, read_timeline


@pytest.fixture
def headlines(command, tmp_path):
    folder = tmp_path / "events"
    code, _, err = command("group", "sample:iss", "--scorer", "levenshtein", "--out", folder)
    assert code == 0, err
    return folder


@pytest.fixture
def articles(command, tmp_path):
    folder = tmp_path / "written"
    code, _, err = command("write", "sample:articles", "--system", "first_sentence", "--out", folder)
    assert code == 0, err
    return folder


@pytest.mark.parametrize("place", ["", "arrow", "arrow/train", "train.parquet"])
def test_a_timeline_is_what_it_was(headlines, place):
    found, given = load_path(headlines / place), load_sample("iss")
    assert found.texts == given.texts
    assert found.publishers == given.publishers
    assert found.days.tolist() == given.days.tolist()
    numbers = group_headlines(given, scorer="levenshtein")["group"].tolist()
    assert found.original["group"].astype(int).tolist() == numbers
    assert read_timeline(str(headlines / place)).texts == given.texts


@pytest.mark.slow
@pytest.mark.parametrize("place", ["", "arrow"])
def test_articles_are_what_they_were(articles, place):
    found, given = load_articles(str(articles / place)), load_articles("sample:articles")
    for name in ("ids", "texts", "references", "clusters"):
        assert getattr(found, name) == getattr(given, name), name


def test_croissant_and_features_name_each_column_with_its_type(headlines):
    about = json.loads((headlines / "croissant.json").read_text())
    (records,) = about["recordSet"]
    types = {one["name"]: one["dataType"] for one in records["field"]}
    assert list(types) == parquet.read_table(headlines / "train.parquet").column_names
    assert (types["group"], types["headline"]) == ("sc:Integer", "sc:Text")
    features = json.loads((headlines / "arrow/train/dataset_info.json").read_text())["features"]
    assert features["group"]["dtype"] == "int64"


@pytest.mark.slow
def test_datasets_and_croissants_reader_open_both(headlines, articles, tmp_path):
    datasets, croissant = map(pytest.importorskip, ("datasets", "mlcroissant"))
    for folder, column in ((headlines, "headline"), (articles, "text")):
        texts = parquet.read_table(folder / "train.parquet")[column].to_pylist()
        assert datasets.load_dataset(str(folder), cache_dir=str(tmp_path))["train"][column][:] == texts
        assert datasets.load_from_disk(str(folder / "arrow"))["train"][column][:] == texts
        rows = list(croissant.Dataset(folder / "croissant.json").records("train"))
        assert [row[f"train/{column}"].decode() for row in rows] == texts


def stream(table, file):
    file.parent.mkdir(parents=True, exist_ok=True)
    with pa.ipc.new_stream(str(file), table.schema) as out:
        out.write_table(table)


def test_every_part_and_shard_of_what_datasets_saved_is_read(tmp_path):
    for part, place, titles in (("test", 0, ["A"]), ("train", 0, ["B", "C"]), ("train", 1, ["D"])):
        table = pa.table(
            {"headline": [f"Storm hits {title}" for title in titles], "tags": [["x"]] * len(titles)}
        )
        stream(table, tmp_path / part / f"data-0000{place}-of-00002.arrow")
    (tmp_path / "cache-1.arrow").write_bytes(b"no stream")
    assert load_path(tmp_path).texts == [f"Storm hits {title}" for title in "ABCD"]


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:200], lambda data: data[:-60], lambda data: b"\xff" * 64]
)
def test_a_damaged_stream_is_named(tmp_path, spoil):
    file = tmp_path / "data-00000-of-00001.arrow"
    stream(pa.table({"headline": ["Storm hits coast"] * 20}), file)
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(CoreError, match="damaged"):
        load_path(tmp_path)


def test_parts_that_do_not_fit_together_are_named(tmp_path):
    stream(pa.table({"headline": ["Storm hits"]}), tmp_path / "train/data-00000-of-00001.arrow")
    stream(pa.table({"headline": [["a", "b"]]}), tmp_path / "test/data-00000-of-00001.arrow")
    with pytest.raises(CoreError, match="joined"):
        load_path(tmp_path)


UNREAD = {  # by who cannot read it; the other can
    load_path: pa.array([pa.MonthDayNano([1, 2, 3])]),
    load_pair_set: pa.array([2**30], pa.int32()).cast(pa.date32()),
}


@pytest.mark.parametrize(("read", "column"), UNREAD.items())
def test_a_column_that_cannot_be_read_is_not_said_to_differ(tmp_path, read, column):
    stream(pa.table({"headline": ["Storm"], "x": column}), tmp_path / "train/data-00000-of-00001.arrow")
    with pytest.raises(CoreError, match="column of a kind"):
        read(str(tmp_path))


@pytest.mark.parametrize(("name", "source"), [("group", "sample:iss"), ("write", "sample:articles")])
def test_a_folder_in_one_that_is_not_there_is_refused(command, tmp_path, name, source):
    code, text, err = command(name, source, "--out", tmp_path / "absent/events")
    assert (code, text, "does not exist" in err) == (2, "", True)
    assert not (tmp_path / "absent").exists()


@pytest.mark.slow
def test_what_is_not_known_stands_in_neither_card_nor_croissant(headlines, articles):
    for folder, tasks in ((headlines, None), (articles, ["summarization"])):
        card = (folder / "README.md").read_text()
        front = yaml.safe_load(card.split("---")[1])
        assert (front["language"], front.get("task_categories")) == (["en"], tasks)
        assert "license" not in {*front, *json.loads((folder / "croissant.json").read_text())}
        assert [line for line in card.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize(("language", "wanted"), [("mixed", ["multilingual"]), ("", None)])
def test_several_languages_have_the_word_of_the_hub(language, wanted):
    about = {"name": "events", "says": "Headlines.", "language": language, "mark": "", "licence": "CC0"}
    written = dataset_files({"train": {"headline": ["Storm"]}}, {"train.parquet": b""}, about)
    front = yaml.safe_load(written["README.md"].decode().split("---")[1])
    assert (front.get("language"), front["license"]) == (wanted, "other")
    croissant = json.loads(written["croissant.json"])
    assert (croissant.get("inLanguage"), croissant["license"]) == (wanted and wanted[0], "CC0")


def test_what_would_unpack_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_UNPACKED_MEGABYTES", "1")
    same = pa.array(["Storm hits coast " * 100]).dictionary_encode()
    table = pa.table({"headline": pa.DictionaryArray.from_arrays(pa.array([0] * 5_000), same.dictionary)})
    stream(table, tmp_path / "data-00000-of-00001.arrow")
    with pytest.raises(CoreError, match="1 MB"):
        load_path(tmp_path)


def test_a_folder_that_holds_something_is_left_alone(command, headlines):
    code, _, err = command("group", "sample:iss", "--scorer", "levenshtein", "--out", headlines)
    assert (code, "no empty folder" in err) == (2, True)
    with pytest.raises(CoreError, match="is a folder"):
        load_path(headlines.parent)
