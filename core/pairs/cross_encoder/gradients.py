"""What each word adds to the answer of a pair model, by gradients. Imports torch."""

from typing import Final

import numpy as np
import torch
from torch import Tensor

from core.arrays import FloatArray
from core.pairs.cross_encoder.inference import PairReader
from core.pairs.cross_encoder.tokens import known_days

POINTS: Final = 16  # of the rule of Gauss and Legendre, in each stretch of the way from blanks to words
OFF: Final = 1e-4  # what the sum may differ from the difference of scores in a stretch; else it is halved
SHORTEST: Final = 2.0**-12


def integrated_gradients(
    reader: PairReader, left: str, right: str, days: float
) -> tuple[FloatArray, float, float]:
    """What each word of both texts adds, the score, and the score with blanks (PAD) in place of all words.

    The first sum to the difference of the two others. Words behind the longest text that is read add 0.
    Source: Sundararajan, Taly and Yan 2017, "Axiomatic Attribution for Deep Networks".
    """
    network, tokenizer = reader.network, reader.tokenizer
    apart = float(known_days(np.array([days]))[0]) if reader.config.time != "none" else 0.0
    first, second = tokenizer.tokenise([left, right])
    ids, firsts = tokenizer.pair(first, second, apart)
    # Put together in place of their tokens, words say which stand where once special tokens are between them.
    begins = len(left.split())
    first, second = ([-1 - word for word in tokenizer.words(text)] for text in (left, right))
    word_of = -1 - np.array(tokenizer.pair(first, [mark - begins for mark in second], apart)[0])
    of_word = word_of >= 0

    def scores(embedded: Tensor) -> Tensor:
        rows = tokenizer.rows([(ids, firsts)] * len(embedded))
        logits = network.classified(rows, np.full(len(embedded), apart, dtype=np.float32), embedded)
        several = logits.shape[1] > 1
        return logits.softmax(dim=1)[:, reader.config.same_label] if several else logits.sigmoid()[:, 0]

    words = network.embedded(np.array([ids]))
    blank = network.embedded(np.where(of_word, tokenizer.frame.pad, ids)[None, :])

    def on_the_way(shares: FloatArray) -> Tensor:
        return blank + torch.from_numpy(shares).to(words)[:, None, None] * (words - blank)

    def at_ends(*shares: float) -> tuple[float, float]:
        with torch.inference_mode():
            first, last = scores(on_the_way(np.array(shares))).tolist()
            return first, last

    places, weights = (part / 2 for part in np.polynomial.legendre.leggauss(POINTS))
    tokens, stretches = np.zeros(len(ids)), [(0.0, 1.0)]
    while stretches:
        start, end = stretches.pop()
        way = on_the_way(start + (end - start) * (places + 0.5)).requires_grad_()
        (slopes,) = torch.autograd.grad(scores(way).sum(), way)
        added = (slopes * (words - blank)).sum(dim=2).double().cpu().numpy().T @ weights * (end - start)
        low, high = at_ends(start, end)
        if abs(added.sum() - (high - low)) <= OFF or end - start <= SHORTEST:
            tokens += added
        else:
            stretches += [(start, (start + end) / 2), ((start + end) / 2, end)]
    without, score = at_ends(0.0, 1.0)
    found = np.zeros(begins + len(right.split()))
    np.add.at(found, word_of[of_word], tokens[of_word])
    return found, score, without
