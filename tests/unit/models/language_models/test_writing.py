import itertools

import numpy as np
import pytest
import torch

from core.models.language_models import search
from core.models.language_models import write as writing
from core.models.language_models.language_model import Decoding, PromptTemplate
from core.models.language_models.network import open_network
from core.models.language_models.search import sampled_tokens
from core.runtime import Runtime

TEMPLATE = PromptTemplate("<|endoftext|>", "\n\nHeadline:", "\n")
ARTICLES = ["The crew of the station came home on Sunday.", "Банк повысил ставку.", "", "x" * 70, "Short."]


def write(model, articles, **options):
    decoding = Decoding(**{"tokens": 12, "no_repeat": 0, "least_words": 0, **options})
    return model.write(articles, template=TEMPLATE, prefix_tokens=60, decoding=decoding)


def texts_of(found):
    return [[one.text for one in texts] for texts in found]


def tokens(model, text, most=10_000, *, split=True):
    ids = model.tokenizer(text, add_special_tokens=False, split_special_tokens=split)["input_ids"]
    return list(ids[:most])


def read_before(model, article, most):
    before = tokens(model, TEMPLATE.before, split=False)
    return before + tokens(model, article, most) + tokens(model, TEMPLATE.after)


def reference(model, article, **options):
    """The texts of transformers' own generation, and their scores where it searches beams."""
    prompt = read_before(model, article, 60)
    ends = [tokens(model, "\n")[0], model.tokenizer.eos_token_id]
    given = torch.tensor([prompt])
    found = model.model.generate(
        given,
        attention_mask=torch.ones_like(given),
        do_sample=False,
        max_new_tokens=12,
        eos_token_id=ends,
        pad_token_id=ends[1],
        return_dict_in_generate=True,
        output_scores=True,
        **options,
    )
    texts = []
    for row in found.sequences[:, len(prompt) :].tolist():
        cut = next((place for place, token in enumerate(row) if token in ends), len(row))
        texts.append(model.tokenizer.decode(row[:cut]))
    scores = found.sequences_scores.tolist() if "sequences_scores" in found else [0.0] * len(texts)
    return list(zip(texts, scores, strict=True))


@pytest.mark.slow
def test_greedy_texts_are_those_of_transformers(folder):
    model = open_network(folder, Runtime(half=False), prompt="plain")
    found = write(model, ARTICLES)
    assert [one.text for (one,) in found] == [reference(model, text)[0][0] for text in ARTICLES]
    assert len({one.text for (one,) in found}) > 2


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [0.0, 1.0, 2.0])
def test_beams_are_those_of_transformers(gpt2, penalty):
    found = write(gpt2, ARTICLES, beams=4, results=3, length_penalty=penalty)
    for article, texts in zip(ARTICLES, found, strict=True):
        wanted = reference(gpt2, article, num_beams=4, num_return_sequences=3, length_penalty=penalty)
        assert [one.text for one in texts] == [text for text, _ in wanted]
        ours, theirs = np.array([one.score for one in texts]), np.array([score for _, score in wanted])
        # transformers ends a text with one of the ends, we with any of them.
        assert (ours > theirs - 1e-4).all()
        assert (ours < theirs + 0.05).all()


@pytest.mark.slow
def test_nothing_depends_on_the_batch(gpt2, monkeypatch):
    for options in ({}, {"beams": 3, "results": 2}, {"sample": True, "results": 3}):
        together = texts_of(write(gpt2, ARTICLES, **options))
        assert texts_of([write(gpt2, [article], **options)[0] for article in ARTICLES]) == together
        with monkeypatch.context() as patch:
            patch.setattr(writing, "CPU_COLUMNS", 1)
            assert texts_of(write(gpt2, ARTICLES[::-1], **options)) == together[::-1]


def test_a_common_beginning_is_read_once(gpt2, monkeypatch):
    template = PromptTemplate("Examples of news articles with headlines follow: ", "\n\nHeadline:", "\n")
    decoding = Decoding(tokens=12, beams=3, results=2)

    def ask():
        return texts_of(gpt2.write(ARTICLES, template=template, prefix_tokens=60, decoding=decoding))

    apart = ask()
    monkeypatch.setattr(writing, "COMMON", 10_000)
    assert ask() == apart


@pytest.mark.parametrize(("temperature", "top_p"), [(1.0, 1.0), (0.7, 0.9), (2.0, 0.3)])
def test_drawing_against_plain_nucleus_sampling(temperature, top_p, monkeypatch):
    monkeypatch.setattr(search, "NUCLEUS", 5)
    random = np.random.default_rng(0)
    logits = torch.from_numpy(random.normal(size=(200, 12)) * 2)
    draws = random.random(200)
    found = sampled_tokens(logits, draws, temperature=temperature, top_p=top_p)
    for row, draw, token in zip(logits.numpy(), draws, found.tolist(), strict=True):
        shares = np.exp(row / temperature)
        shares /= shares.sum()
        order = np.argsort(-shares)
        count = int(np.searchsorted(np.cumsum(shares[order]), top_p)) + 1
        nucleus = np.cumsum(shares[order[:count]])
        assert token == order[min(int(np.searchsorted(nucleus, draw * nucleus[-1], side="right")), count - 1)]


def test_what_is_equal_but_for_rounding_is_drawn_alike():
    draws, random, plain = np.linspace(0.0, 0.999, 300), np.random.default_rng(0), torch.zeros(50)
    for _ in range(5):
        rounded = plain + torch.from_numpy(random.normal(scale=1e-6, size=50).astype(np.float32))
        scores = [one.expand(300, -1) for one in (rounded, plain)]
        one, other = (sampled_tokens(each, draws, temperature=1.0, top_p=1.0) for each in scores)
        assert np.mean(one != other) < 0.02, "only a draw between two words may fall to the other"


HEADLINES = ["Crew returns", "Bank raises rates twice in a week", "", "naïve — “quoted”", "Crew returns"]
PAIRS = list(itertools.product(ARTICLES[:3], HEADLINES))


def ask(model, pairs, **limits):
    tokens = {"prefix_tokens": 300, "continuation_tokens": 30, **limits}
    return model.log_likelihood([p for p, _ in pairs], [c for _, c in pairs], template=TEMPLATE, **tokens)


def loss(model, article, headline):
    """The loss of transformers on one plain text whose first part is not counted."""
    read = read_before(model, article, 300)
    written = tokens(model, headline, 30) + tokens(model, TEMPLATE.end)
    ids = torch.tensor([read + written])
    labels = ids.clone()
    labels[:, : len(read)] = -100
    with torch.no_grad():
        return -float(model.model(input_ids=ids, labels=labels).loss), len(written)


@pytest.mark.slow
def test_the_mean_is_the_negative_loss_of_transformers(folder):
    model = open_network(folder, Runtime(half=False), prompt="plain")
    found = ask(model, PAIRS)
    wanted = [loss(model, *pair) for pair in PAIRS]
    np.testing.assert_allclose(found.mean, [mean for mean, _ in wanted], atol=2e-5)
    assert found.tokens.tolist() == [count for _, count in wanted]
    assert found.mean.std() > 0.1  # the models tell texts apart
