"""Telegram contest, English: a few pairs of articles with titles and texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.pair_sets.splits import drawn, parts_of
from core.data.pair_sets.telegram_contest import LICENCE, folder, read_pools, telegram_pairs
from core.data.timelines.components import components

SHARES = (0.4, 0.1, 0.5)


@pair_sources.register("tgcontest_en.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramContestEnglish:
    """35 judged pairs, half of them test; too few for narrow intervals.

    There is one English pool, so its pairs are drawn with a seed to train (40 %), validation (10 %) and
    test (50 %); pairs that share a title stay together. All articles of a part are one timeline. Dates
    are not given.

    Source: Gusev and Smurov 2021.
    """

    summary: ClassVar[str] = "A few English article pairs with texts (Telegram contest)"
    licence: ClassVar[str] = LICENCE

    seed: int = field(default=0, metadata={"help": "seed of the draw of parts", "low": 0})

    def find(self) -> Path | None:
        """See `PairSource`."""
        return folder()

    def load(self) -> PairSet:
        """See `PairSource`."""
        table, _ = read_pools(["en_train_pool"])
        rows: dict[str, int] = {}
        sides = [
            [rows.setdefault(title.casefold(), len(rows)) for title in table[f"{side}_title"]]
            for side in ("first", "second")
        ]
        chains = components(len(rows), zip(*sides, strict=True))[sides[0]].tolist()
        parts = parts_of(chains, drawn(sorted(set(chains)), SHARES, seed=self.seed))
        return telegram_pairs("tgcontest_en", table, parts.tolist())
