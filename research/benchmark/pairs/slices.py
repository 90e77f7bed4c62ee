"""How a scorer does on parts of a pair set."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray
from core.data.pair_sets.pair_set import PairSet
from core.pairs.metrics import PairQuality, pair_quality, ratio
from core.pairs.scorers.baselines import TokenOverlap
from core.pairs.scoring import score_pairs
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from core.text.numerals.quantities import Quantity, agree, conflict, read_quantities

DAY_BINS: tuple[tuple[str, int, float], ...] = (
    *(("same day", 0, 0), ("1 day apart", 1, 1), ("2 to 3 days apart", 2, 3), ("4 to 7 days apart", 4, 7)),
    ("more than a week apart", 8, float("inf")),
)
"""Name, fewest and most whole days between the two headlines."""


class PairSlice(NamedTuple):
    name: str
    kind: str
    pairs: BoolArray


def slices(pairs: PairSet, runtime: Runtime) -> tuple[PairSlice, ...]:
    """The slices that the texts and days of a set make; those without pairs are left out.

    Negative pairs of one day are a slice of their own, the hardest, as in section 3.6 of the paper.
    """
    apart = pairs.days_apart
    result = [PairSlice("all pairs", "all", np.ones(len(pairs), dtype=np.bool_))]
    result += [PairSlice(name, "days", (apart >= low) & (apart <= high)) for name, low, high in DAY_BINS]
    result.insert(2, PairSlice("same day, different events", "days", (apart == 0) & (pairs.labels == 0)))
    result.append(PairSlice("a date is missing", "days", np.isnan(apart)))
    if len(pairs) > 2:
        shared = score_pairs(pairs, TokenOverlap(), runtime).scores
        low, high = np.nanquantile(shared, [1 / 3, 2 / 3])
        thirds = {"few": shared <= low, "some": (shared > low) & (shared <= high), "many": shared > high}
        result += [PairSlice(f"{words} shared words", "words", inside) for words, inside in thirds.items()]
    numbers = [read_quantities(text) for text in runtime.track(pairs.texts, "Reading numbers")]
    ends = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    said = np.array([_numbers(numbers[left], numbers[right]) for left, right in ends], dtype=np.str_)
    for name in ("numbers at odds", "numbers that agree", "numbers in one headline or none"):
        result.append(PairSlice(name, "numbers", said == name))
    return tuple(part for part in result if part.pairs.any())


def _numbers(left: tuple[Quantity, ...], right: tuple[Quantity, ...]) -> str:
    if any(conflict(quantity, other) for quantity in left for other in right):
        return "numbers at odds"
    if any(agree(quantity, other) for quantity in left for other in right):
        return "numbers that agree"
    return "numbers in one headline or none" if not (left and right) else ""


def slice_quality(
    pairs: PairSet, part: PairSlice, places: npt.NDArray[np.int64], called: BoolArray
) -> tuple[PairQuality, Figure]:
    """Quality of decisions on one slice, of the pairs at `places`, int64 [k], and share of false alarms."""
    inside = part.pairs[places]
    quality = pair_quality(pairs.labels[places][inside], called[inside].astype(np.float32), 0.5)
    reason = "no pair of the slice is of different events" if quality.pairs else "there are no labelled pairs"
    alarms = ratio(quality.fp, quality.fp + quality.tn)
    return quality, Figure(alarms, reason if alarms is None else "")


def tag_slices(pairs: PairSet) -> tuple[PairSlice, ...]:
    words: dict[str, BoolArray] = {}
    for place, own in enumerate(pairs.tags):
        for word in own:
            words.setdefault(word, np.zeros(len(pairs), dtype=np.bool_))[place] = True
    return tuple(PairSlice(word, "tag", words[word]) for word in sorted(words))
