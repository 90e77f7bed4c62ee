"""Tensors on a disk that is full: libraries that write by themselves tell it in their own ways."""

import resource
from contextlib import contextmanager

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.errors import DataSourceError
from core.tensor_files import write_arrays, write_tensors
from research.runs import checkpoint


@contextmanager
def full_at(size):
    """The system refuses to write more than so many bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


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
        checkpoint.save(tmp_path / "checkpoint", checkpoint.Position(step=1), module, optimizer)
    assert "--resume" in told.value.hint


def test_what_a_killed_process_left_goes_with_the_next_checkpoint(tmp_path):
    module = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(module.parameters())
    checkpoint.save(tmp_path / "c", checkpoint.Position(step=1), module, optimizer)
    (tmp_path / "c" / ".1-2-3.partial").write_bytes(b"half")
    checkpoint.save(tmp_path / "c", checkpoint.Position(step=2), module, optimizer)
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        "state.json",
        "step-0000002.safetensors",
    ]
