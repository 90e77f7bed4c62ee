"""What systems of Dialogue 2021 feed to a classifier: numbers about a pair, and Text2Title's linear map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from core.arrays import Float32Array, IntArray
from core.pairs.features.overlap import Overlap, dice, jaccard, overlap
from core.pairs.scorer import Need, PairContext
from core.pairs.selection import PairList
from core.runtime import Runtime
from core.text.differences import ParsedHeadline, read
from core.text.names import learn_names
from core.text.numerals.quantities import Quantity

NAMES: Final = (
    "cosine",
    "difference_mean",
    "difference_deviation",
    "difference_largest",
    "shared_words",
    "shared_trigrams",
    "edit_ratio",
    "names_shared",
    "names_share",
    "numbers_shared",
    "numbers_share",
    "numbers_in_conflict",
    "length_ratio",
    "days_apart",
)
"""What each column is; one for each reduced dimension of |u - v| follows."""

RISING: Final = frozenset({"cosine", "shared_words", "shared_trigrams", "edit_ratio", "names_shared"})
FALLING: Final = frozenset({"numbers_in_conflict", "days_apart"})
"""Columns with which the probability of the same event may only rise, or only fall."""


@dataclass(frozen=True, slots=True, eq=False)
class Handcrafted:
    """The headlines of a timeline, taken apart once."""

    vectors: Float32Array
    reduction: Float32Array
    texts: list[str]
    lengths: Float32Array
    days: npt.NDArray[np.float64]
    words: Overlap
    trigrams: Overlap
    names: Overlap
    numbers: Overlap
    counted: Overlap

    def features(self, left: IntArray, right: IntArray) -> Float32Array:
        """Columns `NAMES` and the reduced |u - v| of the pairs (left[k], right[k]), float32 [m, 14 + k].

        Exchanging left and right changes nothing, to the last bit. Days apart are NaN where a date is
        unknown; everything else is a number.
        """
        u, v = self.vectors[left], self.vectors[right]
        gap = np.abs(u - v)
        shorter = np.minimum(self.lengths[left], self.lengths[right])
        longer = np.maximum(self.lengths[left], self.lengths[right])
        at = PairList(left, right)
        shared = {part: getattr(self, part).score(at) for part in ("names", "numbers", "counted")}
        both = {part: getattr(self, part).counts[left] + getattr(self, part).counts[right] for part in shared}
        columns = [
            np.einsum("md,md->m", u, v),
            gap.mean(axis=1),
            gap.std(axis=1),
            gap.max(axis=1),
            self.words.score(at),
            self.trigrams.score(at),
            self._edit_ratio(left, right),
            shared["names"],
            jaccard(shared["names"], both["names"]),
            shared["numbers"],
            jaccard(shared["numbers"], both["numbers"]),
            np.maximum(shared["counted"] - shared["numbers"], 0),
            shorter / np.maximum(longer, 1),
            np.abs(self.days[left] - self.days[right]),
        ]
        return np.column_stack([*columns, gap @ self.reduction]).astype(np.float32)

    def _edit_ratio(self, left: IntArray, right: IntArray) -> Float32Array:
        low, high = np.minimum(left, right), np.maximum(left, right)
        found = process.cpdist(
            [self.texts[row] for row in low.tolist()],
            [self.texts[row] for row in high.tolist()],
            scorer=fuzz.ratio,
            dtype=np.float32,
        )
        return np.asarray(found, dtype=np.float32) / np.float32(100)


def take_apart(context: PairContext, reduction: Float32Array) -> Handcrafted:
    known = learn_names(context.texts)
    readings = [read(text, known=known) for text in context.texts]
    lower = [text.casefold() for text in context.texts]
    return Handcrafted(
        vectors=context.vectors,
        reduction=reduction,
        texts=lower,
        lengths=np.array([len(text) for text in lower], dtype=np.float32),
        days=np.floor(context.days),
        words=overlap((_words(reading) for reading in readings), jaccard),
        trigrams=overlap((_trigrams(text) for text in lower), dice),
        names=overlap((frozenset(t.form for t in reading.names) for reading in readings), _count),
        numbers=overlap((frozenset(map(_value, reading.numbers)) for reading in readings), _count),
        counted=overlap((_counted(reading) for reading in readings), _count),
    )


def _words(reading: ParsedHeadline) -> frozenset[str]:
    return frozenset(token.form for token in (*reading.words, *reading.names))


def _trigrams(text: str) -> frozenset[str]:
    plain = " ".join(text.split())
    return frozenset(plain[start : start + 3] for start in range(len(plain) - 2))


def _value(number: Quantity) -> str:
    return f"{number.kind} {number.unit} {number.value:.6g}"


def _counted(reading: ParsedHeadline) -> frozenset[str]:
    return frozenset(f"{number.kind} {number.unit}" for number in reading.numbers if number.firm)


def _count(shared: Float32Array, both: Float32Array) -> Float32Array:
    return shared


_MARGIN: Final = 0.3
_RATE: Final = 3e-3
_STEPS: Final = 500
_BATCH: Final = 256
_NEAREST: Final = 10
"""The wrong article of a triple is drawn from so many that are nearest to the right one."""
_ROWS_AT_ONCE: Final = 1_024


def linear_map(titles: Float32Array, articles: Float32Array, runtime: Runtime) -> Float32Array:
    """A square matrix, float32 [d, d], learned from n articles with their headlines.

    Minimises max(0, margin - cos(tW, aW) + cos(tW, a'W)) over headlines t, their articles a and hard
    negatives a', nearest neighbours of a. It starts at the identity, which it stays for fewer than two
    articles.
    """
    size = titles.shape[1]
    if len(titles) < 2:
        return np.eye(size, dtype=np.float32)
    import torch
    from torch.nn.functional import cosine_similarity

    near = _nearest(articles)
    rng = np.random.default_rng(runtime.seed)
    weights = torch.eye(size, requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=_RATE)
    sides = [torch.from_numpy(side) for side in (titles, articles)]
    for _ in runtime.track(range(_STEPS), "Learning headlines of articles"):
        rows = rng.integers(len(titles), size=min(_BATCH, len(titles)))
        wrong = near[rows, rng.integers(near.shape[1], size=len(rows))]
        title, right, other = (side @ weights for side in (sides[0][rows], sides[1][rows], sides[1][wrong]))
        loss = _MARGIN - cosine_similarity(title, right) + cosine_similarity(title, other)
        optimizer.zero_grad()
        loss.clamp(min=0).mean().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    learned: Float32Array = weights.detach().numpy()
    return learned


def _nearest(vectors: Float32Array) -> IntArray:
    count = min(_NEAREST, len(vectors) - 1)
    found = np.empty((len(vectors), count), dtype=np.int64)
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        block = vectors[start : start + _ROWS_AT_ONCE] @ vectors.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -np.inf
        found[start : start + len(block)] = np.argpartition(-block, count - 1, axis=1)[:, :count]
    return found


CHARACTERS: Final = {
    "help": "characters of each article that are read after its headline",
    "low": 0,
    "high": 20_000,
}
"""What a scorer says of its field `characters`; with 0 the headline is read alone."""


def documents(context: PairContext, characters: int) -> list[str]:
    """Each headline, followed by the first characters of its article."""
    if characters == 0:
        return list(context.texts)
    return [
        f"{text}. {body[:characters]}" if body else text
        for text, body in zip(context.texts, context.bodies or [""] * len(context), strict=True)
    ]


def reads(characters: int) -> frozenset[Need]:
    """Articles, if any of their characters are read."""
    return frozenset({Need.BODIES}) if characters else frozenset()
