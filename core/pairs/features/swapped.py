"""Whether two headlines are one sentence in which a name, a number, a verb or a denial was exchanged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from core.pairs.features.overlap import incidence, sums
from core.pairs.selection import Selection
from core.text.differences import ParsedHeadline, denial, sides

if TYPE_CHECKING:
    from scipy import sparse

EXCHANGED: Final = "fact exchanged"
"""Name of the feature."""

_SHARED: Final = np.float32(0.6)  # of the longer headline's words; below it the sentence is another one


@dataclass(frozen=True, slots=True, eq=False)
class Swapped:
    """The words of each headline, and which of them are facts: names, numbers, words that have an opposite.

    A word that occurs twice counts twice, a number is its value, and a word that has an opposite its side.

    Attributes:
        words: 1 where a headline has a word; CSR [n, words].
        facts: The same of facts alone; CSR [n, facts].
        lengths: Words of each headline, float32 [n].
        held: Facts of each, float32 [n].
        denied: Whether it denies something, bool [n].
    """

    words: sparse.csr_matrix
    facts: sparse.csr_matrix
    lengths: Float32Array
    held: Float32Array
    denied: npt.NDArray[np.bool_]

    @staticmethod
    def of(readings: Sequence[ParsedHeadline]) -> Swapped:
        items = [_items(reading) for reading in readings]
        words = incidence([_numbered(word for word, _ in some) for some in items])
        facts = incidence([_numbered(word for word, fact in some if fact) for some in items])
        denied = np.array([denial(reading) is not None for reading in readings], dtype=np.bool_)
        return Swapped(words, facts, sums(words), sums(facts), denied)

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        shared = at.shared(self.words, self.words)
        left, right = at.sides(self.lengths)
        alone, other_alone = left - shared, right - shared
        alike = (shared >= _SHARED * np.maximum(left, right)) & (np.maximum(alone, other_alone) <= 2)
        left_held, right_held = at.sides(self.held)
        facts = at.shared(self.facts, self.facts)
        one_fact = (alone == 1) & (other_alone == 1) & (np.minimum(left_held, right_held) - facts >= 1)
        left_denied, right_denied = at.sides(self.denied)
        yield EXCHANGED, (alike & (one_fact | (left_denied != right_denied))).astype(np.float32)


def _items(reading: ParsedHeadline) -> list[tuple[str, bool]]:
    """Words in order with whether each is a fact; a number of several words is one, and so are words of one
    side of an opposition."""
    names, opposed = {token.start for token in reading.names}, sides(reading.language)
    found: dict[int, tuple[str, bool]] = {}
    for token in reading.tokens:
        number = next((one for one in reading.numbers if one.start <= token.start < one.end), None)
        if number is None:
            word = opposed.get(token.form, token.form)
            found[token.start] = (word, token.start in names or token.number or token.form in opposed)
        else:
            found[number.start] = (f"{number.value:g}", True)
    return list(found.values())


def _numbered(words: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        found.append(word if seen[word] == 1 else f"{word} {seen[word]}")
    return found
