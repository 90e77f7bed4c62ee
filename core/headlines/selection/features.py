"""What selectors weigh of the headlines of one group, in numbers that need no dictionary of a language.

Most numbers are relative to the group. Headlines are read without capitals and signs, so that a headline
that was rebuilt from an address (`core.data.addresses.slugs`) and a real one give the same numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.headlines.selection.selector import Choices
from core.similarities import Float32Array
from core.text.tokens import Token, content, tokenize

FloatArray = npt.NDArray[np.float64]

FAMILIES: Final = {
    "words": "length",
    "characters": "length",
    "words_rank": "length",
    "length_ratio": "length",
    "content_words": "length",
    "function_words": "length",
    "word_length": "length",
    "numbers": "numbers",
    "numbers_more": "numbers",
    "numbers_shared": "numbers",
    "support": "shared",
    "coverage": "shared",
    "own_words": "own",
    "own_share": "own",
    "closeness_rank": "closeness",
}
"""Names of the numbers, and what each belongs to when a choice is explained."""

NAMES: Final = tuple(FAMILIES)

_SIGNS = re.compile(r"[^\w]+")
# Wire services number their versions: "Space station crew safe (1)".
_VERSION = re.compile(r" ?\((?:update ?)?\d{1,2}\)$")


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The numbers of a group of k headlines.

    Attributes:
        values: float64 [k, len(NAMES)], in the order of `NAMES`.
        words: How many words each has, int64 [k].
        numbers: How many numbers each has, int64 [k].
        held: How many of the `shared` words each has, int64 [k].
        shared: How many words stand in two headlines or more.
    """

    values: FloatArray
    words: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]
    held: npt.NDArray[np.int64]
    shared: int


def features(choices: Choices) -> Features:
    """Counts and compares the headlines of a group of one or more.

    - words, characters: of the headline; words_rank: share of the group with fewer words, equal ones
      half; length_ratio: log of characters over the group's median.
    - content_words, function_words (their share), word_length (mean, in characters).
    - numbers: how many; numbers_more: beyond the group's mean; numbers_shared: mean share of the other
      headlines that have the same number.
    - support: mean share of the other headlines that have a content word of this one; coverage: of all
      occurrences of words that stand in several headlines, those whose word is in this one.
    - own_words, own_share: content words that no other headline has.
    - closeness_rank: share of the group that is less similar to the others, equal ones half; 0.5
      throughout without vectors.
    """
    k = len(choices.texts)
    lines = (_VERSION.sub("", " ".join(text.casefold().split())) for text in choices.texts)
    bare = [_SIGNS.sub(" ", line).strip() for line in lines]
    tokens = [tokenize(text) for text in bare]
    contents = [[token.form for token in content(line) if not token.number] for line in tokens]
    found = [{token.form for token in line if token.number} for line in tokens]
    in_headlines = Counter(form for forms in contents for form in set(forms))
    in_numbers = Counter(form for forms in found for form in forms)
    several = {form: n for form, n in in_headlines.items() if n > 1}
    words = np.array([len(line) for line in tokens], dtype=np.int64)
    characters = np.array([len(text) for text in bare], dtype=np.float64)
    numbers = np.array([sum(token.number for token in line) for line in tokens], dtype=np.int64)
    others = max(k - 1, 1)
    own = [sum(in_headlines[form] == 1 for form in set(forms)) for forms in contents]
    columns: dict[str, npt.ArrayLike] = {
        "words": words,
        "characters": characters,
        "words_rank": _rank(words),
        "length_ratio": np.log(np.maximum(characters, 1) / max(float(np.median(characters)), 1.0)),
        "content_words": [len(forms) for forms in contents],
        "function_words": [_share_of_function_words(line) for line in tokens],
        "word_length": characters / np.maximum(words, 1),
        "numbers": numbers,
        "numbers_more": numbers - numbers.mean(),
        "numbers_shared": [sum(in_numbers[form] - 1 for form in forms) / others for forms in found],
        "support": [
            sum(in_headlines[form] - 1 for form in set(forms)) / others / max(len(set(forms)), 1)
            for forms in contents
        ],
        "coverage": [
            sum(several.get(form, 0) for form in set(forms)) / max(sum(several.values()), 1)
            for forms in contents
        ],
        "own_words": own,
        "own_share": [n / max(len(set(forms)), 1) for n, forms in zip(own, contents, strict=True)],
        "closeness_rank": _rank(closeness(choices.vectors)),
    }
    return Features(
        values=np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in NAMES]),
        words=words,
        numbers=numbers,
        held=np.array([sum(form in several for form in set(forms)) for forms in contents], dtype=np.int64),
        shared=len(several),
    )


def closeness(vectors: Float32Array) -> FloatArray:
    """Mean cosine of each headline to the others of its group, float64 [k]; 0 alone or without vectors.

    Rounded to 1e-6, so that the order in which a sum was taken does not decide ties.
    """
    k = len(vectors)
    if k < 2 or not vectors.shape[1]:
        return np.zeros(k)
    wide = vectors.astype(np.float64)
    sums = wide @ wide.sum(axis=0) - (wide * wide).sum(axis=1)
    return np.asarray(np.round(sums / (k - 1), 6), dtype=np.float64)


def _share_of_function_words(tokens: tuple[Token, ...]) -> float:
    return sum(token.stop for token in tokens) / max(len(tokens), 1)


def _rank(values: npt.NDArray[np.generic]) -> FloatArray:
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, side="left")
    to_end = np.searchsorted(ordered, values, side="right")
    return np.asarray((below + to_end) / 2 / len(values), dtype=np.float64)
