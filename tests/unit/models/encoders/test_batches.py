import numpy as np

from core.models.encoders.encoder import NetworkEncoder
from core.models.networks.batches import plan
from core.runtime import Runtime


def network(seen=None, runtime=None):
    def embed(ids, lengths):
        if seen is not None:
            seen.append(ids.size)
        first = np.stack([ids[:, 0], lengths], axis=1).astype(np.float32)
        return first / np.linalg.norm(first, axis=1, keepdims=True)

    return NetworkEncoder(
        tokenise=lambda texts: [[ord(c) for c in text] or [1] for text in texts],
        embed=embed,
        dimensions=2,
        pad=0,
        runtime=runtime or Runtime(),
    )


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


def test_encode_restores_the_order_and_folds_equal_texts():
    seen: list[int] = []
    vectors = network(seen).encode(["bb", "a", "bb", "ccc", ""])
    assert vectors.shape == (5, 2)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.array_equal(vectors[0], vectors[2])
    assert np.allclose(vectors[3, 1] / vectors[3, 0], 3 / ord("c"))
    assert network().encode([]).shape == (0, 2)
