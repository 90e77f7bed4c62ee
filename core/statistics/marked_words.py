"""Words that people marked in a text, and how far two mark the same ones."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from core.statistics.bootstrap import Figure

NOTHING: Final = "none"  # what stands where no word is marked


def written_places(places: Iterable[int]) -> str:
    """Places of words, counted from 1, as files have them: "3-5 8"."""
    ranges: list[list[int]] = []
    for place in sorted(places):
        if ranges and place == ranges[-1][1] + 1:
            ranges[-1][1] = place
        else:
            ranges.append([place, place])
    return " ".join(f"{a}-{b}" if a < b else f"{a}" for a, b in ranges) or NOTHING


def read_places(text: str) -> frozenset[int]:
    ranges = re.findall(r"(\d+)(?:-(\d+))?", text)
    return frozenset(place for a, b in ranges for place in range(int(a), int(b or a) + 1))


def token_f1(units: Sequence[Sequence[Sequence[frozenset[int]]]], *, unit: str) -> Figure:
    """F1 of the words that two people marked, pooled over all twos and texts; of each unit the texts, of each
    text the words that each person marked. The interval is for other units.

    Source: Hripcsak and Rothschild (2005), Agreement, the F-Measure, and Reliability.
    """
    sums = np.zeros((len(units), 2))
    for at, texts in enumerate(units):
        for one, other in (two for people in texts for two in combinations(people, 2)):
            sums[at] += 2 * len(one & other), len(one) + len(other)
    return Figure.ratio(sums[sums[:, 1] > 0], unit=unit, reason="no two people marked a word")
