import os
import time

import numpy as np

from core import files
from core.disk_cache import ENDING, FORGOTTEN_SECONDS, DiskCache
from tests.faults import attempts, partials

ARRAYS = {"scores": np.linspace(0, 1, 40, dtype=np.float32), "none": np.zeros((0, 3), dtype=np.int64)}


def filled(folder, *keys):
    cache = DiskCache(folder)
    for key in keys:
        cache.put(key, ARRAYS, reasons={"no date — 日": 3}, seconds=0.25)
    return cache


def test_what_was_put_is_got(tmp_path):
    found = filled(tmp_path / "deep" / "er", "ab").get("ab")

    assert {name: value.dtype for name, value in found.arrays.items()} == {
        name: value.dtype for name, value in ARRAYS.items()
    }
    assert all(np.array_equal(found.arrays[name], value) for name, value in ARRAYS.items())
    assert found.about == {"reasons": {"no date — 日": 3}, "seconds": 0.25}


def test_every_flipped_bit_and_every_cut_is_seen_and_the_file_removed(tmp_path):
    cache = filled(tmp_path, "ab")
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()

    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        for content in (damaged, whole[:place], whole + whole[:place][-3:] + b"x"):
            file.write_bytes(content)
            assert cache.get("ab") is None
            assert not file.exists()


def test_no_failing_disk_gets_out(tmp_path):
    for one in attempts(lambda: filled(tmp_path, "ab"), before=lambda: DiskCache(tmp_path).forget("ab")):
        assert one.outcome == ("killed" if one.disk.fault == "killed" else "done"), one
        found = DiskCache(tmp_path).get("ab")
        assert found is None or np.array_equal(found.arrays["scores"], ARRAYS["scores"])
        assert one.outcome == "killed" or not partials(tmp_path)


def test_a_folder_that_cannot_be_made_is_an_empty_cache(tmp_path):
    (tmp_path / "file").write_bytes(b"")

    assert filled(tmp_path / "file", "ab").get("ab") is None


def test_what_was_unused_for_longest_goes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_RESULT_CACHE_MEGABYTES", "1")
    cache, large = DiskCache(tmp_path), {"large": np.zeros(290_000, dtype=np.uint8)}
    for age, key in enumerate(("aa", "bb", "cc")):
        cache.put(key, large)
        os.utime(tmp_path / f"{key}{ENDING}", (age, age))
    assert cache.get("aa") is not None

    cache.put("dd", large)

    assert sorted(path.stem for path in tmp_path.iterdir()) == ["aa", "cc", "dd"]


def test_what_a_kill_left_goes_some_day(tmp_path):
    old, new = tmp_path / f".old{files.PARTIAL}", tmp_path / f".new{files.PARTIAL}"
    for path in (old, new):
        path.write_bytes(b"")
    long_ago = time.time() - FORGOTTEN_SECONDS - 60
    os.utime(old, (long_ago, long_ago))

    filled(tmp_path, "ab")

    assert [path.name for path in partials(tmp_path)] == [new.name]
