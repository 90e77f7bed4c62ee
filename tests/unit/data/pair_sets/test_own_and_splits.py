import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import limits
from core.data.pair_sets import load
from core.data.pair_sets.division import by_event, events
from core.data.pair_sets.given import BY_EVENT, GivenPairs
from core.data.pair_sets.kept import keep_pairs, own_folder, own_sets, take_away
from core.data.pair_sets.pair_columns import sniff_pairs
from core.data.pair_sets.pair_set import DIFFERENT, SAME
from core.data.timelines.samples import info
from core.errors import InputError, UnknownNameError
from core.parts import Part
from tests.unit.pairs.pair_worlds import pair_set

HEAD = "headline_a,headline_b,label\n"


def table(events):
    """Two pairs an event: its two headlines, and one of them with the next event's."""
    lines = []
    for k in range(events):
        lines += [f"Fire at port {k},Blaze in harbour {k},1", f"Fire at port {k},Vote in town {k},0"]
    return (HEAD + "\n".join(lines)).encode()


@pytest.fixture(autouse=True)
def user(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))


def test_what_is_trained_on_is_never_measured_on():
    assert own_sets() == {}
    assert keep_pairs(table(30), "My pairs.csv") == "my_pairs"
    assert load.is_known("my_pairs")
    measured, learned = load.load_pair_set("my_pairs"), load.load_to_learn("my_pairs")
    assert measured.fingerprint == learned.fingerprint
    texts = {part: set(measured.part(part).texts) for part in Part}
    assert all(texts.values())
    assert not texts[Part.TRAIN] & texts[Part.TEST]
    for part in Part:
        assert set(measured.part(part).labels.tolist()) == {0, 1}


def test_parts_that_a_file_names_stay():
    data = b"headline_a,headline_b,label,part\na,b,1,train\nc,d,0,train\ne,f,1,test\ng,h,0,\n"
    keep_pairs(data, "named.csv")
    assert load.load_pair_set("named").pair_parts.tolist() == ["train", "train", "test", "train"]


def test_the_same_file_twice_is_one_and_another_is_refused():
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
    [("uci.csv", "", "name of a pair set that is registered"), ("a.csv", "../up", "cannot be called")],
)
def test_names_that_are_refused(filename, name, told):
    with pytest.raises(InputError, match=told):
        keep_pairs(table(3), filename, name=name)
    assert not own_folder().exists()


def test_only_so_many_are_kept(monkeypatch):
    monkeypatch.setenv(limits.KEPT_PAIR_SETS.variable, "1")
    keep_pairs(table(3), "a.csv")
    with pytest.raises(InputError, match="1 pair sets are kept"):
        keep_pairs(table(3), "b.csv")


def test_a_copy_of_the_held_out_sample_is_not_trained_on(tmp_path):
    copy = tmp_path / "mine.csv"
    copy.write_bytes(info("iss").path.read_bytes())
    with pytest.raises(InputError, match="headlines of the sample iss"):
        load.load_to_learn(str(copy))
    assert len(load.load_pair_set(str(copy)))


GLUE = b"sentence1,sentence2,label,idx\nFire at port,Blaze in harbour,1,0\nFire at port,Vote in town,0,1\n"


@pytest.mark.parametrize(
    "names", ["sentence1,sentence2,label", "question1,question2,is_duplicate", "premise,hypothesis,label"]
)
def test_names_of_other_benchmarks_are_known(names):
    data = GLUE.replace(b"sentence1,sentence2,label", names.encode())
    columns = names.split(",")
    proposed = sniff_pairs(data, "glue.csv").proposed
    assert [proposed[name] for name in ("headline_a", "headline_b", "label")] == columns
    keep_pairs(data, "glue.csv")
    assert load.load_pair_set("glue").labels.tolist() == [1, 0]


def test_chosen_columns_are_kept_under_the_usual_names():
    data = b"eins;zwei;urteil\nFire at port;Blaze in harbour;1\nFire at port;Vote in town;0\n"
    chosen = {"headline_a": "eins", "headline_b": "zwei", "label": "urteil"}
    preview = sniff_pairs(data, "mine.csv")
    assert (preview.proposed, preview.named) == (chosen, False)
    assert keep_pairs(data, "mine.csv", columns=chosen) == "mine"
    kept = load.load_pair_set("mine")
    assert (len(kept.texts), kept.labels.tolist()) == (3, [1, 0])
    with pytest.raises(InputError, match="cannot mean two things"):
        keep_pairs(data, "b.csv", columns=chosen | {"headline_b": "eins"})
    with pytest.raises(InputError, match="no column for label"):
        keep_pairs(data, "b.csv", columns={"headline_a": "eins", "headline_b": "zwei"})


def test_pairs_without_any_label_are_refused():
    with pytest.raises(InputError, match="no label in any row"):
        keep_pairs(b"headline_a,headline_b\nFire at port,Vote in town\n", "a.csv")


SHARES = (0.6, 0.2, 0.2)


def chained(count, size, *, timelines=1):
    """Events whose headlines hang together by a chain of pairs, and pairs between neighbouring events."""
    n = count * size
    event = np.arange(n) // size
    links = [(row, row + 1, SAME) for row in range(n - 1) if event[row] == event[row + 1]]
    across = [(row, (row + size) % n, DIFFERENT) for row in range(n)]
    texts = [f"headline {row}" for row in range(n)]
    return pair_set(texts, *np.array(links + across).T, timelines=event % timelines)


def places(pairs, names):
    found: dict[int, set[str]] = {}
    for name, part in zip(names.tolist(), pairs.parts.tolist(), strict=True):
        found.setdefault(name, set()).add(part)
    return found


@given(count=st.integers(5, 30), size=st.integers(2, 5), seed=st.integers(0, 50), known=st.booleans())
def test_no_event_is_in_two_parts_and_no_pair_joins_two(count, size, seed, known):
    pairs = chained(count, size)
    if known:
        pairs = replace(pairs, groups=np.arange(count * size) // size)
    parted = by_event(pairs, SHARES, seed=seed)
    assert all(len(parts) == 1 for parts in places(parted, events(pairs)).values())
    assert {part for parts in places(parted, events(pairs)).values() for part in parts} == {
        part.value for part in Part
    }
    assert (parted.parts[parted.left] == parted.parts[parted.right]).all()
    assert (parted.labels == SAME).sum() == (pairs.labels == SAME).sum()


def test_whole_timelines_are_drawn_where_there_are_enough():
    pairs = chained(40, 2, timelines=8)
    parted = by_event(pairs, SHARES, seed=3)
    assert all(len(parts) == 1 for parts in places(parted, pairs.timelines).values())
    for timelines, whole in ((5, True), (4, False)):
        parted = by_event(chained(40, 2, timelines=timelines), SHARES, seed=3)
        where = places(parted, parted.timelines).values()
        assert all(len(parts) == 1 for parts in where) is whole
        assert set.union(*where) == {part.value for part in Part}


@pytest.mark.parametrize("headlines", [3, 4])
def test_a_users_own_file_is_split_by_whole_events(tmp_path, headlines):
    pairs = chained(20, headlines)
    rows = [
        {"headline_a": pairs.texts[one], "headline_b": pairs.texts[other], "label": int(label)}
        for one, other, label in zip(pairs.left, pairs.right, pairs.labels, strict=True)
    ]
    file = tmp_path / "own.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    found = GivenPairs(path=str(file), part=BY_EVENT).load()
    event = {text: int(text.split()[1]) // headlines for text in found.texts}
    where = places(found, np.array([event[text] for text in found.texts]))
    assert all(len(parts) == 1 for parts in where.values())
    assert set.union(*where.values()) == {part.value for part in Part}
