"""Whether articles support the numbers of headlines: by their verdicts, or by a quick look."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.errors import ModelUnavailableError
from core.headlines.metrics import Column, HeadlineMetric, MetricInput, Scored, headline_metrics
from core.headlines.metrics.columns import columns_of
from core.models.weights import weights_signature
from core.numerals.checked_headline import PASSING, CheckedHeadline, Light
from core.numerals.question import source_aligners
from core.runtime import Runtime
from core.text.support import SourceEvidence, numbers_in, read_evidence, read_source

LIGHTS: Final = tuple(Light)
COLUMNS: Final = columns_of("numeral_support")
COUNTS: Final = 4 + len(LIGHTS)  # how many statistics a headline has; see `counts_of`


@headline_metrics.register("numeral_support.v4")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralSupport(HeadlineMetric):
    """The verdict on each numeral of a headline, counted: supported, found, to be checked, wrong.

    Every numeral is read, in digits or words, and gets the verdict that the Numerals page shows. All shares
    are over numerals but the last two, which are over headlines. No gold number is needed. A system that
    writes no numerals has no value. It runs only where it is named: the whole article is searched for each
    numeral. Version 1 counted where the value comes from, so that a right number of something else counted as
    supported.
    """

    summary: ClassVar[str] = "Whether the article supports each numeral of the headline"
    needs: ClassVar = "articles"
    default: ClassVar[bool] = False
    quick: ClassVar[bool] = False
    columns: ClassVar[tuple[Column, ...]] = COLUMNS

    aligner: str = field(
        default="lexical.v1", metadata={"help": "source aligner that judges what a numeral belongs to"}
    )

    def __post_init__(self) -> None:
        source_aligners.parse(self.aligner)

    @property
    def inside(self) -> tuple[object, ...]:
        from core.numerals.checking import readers

        return source_aligners.parse(self.aligner), *readers()

    def signature_text(self, written: MetricInput | None = None) -> str:
        recipe, weights = source_aligners.parse(self.aligner), "weights not on this machine"
        with suppress(ModelUnavailableError):
            recipe.check()
            (weights,) = weights_signature(*self.inside)
        return f"numerals checked by {source_aligners.signature(recipe)} ({weights})"

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        from core.numerals.checking import load_checker

        rows = [row for row, article in enumerate(written.articles) if article.strip()]
        counts = np.zeros((len(written.headlines), COUNTS))
        if rows:
            checked = load_checker(self.aligner, runtime).check(
                [written.headlines[row] for row in rows], [written.articles[row] for row in rows], runtime
            )
            counts[rows] = [counts_of(checked_headline) for checked_headline in checked]
        return counts

    def values(self, sums: FloatArray) -> FloatArray:
        return shares(sums)


def counts_of(checked: CheckedHeadline) -> FloatArray:
    """1; whether it has numerals, and none in doubt; numerals by light; their probability, float64 [8]."""
    lights = [numeral.claim.light for numeral in checked.numerals]
    passes, support = checked.light in PASSING, sum(each.claim.probability for each in checked.numerals)
    counts = [1, bool(lights), bool(lights) and passes, *map(lights.count, LIGHTS), support]
    return np.array(counts, dtype=np.float64)


def shares(sums: FloatArray) -> FloatArray:
    """The columns float64 [..., 7] from sums of `counts_of` [..., 8], by `COLUMNS`; NaN where of nothing."""
    headlines, holding, passing, *lights, support = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    numerals = sum(lights)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = [*(count / numerals for count in (*lights, support)), passing / holding, holding / headlines]
    return np.stack(values, axis=-1)


@headline_metrics.register("numbers_in_article.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumbersInArticle(HeadlineMetric):
    """Share of a headline's numbers that the article has as a number of that value, perhaps rounded.

    Quick, and no check: a number that follows by arithmetic is not in the article, and one that counts
    something else there is. `numeral_support.v4` looks closer.
    """

    summary: ClassVar[str] = "Whether the article has the headline's numbers at all"
    needs: ClassVar = "articles"
    note: ClassVar[str] = "numbers in digits or words, equal or rounded; mean of headlines with numbers"
    columns: ClassVar[tuple[Column, ...]] = columns_of("numbers_in_article")

    def score(self, scored: Scored) -> Sequence[float]:
        there, exact = numbers_in(scored.headline, _evidence(scored.article))
        return (there / exact if exact else math.nan,)


@lru_cache(maxsize=1_024)
def _evidence(article: str) -> SourceEvidence:
    return read_evidence(read_source(article))
