"""NumHG's numeral accuracy: is the one number in the headline the right one?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from core.headlines.metrics.averages import MeanMetric, mean_statistics
from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.runtime import Runtime

NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+[\/\.]{0,1}\d+|\d+")
"""The expression of NumHG's official script, sign for sign."""


@headline_metrics.register("numeral_accuracy.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralAccuracy(MeanMetric):
    """Share of headlines whose only number is the one that was asked for, as NumHG's script counts.

    Right is a headline in which the expression finds exactly one number and that number is the gold one,
    sign for sign: "1,200" is not "1200", and a headline with a second number is wrong, whatever it says.

    Source: Huang et al. 2023, "NumHG: A Dataset for Number-Focused Headline Generation", official script.
    """

    summary: ClassVar[str] = "Whether the one number in the headline is the right one (NumHG)"
    compared_with: ClassVar[str] = "numbers"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            name="numeral_accuracy",
            label="Numeral accuracy",
            help="the headline's only number is the gold one",
            higher_is_better=True,
        ),
        Column(
            name="numeral_accuracy_copy",
            label="Numeral accuracy, copy",
            help="the same where the number stands in the article",
            higher_is_better=True,
        ),
        Column(
            name="numeral_accuracy_reasoning",
            label="Numeral accuracy, reasoning",
            help="the same where the number has to be worked out",
            higher_is_better=True,
        ),
    )

    def signature_text(self, written: Written | None = None) -> str:
        """The rule in one line."""
        return "NumHG official script: exactly one number, equal to the gold one sign for sign"

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """Whether each column is defined, and whether the number is right, float64 [n, 6]."""
        right = np.full((len(written.headlines), 3), np.nan)
        for row, (headline, gold) in enumerate(zip(written.headlines, written.numbers, strict=False)):
            if gold.strip():
                right[row, 0] = is_right(headline, gold)
        for column, operation in ((1, "copy"), (2, "reasoning")):
            asked = [row for row, one in enumerate(written.operations) if one == operation]
            right[asked, column] = right[asked, 0]
        return mean_statistics(right)


def is_right(headline: str, gold: str) -> bool:
    """Whether the only number of a headline is the gold one."""
    return NUMBER.findall(headline) == [gold.strip()]
