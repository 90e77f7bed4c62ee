"""Whether two headlines are one sentence in which a name, a number or a denial was exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.pairs.features.incidence import incidence, sums
from core.pairs.selection import Selection
from core.similarities import Float32Array
from core.text.differences import ParsedHeadline, denial

if TYPE_CHECKING:
    from scipy import sparse

EXCHANGED: Final = "fact exchanged"
"""Name of the feature."""

_SHARED: Final = np.float32(0.6)  # of the longer headline's words; below it the sentence is another one


@dataclass(frozen=True, slots=True, eq=False)
class Swapped:
    """The words of each headline, and which of them are names or numbers.

    Attributes:
        words: 1 where a headline has a word, in any role; CSR [n, words].
        facts: 1 where it has a name or a number; CSR [n, facts].
        lengths: Distinct words of each headline, float32 [n].
        held: Distinct names and numbers of each, float32 [n].
        denied: Whether it denies something, bool [n].
    """

    words: sparse.csr_matrix
    facts: sparse.csr_matrix
    lengths: Float32Array
    held: Float32Array
    denied: npt.NDArray[np.bool_]

    @staticmethod
    def of(readings: Sequence[ParsedHeadline]) -> Swapped:
        """Counts the words of a timeline."""
        words = incidence([[token.form for token in one.tokens] for one in readings])
        named = [[token.form for token in one.names] for one in readings]
        numbers = [[token.form for token in one.tokens if token.number] for one in readings]
        facts = incidence([[*some, *others] for some, others in zip(named, numbers, strict=True)])
        denied = np.array([denial(one) is not None for one in readings], dtype=np.bool_)
        return Swapped(words, facts, sums(words), sums(facts), denied)

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """See `Family`: 1 where one fact, or a denial, is all that sets two wordings apart; else 0."""
        shared = at.shared(self.words, self.words)
        left, right = at.sides(self.lengths)
        alone, other_alone = left - shared, right - shared
        alike = (shared >= _SHARED * np.maximum(left, right)) & (np.maximum(alone, other_alone) <= 2)
        left_held, right_held = at.sides(self.held)
        facts = at.shared(self.facts, self.facts)
        one_fact = (alone == 1) & (other_alone == 1) & (np.minimum(left_held, right_held) - facts >= 1)
        left_denied, right_denied = at.sides(self.denied)
        yield EXCHANGED, (alike & (one_fact | (left_denied != right_denied))).astype(np.float32)
