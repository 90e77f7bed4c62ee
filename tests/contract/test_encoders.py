"""What every registered encoder keeps to."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.errors import Cancelled
from core.models.encoders.encoder import encoders
from core.runtime import Runtime

NAMES = encoders.names()
HEADLINES = [
    "Space station crew prepares for spacewalk", "Astronauts ready for walk outside the ISS",
    "US stocks fall as oil slips", "Fed official says weak data caused by weather, should not slow taper",
    "Банк России повысил ставку", "Il governo approva la manovra",
]  # fmt: skip
WEIRD = ["\U0001f680\U0001f525", "رئيس الوزراء", "", "   ", "\x00\x07", "a\ud800b", "x" * 5000]
WEIRD += ["long words " * 500, "<script>alert(1)</script>", "\u200b", "9"]


@pytest.fixture(scope="session")
def loaded():
    return {name: encoders.get(name)().build(Runtime()) for name in NAMES}


@pytest.fixture(params=NAMES)
def encoder(request, loaded):
    return loaded[request.param]


def cosines(left, right):
    return (left * right).sum(axis=1)


def test_the_list_of_encoders():
    assert set(NAMES) >= {"minilm.v1", "transformers_encoder.v1", "use_multilingual.v1"}


@pytest.mark.parametrize("texts", [HEADLINES, WEIRD, []], ids=["headlines", "weird", "none"])
def test_every_text_has_a_vector_of_length_one(encoder, texts):
    vectors = encoder.encode(texts)
    assert vectors.shape == (len(texts), encoder.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.slow
def test_a_vector_does_not_depend_on_the_others(encoder):
    texts = HEADLINES + WEIRD
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert cosines(together, alone).min() > 0.999
    backwards = encoder.encode(texts[::-1])[::-1]
    assert cosines(together, backwards).min() > 0.999
    many = encoder.encode([f"{h} {i}" for i in range(40) for h in HEADLINES] + texts)
    assert cosines(together, many[-len(texts) :]).min() > 0.999


def test_the_same_again_and_for_equal_texts(encoder):
    once = encoder.encode([*HEADLINES, HEADLINES[0]])
    assert np.array_equal(once, encoder.encode([*HEADLINES, HEADLINES[0]]))
    assert np.array_equal(once[0], once[-1])


def test_the_same_subject_is_nearer_than_another(encoder):
    vectors = encoder.encode(HEADLINES[:3])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_several_threads_may_share_it(encoder):
    want = encoder.encode(HEADLINES)
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(encoder.encode, [HEADLINES] * 4))
    assert all(cosines(want, got).min() > 0.999 for got in results)


@pytest.mark.parametrize("name", NAMES)
def test_identity_agrees_with_the_model(name, loaded):
    recipe = encoders.get(name)()
    assert recipe.dimensions == loaded[name].dimensions
    assert recipe.fingerprint == recipe.fingerprint
    assert encoders.parse(encoders.signature(recipe)) == recipe


@pytest.mark.parametrize("name", NAMES)
def test_progress_and_stop(name):
    reports: list[tuple[str, int, int]] = []
    stop = threading.Event()
    encoder = encoders.get(name)().build(Runtime(report=lambda *r: reports.append(r), stop=stop))
    encoder.encode(HEADLINES)
    assert reports[0][1] == 0
    assert reports[-1][1] == reports[-1][2] > 0
    stop.set()
    with pytest.raises(Cancelled):
        encoder.encode(HEADLINES)
