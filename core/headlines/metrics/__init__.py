"""What a metric of written headlines is, and the list of all of them.

A metric reads every headline once and keeps a few numbers of each. The value of a whole file, of a part of
it or of a bootstrap sample is a function of the sums of those numbers, so nothing is ever scored twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from core.arrays import FloatArray
from core.registry import Registry
from core.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Column:
    """One value of a metric."""

    name: str  # as in tables and files ("rouge1")
    label: str  # as people read it ("ROUGE-1")
    help: str  # what it says, in one line
    higher_is_better: bool | None = None  # None where neither is (novelty, length)
    low: float = 0.0
    high: float = 1.0  # the range is the unit, too: a share from 0 to 1 is shown times 100
    # Place among the columns of short tables, 1 for the one that systems are ranked by; 0 for a column that
    # long tables alone show.
    rank: int = 0
    alone: bool = False  # known of a headline that lacks what the metric needs, such as its length


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class MetricInput:
    """What is scored: n headlines of one system."""

    headlines: Sequence[str]  # as the system wrote them, "" allowed
    references: Sequence[Sequence[str]]  # for each headline the people's headlines, () where none is known
    articles: Sequence[str]  # for each headline its article, "" where unknown
    language: str = "en"  # ISO 639-1 code; decides tokens and stems
    numbers: Sequence[str] = ()  # gold number of each, "" where unknown; see `Articles`
    operations: Sequence[str] = ()  # "copy", "reasoning" or ""

    def each(self) -> list[Scored]:
        """The headlines one by one."""
        nothing = [""] * len(self.headlines)
        gold = (self.numbers or nothing, self.operations or nothing)
        given = [tuple(filter(str.strip, references)) for references in self.references]
        return [Scored(*row) for row in zip(self.headlines, given, self.articles, *gold, strict=True)]


@dataclass(frozen=True, slots=True)
class Scored:
    """One headline with what it can be compared with; see `MetricInput`."""

    headline: str
    references: tuple[str, ...] = ()
    article: str = ""
    number: str = ""
    operation: str = ""

    def has(self, needed: str) -> bool:
        """Whether it comes with what a metric needs."""
        given = {"references": "".join(self.references), "articles": self.article, "numbers": self.number}
        return bool(given.get(needed, "given").strip())


class HeadlineMetric:
    """A metric, whose fields are its settings; it overrides `score`, or `statistics` and `values`."""

    __slots__ = ()

    summary: ClassVar[str]
    # what a headline is compared with; "others" are the system's other headlines
    needs: ClassVar[Literal["nothing", "others", "references", "articles", "numbers"]] = "nothing"
    rank: ClassVar[int] = 100  # place in lists of metrics, low first; those with the same one stand by name
    default: ClassVar[bool] = True  # whether it runs where nobody names a metric
    quick: ClassVar[bool] = True  # whether the Compare page runs it without being asked: it uses no model
    note: ClassVar[str] = "mean of headlines"  # what its signature says
    step: ClassVar[str] = "Measuring headlines"  # in progress messages

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it measures; names and labels say which model computed it where one did."""
        raise NotImplementedError

    def signature_text(self, written: MetricInput | None = None) -> str:
        """The library, its version and settings in one line, for tables and exports."""
        return self.note

    def score(self, scored: Scored) -> Sequence[float]:
        """The columns of one headline that has what the metric `needs`, or is `alone`; NaN if undefined."""
        raise NotImplementedError

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        """A few numbers of each headline, float64 [n, k], never NaN; zeros where it is not defined.

        Raises Cancelled, and ModelUnavailableError where a model that it needs is not on this machine.
        """
        scores = np.full((len(written.headlines), len(self.columns)), np.nan)
        alone = np.array([column.alone for column in self.columns])
        for row, scored in enumerate(runtime.track(written.each(), self.step)):
            complete = scored.has(self.needs)
            if complete or alone.any():
                scores[row] = self.score(scored)
            if not complete:
                scores[row, ~alone] = np.nan
        return mean_statistics(scores)

    def values(self, sums: FloatArray) -> FloatArray:
        """The metric's columns, NaN where undefined, from sums of statistics float64 [..., k]; here means."""
        return means(sums)


headline_metrics: Registry[HeadlineMetric] = Registry("headline metric", "core.headlines.metrics")


def in_order() -> list[str]:
    """Qualified names of the newest version of every metric, in the order in which people read them."""
    newest = {headline_metrics.get(name.rpartition(".v")[0]) for name in headline_metrics.names()}
    return [name for _, name in sorted((each.rank, headline_metrics.name_of(each)) for each in newest)]


def default_metrics() -> list[str]:
    """The metrics that run where nobody names one, in the order of their ranks."""
    return [name for name in in_order() if headline_metrics.get(name).default]


def short_columns() -> list[Column]:
    """The columns of short tables of every metric, by their rank."""
    columns = (column for name in in_order() for column in headline_metrics.parse(name).columns)
    return sorted((column for column in columns if column.rank), key=lambda column: column.rank)


def mean_statistics(values: FloatArray) -> FloatArray:
    """Statistics float64 [n, 2c] of values [n, c]: whether each is defined, then the values, 0 where NaN."""
    defined = ~np.isnan(values)
    return np.concatenate([defined.astype(np.float64), np.where(defined, values, 0.0)], axis=1)


def means(sums: FloatArray) -> FloatArray:
    """Means float64 [..., c] from sums of `mean_statistics` [..., 2c]; NaN where no headline has a value."""
    counts, totals = np.split(np.asarray(sums, dtype=np.float64), 2, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 0, totals / counts, np.nan)


def given_references(written: MetricInput) -> list[tuple[str, ...]]:
    """For each headline its references that hold more than white space."""
    return [scored.references for scored in written.each()]
