"""Look-alikes: headlines of one outlet that fill one form with other names, or repeat it on another day."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

from core.pairs.context import PairContext
from core.similarities import Similarities
from core.text.differences import read, unlabelled
from core.text.normalise import comparison_key

LOOK_ALIKE: Final = np.float32(0.01)  # share of them that is one event on desks (docs/decisions/0017)
_SURE: Final = 0.96  # from which probability on their form says nothing against them
_FORM: Final = 0.5  # share of the longer one's words, in order, from which two have one form
_REPEATED: Final = 0.75  # from which one with the same numbers is of another event on another day
_ANOTHER_DAY: Final = 0.5  # days between


class _Form(NamedTuple):
    text: str
    words: list[str]
    names: list[bool]  # whether each word is one
    numbers: set[float]


def part_look_alikes(similarities: Similarities, context: PairContext, outlets: Sequence[str | None]) -> None:
    """Lowers probabilities of look-alikes to `LOOK_ALIKE`, so that they join only where others hold them."""
    if not any(outlets):
        return
    names, outlet = np.unique([comparison_key(name or "") for name in outlets], return_inverse=True)
    left, right, probability = similarities.edges(float(LOOK_ALIKE))
    own = (outlet[left] == outlet[right]) & (names != "")[outlet[left]] & (probability < _SURE)
    left, right = left[own], right[own]
    forms = {row: _form(context, row) for row in np.union1d(left, right).tolist()}
    later = np.abs(context.days[left] - context.days[right]) >= _ANOTHER_DAY
    pairs = zip(left.tolist(), right.tolist(), later.tolist(), strict=True)
    # By text, so that the order of the rows makes no difference.
    alike = np.array([_alike(*sorted((forms[a], forms[b])), later=day) for a, b, day in pairs], dtype=bool)
    left, right = left[alike], right[alike]
    similarities.matrix[np.r_[left, right], np.r_[right, left]] = LOOK_ALIKE


def _form(context: PairContext, row: int) -> _Form:
    reading = unlabelled(read(context.texts[row], known=context.reading.names))
    tokens, plain = reading.tokens, context.reading.common_words
    names = [t.text[0].isupper() and not (t.stop or t.number or t.form in plain) for t in tokens]
    return _Form(reading.text, [t.form for t in tokens], names, {number.value for number in reading.numbers})


def _alike(left: _Form, right: _Form, *, later: bool) -> bool:
    share = LCSseq.normalized_similarity(left.words, right.words, score_cutoff=_FORM)
    if later and share >= _REPEATED and left.numbers == right.numbers:
        return True
    a = b = 0
    for same in LCSseq.opcodes(left.words, right.words).as_matching_blocks() if share else ():
        if any(left.names[a : same.a]) and any(right.names[b : same.b]):
            return True
        a, b = same.a + same.size, same.b + same.size
    return False
