"""A numeral while it is being read."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from core.text.numerals.numeral import Approximation, Bound, Form, Kind, Numeral

ONE = Fraction(1)


@dataclass(slots=True)
class Draft:
    """A numeral of which not everything is known yet.

    Attributes:
        first: Its first token.
        after: The token after its last one, unit words of its text included.
        start: Where its text begins.
        end: Where its text ends, exclusive.
        number_start: Where the bare number begins.
        number_end: Where it ends, exclusive.
        amount: See `Numeral`, as all that follow.
        factor: ""
        decimals: ""
        form: ""
        kind: None until it is known.
        unit: ""
        counted: ""
        approximation: ""
        bound: ""
    """

    first: int
    after: int
    start: int
    end: int
    number_start: int
    number_end: int
    amount: Fraction
    form: Form
    factor: Fraction = ONE
    decimals: int = 0
    kind: Kind | None = None
    unit: str = ""
    counted: str = ""
    approximation: Approximation = Approximation.EXACT
    bound: Bound = Bound.NONE

    @property
    def value(self) -> Fraction:
        """What it amounts to."""
        return self.amount * self.factor

    def finished(self, text: str) -> Numeral:
        """The numeral; a kind that was not found is a count."""
        return Numeral(
            text=text[self.start : self.end],
            start=self.start,
            end=self.end,
            number=text[self.number_start : self.number_end],
            number_start=self.number_start,
            number_end=self.number_end,
            amount=self.amount,
            factor=self.factor,
            decimals=self.decimals,
            kind=self.kind or Kind.COUNT,
            unit=self.unit,
            counted=self.counted,
            approximation=self.approximation,
            bound=self.bound,
            form=self.form,
        )
