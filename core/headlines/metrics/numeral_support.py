"""Whether the numerals of headlines are supported by their articles: ours beside NumHG's numeral accuracy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.errors import ModelUnavailableError
from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.headlines.metrics.numeral_counts import COLUMNS, COUNTS, counts_of, shares
from core.models.weights import weights_told
from core.numerals.attachment import AttacherRecipe, numeral_attachers
from core.runtime import Runtime


@headline_metrics.register("numeral_support.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralSupport:
    """Whether each numeral of a headline is supported by its article, contradicted, or neither.

    Every numeral is read, in digits or words, and derivations from the article's numerals are searched. All
    shares are over numerals but the last two, which are over headlines. No gold number is asked for. A
    system that writes no numerals has no value.
    """

    summary: ClassVar[str] = "Whether the article supports each numeral of the headline"
    compared_with: ClassVar[str] = "articles"
    columns: ClassVar[tuple[Column, ...]] = COLUMNS

    attacher: str = field(
        default="blend.v1", metadata={"help": "numeral attacher that judges what a numeral belongs to"}
    )

    def __post_init__(self) -> None:
        """Checks that the attacher exists.

        Raises:
            UnknownNameError: It does not.
        """
        numeral_attachers.parse(self.attacher)

    @property
    def inside(self) -> tuple[AttacherRecipe, ...]:
        """What judges; see `core.models.weights.taking_part`."""
        return (self._recipe,)

    @property
    def _recipe(self) -> AttacherRecipe:
        return numeral_attachers.parse(self.attacher)

    def signature_text(self, written: Written | None = None) -> str:
        """What judges, and its weights."""
        try:
            self._recipe.check()
            (weights,) = weights_told(self._recipe)
        except ModelUnavailableError:
            weights = "weights not on this machine"
        return f"numerals checked by {numeral_attachers.signature(self._recipe)} ({weights})"

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """Counts of each headline, float64 [n, 7]; see `counts_of`.

        Raises:
            Cancelled: The runtime's stop was set.
            ModelUnavailableError: What judges is not on this machine.
        """
        from core.numerals.checking import load_checker

        rows = [row for row, article in enumerate(written.articles) if article.strip()]
        found = np.zeros((len(written.headlines), COUNTS))
        if rows:
            checked = load_checker(self.attacher, runtime).check(
                [written.headlines[row] for row in rows], [written.articles[row] for row in rows], runtime
            )
            found[rows] = [counts_of(one) for one in checked]
        return found

    def values(self, sums: FloatArray) -> FloatArray:
        """The columns; see `HeadlineMetric.values`."""
        return shares(sums)
