import resource
import tomllib
from contextlib import contextmanager
from fnmatch import fnmatch

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.errors import DataSourceError
from core.files import ROOT
from core.tensor_files import write_arrays, write_tensors
from research.runs import run_folder

PACKAGES = ("core", "research", "cli", "headline_lab")


def test_every_data_file_beside_a_module_is_installed():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert declared["packages"]["find"]["include"] == [f"{package}*" for package in PACKAGES]
    beside = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.*")
        if path.is_file() and path.suffix != ".py" and path.parent.name != "__pycache__"
    ]
    assert {path.suffix for path in beside} >= {".toml", ".html", ".css"}
    patterns = declared["package-data"]["*"]
    for path in beside:
        assert (path.parent / "__init__.py").is_file(), path
        assert any(fnmatch(path.name, pattern) for pattern in patterns), path


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
        run_folder.save_checkpoint(tmp_path / "checkpoint", run_folder.Position(step=1), module, optimizer)
    assert "--resume" in told.value.hint


def test_what_a_killed_process_left_goes_with_the_next_checkpoint(tmp_path):
    module = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(module.parameters())
    run_folder.save_checkpoint(tmp_path / "c", run_folder.Position(step=1), module, optimizer)
    (tmp_path / "c" / ".1-2-3.partial").write_bytes(b"half")
    run_folder.save_checkpoint(tmp_path / "c", run_folder.Position(step=2), module, optimizer)
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        "state.json",
        "step-0000002.safetensors",
    ]
