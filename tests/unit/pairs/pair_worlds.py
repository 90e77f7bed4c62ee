"""Small pair sets for the tests of the pair benchmark, made on the spot."""

import numpy as np

from core.data.pair_sets.pair_set import PairSet
from core.parts import Part

WORDS = (
    *("storm", "hits", "coast", "vote", "passes", "senate", "rocket", "lands", "safely"),
    *("bank", "cuts", "rates", "strike", "ends", "talks"),
)


def pair_set(texts, left, right, labels, **fields):
    """A pair set for training, of one timeline without dates and groups where `fields` do not say more."""
    n = len(texts)
    usual = {
        "days": np.full(n, np.nan),
        "timelines": np.zeros(n, dtype=np.int64),
        "parts": np.full(n, Part.TRAIN.value),
        "groups": np.full(n, -1),
    }
    left, right, labels = (np.asarray(column, dtype=np.int64) for column in (left, right, labels))
    return PairSet(
        **{"name": "made", "texts": texts, **usual, **fields}, left=left, right=right, labels=labels
    )


def world(*, timelines=3, groups=8, size=3, seed=0, dated=True):
    """Timelines of three parts; headlines of one group share words and days, so scorers do well on them."""
    rng = np.random.default_rng(seed)
    texts, days, group, timeline = [], [], [], []
    for number in range(timelines):
        for event in range(groups):
            core = rng.choice(WORDS, 3, replace=False).tolist()
            for _ in range(size):
                texts.append(" ".join([*core, *rng.choice(WORDS, 3).tolist(), str(rng.integers(2, 99))]))
                days.append(18_000.0 + event + rng.integers(0, 2))
                group.append(number * groups + event)
                timeline.append(number)
    gold, where = np.array(group), np.array(timeline)
    left, right = np.triu_indices(len(texts), 1)
    near = where[left] == where[right]
    left, right = left[near], right[near]
    return pair_set(
        texts,
        left,
        right,
        gold[left] == gold[right],
        **{"name": "world", "timelines": where, "groups": gold},
        parts=np.array([list(Part)[number % 3].value for number in timeline]),
        **({"days": np.array(days)} if dated else {}),
    )


def vectors_of(pairs):
    """Unit vectors near the direction of each headline's group."""
    random = np.random.default_rng(0)
    directions = random.normal(size=(pairs.groups.max() + 1, 16))[pairs.groups]
    found = directions + 0.5 * random.normal(size=directions.shape)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
