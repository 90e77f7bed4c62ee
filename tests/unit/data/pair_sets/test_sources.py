import shutil

import numpy as np
import pytest

from core.data.files import SAMPLES
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.pair_set import check, pair_sources
from core.errors import DataSourceError, UnknownNameError
from core.files import ROOT
from core.parts import Part

SHIPPED = {
    "ecbplus": (502, [6000, 2862, 4122], 2164),
    "ecbplus_dated": (156, [1122, 318, 276], 286),
    "ecbplus_sentences": (982, [6000, 6000, 6000], 3000),
    "headlinecause_en": (138, [10, 9, 50], 4),
    "headlinecause_ru": (893, [294, 93, 60], 36),
    "hlgd_sample": (30, [5, 5, 5], 2),
    "iss": (47, [0, 0, 47 * 46 // 2], 143),
    "tgcontest_en": (66, [14, 5, 16], 18),
    "tgcontest_ru": (376, [10, 14, 175], 92),
    "uci": (4761, [6000, 6000, 6000], 3000),
}
"""Headlines, pairs of each part, and pairs of the same event."""
LOCAL = ["allsides", "dialogue2021", "emergent", "mrpc", "stsb"]
DRAWN = ["allsides", "ecbplus", "ecbplus_sentences", "emergent", "uci"]


def holds_the_rules(pairs):
    check(pairs)
    assert len(pairs) > 0
    assert all(text and text == " ".join(text.split()) for text in pairs.texts)
    assert set(pairs.labels.tolist()) <= {0, 1}
    assert not np.any(pairs.left == pairs.right)
    wordings = [{text.casefold() for text in pairs.part(part).texts} for part in Part]
    assert sum(map(len, wordings)) == len(set.union(*wordings))
    for group in np.unique(pairs.groups[pairs.groups >= 0]):
        assert len(set(pairs.parts[pairs.groups == group].tolist())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_sets_keep_the_rules(name):
    pairs = load_pair_set(name)
    assert pairs.name == name
    holds_the_rules(pairs)
    assert pairs.fingerprint == load_pair_set(name).fingerprint
    if name in SHIPPED:
        parts = [len(pairs.part(part)) for part in Part]
        assert (len(pairs.texts), parts, int((pairs.labels == 1).sum())) == SHIPPED[name]
    if name.startswith(("tgcontest", "ecbplus_dated")):
        assert np.mean([len(body) > 50 for body in pairs.bodies]) > 0.9
        assert np.isnan(pairs.days_apart).any() == name.startswith("tgcontest")


@pytest.mark.slow
@pytest.mark.parametrize("name", LOCAL)
def test_local_sets_keep_the_rules(name, data):
    test_shipped_sets_keep_the_rules(name)


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_sets_have_five_negatives_inside_four_days(name, data):
    pairs = load_pair_set(name)
    for part in Part:
        one = pairs.part(part)
        positives = int((one.labels == 1).sum())
        assert 0 < positives <= 1_000
        assert int((one.labels == 0).sum()) <= 5 * positives
        apart = one.days_apart[one.labels == 0]
        assert np.all(np.isnan(apart) | (apart <= 4))
        assert np.array_equal(one.groups[one.left] == one.groups[one.right], one.labels == 1)


def test_uci_splits_stories_36_12_12():
    pairs = load_pair_set("uci.v1|most_positives:50")
    assert [len(np.unique(pairs.groups[pairs.parts == part.value])) for part in Part] == [36, 12, 12]
    assert load_pair_set("uci.v1|seed:1").fingerprint != load_pair_set("uci").fingerprint


def test_allsides_keeps_days_in_order_and_hides_the_seconds(data):
    pairs = load_pair_set("allsides")
    assert np.array_equal(pairs.days, np.floor(pairs.days))
    last, first = (pairs.days[pairs.parts == part.value] for part in (Part.TRAIN, Part.TEST))
    assert last.max() <= first.min()
    assert len(pairs.texts) == 1_110


def test_mrpc_has_the_official_test_whole(data):
    pairs = load_pair_set("mrpc")
    test = pairs.part(Part.TEST)
    assert len(test) == 1_725
    assert int((test.labels == 1).sum()) == 1_147
    sizes = [len(pairs.part(part)) for part in (Part.TRAIN, Part.VALIDATION)]
    assert 0.08 < sizes[1] / sum(sizes) < 0.12


def test_headline_cause_same_is_1_and_the_relation_a_tag():
    pairs = load_pair_set("headlinecause_ru")
    assert [tags == ("same",) for tags in pairs.tags] == (pairs.labels == 1).tolist()
    assert {tags[0] for tags in pairs.tags} == {"same", "cause", "refutation", "related", "unrelated"}
    sure = load_pair_set("headlinecause_ru.v1|least_confidence:0.8")
    assert 60 == len(sure.part(Part.TEST)) < len(sure) < len(pairs)


def hlgd_folder(folder, names):
    folder.mkdir(parents=True)
    for part, name in zip(("train", "dev", "test"), names, strict=True):
        shutil.copy(SAMPLES / "hlgd_sample" / f"{part}.json", folder / name)
    return folder


@pytest.mark.parametrize(
    "name", ["train.json dev.json test.json", "train-0.json validation-0.json test-0.json"]
)
def test_hlgd_by_path_in_the_data_folder_and_in_the_cache_of_the_hub(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(DataSourceError, match="HLGD is not on this machine"):
        load_pair_set("hlgd")
    wanted = load_pair_set("hlgd_sample").fingerprint
    hlgd_folder(tmp_path / "hub/datasets--owner--hlgd/snapshots/abc/data", tuple(name.split()))
    assert load_pair_set("hlgd").fingerprint == wanted
    folder = hlgd_folder(tmp_path / "data" / "hlgd", tuple(name.split()))
    for given in (f"hlgd.v1|path:{folder}", str(folder), "hlgd"):
        assert load_pair_set(given).fingerprint == wanted


@pytest.mark.parametrize("name", [*LOCAL, "hlgd"])
def test_what_is_missing_says_where_it_belongs(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert pair_sources.parse(name).find() is None
    with pytest.raises(DataSourceError, match="not on this machine") as caught:
        load_pair_set(name)
    assert str(tmp_path) in caught.value.hint


@pytest.mark.parametrize("name", ["nosuch", "", "a\0b", "x" * 5_000])
def test_a_name_that_is_nothing(name):
    with pytest.raises(UnknownNameError, match="no pair set and no file called"):
        load_pair_set(name)


def test_pair_files_and_timelines_by_path():
    timeline = ROOT / "samples/iss/iss_excerpt.csv"
    built = load_pair_set(str(timeline))
    assert int((built.labels == 1).sum()) == 143
    assert load_pair_set("sample:iss").fingerprint == built.fingerprint
    train = load_pair_set(str(SAMPLES / "hlgd_sample/train.json"), part=Part.TRAIN)
    assert set(train.pair_parts.tolist()) == {"train"}
