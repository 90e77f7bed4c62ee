"""What networks give in half precision on each device is what the CPU gives in float32, or near it.

`pytest -m gpu` runs all on a GPU; elsewhere the same tests compare the CPU's own half precision.
"""

import numpy as np
import pytest

from core.data.timelines.samples import load_sample
from core.errors import ModelUnavailableError
from core.events.grouping import Settings, prepare
from core.headlines.generator import GenerationOptions, headline_generators
from core.models.encoders import cached
from core.models.encoders.encoder import encoders
from core.models.language_models.recipe import language_models
from core.numerals.checking import load_checker
from core.pairs.candidates import Sieve
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime, detect_device
from tests.tiny_models import sharing

pytestmark = pytest.mark.slow

TEXTS = tuple(load_sample("iss").texts)
ARTICLES = (
    "Gunmen killed 19 men on Monday. Nobody was arrested. Police found 55 bodies in May, and 16 in June.",
    "The fund lost $3.2bn in two years, after 40 of its 120 clients had left it in the spring.",
)
HEADLINES = ("Gunmen Kill 19 in Mexico", "Fund Loses $3.2B After 40 Clients Leave")


@pytest.fixture(params=["cpu", pytest.param("gpu", marks=pytest.mark.gpu)])
def fast(request, tmp_path):
    """Half precision on a device, with a cache of its own."""
    device = detect_device() if request.param == "gpu" else "cpu"
    if request.param == "gpu" and device == "cpu":
        pytest.skip("There is no GPU.")
    return Runtime(device=device, cache=sharing(tmp_path / "fast"))


@pytest.fixture
def exact(tmp_path):
    return Runtime(half=False, cache=sharing(tmp_path / "exact"))


@pytest.mark.parametrize("name", encoders.names())
def test_encoders(name, fast, exact):
    try:
        one, other = (encoders.get(name)().build(at).encode(TEXTS) for at in (fast, exact))
    except ModelUnavailableError as error:
        pytest.skip(error.message)
    assert (one * other).sum(axis=1).min() > 0.9995


@pytest.mark.parametrize("name", ["event_blend", "finetuned", "mrpc_zero_shot"])
def test_pair_scorers(name, fast, exact):
    vectors = encoders.get("minilm")().build(exact).encode(TEXTS)
    days = np.asarray(load_sample("iss").days)
    some = slice(0, 12)

    def scores(at):
        recipe = pair_scorers.parse(name)
        context = PairContext(texts=TEXTS, days=days, vectors=vectors)
        return np.asarray(recipe.prepare(context, at).block(some, some))

    assert np.abs(scores(fast) - scores(exact)).max() < 0.02


def test_pairs_above_a_floor_are_exact(fast):
    rows = np.random.default_rng(0).normal(size=(400, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    sieve, whole = Sieve(rows, fast), slice(0, 400)
    left, right, cosines = sieve.reach(*sieve.may_reach(whole, whole, 0.2), 0.2)
    products = np.einsum("id,jd->ij", rows, rows)
    clear = np.abs(products - 0.2) > 1e-5
    found = np.zeros(products.shape, dtype=bool)
    found[left, right] = True
    assert np.array_equal(found[clear], (products >= 0.2)[clear])
    np.testing.assert_allclose(cosines, products[left, right], atol=1e-5)


def test_groups_of_a_timeline(fast, exact, monkeypatch):
    monkeypatch.setattr(cached, "shipped", dict)
    one, other = (prepare(load_sample("iss"), Settings(), at) for at in (fast, exact))
    assert one.device == fast.device
    assert np.array_equal(one.reference, other.reference)


def test_language_model(fast, exact):
    def likelihoods(at):
        model = language_models.parse("smollm2").build(at)
        told = model.log_likelihood(
            ARTICLES, HEADLINES, template=model.headline_template, prefix_tokens=60, continuation_tokens=20
        )
        return np.asarray(told.mean)

    assert np.abs(likelihoods(fast) - likelihoods(exact)).max() < 0.05


def test_claims_of_numbers(fast, exact):
    def probabilities(at):
        found = load_checker(None, at).check(HEADLINES, ARTICLES, at)
        return [numeral.claim.probability for headline in found for numeral in headline.numerals]

    np.testing.assert_allclose(probabilities(fast), probabilities(exact), atol=0.05)


def test_headlines_are_written(fast):
    generator = headline_generators.parse("flan_t5_headlines").build(fast)
    written = generator.write(ARTICLES, GenerationOptions(), fast)
    assert all(candidates and candidates[0].text.strip() for candidates in written)


@pytest.fixture
def little_memory():
    """A GPU that gives this process 300 MB beside what it holds."""
    import torch

    if not torch.cuda.is_available():
        pytest.skip("There is no GPU of NVIDIA.")
    torch.cuda.empty_cache()
    whole = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + 300 * 2**20) / whole)
    yield
    torch.cuda.set_per_process_memory_fraction(1.0)


@pytest.mark.gpu
def test_a_gpu_with_little_memory_takes_smaller_batches(little_memory, exact):
    texts = [f"{number} {text} " * 12 for number in range(40) for text in TEXTS]
    recipe = encoders.get("minilm")()
    one, other = (recipe.build(at).encode(texts) for at in (Runtime(device="cuda"), exact))
    assert (one * other).sum(axis=1).min() > 0.9995
