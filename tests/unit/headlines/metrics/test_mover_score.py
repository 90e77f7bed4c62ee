"""MoverScore against a plain linear program and by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

from core.headlines.metrics.contextual import MoverScore, document_frequencies, likeness, open_encoder
from core.headlines.metrics.metric import MetricInput
from core.models.networks.token_states import Tokens
from core.runtime import Runtime

EVEN: dict[int, float] = {}


def by_linear_program(left: np.ndarray, right: np.ndarray, apart: np.ndarray) -> float:
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


def text(*rows: tuple[int, int | None, str, list[float]]) -> tuple[Tokens, np.ndarray]:
    ids, words, pieces, vectors = zip(*rows, strict=True)
    return Tokens(ids, words, pieces), np.array(vectors, dtype=np.float32)


CLS = (0, None, "[CLS]", [0.0, 1.0])
BANK = (1, 0, "bank", [1.0, 0.0])
CUTS = (2, 1, "cut", [0.0, 1.0])
CUTS_END = (3, 1, "##s", [1.0, 0.0])
STOP = (4, 2, ".", [-1.0, 0.0])


def test_weights_by_hand() -> None:
    """With three quarters of the weight on bank, a quarter goes a right angle."""
    pair = (*text(BANK), *text(BANK, CUTS))
    np.testing.assert_allclose(
        likeness(pair, {1: 5.0}, {1: 3.0, 2: 1.0}), 1 / (1 + 0.25 * math.sqrt(2)), rtol=1e-7
    )
    # where no word weighs anything all weigh the same
    np.testing.assert_allclose(likeness(pair, {1: 0.0}, {1: 0.0, 2: 0.0}), likeness(pair, EVEN, EVEN))


def test_ends_of_words_punctuation_and_special_tokens_do_not_count() -> None:
    plain = likeness((*text(BANK, CUTS), *text(BANK, CUTS)), EVEN, EVEN)
    whole = likeness((*text(CLS, BANK, CUTS, CUTS_END, STOP), *text(BANK, CUTS)), EVEN, EVEN)
    assert plain == whole == 1


def test_whole_metric_against_the_linear_program(tiny_bert: Path) -> None:
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


def test_frequencies_by_hand(tiny_bert: Path) -> None:
    """ln((texts + 1) / (texts with it + 1)): in all three 0, in one ln 2, in none ln 4."""
    encoder = open_encoder(str(tiny_bert), 0, Runtime())
    found = document_frequencies(encoder, ["bank cuts", "bank the", "the bank the"])
    bank, cuts, storm = (encoder.tokenise([word])[0].ids[1] for word in ("bank", "cuts", "storm"))
    np.testing.assert_allclose([found[bank], found[cuts], found[storm]], [0, math.log(2), math.log(4)])
    assert all(found[end] == 0 for end in encoder.framing)
