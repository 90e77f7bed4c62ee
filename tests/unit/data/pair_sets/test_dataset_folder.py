"""Folders of pairs that other libraries write and read."""

import json
import shutil
from dataclasses import replace

import huggingface_hub.constants
import numpy as np
import pyarrow as pa
import pytest

from core.data.pair_sets.dataset_files import dataset_files
from core.data.pair_sets.load import load_pair_set
from core.errors import CoreError
from core.files import ROOT
from core.parts import Part

REVISION = "a1" * 20


@pytest.fixture
def sample():
    return load_pair_set("hlgd_sample")


@pytest.fixture
def folder(sample, tmp_path):
    for name, content in dataset_files(sample, language="en", licence="CC0").items():
        (tmp_path / "set" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "set" / name).write_bytes(content)
    return tmp_path / "set"


def contents(pairs):
    """Each pair with what is known of it."""
    days = np.floor(pairs.days).tolist()
    rows = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.labels.tolist(), strict=True)
    return sorted(
        (str(pairs.parts[a]), pairs.texts[a], pairs.texts[b], days[a], days[b], label) for a, b, label in rows
    )


@pytest.mark.parametrize("place", ["", "arrow"])
def test_what_is_written_is_read_again(place, folder, sample):
    assert contents(load_pair_set(str(folder / place))) == contents(sample)


def test_the_arrow_folder_has_the_form_of_datasets(folder):
    """datasets' own code for a folder: state.json names the streams, dataset_info.json the features."""
    splits = json.loads((folder / "arrow" / "dataset_dict.json").read_text())["splits"]
    assert splits == ["train", "validation", "test"]
    for split in splits:
        place = folder / "arrow" / split
        state = json.loads((place / "state.json").read_text())
        features = json.loads((place / "dataset_info.json").read_text())["features"]
        (file,) = state["_data_files"]
        with pa.memory_map(str(place / file["filename"])) as stream:
            table = pa.ipc.open_stream(stream).read_all()
        assert state["_split"] == split
        assert {name: about["dtype"] for name, about in features.items()} == {
            field.name: str(field.type) for field in table.schema
        }


def test_datasets_itself_opens_it(folder, sample, tmp_path):
    datasets = pytest.importorskip("datasets")
    test = sample.part(Part.TEST)
    wanted = [sample.part(Part.TEST).texts[row] for row in test.left.tolist()]
    assert datasets.load_from_disk(str(folder / "arrow"))["test"]["sentence1"][:] == wanted
    read = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert read["test"]["labels"][:] == test.labels.tolist()


def test_croissant_names_each_file_and_column(folder):
    about = json.loads((folder / "croissant.json").read_text())
    files = {one["@id"]: one for one in about["distribution"]}
    assert set(files) == {"train.jsonl", "validation.jsonl", "test.jsonl"}
    for records in about["recordSet"]:
        line = json.loads((folder / f"{records['name']}.jsonl").read_text().splitlines()[0])
        assert [one["source"]["extract"]["column"] for one in records["field"]] == list(line)
        assert {one["source"]["fileObject"]["@id"] for one in records["field"]} <= set(files)


def test_croissants_own_reader_reads_the_rows(folder):
    croissant = pytest.importorskip("mlcroissant")
    rows = list(croissant.Dataset(folder / "croissant.json").records("test"))
    lines = [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]
    assert [row["test/sentence1"].decode() for row in rows] == [line["sentence1"] for line in lines]


def test_lines_and_metadata_are_those_of_a_pair_classification_task(folder):
    lines = [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]
    assert all({"sentence1", "sentence2", "labels"} <= line.keys() for line in lines)
    assert {line["labels"] for line in lines} <= {0, 1}
    task = json.loads((folder / "mteb.json").read_text())
    assert (task["type"], task["eval_splits"], task["eval_langs"]) == (
        "PairClassification",
        ["test"],
        ["eng-Latn"],
    )


def test_mteb_takes_the_metadata(folder):
    metadata = pytest.importorskip("mteb.abstasks.task_metadata")
    task = metadata.TaskMetadata(**json.loads((folder / "mteb.json").read_text()))
    assert task.dataset["path"] == "hlgd_sample"


def test_a_part_of_several_files_is_read_whole(folder, sample):
    lines = (folder / "test.jsonl").read_text().splitlines()
    (folder / "test.jsonl").unlink()
    for at, line in enumerate(lines):
        (folder / f"test-{at:05}-of-{len(lines):05}.jsonl").write_text(line)
    assert contents(load_pair_set(str(folder))) == contents(sample)


def test_a_data_set_of_the_hub_is_read_at_its_commit(folder, sample, tmp_path, monkeypatch):
    place = tmp_path / "hub" / "datasets--owner--pairs"
    shutil.copytree(folder, place / "snapshots" / REVISION)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    found = load_pair_set(f"dataset.v1|hub:owner/pairs|revision:{REVISION}")
    assert found.name == "pairs"
    assert contents(found) == contents(sample)
    for revision, said in (("main", "at a commit"), ("b2" * 20, "not on this machine")):
        with pytest.raises(CoreError, match=said):
            load_pair_set(f"dataset.v1|hub:owner/pairs|revision:{revision}")


def test_damaged_arrow_and_folders_without_parts_are_named(folder):
    file = folder / "arrow" / "test" / "data-00000-of-00001.arrow"
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(CoreError, match=r"data-00000-of-00001\.arrow"):
        load_pair_set(str(folder / "arrow"))
    with pytest.raises(CoreError, match="no files for train"):
        load_pair_set(f"dataset.v1|path:{folder / 'arrow' / 'test'}")


def test_a_folder_of_timelines_stays_one_whatever_its_files_are_called(tmp_path):
    (tmp_path / "test.csv").write_text("headline,group\nStorm hits,1\nA storm,1\nRates cut,2\n")
    assert len(load_pair_set(str(tmp_path)).texts) == 3


def test_the_command_writes_a_set_and_pairs_of_a_timeline(command, tmp_path, sample):
    for given in ("hlgd_sample", "sample:iss", ROOT / "samples/hlgd_sample/train.json"):
        code, _, err = command("pairs", "build", given, "--out", tmp_path / "folder")
        assert code == 0, err
        assert (tmp_path / "folder" / "croissant.json").is_file()
        found = load_pair_set(str(tmp_path / "folder"))
        if given == "hlgd_sample":
            assert contents(found) == contents(sample)
        code, _, err = command("pairs", "build", "sample:iss", "--out", tmp_path / "folder")
        assert (code, "no empty folder" in err) == (2, True)
        assert contents(load_pair_set(str(tmp_path / "folder"))) == contents(found)  # nothing of another set
        shutil.rmtree(tmp_path / "folder")
    (tmp_path / "file").write_text("mine")
    code, _, err = command("pairs", "build", "sample:iss", "--out", tmp_path / "file")
    assert (code, "no empty folder" in err, (tmp_path / "file").read_text()) == (2, True, "mine")


def test_articles_come_back_with_their_headlines(tmp_path):
    given = load_pair_set("tgcontest_ru").part(Part.TEST)
    for name, content in dataset_files(given, language="ru", licence="").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    for place in (tmp_path, tmp_path / "arrow"):
        found = load_pair_set(str(place))
        assert dict(zip(found.texts, found.bodies, strict=True)) == dict(
            zip(given.texts, given.bodies, strict=True)
        )


def test_pairs_without_a_label_are_left_out(sample):
    labels = np.where(np.arange(len(sample)) == 0, -1, sample.labels)
    files = dataset_files(replace(sample, labels=labels), language="en", licence="")
    lines = [content.count(b"\n") for name, content in files.items() if name.endswith(".jsonl")]
    assert sum(lines) == len(sample) - 1
