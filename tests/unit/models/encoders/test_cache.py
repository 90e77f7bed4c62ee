import json
import os
import shutil
import sqlite3
import sys
import threading
import time

import numpy as np
import pytest

from core.data.timelines.load import load_sample
from core.errors import Cancelled
from core.models.cards import SHIPPED
from core.models.encoders import encoder as cache
from core.models.encoders.encoder import FILE, default_encoder, encode_cached, encoders, shipped, shipped_keys
from core.models.networks import batches
from core.models.weights import hash_of
from core.pairs.scorers.event_blend import read_model
from core.runtime import Runtime
from tests.programs import printed

TEXTS = [
    "storm hits coast", "bank cuts rates", "storm hits coast", "\u0441\u0442\u0440\u0430\u043d\u0430", "",
]  # fmt: skip


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


def test_progress_counts_headlines_and_stopping_keeps_what_was_done(tmp_path, counting, tally, monkeypatch):
    monkeypatch.setattr("core.models.encoders.encoder._CHECKPOINT", 10)
    reports: list[tuple[int, int]] = []
    stop = threading.Event()

    def report(step, done, total):
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
def test_vectors_that_ship_are_those_of_the_encoder(tmp_path, monkeypatch, half, least):
    monkeypatch.setattr(batches, "bfloat16_pays", lambda device: half)
    texts, recipe = load_sample().texts, encoders.parse(default_encoder("en"))
    runtime = Runtime(cache=tmp_path)
    assert set(shipped_keys(texts, recipe)) == shipped().keys()
    read = encode_cached(texts, recipe, runtime)
    monkeypatch.setattr(cache, "shipped", dict)
    computed = encode_cached(texts, recipe, runtime)
    assert (read * computed).sum(axis=1).min() > least


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere torch is asked for a GPU")
def test_the_first_timeline_is_grouped_without_torch(tmp_path):
    code = (
        "import sys; from pathlib import Path\n"
        "from core import runtime; runtime._DRIVERS = ()\n"
        "from core.data.timelines.load import load_sample\n"
        "from core.events.grouping import Settings, prepare\n"
        "where = runtime.Runtime(cache=Path(sys.argv[1]), device=runtime.detect_device())\n"
        "prepare(load_sample(), Settings(), where)\n"
        "print('torch' in sys.modules, where.device)"
    )
    assert printed(code, tmp_path).split() == ["False", "cpu"]


def test_a_change_in_place_with_the_time_set_back_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    file, long_ago = tmp_path / "model.safetensors", time.time() - 1000
    file.write_bytes(b"one")
    os.utime(file, (long_ago, long_ago))
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
