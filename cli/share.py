"""Types of options that are numbers in a range."""

import math
from typing import Any

import click


class NumberType(click.FloatRange):
    """A number in a range; unlike `click.FloatRange` it refuses "nan"."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is no number from {self.min:g} to {self.max:g}.", param, ctx)
        return number


class ShareType(NumberType):
    """A number from 0 to 1."""

    def __init__(self, *, min_open: bool = False) -> None:
        super().__init__(0, 1, min_open=min_open)
