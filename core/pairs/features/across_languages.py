"""What two headlines show for one event across languages, where they share no words."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.pairs.features.families import Family, Values
from core.pairs.features.overlap import LEAST, incidence, rarity, scaled, share
from core.pairs.selection import Selection
from core.text.language import languages_differ
from core.text.normalise import searched

TWO_LANGUAGES: Final = "two languages"  # name of the column
_FEW: Final = 5  # headlines of a language from which it is known how near the others are to it
_PEAK: Final = 4  # power by which the rarest shared name outweighs the others
_LONGEST: Final = 4  # sounds by which names are compared
_CYRILLIC: Final = str.maketrans(
    "абвгдежзиіїйклмнопрстуфхцчшщыэеєюяґ", "abvgdessiiiiklmnoprstufhssssieeeuag", "ъь"
)
"""Letters of Russian and Ukrainian by what other languages write for them."""
_TOGETHER: Final = {"tsch": "s", "sch": "s", "sh": "s", "ch": "s", "th": "t", "ph": "f", "kh": "h"}
_ALIKE: Final = str.maketrans("cqwzyjx", "kkvsiis")
_VOWELS: Final = frozenset("aeiouh")


def sound(name: str) -> str:
    """The first sounds of a name without its vowels, in one alphabet: "Netanyahu", "Нетаньяху"."""
    latin = searched(name).translate(_CYRILLIC)
    for letters, one in _TOGETHER.items():
        latin = latin.replace(letters, one)
    letters = "".join(letter for letter, _ in groupby(latin.translate(_ALIKE)))
    begin = "a" if letters[:1] in _VOWELS else letters[:1]
    return begin + "".join(letter for letter in letters[1:] if letter not in _VOWELS)[: _LONGEST - 1]


def across_languages(names: Sequence[Sequence[str]], vectors: Float32Array, languages: IntArray) -> Family:
    """Whether two are in two languages, names that sound alike, and the cosine among those of the other's.

    Vectors of one language lie nearer to each other than to those of another that mean the same: so the
    cosine stands beside those that each has with the headlines in the other's language.
    """
    heard = incidence([[sound(name) for name in row if len(name) > 2] for row in names])
    weights = rarity(heard)
    halves, peaks = scaled(heard, np.sqrt(weights)), scaled(heard, weights ** (_PEAK / 2))
    codes, places = np.unique(languages, return_inverse=True)
    means, widths, nearest = _by_language(vectors, places, len(codes))
    rows = np.arange(len(vectors))

    def values(at: Selection) -> Values:
        yield TWO_LANGUAGES, languages_differ(*at.sides(languages)).astype(np.float32)
        yield "names that sound alike", at.shared(halves, halves)
        yield "rarest name that sounds alike", at.shared(peaks, peaks) ** np.float32(1 / _PEAK)
        cosine = at.inner(vectors)
        (left, right), (left_code, right_code) = at.sides(rows), at.sides(places)
        one = (cosine - means[left, right_code]) / widths[left, right_code]
        other = (cosine - means[right, left_code]) / widths[right, left_code]
        yield "meaning among its language", np.asarray((one + other) / 2, dtype=np.float32)
        one, other = nearest[left, right_code], nearest[right, left_code]
        yield "meaning of the less near of its language", share(cosine, np.minimum(one, other))
        yield "meaning of the nearer of its language", share(cosine, np.maximum(one, other))

    return values


def _by_language(
    vectors: Float32Array, places: IntArray, count: int
) -> tuple[Float32Array, Float32Array, Float32Array]:
    """Mean and deviation of the cosines of each headline with those of each language, and the highest."""
    figures = np.zeros((3, len(vectors), count), dtype=np.float32)
    everywhere = np.arange(len(vectors))
    for place in range(count if len(vectors) > 1 else 0):
        rows = np.flatnonzero(places == place)
        rows = rows if len(rows) >= _FEW else everywhere
        cosines = vectors @ vectors[rows].T
        cosines[rows, np.arange(len(rows))] = np.nan
        with np.errstate(invalid="ignore"):
            figures[0, :, place] = np.nanmean(cosines, axis=1)
            figures[1, :, place] = np.nanstd(cosines, axis=1)
        cosines[rows, np.arange(len(rows))] = -1.0
        figures[2, :, place] = cosines.max(axis=1)
    means, widths, nearest = figures
    return means, np.maximum(widths, LEAST), np.maximum(nearest, np.float32(0.05))
