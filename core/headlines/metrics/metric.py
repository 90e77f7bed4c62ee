"""What a metric of written headlines is, and the list of all of them.

A metric reads every headline once and keeps a few numbers of each. The value of a whole file, of a part of
it or of a bootstrap sample is a function of the sums of those numbers, so nothing is ever scored twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from core.registry import Registry
from core.runtime import Runtime

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One value of a metric.

    Attributes:
        name: As in tables and files ("rouge1").
        label: As people read it ("ROUGE-1").
        help: What it says, in one line.
        higher_is_better: None where neither is (novelty, length).
        low, high: Range of the value.
    """

    name: str
    label: str
    help: str
    higher_is_better: bool | None
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Written:
    """What is scored: n headlines of one system.

    Attributes:
        headlines: As the system wrote them, "" allowed.
        references: For each headline the people's headlines, () where none is known.
        articles: For each headline its article, "" where unknown.
        language: ISO 639-1 code; decides tokens and stems.
        numbers: Gold number of each, "" where unknown; see `Articles`.
        operations: "copy", "reasoning" or "".
    """

    headlines: Sequence[str]
    references: Sequence[Sequence[str]]
    articles: Sequence[str]
    language: str = "en"
    numbers: Sequence[str] = ()
    operations: Sequence[str] = ()


class HeadlineMetric(Protocol):
    """A metric: a frozen dataclass; its fields are its settings."""

    summary: ClassVar[str]
    compared_with: ClassVar[str]
    """What each headline is held against: "references", "articles", "numbers" or "others"."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it measures; names and labels say which model computed it where one did."""
        ...

    def signature_text(self, written: Written | None = None) -> str:
        """The library, its version and settings in one line, for tables and exports.

        Args:
            written: What was scored, so that language and number of references are told, too.
        """
        ...

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """A few numbers of each headline, float64 [n, k]; never NaN.

        A headline that the metric is not defined for (no reference, …) has a row of zeros.

        Raises:
            Cancelled: The runtime's stop was set.
            ModelUnavailableError: A model that it needs is not on this machine.
        """
        ...

    def values(self, sums: FloatArray) -> FloatArray:
        """The metric's columns from sums of statistics.

        Args:
            sums: float64 [..., k], sums over the headlines of a sample; a row of `statistics` is the
                sum over one headline.

        Returns:
            float64 [..., len(columns)]; NaN where undefined.
        """
        ...


headline_metrics: Registry[HeadlineMetric] = Registry("headline metric", "core.headlines.metrics")
