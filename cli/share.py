"""The type of options that are shares."""

from __future__ import annotations

import math
from typing import Any

import click


class ShareType(click.FloatRange):
    """A number from 0 to 1; unlike `click.FloatRange` it refuses "nan"."""

    def __init__(self, *, min_open: bool = False) -> None:
        super().__init__(0, 1, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number.

        Raises:
            click.BadParameter: It is none, or not in the range.
        """
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is no number from 0 to 1.", param, ctx)
        return number
