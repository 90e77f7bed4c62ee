from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.data.timelines.load import load_sample
from core.errors import Cancelled
from core.files import ROOT
from core.models.encoders import cache
from core.models.encoders.cache import FILE, VectorStore, encode_cached, shipped, shipped_keys
from core.models.encoders.encoder import default_encoder, encoders
from core.models.networks import precision
from core.runtime import Runtime

TEXTS = [
    "storm hits coast",
    "bank cuts rates",
    "storm hits coast",
    "\u0441\u0442\u0440\u0430\u043d\u0430",
    "",
]


def test_a_timeline_is_paid_for_once_and_ten_more_headlines_cost_ten(tmp_path, counting, tally):
    runtime = Runtime(cache=tmp_path)
    first = encode_cached(TEXTS, counting(), runtime)
    assert sorted(tally.texts) == sorted(set(TEXTS))
    again = encode_cached(TEXTS, counting(), runtime)
    assert np.array_equal(first, again)
    assert tally.builds == 1, "a cached timeline does not load the model"
    tally.texts.clear()
    more = encode_cached([*TEXTS, *(f"new {i}" for i in range(10))], counting(), runtime)
    assert sorted(tally.texts) == sorted(f"new {i}" for i in range(10))
    assert np.array_equal(more[:5], first)


def test_parameters_weights_and_precision_each_have_their_own_vectors(tmp_path, counting, tally, monkeypatch):
    monkeypatch.setattr(precision, "bfloat16_pays", lambda device: True)
    runtime = Runtime(cache=tmp_path)
    one = encode_cached(["a"], counting(), runtime)
    assert not np.array_equal(one, encode_cached(["a"], counting(shift=1), runtime))
    tally.fingerprint = "retrained"
    encode_cached(["a"], counting(), runtime)
    encode_cached(["a"], counting(), Runtime(cache=tmp_path, half=False))
    assert tally.texts == ["a"] * 4


@pytest.mark.parametrize("damage", ["cut", "other schema", "other version"])
def test_a_damaged_file_is_replaced(tmp_path, counting, tally, damage):
    runtime = Runtime(cache=tmp_path)
    texts = [f"headline {i}" for i in range(300)]
    good = encode_cached(texts, counting(), runtime)
    path = tmp_path / FILE
    data = path.read_bytes()
    if damage == "cut":
        path.write_bytes(data[: len(data) // 3])
    else:
        path.unlink()
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE vectors (something TEXT)")
            connection.execute(f"PRAGMA user_version = {1 if damage == 'other schema' else 99}")
    assert np.array_equal(encode_cached(texts, counting(), runtime), good)
    tally.builds = 0
    assert np.array_equal(encode_cached(texts, counting(), runtime), good)
    assert tally.builds == 0, "the new file serves"


def test_a_flipped_bit_is_a_miss(tmp_path, counting, tally):
    runtime = Runtime(cache=tmp_path)
    good = encode_cached(["a", "b"], counting(), runtime)
    with sqlite3.connect(tmp_path / FILE) as connection:
        (blob,) = connection.execute("SELECT vector FROM vectors LIMIT 1").fetchone()
        bad = bytes([*blob[:-1], blob[-1] ^ 1])
        connection.execute("UPDATE vectors SET vector = ? WHERE vector = ?", (bad, blob))
    tally.texts.clear()
    assert np.array_equal(encode_cached(["a", "b"], counting(), runtime), good)
    assert len(tally.texts) == 1


@pytest.mark.parametrize("place", ["under a file", "is a folder"])
def test_a_place_that_cannot_be_written_means_no_cache(tmp_path, counting, tally, place):
    if place == "under a file":
        (tmp_path / "file").write_text("here")
        folder = tmp_path / "file" / "cache"
    else:
        folder = tmp_path
        (folder / FILE).mkdir()
    for _ in range(2):
        assert encode_cached(["a"], counting(), Runtime(cache=folder)).shape == (1, 8)
    assert tally.builds == 2


def test_a_lock_that_is_never_freed_means_no_cache(tmp_path, counting, tally, monkeypatch):
    runtime = Runtime(cache=tmp_path)
    encode_cached(["a"], counting(), runtime)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, timeout: connect(path, timeout=0.05))
    holder = connect(tmp_path / FILE)
    holder.execute("BEGIN EXCLUSIVE")
    assert encode_cached(["a", "b"], counting(), runtime).shape == (2, 8)
    holder.close()


def test_the_oldest_go_first(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_EMBEDDING_CACHE_MEGABYTES", "1")
    store = VectorStore(tmp_path / FILE)
    vector = np.ones(384, dtype=np.float32)
    keys = [i.to_bytes(16, "big") for i in range(2000)]
    for start in range(0, 2000, 250):
        store.put(dict.fromkeys(keys[start : start + 250], vector))
        assert (tmp_path / FILE).stat().st_size < 1_500_000
    kept = store.get(keys, 384)
    assert keys[-1] in kept
    assert keys[0] not in kept
    assert 300 < len(kept) < 650
    survivors = [key in kept for key in keys]
    assert survivors == sorted(survivors), "what is kept is the newest, without holes"


def test_threads_share_a_file(tmp_path, counting, tally):
    runtime = Runtime(cache=tmp_path)
    want = encode_cached([f"t{i}" for i in range(60)], counting(), Runtime(cache=tmp_path / "other"))

    def work(worker: int) -> bool:
        texts = [f"t{i}" for i in range(worker, 60)]
        return bool(np.array_equal(encode_cached(texts, counting(), runtime), want[worker:]))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(24)))


def test_progress_counts_headlines_and_stopping_keeps_what_was_done(tmp_path, counting, tally, monkeypatch):
    monkeypatch.setattr("core.models.encoders.cache._CHECKPOINT", 10)
    reports: list[tuple[int, int]] = []
    stop = threading.Event()

    def report(step: str, done: int, total: int) -> None:
        reports.append((done, total))
        if done >= 15:
            stop.set()

    texts = [f"headline {i}" for i in range(40)]
    with pytest.raises(Cancelled):
        encode_cached(texts, counting(), Runtime(cache=tmp_path, report=report, stop=stop))
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert {total for _, total in reports} == {40}
    tally.texts.clear()
    encode_cached(texts, counting(), Runtime(cache=tmp_path))
    assert len(tally.texts) == 30


@pytest.mark.parametrize(("half", "least"), [(False, 0.999999), (True, 0.9998)])
def test_vectors_that_ship_are_those_of_the_encoder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: bool, least: float
) -> None:
    monkeypatch.setattr(precision, "bfloat16_pays", lambda device: half)
    texts, recipe = load_sample().texts, encoders.parse(default_encoder("en"))
    runtime = Runtime(cache=tmp_path)
    assert set(shipped_keys(texts, recipe)) == shipped().keys()
    read = encode_cached(texts, recipe, runtime)
    monkeypatch.setattr(cache, "shipped", dict)
    computed = encode_cached(texts, recipe, runtime)
    assert (read * computed).sum(axis=1).min() > least


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere torch is asked for a GPU")
def test_the_first_timeline_is_grouped_without_torch(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from core import runtime; runtime._DRIVERS = ()\n"
        "from core.data.timelines.load import load_sample\n"
        "from core.events.grouping import Settings, prepare\n"
        "where = runtime.Runtime(cache=Path(sys.argv[1]), device=runtime.detect_device())\n"
        "prepare(load_sample(), Settings(), where)\n"
        "print('torch' in sys.modules, where.device)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == ["False", "cpu"]
