"""How often a wrong number gets the green tick, from the benchmark result that is stored."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.statistics.bootstrap import Figure
from research.benchmark.results import SHIPPED

NAME: Final = "claim_verdicts"
"""The benchmark: claims of unseen NumHG articles made wrong on purpose."""
GREEN: Final = "supported (green)"
"""The column with the share that got the tick, in per cent with its 95 % interval: "4.1 [3.0, 5.2]"."""
TRUE: Final = frozenset({"right", "hedged"})
"""The rows of claims that are true: as they were, and with a hedge that is true."""
GREEN_OF_WRITERS: Final = (11, 41)
"""Of the headlines that a language model wrote as editors would: false ones with a tick, and all with one."""
_SHARE: Final = re.compile(r"([\d.]+) \[([\d.]+), ([\d.]+)\]")


@dataclass(frozen=True, slots=True)
class FalseClearance:
    kinds: tuple[tuple[str, Figure], ...]
    date: str

    @property
    def count(self) -> int:
        return sum(figure.count for _, figure in self.kinds)

    @property
    def share(self) -> float:
        return sum((figure.value or 0.0) * figure.count for _, figure in self.kinds) / self.count


def stored_result(folder: Path = SHIPPED) -> Path | None:
    return max(folder.glob(f"{NAME}-*.json"), default=None)


def false_clearance(folder: Path = SHIPPED) -> FalseClearance | None:
    """What the newest stored result measured; None where there is none."""
    path = stored_result(folder)
    if path is None:
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    kinds = []
    for row in found["rows"]:
        told = _SHARE.fullmatch(row.get(GREEN) or "")
        if told and row["claims"] not in TRUE and row["n"]:
            value, low, high = (float(one) / 100 for one in told.groups())
            kinds.append((row["claims"].replace("_", " "), Figure(value, low=low, high=high, count=row["n"])))
    kinds.sort(key=lambda one: -(one[1].value or 0.0))
    return FalseClearance(tuple(kinds), found["date"]) if kinds else None
