"""What every registered encoder and every map method keeps to."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.errors import Cancelled
from core.files import ROOT
from core.maps.projector import projectors
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


@pytest.mark.slow
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


def clusters(n=60, d=16):
    drawn = np.random.default_rng(3)
    centres = drawn.normal(size=(4, d))
    vectors = centres[np.arange(n) % 4] + 0.3 * drawn.normal(size=(n, d))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def project(name, vectors):
    return projectors.get(name)().project(vectors, Runtime(seed=7))


@pytest.mark.slow
@pytest.mark.parametrize("name", projectors.names())
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 60])
def test_any_number_of_headlines_gives_a_centred_map(name, n):
    places = project(name, clusters()[:n])
    assert places.shape == (n, 2)
    assert places.dtype == np.float32
    assert np.isfinite(places).all()
    if n:
        assert np.abs(places.mean(axis=0)).max() < 1e-4 * max(1.0, float(np.abs(places).max()))
        assert (np.ptp(places, axis=0).max() > 0) == (n > 1)


@pytest.mark.parametrize("name", projectors.names())
@pytest.mark.parametrize("vector", [np.zeros(8), np.ones(8)])
def test_identical_vectors_share_the_origin(name, vector):
    places = project(name, np.tile(vector.astype(np.float32), (40, 1)))
    assert np.abs(places).max() < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("name", projectors.names())
def test_duplicates_stay_near_each_other(name):
    vectors = np.vstack((clusters(), np.repeat(clusters()[:1], 30, axis=0)))
    before = vectors.copy()
    places = project(name, vectors)
    assert np.array_equal(vectors, before), "the input is left as it was"
    spread = np.linalg.norm(places[60:] - places[0], axis=1).max()
    assert spread < 0.5 * np.ptp(places, axis=0).max()


@pytest.mark.slow
def test_the_same_map_in_two_calls_and_in_two_processes():
    script = (
        "import sys, numpy as np\n"
        "from core.maps.projector import projectors\n"
        "from core.runtime import Runtime\n"
        "vectors = np.frombuffer(sys.stdin.buffer.read(), dtype=np.float32).reshape(60, 16)\n"
        "for name in projectors.names():\n"
        "    places = projectors.get(name)().project(vectors, Runtime(seed=7))\n"
        "    sys.stdout.buffer.write(places.tobytes())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=clusters().tobytes(), capture_output=True, check=True, cwd=ROOT
    )
    elsewhere = np.frombuffer(done.stdout, dtype=np.float32).reshape(-1, 60, 2)
    for name, other in zip(projectors.names(), elsewhere, strict=True):
        once, twice = project(name, clusters()), project(name, clusters())
        assert np.array_equal(once, twice), name
        assert np.array_equal(once, other), name
