import itertools

import numpy as np

from core.models.language_models import network
from core.models.language_models.language_model import Frame
from core.models.language_models.network import open_network
from core.runtime import Runtime

FRAME = Frame("<|endoftext|>", "\n\nHeadline:", "\n")
ARTICLES = ["The crew of the station came home on Sunday.", "Банк повысил ставку.", ""]
HEADLINES = ["Crew returns", "Bank raises rates twice in a week", "", "naïve — “quoted”", "Crew returns"]
PAIRS = list(itertools.product(ARTICLES, HEADLINES))


def ask(model, pairs, **limits):
    tokens = {"prefix_tokens": 300, "continuation_tokens": 30, **limits}
    return model.log_likelihood([p for p, _ in pairs], [c for _, c in pairs], frame=FRAME, **tokens)


def reference(model, article, headline):
    """The loss of transformers on one plain text whose first part is not counted."""
    import torch

    def tokens(text, most=10_000, *, split=True):
        ids = model.tokenizer(text, add_special_tokens=False, split_special_tokens=split)["input_ids"]
        return list(ids[:most])

    read = tokens(FRAME.before, split=False) + tokens(article, 300) + tokens(FRAME.after)
    written = tokens(headline, 30) + tokens(FRAME.end)
    ids = torch.tensor([read + written])
    labels = ids.clone()
    labels[:, : len(read)] = -100
    with torch.no_grad():
        return -float(model.model(input_ids=ids, labels=labels).loss), len(written)


def test_the_mean_is_the_negative_loss_of_transformers(folder):
    model = open_network(folder, Runtime(half=False), prompt="plain")
    found = ask(model, PAIRS)
    wanted = [reference(model, *pair) for pair in PAIRS]
    np.testing.assert_allclose(found.mean, [mean for mean, _ in wanted], atol=2e-5)
    assert found.tokens.tolist() == [count for _, count in wanted]
    assert found.mean.std() > 0.1  # the models tell texts apart


def test_batches_of_any_size_agree(gpt2, monkeypatch):
    whole = ask(gpt2, PAIRS)
    one_by_one = [ask(gpt2, [pair]).mean[0] for pair in PAIRS]
    np.testing.assert_allclose(whole.mean, one_by_one, atol=2e-5)
    monkeypatch.setattr(network, "CPU_TOKENS", 1)
    np.testing.assert_allclose(ask(gpt2, PAIRS).mean, whole.mean, atol=2e-5)
