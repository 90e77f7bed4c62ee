"""Control groups: the real one of this system where it gives one, and the files of version 2."""

import os

import pytest

from research.judging import groups
from research.judging.groups import Group, make_group
from research.judging.sandbox import SandboxLimits

LIMITS = SandboxLimits(megabytes=300, processes=4)


def test_a_group_comes_and_goes():
    group = make_group("a-test", LIMITS)
    if group is None:
        pytest.skip("this system gives no control group")
    assert all(folder.is_dir() for folder in group.folders)
    assert (group.processes / "pids.max").read_text() == "64\n"
    assert not group.holds()  # nothing was counted yet
    assert not group.overfull()
    group.end()
    assert not any(folder.exists() for folder in group.folders)


def test_groups_of_judges_that_were_killed_are_taken_away(tmp_path, monkeypatch):
    monkeypatch.setattr(groups, "_own", lambda: {"memory": tmp_path, "pids": tmp_path})
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
    """The files of a group of version 2."""
    for name in ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max"):
        (tmp_path / name).write_text("max\n")
    (tmp_path / "memory.stat").write_text("anon 1000\nfile 5000\nshmem 200\n")
    (tmp_path / "memory.events").write_text("high 0\noom 0\noom_kill 0\n")
    (tmp_path / "memory.peak").write_text("4096\n")
    return Group(tmp_path, tmp_path, LIMITS.megabytes * 1_000_000)


def test_version_two_is_written_and_read(two):
    assert not two.holds()
    groups._bound(two, 64)
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
    assert groups._candidates({"": own}) == [(own.parent, own.parent)]
    (own.parent / "cgroup.subtree_control").write_text("cpu")
    assert groups._candidates({"": own}) == []
    monkeypatch.setattr(groups, "_own", lambda: {"": own})
    assert make_group("a-test", LIMITS) is None
