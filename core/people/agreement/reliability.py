"""Krippendorff's alpha of votes, with an interval."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import numpy as np

from core.people.agreement.votes import VoteTable
from core.statistics.few_units import ENOUGH, few_units
from core.statistics.figure import Figure

RESAMPLES: Final = 2000


class Scale(StrEnum):
    """How far apart two answers are.

    Nominal: the same or not. Ordinal: by how many answers lie between them. Interval: by their difference,
    squared.
    """

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def alpha(votes: VoteTable, scale: Scale = Scale.NOMINAL, *, seed: int = 0, interval: bool = True) -> Figure:
    """How far the people agree beyond chance: 1 in all, 0 as by chance, below 0 less than that.

    Items with a single answer tell nothing and are left out. The interval is that of Krippendorff's
    bootstrap (2006) of the pairs of answers, as evalica computes it; fewer than ten items have none.

    Source: Krippendorff (2018), Content Analysis, chapter 12.

    Args:
        votes: The answers.
        scale: Ordinal and interval take answers that are numbers.
        seed: Of the bootstrap.
        interval: Whether one is computed: where items are not drawn one by one, as pairs of headlines, a
            bootstrap over them would be too sure.

    Raises:
        InputError: The scale is no nominal one and an answer is no number.
    """
    import evalica
    import pandas as pd

    kept = (votes.codes >= 0).sum(axis=1) >= 2
    count = int((votes.codes[kept] >= 0).sum())
    if not kept.any():
        return Figure(None, "no item has two answers", count=0)
    if len(np.unique(votes.codes[kept][votes.codes[kept] >= 0])) < 2:
        return Figure(None, "all answers are the same, so chance alone agrees in full", count=count)
    worth = np.arange(len(votes.answers), dtype=np.float64)
    if scale is not Scale.NOMINAL:
        worth = votes.numbers()
    # Who gave an answer is nothing to alpha: as many columns as an item has answers hold them all.
    packed = -np.sort(-votes.codes[kept], axis=1)
    packed = packed[:, (packed >= 0).any(axis=0)]
    answers = pd.DataFrame(np.where(packed >= 0, worth[packed], np.nan).T)
    items = int(kept.sum())
    value = float(evalica.alpha(answers, scale.value).alpha)
    if not np.isfinite(value):
        return Figure(None, "the answers lie too far apart to be compared", count=count)
    if not interval:
        return Figure(value, count=count)
    if items < ENOUGH:
        return Figure(value, warning=few_units(items, "items"), count=count)
    drawn = evalica.alpha_bootstrap(answers, scale.value, n_resamples=RESAMPLES, random_state=seed)
    found = np.asarray(drawn.distribution, dtype=np.float64)
    return Figure.resampled(value, found, units=items, unit="items", count=count)


def raw_agreement(votes: VoteTable) -> float | None:
    """Share of the pairs of answers to one item that are the same, 0–1; None where no item has two.

    Each item counts as many pairs as it has.
    """
    equal, pairs = 0, 0
    for row in votes.codes:
        counts = np.bincount(row[row >= 0])
        total = int(counts.sum())
        equal += int((counts * (counts - 1)).sum())
        pairs += total * (total - 1)
    return equal / pairs if pairs else None
