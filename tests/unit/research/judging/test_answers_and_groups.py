import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.normalise import clean_line
from research.judging import control_group
from research.judging.control_group import Group, make_group
from research.judging.judge import headlines_of
from research.judging.sandbox import JudgingError, SandboxLimits

IDS = ("a", "b", "c")


def objects(*rows):
    return "\n".join(json.dumps({"id": name, "headline": text}) for name, text in rows).encode()


@pytest.mark.parametrize(
    "output",
    [
        b"One\nTwo\n\n",
        b"One\r\nTwo\r\n\r\n",
        b"\xef\xbb\xbfOne\n  Two \n",
        objects(("b", "Two"), ("a", "One"), ("c", "")),
        objects(("a", "One"), ("b", "Two"), ("c", None)) + b"\n\n",
    ],
)
def test_lines_and_objects_say_the_same(output):
    if output.count(b"\n") == 2 and b"id" not in output:
        output += b"\n"
    assert headlines_of(output, IDS) == ("One", "Two", "")


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (b"", "wrote 0 lines for 3 articles"),
        (b"1\n2\n3\n4\n", "wrote 4 lines for 3 articles"),
        (b"\xff\xfe\n", "not UTF-8"),
        (objects(("a", "One"), ("b", "Two")), "1 of 3 articles have no headline, the first is 'c'"),
        (objects(("a", "1"), ("b", "2"), ("b", "3"), ("c", "4")), "'b' has two headlines"),
        (objects(("a", "1"), ("x", "2"), ("c", "3")), "no article 'x'"),
        (b"x" * 1_001 + b"\n2\n3\n", "Headline 1 has 1,001 characters"),
    ],
)
def test_anything_else_is_refused(output, says):
    with pytest.raises(JudgingError, match=says):
        headlines_of(output, IDS)


def test_a_headline_that_looks_like_json_is_a_headline():
    assert headlines_of(b'[1]\n{"a": 1}\n{\n', IDS) == ("[1]", '{"a": 1}', "{")


@given(st.lists(st.text(max_size=60).map(clean_line), min_size=1, max_size=8))
def test_what_was_written_comes_back(texts):
    ids = [str(n) for n in range(len(texts))]
    rows = [{"id": name, "headline": text} for name, text in zip(ids, texts, strict=True)]
    output = "\n".join(map(json.dumps, reversed(rows))).encode()
    assert headlines_of(output, ids) == tuple(texts)


LIMITS = SandboxLimits(megabytes=300, processes=4)


def test_groups_of_judges_that_were_killed_are_taken_away(tmp_path, monkeypatch):
    monkeypatch.setattr(control_group, "_own", lambda: {"memory": tmp_path, "pids": tmp_path})
    left, filled, fresh = (tmp_path / f"headline-lab-{name}" for name in ("left", "filled", "fresh"))
    for folder in (left, filled, fresh, tmp_path / "another"):
        folder.mkdir()
    (filled / "process").touch()
    for folder in (left, filled, tmp_path / "another"):
        os.utime(folder, (0, 0))
    make_group("a-test", LIMITS)
    assert not left.exists()
    assert filled.exists()
    assert fresh.exists()
    assert (tmp_path / "another").exists()


@pytest.fixture
def two(tmp_path):
    for name in ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max"):
        (tmp_path / name).write_text("max\n")
    (tmp_path / "memory.stat").write_text("anon 1000\nfile 5000\nshmem 200\n")
    (tmp_path / "memory.events").write_text("high 0\noom 0\noom_kill 0\n")
    (tmp_path / "memory.peak").write_text("4096\n")
    return Group(tmp_path, tmp_path, LIMITS.megabytes * 1_000_000)


def test_version_two_is_written_and_read(two):
    assert not two.holds()
    control_group._bound(two, 64)
    names = ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max")
    assert [(two.memory / name).read_text() for name in names] == ["300000000", "0", "1", "64"]
    assert two.holds()
    assert two.used() == 1200
    assert not two.overfull()
    (two.memory / "memory.events").write_text("oom 3\noom_kill 1\n")
    assert two.overfull()


def test_version_two_makes_its_group_beside_this_process(tmp_path, monkeypatch):
    own = tmp_path / "app.slice" / "terminal.scope"
    own.mkdir(parents=True)
    for folder, controllers in ((own, ""), (own.parent, "cpu memory pids")):
        (folder / "cgroup.subtree_control").write_text(controllers)
        (folder / "cgroup.procs").touch()
    assert control_group._candidates({"": own}) == [(own.parent, own.parent)]
    (own.parent / "cgroup.subtree_control").write_text("cpu")
    assert control_group._candidates({"": own}) == []
    monkeypatch.setattr(control_group, "_own", lambda: {"": own})
    assert make_group("a-test", LIMITS) is None
