"""What each word adds to the answer of a pair model, by gradients. Imports torch."""

from typing import Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from core.arrays import FloatArray
from core.pairs.cross_encoder.model import PairModel
from core.runtime import Runtime

STEP: Final = "Gradients along the way from blanks to words"
POINTS: Final = 8  # of the rule of Gauss and Legendre, in each stretch of the way from blanks to words
OFF: Final = 1e-4  # what the sum may differ from the difference of scores in a stretch; else it is halved
SHORTEST: Final = 2.0**-12


def integrated_gradients(
    model: PairModel, left: str, right: str, days: float, runtime: Runtime
) -> tuple[FloatArray, float, float]:
    """What each word of both texts adds, the score, and the score with blanks (PAD) in place of all words.

    The first sum to the difference of the two others. Words behind the longest text that is read add 0; the
    model is changed. Source: Sundararajan, Taly and Yan 2017, "Axiomatic Attribution for Deep Networks".
    """
    tokenizer, embeddings = model.eval().tokenizer, model.network.get_input_embeddings()
    first, second = tokenizer.tokenise([left, right])
    ids = model.collate([first], [second], [days])[0].ids
    # Put together in place of their tokens, words say which stand where once special tokens are between them.
    begins = len(left.split())
    marks = [-1 - word for word in tokenizer.words(left)], [-1 - begins - at for at in tokenizer.words(right)]
    word_of = -1 - model.collate([marks[0]], [marks[1]], [days])[0].ids[0]
    blanks = np.where(word_of >= 0, tokenizer.frame.pad, ids)
    weight, replaced = embeddings.weight.detach(), list[Tensor]()
    words, blank = (F.embedding(torch.from_numpy(row).to(weight.device), weight) for row in (ids, blanks))
    embeddings.register_forward_hook(lambda *_: replaced.pop())

    def scores(shares: FloatArray) -> tuple[Tensor, Tensor]:
        """Of texts so far on the way to the words, with what the network reads of them."""
        way = (blank + torch.from_numpy(shares).to(words)[:, None, None] * (words - blank)).requires_grad_()
        replaced.append(way)
        many = len(shares)
        logits = model(*model.collate([first] * many, [second] * many, [days] * many))
        several = logits.shape[1] > 1
        return logits.softmax(dim=1)[:, model.config.same_label] if several else logits.sigmoid()[:, 0], way

    places, weights = (part / 2 for part in np.polynomial.legendre.leggauss(POINTS))
    tokens, stretches = np.zeros(len(word_of)), [(0.0, 1.0)]
    without, score = scores(np.array([0.0, 1.0]))[0].tolist()
    for start, end in runtime.track(stretches, STEP):  # halves come behind
        along, way = scores(np.array([*(start + (end - start) * (places + 0.5)), start, end]))
        (slopes,) = torch.autograd.grad(along[:POINTS].sum(), way)
        added = (
            (slopes[:POINTS] * (words - blank)).sum(dim=2).double().cpu().numpy().T @ weights * (end - start)
        )
        if abs(added.sum() - float((along[-1] - along[-2]).detach())) <= OFF or end - start <= SHORTEST:
            tokens += added
        else:
            stretches += [(start, (start + end) / 2), ((start + end) / 2, end)]
    each = np.zeros(begins + len(right.split()) + 1)
    np.add.at(each, word_of.clip(-1), tokens)  # what is no word is the last and adds nothing
    return each[:-1], score, without
