"""Break the model: participants change words until it contradicts itself."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import chain, combinations, permutations
from typing import Final, NamedTuple

import numpy as np

from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.people.room.task import RoomItem
from core.runtime import Runtime
from core.text.normalise import clean_line, comparison_key

MODEL: Final = "finetuned.v1"  # reads two headlines and nothing else, in the order in which they stand
LONGEST_HEADLINE: Final = 200
BROKEN: Final = "broken"  # stands as the answer of whoever broke an item
NAMES: Final = "ABC"
ANSWERS: Final = ("different", "same event")
Scores = Sequence[float]  # of every two headlines in both orders, 0 to 1, in the order of `permutations`
Ask = Callable[[Sequence[Sequence[str]]], Sequence[Scores]]  # what a model says of some items
Pair = tuple[str, str]  # in the order in which a model reads them


class Attempt(NamedTuple):
    who: str
    item: str
    texts: tuple[str, ...]
    scores: tuple[float, ...]
    when: datetime
    counts: bool  # a contradiction, new by its words, and this person's first about the item


def pair_scores(pairs: Sequence[Pair], scorer: str, runtime: Runtime) -> dict[Pair, float]:
    """What a scorer of headlines alone says of pairs, from 0 to 1."""
    texts = [text for pair in pairs for text in pair]
    context = PairContext(texts, np.full(len(texts), np.nan), np.empty((len(texts), 0), dtype=np.float32))
    left, right = np.arange(len(texts), dtype=np.int64).reshape(-1, 2).T
    values = pair_scorers.parse(scorer).prepare(context, runtime).pairs(left, right)
    scores = np.clip(np.asarray(values, dtype=np.float32), 0.0, 1.0).tolist()
    return dict(zip(pairs, scores, strict=True))


def both_orders(items: Sequence[Sequence[str]], scorer: str, runtime: Runtime) -> list[list[float]]:
    """What it says of every two headlines of each item, in both orders."""
    pairs = [list(permutations(item, 2)) for item in items]
    scores = pair_scores(list(dict.fromkeys(chain.from_iterable(pairs))), scorer, runtime)
    return [[scores[pair] for pair in item] for item in pairs]


def by_pair(scores: Scores) -> dict[tuple[int, int], float]:
    """The scores of 2 or 3 headlines by the places of both, in the order in which the model read them."""
    return dict(zip(permutations(range(3 if len(scores) > 2 else 2), 2), scores, strict=True))


def contradictions(scores: Scores, threshold: float) -> list[str]:
    """What cannot all be true of the model's answers: a swap that changes one, a triangle that stays open."""
    same = {pair: score >= threshold for pair, score in by_pair(scores).items()}
    wrong = [
        f"{NAMES[a]} and {NAMES[b]}: {ANSWERS[same[a, b]]}; swapped: {ANSWERS[same[b, a]]}"
        for a, b in combinations(range(3), 2)
        if (a, b) in same and same[a, b] != same[b, a]
    ]
    alike = [f"{NAMES[a]} = {NAMES[b]}" for a, b in combinations(range(3), 2) if same.get((a, b))]
    if len(same) > 2 and len(alike) == 2:
        a, b = next(pair for pair in combinations(range(3), 2) if not same[pair])
        wrong.append(f"{alike[0]} and {alike[1]}, but {NAMES[a]} ≠ {NAMES[b]}")
    return wrong


def checked_texts(item: RoomItem, typed: Sequence[str]) -> tuple[str, ...]:
    """Headlines of an item as somebody changed them, each one line."""
    texts = tuple(clean_line(text[: 10 * LONGEST_HEADLINE]) for text in typed)
    for name, text in zip(NAMES, texts, strict=False):
        if not text:
            raise InputError(f"Headline {name} is empty.", hint="Type a headline there.")
        if len(text) > LONGEST_HEADLINE:
            said = f"Headline {name} has {len(text):,} characters; at most {LONGEST_HEADLINE} fit."
            raise InputError(said, hint="Shorten it.")
    if wording(texts) == wording(item.texts):
        raise InputError("You have changed no word yet.", hint="Commas and capital letters do not count.")
    return texts


def wording(texts: Sequence[str]) -> list[str]:
    return sorted(map(comparison_key, texts))
