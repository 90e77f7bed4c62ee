"""The same words on a day long after."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks


@checks.register("different_day.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class DifferentDay:
    """Publishes the headline again much later: "Markets open higher" is then another event."""

    summary: ClassVar[str] = "The same words published weeks later"
    kind: ClassVar[Kind] = Kind.DIRECTIONAL

    least_days: int = field(default=30, metadata={"help": "fewest days between", "low": 1, "high": 3650})

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """Up to twice as many days later, drawn; None without a date."""
        if told.date is None:
            return None
        days = int(random.integers(self.least_days, 2 * self.least_days + 1))
        if (datetime.date.max - told.date).days < days:
            return None
        return replace(told, date=told.date + datetime.timedelta(days=days))
