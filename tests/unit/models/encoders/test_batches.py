from __future__ import annotations

import threading

import numpy as np
import pytest

from core.errors import Cancelled
from core.models.encoders.batches import EncoderNetwork, encode
from core.models.networks.batches import clean, fold, plan
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


def network(seen: list[int] | None = None) -> EncoderNetwork:
    def embed(ids: IntArray, lengths: IntArray) -> Float32Array:
        if seen is not None:
            seen.append(ids.size)
        first = np.stack([ids[:, 0], lengths], axis=1).astype(np.float32)
        return first / np.linalg.norm(first, axis=1, keepdims=True)

    return EncoderNetwork(
        tokenise=lambda texts: [[ord(c) for c in text] or [1] for text in texts],
        embed=embed,
        dimensions=2,
        pad=0,
        device="cpu",
    )


def test_fold_keeps_the_order_of_appearance():
    distinct, inverse = fold(["b", "a", "b", "c", "a"])
    assert distinct == ["b", "a", "c"]
    assert inverse.tolist() == [0, 1, 0, 2, 1]


def test_plan_covers_every_text_once_within_the_budget():
    lengths = np.random.default_rng(0).integers(1, 60, 500).tolist()
    batches = plan(lengths, 128)
    assert sorted(np.concatenate(batches).tolist()) == list(range(500))
    for batch in batches:
        widest = max(lengths[i] for i in batch)
        assert len(batch) * widest <= 128
    assert [max(lengths[i] for i in b) for b in batches] == sorted(
        (max(lengths[i] for i in b) for b in batches), reverse=True
    )


def test_plan_gives_a_text_over_the_budget_its_own_batch():
    assert [b.tolist() for b in plan([3, 900, 2], 100)] == [[1], [0, 2]]
    assert plan([], 100) == []


def test_clean_replaces_lone_surrogates_only():
    assert clean("caf\u00e9 \U0001f680") == "caf\u00e9 \U0001f680"
    assert clean("a\ud800b") == "a?b"


def test_encode_restores_the_order_and_folds_equal_texts():
    seen: list[int] = []
    vectors = encode(network(seen), ["bb", "a", "bb", "ccc", ""], Runtime())
    assert vectors.shape == (5, 2)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.allclose(vectors[3, 1] / vectors[3, 0], 3 / ord("c"))
    assert encode(network(), [], Runtime()).shape == (0, 2)


def test_encode_reports_and_stops():
    reports: list[tuple[str, int, int]] = []
    encode(network(), ["x" * 300, "y" * 300, "z"], Runtime(report=lambda *r: reports.append(r)))
    assert reports[0][1] == 0
    assert reports[-1][1] == reports[-1][2] > 0
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        encode(network(), ["x"], Runtime(stop=stop))


def test_an_error_in_a_batch_gets_out():
    def broken(ids: IntArray, lengths: IntArray) -> Float32Array:
        raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"):
        encode(EncoderNetwork(lambda t: [[1]] * len(t), broken, 2, 0, "cpu"), ["a", "b"], Runtime())


def test_the_callers_threads_are_left_as_they_were():
    import torch

    before = torch.get_num_threads()
    encode(network(), ["a", "b"], Runtime())
    assert torch.get_num_threads() == before
