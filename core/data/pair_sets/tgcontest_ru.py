"""Telegram contest, Russian: pairs of articles with titles and texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.pair_sets.telegram_contest import LICENCE, folder, read_pools, telegram_pairs
from core.parts import Part

POOLS = {"ru_train_pool": Part.TRAIN, "ru_exam_pool": Part.VALIDATION, "ru_honey_pool": Part.TEST}


@pair_sources.register("tgcontest_ru.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramContestRussian:
    """215 judged pairs. The 175 control questions are test, so that there is something to measure on.

    The 20 pairs that trained the annotators are train, the 20 of their examination validation. All
    articles of a part are one timeline. Dates are not given.

    Source: Gusev and Smurov 2021.
    """

    summary: ClassVar[str] = "Russian article pairs with texts (Telegram contest)"
    licence: ClassVar[str] = LICENCE

    def find(self) -> Path | None:
        """See `PairSource`."""
        return folder()

    def load(self) -> PairSet:
        """See `PairSource`."""
        table, sizes = read_pools(list(POOLS))
        parts = [part.value for part, size in zip(POOLS.values(), sizes, strict=True) for _ in range(size)]
        return telegram_pairs("tgcontest_ru", table, parts)
