"""Which words drove a pair model's score: each is left out in turn, in both orders of the pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.pairs.cross_encoder.scoring import PairModelScorer
from core.pairs.cross_encoder.tokens import input_texts
from core.pairs.scorer import PairContext
from core.runtime import Runtime
from core.similarities import IntArray


@dataclass(frozen=True, slots=True)
class Attribution:
    """What one word did to a score.

    Attributes:
        word: As it stands in the text, with its punctuation.
        weight: Score of the pair less its score without the word, mean of both orders, -1 to 1: above 0
            the word speaks for the same event.
    """

    word: str
    weight: float


@dataclass(frozen=True, slots=True)
class PairAttribution:
    """What the words of a pair did to its score.

    Attributes:
        score: Of the whole pair, mean of both orders, 0 to 1.
        left: Words of the first text, in their order.
        right: Words of the second.
    """

    score: float
    left: tuple[Attribution, ...]
    right: tuple[Attribution, ...]


def attributions(
    scorer: PairModelScorer, context: PairContext, left: int, right: int, runtime: Runtime
) -> PairAttribution:
    """Leaves out each word of a pair in turn and asks the model again.

    What the model reads is what words are taken from: headlines, or the first 255 words of the bodies.
    One pass scores 2 (1 + words) pairs.

    Source: occlusion, Zeiler and Fergus 2014; Li, Monroe and Jurafsky 2016 for words.

    Args:
        scorer: Any scorer over a pair model.
        context: Headlines, with bodies and dates where the scorer needs them.
        left: Row of the first headline.
        right: Row of the second.
        runtime: Where progress goes, and the stop signal.

    Raises:
        InputError: The pair lacks a date or a body that the scorer needs.
        ModelUnavailableError: The model cannot be loaded.
        Cancelled: The runtime's stop was set.
    """
    reader = scorer.reader(runtime)
    rows = [left, right]
    bodies = [context.bodies[row] for row in rows] if context.bodies else ()
    words = [
        text.split() for text in input_texts(reader.config, [context.texts[row] for row in rows], bodies)
    ]
    texts, firsts, seconds = _variants(*words)
    tokens, days = reader.tokenise(texts), np.floor(context.days[rows])
    apart = np.full(2 * len(firsts), abs(days[0] - days[1]))
    both = reader.probabilities(
        tokens, np.concatenate([firsts, seconds]), np.concatenate([seconds, firsts]), apart, runtime
    )
    scores = both.reshape(2, -1).mean(axis=0).astype(np.float64)
    weights = (scores[0] - scores[1:]).tolist()
    found = [Attribution(word, weight) for word, weight in zip(words[0] + words[1], weights, strict=True)]
    return PairAttribution(float(scores[0]), tuple(found[: len(words[0])]), tuple(found[len(words[0]) :]))


def _variants(left: Sequence[str], right: Sequence[str]) -> tuple[list[str], IntArray, IntArray]:
    """Both texts, then each without each of its words; and the pairs of them to score, the whole first."""
    shorter = [
        " ".join([*text[:place], *text[place + 1 :]]) for text in (left, right) for place in range(len(text))
    ]
    places = np.arange(2, 2 + len(shorter))
    of_left = np.arange(len(shorter)) < len(left)
    firsts = np.concatenate([[0], np.where(of_left, places, 0)]).astype(np.int64)
    seconds = np.concatenate([[1], np.where(of_left, 1, places)]).astype(np.int64)
    return [" ".join(left), " ".join(right), *shorter], firsts, seconds
