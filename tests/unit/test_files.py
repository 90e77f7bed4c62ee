import json
import os
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core import files
from core.errors import DataSourceError
from core.tensor_files import write_arrays, write_tensors
from research.runs import checkpoint
from tests.faults import attempt, attempts, partials

OLD, NEW = b"what was there\n" * 40, b"what comes in its place\n" * 50


def test_a_file_is_old_or_new_whatever_fails(tmp_path):
    target = tmp_path / "one.json"

    seen = set()
    for one in attempts(lambda: files.write(target, NEW), before=lambda: target.write_bytes(OLD)):
        assert target.read_bytes() in ({NEW} if one.outcome == "done" else {OLD, NEW}), one
        assert one.outcome == "killed" or not partials(tmp_path), one
        for left in partials(tmp_path):
            left.unlink()
        seen.add((one.disk.fault, one.outcome))

    assert seen == {
        ("short", "done"), ("full", "told"), ("full", "done"), ("broken", "told"), ("killed", "killed")
    }  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are of POSIX")
def test_a_device_is_not_replaced_by_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataSourceError):
        files.write(tmp_path / "pipe", b"x")
    assert (tmp_path / "pipe").is_fifo()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("before", [b"", b'{"line": 0}\n'])
def test_lines_are_added_whole_or_not_at_all(tmp_path, before, durable):
    target = tmp_path / "lines.jsonl"
    line = b'{"line": 1, "text": "long enough to be cut"}\n'
    act = lambda: files.append(target, line, durable=durable)  # noqa: E731
    for one in attempts(act, before=lambda: target.write_bytes(before)):
        now = target.read_bytes()
        if one.outcome == "done":
            assert now == before + line, one
        elif one.outcome == "told":
            assert now == before, one
        # The next line stands for itself, whatever a kill has left.
        files.append(target, b'{"line": 2}\n')
        assert target.read_bytes().startswith(before)
        assert json.loads(target.read_bytes().splitlines()[-1]) == {"line": 2}, one


def test_a_disk_that_dies_loses_no_line_that_was_acknowledged(tmp_path):
    target = tmp_path / "lines.jsonl"
    act, before = lambda: files.append(target, b'{"line": 1}\n'), lambda: target.unlink(missing_ok=True)
    for one in attempts(act, ("dead",), before=before):
        files.append(target, b'{"line": 2}\n')
        lines = target.read_bytes().splitlines()
        assert one.outcome == "told" or lines[0] == b'{"line": 1}', one
        assert lines[-1] == b'{"line": 2}', one


def test_what_is_acknowledged_is_on_the_disk(tmp_path):
    synced = ["open", "fsync", "close"]

    def calls(act):
        return attempt(act, "killed", 10**6).disk.calls

    # The content before it gets its name, and the name after.
    assert calls(lambda: files.write(tmp_path / "a", NEW)) == [
        *("open", "write", "close"), *synced, "replace", *synced,
    ]  # fmt: skip
    begin, end = ["open", "lock"], ["unlock", "close"]
    assert calls(lambda: files.append(tmp_path / "b", NEW)) == [*begin, "write", "fsync", *synced, *end]
    assert calls(lambda: files.append(tmp_path / "b", NEW)) == [*begin, "read", "write", "fsync", *end]


@contextmanager
def full_at(size):
    """The system refuses to write more than so many bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_systems_own_short_write_is_no_acknowledgement(tmp_path):
    target = tmp_path / "lines.txt"
    files.append(target, b"first\n")
    for write in (files.append, files.write):
        with full_at(1_000), pytest.raises(DataSourceError, match="cannot be written"):
            write(target, b"x" * 2_000 + b"\n")
    assert target.read_bytes() == b"first\n"
    assert not partials(tmp_path)


APPENDING = """
import sys
from pathlib import Path
from core import files
for number in range(100):
    files.append(Path(sys.argv[1]), f"{sys.argv[2]} {number}\\n".encode() * 3, durable=False)
"""


def test_processes_that_append_wait_for_each_other(tmp_path):
    target = tmp_path / "lines.txt"
    command = [sys.executable, "-c", APPENDING, str(target)]
    running = [subprocess.Popen([*command, name]) for name in ("a", "b", "c")]

    assert [one.wait() for one in running] == [0, 0, 0]
    lines = target.read_text().splitlines()
    assert len(lines) == 900
    assert all(lines[at] == lines[at + 1] == lines[at + 2] for at in range(0, 900, 3))


@pytest.mark.slow
def test_a_lock_guards_what_is_read_changed_and_written(tmp_path):
    target = tmp_path / "count"
    target.write_text("0")

    def count(_):
        for _ in range(20):
            with files.locked(tmp_path / "lock"):
                files.write(target, str(int(target.read_text()) + 1).encode(), durable=False)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(count, range(6)))

    assert target.read_text() == "120"


def test_a_secret_is_made_once_and_read_by_its_owner_alone(tmp_path):
    path = tmp_path / "new" / "server.key"
    with ThreadPoolExecutor(8) as threads:
        (secret,) = set(threads.map(lambda _: files.secret(path), range(8)))
    assert len(secret) == 32
    assert files.secret(tmp_path / "server.key") != secret
    assert os.name != "posix" or path.stat().st_mode & 0o077 == 0


def test_on_a_full_disk_what_was_there_stays(tmp_path):
    small, large = torch.zeros(10), torch.zeros(100_000)
    write_tensors(tmp_path / "a.safetensors", {"one": small})
    for write in (
        lambda: write_tensors(tmp_path / "a.safetensors", {"one": large}),
        lambda: write_arrays(tmp_path / "a.safetensors", {"one": np.zeros(100_000)}),
    ):
        with full_at(10_000), pytest.raises(DataSourceError, match=r"a\.safetensors cannot be written"):
            write()
    assert load_file(tmp_path / "a.safetensors")["one"].shape == (10,)
    assert [path.name for path in tmp_path.iterdir()] == ["a.safetensors"]


def test_a_checkpoint_on_a_full_disk_is_one_sentence(tmp_path):
    module = torch.nn.Linear(100, 100)
    optimizer = torch.optim.SGD(module.parameters())
    with full_at(10_000), pytest.raises(DataSourceError, match="cannot be written") as told:
        checkpoint.save_checkpoint(tmp_path / "checkpoint", checkpoint.Position(step=1), module, optimizer)
    assert "--resume" in told.value.hint


def test_what_a_killed_process_left_goes_with_the_next_checkpoint(tmp_path):
    module = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(module.parameters())
    checkpoint.save_checkpoint(tmp_path / "c", checkpoint.Position(step=1), module, optimizer)
    (tmp_path / "c" / ".1-2-3.partial").write_bytes(b"half")
    checkpoint.save_checkpoint(tmp_path / "c", checkpoint.Position(step=2), module, optimizer)
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        "state.json",
        "step-0000002.safetensors",
    ]
