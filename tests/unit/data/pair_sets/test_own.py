"""Files of pairs under names of their own: kept, parted, refused, taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import limits
from core.data.pair_sets.load import (
    is_known,
    keep_pairs,
    load_pair_set,
    load_to_learn,
    own_folder,
    own_sets,
    take_away,
)
from core.data.pair_sets.pair_file import sniff_pairs
from core.data.timelines.load import info
from core.errors import InputError, UnknownNameError
from core.parts import Part

HEAD = "headline_a,headline_b,label\n"


def table(events: int) -> bytes:
    """Two pairs an event: its two headlines, and one of them with the next event's."""
    lines = []
    for k in range(events):
        lines += [f"Fire at port {k},Blaze in harbour {k},1", f"Fire at port {k},Vote in town {k},0"]
    return (HEAD + "\n".join(lines)).encode()


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))


def test_what_is_trained_on_is_never_measured_on() -> None:
    assert own_sets() == {}
    assert keep_pairs(table(30), "My pairs.csv") == "my_pairs"
    assert is_known("my_pairs")
    measured, learned = load_pair_set("my_pairs"), load_to_learn("my_pairs")
    assert measured.fingerprint == learned.fingerprint
    texts = {part: set(measured.part(part).texts) for part in Part}
    assert all(texts.values())
    assert not texts[Part.TRAIN] & texts[Part.TEST]
    for part in Part:
        assert set(measured.part(part).labels.tolist()) == {0, 1}


def test_parts_that_a_file_names_stay() -> None:
    data = b"headline_a,headline_b,label,part\na,b,1,train\nc,d,0,train\ne,f,1,test\ng,h,0,\n"
    keep_pairs(data, "named.csv")
    assert load_pair_set("named").pair_parts.tolist() == ["train", "train", "test", "train"]


def test_a_file_too_small_for_parts_is_test() -> None:
    keep_pairs(table(1), "small.csv")
    assert load_pair_set("small").pair_parts.tolist() == ["test", "test"]


def test_the_same_file_twice_is_one_and_another_is_refused() -> None:
    assert keep_pairs(table(3), "a.csv") == keep_pairs(table(3), "a.csv")
    with pytest.raises(InputError, match="another pair set called 'a'"):
        keep_pairs(table(4), "a.csv")
    assert keep_pairs(table(4), "a.csv", name="b") == "b"
    take_away("a")
    assert list(own_sets()) == ["b"]
    with pytest.raises(UnknownNameError):
        take_away("a")


@pytest.mark.parametrize(
    ("filename", "name", "told"),
    [
        ("uci.csv", "", "name of a pair set that is registered"),
        ("a.csv", "../up", "cannot be called"),
        ("a.csv", "A", "cannot be called"),
    ],
)
def test_names_that_are_refused(filename: str, name: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        keep_pairs(table(3), filename, name=name)
    assert not own_folder().exists()


@pytest.mark.parametrize("data", [b"", b"headline,label\na,1\n", (HEAD + "a,b,2\n").encode()])
def test_what_is_no_file_of_pairs_is_not_kept(data: bytes) -> None:
    with pytest.raises(InputError):
        keep_pairs(data, "a.csv")
    assert own_sets() == {}


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.KEPT_PAIR_SETS.variable, "1")
    keep_pairs(table(3), "a.csv")
    with pytest.raises(InputError, match="1 pair sets are kept"):
        keep_pairs(table(3), "b.csv")


def test_a_copy_of_the_held_out_sample_is_not_trained_on(tmp_path: Path) -> None:
    copy = tmp_path / "mine.csv"
    copy.write_bytes(info("iss").path.read_bytes())
    with pytest.raises(InputError, match="headlines of the sample iss"):
        load_to_learn(str(copy))
    assert len(load_pair_set(str(copy)))


GLUE = b"sentence1,sentence2,label,idx\nFire at port,Blaze in harbour,1,0\nFire at port,Vote in town,0,1\n"


@pytest.mark.parametrize(
    "names", ["sentence1,sentence2,label", "question1,question2,is_duplicate", "premise,hypothesis,label"]
)
def test_names_of_other_benchmarks_are_known(names: str) -> None:
    data = GLUE.replace(b"sentence1,sentence2,label", names.encode())
    columns = names.split(",")
    proposed = sniff_pairs(data, "glue.csv").proposed
    assert [proposed[name] for name in ("headline_a", "headline_b", "label")] == columns
    keep_pairs(data, "glue.csv")
    assert load_pair_set("glue").labels.tolist() == [1, 0]


def test_chosen_columns_are_kept_under_the_usual_names() -> None:
    data = b"eins;zwei;urteil\nFire at port;Blaze in harbour;1\nFire at port;Vote in town;0\n"
    chosen = {"headline_a": "eins", "headline_b": "zwei", "label": "urteil"}
    preview = sniff_pairs(data, "mine.csv")
    assert (preview.proposed, preview.named) == (chosen, False)
    assert keep_pairs(data, "mine.csv", columns=chosen) == "mine"
    kept = load_pair_set("mine")
    assert (len(kept.texts), kept.labels.tolist()) == (3, [1, 0])
    with pytest.raises(InputError, match="cannot mean two things"):
        keep_pairs(data, "b.csv", columns=chosen | {"headline_b": "eins"})
    with pytest.raises(InputError, match="no column for label"):
        keep_pairs(data, "b.csv", columns={"headline_a": "eins", "headline_b": "zwei"})


def test_pairs_without_any_label_are_refused() -> None:
    with pytest.raises(InputError, match="no label in any row"):
        keep_pairs(b"headline_a,headline_b\nFire at port,Vote in town\n", "a.csv")
