import json
import os
import shutil
import time
from pathlib import Path

import pytest

from core.models import weights as reading
from core.models.cards import SHIPPED
from core.models.weights import hash_of
from core.pairs.scorers.event_blend import read_model

LONG_AGO = time.time() - 1000


@pytest.fixture
def counted(monkeypatch, tmp_path):
    """The files that were read to be hashed; the memory is new."""
    read: list[Path] = []
    really = reading._hashed

    def hashed(path):
        read.append(path)
        return really(path)

    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(reading, "_hashed", hashed)
    return read


@pytest.fixture
def old(monkeypatch):
    """Files that a test writes count as written long ago: only the time of the inode says otherwise."""
    mark = reading._mark
    monkeypatch.setattr(reading, "_mark", lambda path: (*mark(path)[:4], mark(path)[3]))


def weights(folder, content=b"one"):
    folder.mkdir(exist_ok=True)
    file = folder / "model.safetensors"
    file.write_bytes(content)
    os.utime(file, (LONG_AGO, LONG_AGO))
    return file


def new_process():
    reading._MEMORIES.clear()


@pytest.mark.usefixtures("old")
def test_a_file_is_read_once_in_this_process_and_the_next(tmp_path, counted):
    file = weights(tmp_path / "model")
    first = hash_of(file)
    assert hash_of(file) == first
    new_process()
    assert hash_of(file) == first
    assert counted == [file]


def test_a_change_in_place_with_the_time_set_back_is_read(tmp_path, counted):
    file = weights(tmp_path / "model")
    first, about = hash_of(file), file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert file.stat().st_ino == about.st_ino
    assert hash_of(file) != first


def test_a_model_in_memory_is_known_by_content(tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED / "event_blend", folder)
    file = folder / "pair_model.json"
    before, about = read_model(str(folder)), file.stat()
    file.write_text(json.dumps(json.loads(file.read_text()) | {"threshold": 0.123}))
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert read_model(str(folder)).threshold == 0.123 != before.threshold
