"""Which systems differ and which tie, with all comparisons corrected."""

from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import NormalDist, median
from typing import Final

from core.results.render import letter
from core.statistics.bootstrap import Figure, holm
from core.statistics.simulated_studies import WANTED, repeated

LEVEL: Final = 0.05  # of all comparisons of a table together

_NORMAL: Final = NormalDist()
Pair = tuple[int, int]


def tie_letters(ranked: Sequence[int], differ: Collection[Pair]) -> dict[int, str]:
    """Letters of each system, the best first: two share one where they do not differ (Piepho 2004)."""
    groups = [frozenset(ranked)]
    for pair in differ:
        split = []
        for group in groups:
            split += [group - {system} for system in pair] if group.issuperset(pair) else [group]
        groups = [group for group in dict.fromkeys(split) if not any(group < other for other in split)]
    groups.sort(key=lambda group: sorted(map(ranked.index, group)))
    named = [(letter(at).lower(), group) for at, group in enumerate(groups)]
    return {system: "".join(name for name, group in named if system in group) for system in ranked}


def differing(gaps: Mapping[Pair, Figure]) -> set[Pair]:
    """The pairs whose difference is not chance, corrected by Holm for all pairs that were tested."""
    corrected = holm([_chance(gap) for gap in gaps.values()])
    return {pair for pair, p in zip(gaps, corrected, strict=True) if p is not None and p < LEVEL}


def _chance(gap: Figure) -> float | None:
    """Its p; where none of the resamples crossed 0, they reach no lower and a normal tail of them goes on."""
    spread = _spread(gap)
    if gap.crossed:
        from scipy.special import stdtr

        if gap.warning or gap.value is None or spread is None:
            return None
        if not spread:
            return float(not gap.value)
        return float(2 * stdtr(gap.crossed.freedom, -abs(gap.value) / spread))
    if gap.p is None or gap.value is None or not spread or gap.p > 2.5 / (gap.resamples + 1):
        return gap.p
    return min(gap.p, 2 * _NORMAL.cdf(-abs(gap.value) / spread))


def _spread(gap: Figure) -> float | None:
    from scipy.special import stdtrit

    if gap.low is None or gap.high is None:
        return None
    edge = stdtrit(gap.crossed.freedom, 0.975) if gap.crossed else _NORMAL.inv_cdf(0.975)
    return float((gap.high - gap.low) / (2 * edge))


def smallest_difference(gaps: Sequence[Figure]) -> float | None:
    """The difference that `WANTED` of such studies would see, corrected for all pairs: their median."""
    # Over items and judges the interval of another study has another width, above all where judges are few,
    # so studies with the mean spread of the pairs are simulated.
    tested = [gap for gap in gaps if _chance(gap) is not None]
    level = LEVEL / max(1, len(tested))
    if designs := [gap.crossed for gap in tested if gap.crossed]:
        return repeated(designs, level=level).detectable()
    edges = _NORMAL.inv_cdf(1 - level / 2) + _NORMAL.inv_cdf(WANTED)
    return median((_spread(gap) or 0.0) * edges for gap in tested) if tested else None


def tie_notes(label: str, gaps: Mapping[Pair, Figure], form: Callable[[float], str]) -> tuple[str, ...]:
    tested = sum(_chance(gap) is not None for gap in gaps.values())
    least = smallest_difference([*gaps.values()])
    if least is None:
        return ()
    how, such = "paired bootstrap", "median"
    if designs := [gap.crossed for gap in gaps.values() if gap.crossed]:
        how, such = "items" if designs[0].judges == 1 else "items and judges", "mean"
    return (
        f"Ties: systems that share a letter do not differ in {label} at {LEVEL:g} ({how}, Holm "
        f"over {tested:,} comparisons).",
        f"The smallest difference in {label} that these data could show, in {WANTED:.0%} of such studies at "
        f"this level: {form(least)} ({such} of the pairs).",
    )
