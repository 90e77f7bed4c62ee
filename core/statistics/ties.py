"""Which systems do not differ, as letters that they share, and the smallest difference that could be seen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import NormalDist, median
from typing import Final

from core.statistics.bootstrap import Figure, holm

LEVEL: Final = 0.05  # of all comparisons of a table together
POWER: Final = 0.8  # share of studies like this that would see the smallest difference
_NORMAL: Final = NormalDist()
_EDGE: Final = _NORMAL.inv_cdf(0.975)
Pair = tuple[int, int]


def tie_letters(ranked: Sequence[int], differ: Collection[Pair]) -> dict[int, str]:
    """Letters of each system, the best first: two that do not differ share one, two that differ share none.

    Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
    """
    groups = [frozenset(ranked)]
    for pair in differ:
        split = []
        for group in groups:
            split += [group - {system} for system in pair] if group.issuperset(pair) else [group]
        groups = [group for group in dict.fromkeys(split) if not any(group < other for other in split)]
    groups.sort(key=lambda group: sorted(map(ranked.index, group)))
    return {
        system: "".join(_letter(at) for at, group in enumerate(groups) if system in group)
        for system in ranked
    }


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def differing(gaps: Mapping[Pair, Figure]) -> set[Pair]:
    """The pairs whose difference is not chance, corrected by Holm for all pairs that were tested."""
    corrected = holm([_chance(gap) for gap in gaps.values()])
    return {pair for pair, p in zip(gaps, corrected, strict=True) if p is not None and p < LEVEL}


def _chance(gap: Figure) -> float | None:
    """Its p; where none of the resamples crossed 0, they reach no lower and a normal tail of them goes on."""
    spread = _spread(gap)
    if gap.p is None or gap.value is None or not spread or gap.p > 2.5 / (gap.resamples + 1):
        return gap.p
    return min(gap.p, 2 * _NORMAL.cdf(-abs(gap.value) / spread))


def _spread(gap: Figure) -> float | None:
    return None if gap.low is None or gap.high is None else (gap.high - gap.low) / (2 * _EDGE)


def smallest_difference(gaps: Sequence[Figure]) -> float | None:
    """The difference that `POWER` of such studies would see at `LEVEL`, corrected for all pairs; the median
    over the pairs, from their intervals. None where no pair was tested.
    """
    spreads = [spread for gap in gaps if gap.p is not None and (spread := _spread(gap)) is not None]
    if not spreads:
        return None
    return median(spreads) * (_NORMAL.inv_cdf(1 - LEVEL / (2 * len(spreads))) + _NORMAL.inv_cdf(POWER))


def tie_notes(label: str, gaps: Mapping[Pair, Figure], form: Callable[[float], str]) -> tuple[str, ...]:
    """What stands below a table with these letters."""
    tested, least = sum(gap.p is not None for gap in gaps.values()), smallest_difference([*gaps.values()])
    if least is None:
        return ()
    return (
        f"Ties: systems that share a letter do not differ in {label} at {LEVEL:g} (paired bootstrap, Holm "
        f"over {tested:,} comparisons).",
        f"The smallest difference in {label} that these data could show, in {POWER:.0%} of such studies at "
        f"this level: {form(least)} (median of the pairs).",
    )
