"""MoverScore against a plain linear program and by hand."""

import math

import numpy as np
from scipy.optimize import linprog

from core.headlines.metrics.contextual import document_frequencies, open_encoder
from core.headlines.metrics.metric import MetricInput
from core.headlines.metrics.mover_score import MoverScore, likeness
from core.models.networks.token_states import Tokens
from core.runtime import Runtime

EVEN = {}


def by_linear_program(left, right, apart):
    """The transport problem written out: what leaves each place and what arrives at each."""
    a, b = apart.shape
    leaves = np.kron(np.eye(a), np.ones(b))
    arrives = np.kron(np.ones(a), np.eye(b))
    solved = linprog(
        apart.ravel(),
        A_eq=np.vstack([leaves, arrives]),
        b_eq=np.concatenate([left / left.sum(), right / right.sum()]),
    )
    assert solved.success
    return float(solved.fun)


def text(*rows):
    ids, words, pieces, vectors = zip(*rows, strict=True)
    return Tokens(ids, words, pieces), np.array(vectors, dtype=np.float32)


BANK = (1, 0, "bank", [1.0, 0.0])
CUTS = (2, 1, "cut", [0.0, 1.0])


def test_weights_by_hand():
    """With three quarters of the weight on bank, a quarter goes a right angle."""
    pair = (*text(BANK), *text(BANK, CUTS))
    np.testing.assert_allclose(
        likeness(pair, {1: 5.0}, {1: 3.0, 2: 1.0}), 1 / (1 + 0.25 * math.sqrt(2)), rtol=1e-7
    )
    # where no word weighs anything all weigh the same
    np.testing.assert_allclose(likeness(pair, {1: 0.0}, {1: 0.0, 2: 0.0}), likeness(pair, EVEN, EVEN))


def test_whole_metric_against_the_linear_program(tiny_bert):
    """All steps again, one text at a time: tokens, weights, first pieces of words, best reference."""
    headlines = ["bank cuts rates", "the storm, hits!", "coast storm"]
    references = [["the bank cuts rate."], ["storm hits the coast", "a storm"], ["bank cuts"]]
    encoder = open_encoder(str(tiny_bert), 0, Runtime())
    ours = document_frequencies(encoder, headlines)
    theirs = document_frequencies(encoder, [one for row in references for one in row])
    want = []
    for headline, row in zip(headlines, references, strict=True):
        scores = []
        for reference in row:
            sides = []
            for one, weights in ((headline, ours), (reference, theirs)):
                tokens = encoder.tokenise([one])[0]
                kept = [
                    k for k, p in enumerate(tokens.pieces) if p[0] != "[" and "##" not in p and p not in ",.!"
                ]
                vectors = encoder.vectors([tokens], Runtime(), step="")[0].astype(np.float64)
                sides.append((np.array([weights[tokens.ids[k]] for k in kept]), vectors[kept]))
            (left, a), (right, b) = sides
            apart = np.linalg.norm(a[:, None] - b[None], axis=2)
            scores.append(1 / (1 + by_linear_program(left, right, apart)))
        want.append([max(scores)])
    metric = MoverScore(encoder=str(tiny_bert))
    given = MetricInput(headlines=headlines, references=references, articles=[""] * 3)
    np.testing.assert_allclose(metric.values(metric.statistics(given, Runtime())), want, atol=1e-5)
