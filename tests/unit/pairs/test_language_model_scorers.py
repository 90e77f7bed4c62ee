"""Headline Generator Swap and perplexity, against likelihoods asked for one by one."""

import numpy as np
import pytest

from core.models.language_models.causal import Causal
from core.pairs.context import PairContext
from core.pairs.scorers.language_models import FORMS, HeadlineSwap, Perplexity
from core.runtime import Runtime

EXACT = Runtime(half=False)
CONTEXT = PairContext(
    texts=["Crew returns to Earth", "Astronauts are home", "Bank raises rates", "", "Bank raises rates"],
    days=np.array([1.0, 2.0, np.nan, 4.0, 5.0]),
    vectors=np.empty((5, 0), dtype=np.float32),
    bodies=["The crew landed on Sunday.", "Three people are back.", "Rates went up.", "Nothing.", "Up."],
)
LEFT, RIGHT = np.triu_indices(5)


@pytest.fixture
def model(tiny_gpt2):
    return f"causal.v1|model:{tiny_gpt2}"


def likelihood(tiny_gpt2, prefix, text, *, article):
    network = Causal(model=str(tiny_gpt2)).build(EXACT)
    template = network.headline_template if article else network.line_template
    most = (300, 30) if article else (64, 64)
    found = network.log_likelihood(
        [prefix], [text], template=template, prefix_tokens=most[0], continuation_tokens=most[1]
    )
    return float(found.mean[0]), int(found.tokens[0])


def test_swap_is_the_mean_of_both_directions(tiny_gpt2, model):
    found = HeadlineSwap(language_model=model).prepare(CONTEXT, EXACT).pairs(LEFT, RIGHT)
    for left, right, score in zip(LEFT, RIGHT, found, strict=True):
        there, _ = likelihood(tiny_gpt2, CONTEXT.bodies[left], CONTEXT.texts[right], article=True)
        back, _ = likelihood(tiny_gpt2, CONTEXT.bodies[right], CONTEXT.texts[left], article=True)
        # The authors' script sums both negative log-likelihoods.
        assert -2 * np.log(score) == pytest.approx(-(there + back), abs=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_perplexity_by_its_formulas(tiny_gpt2, model, form):
    found = Perplexity(language_model=model, form=form).prepare(CONTEXT, EXACT).pairs(LEFT, RIGHT)

    def one(before: str, after: str) -> float:
        given, count = likelihood(tiny_gpt2, before, after, article=False)
        if form == "conditional":
            return float(np.exp(given))
        if form == "gain":
            alone, _ = likelihood(tiny_gpt2, "", after, article=False)
            return max(0.0, float(1 - np.exp(-given) / np.exp(-alone)))
        first, size = likelihood(tiny_gpt2, "", before, article=False)
        return float(np.exp((first * size + given * count) / (size + count)))

    texts = CONTEXT.texts
    wanted = [
        (one(texts[a], texts[b]) + one(texts[b], texts[a])) / 2 for a, b in zip(LEFT, RIGHT, strict=True)
    ]
    np.testing.assert_allclose(found, wanted, atol=2e-5)
