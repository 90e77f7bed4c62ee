"""How likely two events are of one story: by the words that both have, and by what else these hold together.

A word of a case is a name, stands in most headlines of its events, and these share other words as well. A
word of a kind (quake, results, a team in two matches) joins events that each name something of their own, or
that return at the same hour of another day.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.files import read_tables
from core.pairs.features.overlap import ones
from core.text.desk_marks import label_end
from core.text.names import find_names
from core.text.tokens import STOP_WORDS, Token, tokenize

STEM: Final = 6  # letters of a word that count: its endings do not, in any language
MOST_EVENTS: Final = 100  # a word of more events, or of more than half of them, ties none together
MOST_DAYS: Final = 60.0  # between two events that follow each other; what returns later is another story
NEIGHBOURS: Final = 3  # of an event: one of a kind has near ones that are no story with it
WEIGHTS: Final = read_tables(__file__)
_FUNCTION_WORDS: Final = frozenset[str]().union(*STOP_WORDS.values())

Signs = Mapping[str, FloatArray]


class Events(NamedTuple):
    sizes: IntArray
    close: FloatArray  # cosines of their means, 0 on average over the timeline and 1 at most, [n, n]
    first: FloatArray  # day and hour of the first headline, NaN where unknown
    last: FloatArray
    hours: bool  # whether the timeline has hours


class SharedWords(NamedTuple):
    """A word and two events that have it, m times; p pairs of events in all."""

    word: IntArray  # [m]
    pair: IntArray  # [m]
    least: FloatArray  # share of the headlines that have the word, in the event where it is lower, [m]
    most: FloatArray  # the same in the other event, [m]
    left: IntArray  # first event of each pair, [p]
    right: IntArray  # second one, [p]
    names: FloatArray  # 1 for a word that is a name, [words]
    rarity: FloatArray  # 0 to 1, [words]
    named: FloatArray  # how much each event names, [events]


def measured(middles: Float32Array, days: FloatArray, event: IntArray) -> Events:
    """From the mean vector of each event at length 1, and the day and event of each headline."""
    count = len(middles)
    close = middles.astype(np.float64) @ middles.T
    usual = (close.sum() - close.trace()) / (count * (count - 1))
    first, last = np.full((2, count), np.nan)
    np.fmin.at(first, event, days)
    np.fmax.at(last, event, days)
    hours = bool((days % 1 > 0).any())
    return Events(np.bincount(event), (close - usual) / max(1 - usual, 1e-6), first, last, hours)


def shared_words(texts: Sequence[str], known: Collection[str], event: IntArray) -> SharedWords:
    from scipy import sparse

    columns: dict[str, int] = {}
    rows, written, capitals = [], Counter[int](), Counter[int]()
    for text in texts:
        words, names = _words(text), find_names(text, known=known)
        rows.append([columns.setdefault(word.form[:STEM], len(columns)) for word in words])
        written.update(rows[-1])
        capitals.update(columns[word.form[:STEM]] for word in words if word in names)
    size = 1 / np.bincount(event)[event]
    holds = sparse.csr_matrix((size, (event, np.arange(len(texts)))))
    shares = sparse.csc_matrix(holds @ ones(rows, len(columns)))
    shares.sort_indices()
    having, count = np.diff(shares.indptr), shares.shape[0]
    names_ = np.array([float(2 * capitals[word] >= max(written[word], 1)) for word in range(len(having))])
    rarity = np.log((count + 1) / (having + 0.5)) / np.log(count + 1)
    tying = np.flatnonzero((having > 1) & (having <= min(max(4, count / 2), MOST_EVENTS)))
    pairs = [np.stack(np.triu_indices(having[word], 1)) + shares.indptr[word] for word in tying.tolist()]
    places = np.concatenate([np.empty((2, 0), dtype=np.int64), *pairs], axis=1)
    both, (left, right) = shares.data[places], shares.indices[places].astype(np.int64)
    keys, pair = np.unique(left * count + right, return_inverse=True)
    return SharedWords(
        np.repeat(tying, [each.shape[1] for each in pairs]), pair, both.min(axis=0), both.max(axis=0),
        keys // count, keys % count, names_, rarity, shares @ (rarity * names_),
    )  # fmt: skip


def _words(text: str) -> list[Token]:
    begin = label_end(text)
    words = (token for token in tokenize(text) if token.start >= begin and not token.stop)
    return [word for word in words if len(word.form) > 1 and word.text.casefold() not in _FUNCTION_WORDS]


def word_signs(words: SharedWords, events: Events) -> Signs:
    """What tells whether a word holds one story together, [words] each."""
    times = np.maximum(np.bincount(words.word, minlength=len(words.names)), 1)

    def mean(values: FloatArray) -> FloatArray:
        return np.bincount(words.word, values, len(words.names)) / times

    close = events.close[words.left, words.right][words.pair]
    usual = events.close.mean(axis=1)
    other = (usual[words.left] + usual[words.right])[words.pair] / 2
    return {
        "name": words.names,
        "in_most_headlines": mean(np.where(words.least >= 0.5, 1.0, 0.0)),
        "closer_than_usual": mean(close - other),
        "named_apart": mean(_apart(words)[words.pair]),
        "other_words": mean((_total(words, words.rarity))[words.pair] - words.rarity[words.word]),
        "same_hour": mean(_same_hour(words, events)[words.pair]),
    }


def pair_signs(words: SharedWords, events: Events, quality: FloatArray) -> Signs:
    """What tells whether two events are of one story, [p] each; `quality` says how well a word tells it."""
    most = np.zeros((2, len(words.left)))
    tie = quality[words.word]
    np.maximum.at(most[0], words.pair, tie)
    np.maximum.at(most[1], words.pair, tie * np.sqrt(words.most))
    together = -np.log1p(-np.minimum(tie, 0.97) * np.sqrt(words.least))
    others = events.close - 2 * np.eye(len(events.close))
    near = np.sort(others, axis=1)[:, -NEIGHBOURS:].mean(axis=1)
    sides = words.left, words.right
    named = np.minimum(*(words.named[side] for side in sides))
    return {
        "best_word": most[0],
        "best_word_in_most": most[1],
        "all_words": np.bincount(words.pair, together, len(words.left)),
        "names": _total(words, words.rarity * words.names),
        "named_apart": _apart(words) / np.maximum(named, 0.2),
        "closer_than_neighbours": events.close[sides] - (near[words.left] + near[words.right]) / 2,
        "size": np.log(np.maximum(*(events.sizes[side] for side in sides))),
        "same_hour": _same_hour(words, events),
    }


def _total(words: SharedWords, weights: FloatArray) -> FloatArray:
    return np.asarray(np.bincount(words.pair, weights[words.word], len(words.left)), dtype=np.float64)


def _apart(words: SharedWords) -> FloatArray:
    shared = np.bincount(words.pair, words.least * (words.rarity * words.names)[words.word], len(words.left))
    return np.minimum(words.named[words.left], words.named[words.right]) - shared


def _same_hour(words: SharedWords, events: Events) -> FloatArray:
    """1 for events of the same hour of different days, less by the hours between; 0 without hours."""
    days, hours = np.divmod(np.nan_to_num(events.first), 1)
    apart = np.exp(-24 * np.abs(hours[words.left] - hours[words.right]))
    return np.where(days[words.left] != days[words.right], events.hours * apart, 0.0)


def link_probabilities(words: SharedWords, events: Events) -> FloatArray:
    """How likely the events of each pair follow each other in one story, [p]."""
    quality = probability(word_signs(words, events), WEIGHTS["word"])
    likely = probability(pair_signs(words, events, quality), WEIGHTS["pair"])
    gaps = (
        events.first[words.left] - events.last[words.right],
        events.first[words.right] - events.last[words.left],
    )
    return np.where(np.fmax(*gaps) > MOST_DAYS, 0.0, likely)


def probability(signs: Signs, weights: Mapping[str, float]) -> FloatArray:
    odds = weights["base"] + sum(weights[name] * values for name, values in signs.items())
    return 1 / (1 + np.exp(-odds))
