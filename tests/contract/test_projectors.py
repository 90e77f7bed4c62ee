"""What every registered map method promises."""

import subprocess
import sys

import numpy as np
import pytest

from core.files import ROOT
from core.maps.projector import projectors
from core.runtime import Runtime


def clusters(n=60, d=16):
    drawn = np.random.default_rng(3)
    centres = drawn.normal(size=(4, d))
    vectors = centres[np.arange(n) % 4] + 0.3 * drawn.normal(size=(n, d))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def project(name, vectors):
    return projectors.get(name)().project(vectors, Runtime(seed=7))


def test_the_map_methods_are_these():
    assert set(projectors.names()) >= {"pca.v1", "umap.v1", "umap_direct.v1"}


@pytest.mark.parametrize("name", projectors.names())
def test_it_is_listed_with_a_summary_and_a_signature_that_reads_back(name):
    recipe = projectors.get(name)()
    assert recipe.summary.endswith(".")
    assert projectors.parse(projectors.signature(recipe)) == recipe


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
