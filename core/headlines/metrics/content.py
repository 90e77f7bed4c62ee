"""Whether the numbers of headlines are right, and their wording: length, repetition, novelty."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.data.articles.outputs import holds_lines
from core.data.articles.sets import read_lines, read_types, same_lengths
from core.errors import ModelUnavailableError
from core.headlines.metrics import (
    Column,
    HeadlineMetric,
    MetricInput,
    Scored,
    headline_metrics,
    mean_statistics,
)
from core.headlines.metrics.columns import columns_of
from core.models.weights import weights_signature
from core.numerals.question import source_aligners
from core.numerals.verdict import PASSING, CheckedHeadline, Light
from core.runtime import Runtime
from core.text.normalise import comparison_key
from core.text.stems import mostly
from core.text.support import (
    SourceEvidence,
    WordSequence,
    copied,
    coverage,
    density,
    numbers_in,
    read_evidence,
    read_source,
)
from core.text.tokens import words

NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+[\/\.]{0,1}\d+|\d+")
"""The expression of NumHG's official script, sign for sign."""

LIGHTS: Final = tuple(Light)
COLUMNS: Final = columns_of("numeral_support")
COUNTS: Final = 4 + len(LIGHTS)  # how many statistics a headline has; see `counts_of`
_UNKNOWN_WORD: Final = re.compile(r"<unk(?:nown)?>|\[unk\]|⁇", re.IGNORECASE)


@headline_metrics.register("numeral_accuracy.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralAccuracy(HeadlineMetric):
    """Share of headlines whose only number is the one that was asked for, as NumHG's script counts.

    Right is a headline in which the expression finds exactly one number and that number is the gold one,
    sign for sign: "1,200" is not "1200", and a headline with a second number is wrong, whatever it says.

    Source: Huang et al. 2023, "NumHG: A Dataset for Number-Focused Headline Generation", official script.
    """

    summary: ClassVar[str] = "Whether the one number in the headline is the right one (NumHG)"
    needs: ClassVar = "numbers"
    rank: ClassVar[int] = 7
    note: ClassVar[str] = "NumHG official script: exactly one number, equal to the gold one sign for sign"
    columns: ClassVar[tuple[Column, ...]] = columns_of("numeral_accuracy")

    def score(self, scored: Scored) -> Sequence[float]:
        right = float(is_right(scored.headline, scored.number))
        return (right, *(right if scored.operation == kind else math.nan for kind in ("copy", "reasoning")))


def is_right(headline: str, gold: str) -> bool:
    return NUMBER.findall(headline) == [gold.strip()]


def official_accuracy(
    headlines: Sequence[str], numbers: Sequence[str], operations: Sequence[str]
) -> dict[str, float | None]:
    """The shares of headlines with the gold number as their only one, 0–1; None where there is none.

    Source: Huang et al. 2023, NumHG, `numhg_eval.py`.
    """
    kinds: dict[str, list[bool]] = {"All": [], "Copy": [], "Cal": []}
    for headline, number, operation in zip(headlines, numbers, operations, strict=True):
        for kind in ("All", "Copy" if operation == "copy" else "Cal"):
            kinds[kind].append(is_right(headline, number))
    return {name: sum(right) / len(right) if right else None for name, right in kinds.items()}


def printed(accuracy: dict[str, float | None]) -> str:
    """The script's line, sign for sign; a dash where it has no value."""
    shown = {name: "–" if value is None else f"{value:.6f}" for name, value in accuracy.items()}
    return ", ".join(f"{name} Accuracy: {value}" for name, value in shown.items())


def official_accuracy_of_files(
    predictions: str | Path, numbers: str | Path, types: str | Path
) -> dict[str, float | None]:
    """The accuracy of a file of predictions, one a line; files of other lengths are refused."""
    headlines, gold, operations = read_lines(predictions), read_lines(numbers), read_types(types)
    same_lengths({str(predictions): len(headlines), str(numbers): len(gold), str(types): len(operations)})
    return official_accuracy(headlines, gold, operations)


def official_lines(files: Sequence[str], numbers: str | Path, types: str | Path) -> list[str]:
    """What the script prints of each file that has one headline a line; tables are passed over."""
    return [
        f"{file}, as NumHG's script: {printed(official_accuracy_of_files(file, numbers, types))}"
        for file in files
        if holds_lines(file)
    ]


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
    return np.array(
        [
            1,
            bool(lights),
            bool(lights) and checked.light in PASSING,
            *map(lights.count, LIGHTS),
            sum(numeral.claim.probability for numeral in checked.numerals),
        ],
        dtype=np.float64,
    )


def shares(sums: FloatArray) -> FloatArray:
    """The columns float64 [..., 7] from sums of `counts_of` [..., 8], by `COLUMNS`; NaN where of nothing."""
    headlines, holding, passing, *lights, support = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    numerals = sum(lights)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = [*(count / numerals for count in (*lights, support)), passing / holding, holding / headlines]
    return np.stack(values, axis=-1)


@headline_metrics.register("compression.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Compression(HeadlineMetric):
    """Words of the article for each word of the headline, and the headline's words.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 3.
    """

    summary: ClassVar[str] = "How long headlines are, alone and against their articles"
    needs: ClassVar = "articles"
    note: ClassVar[str] = "words without punctuation; mean of headlines"
    columns: ClassVar[tuple[Column, ...]] = columns_of("compression")

    def misreads(self, text: str, language: str) -> bool:
        return mostly("uncut", text)

    def score(self, scored: Scored) -> Sequence[float]:
        length = len(words(scored.headline))
        return (len(words(scored.article)) / length if length else math.nan, length)


@headline_metrics.register("novelty.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Novelty(HeadlineMetric):
    """New words and pairs of words, and how long the runs are that are copied from the article.

    Words are compared in lower case as they stand, so that another ending makes a word new. Neither more nor
    less is better by itself: a headline without any new word is a cut-out, one of new words alone may be
    made up.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 3 (coverage and density); novel n-grams as in
    See, Liu and Manning 2017, "Get To The Point", figure 6.
    """

    summary: ClassVar[str] = "How much of the headline is new, and how much is copied from the article"
    needs: ClassVar = "articles"
    note: ClassVar[str] = "words in lower case, not stemmed; runs as in Grusky et al. 2018; mean of headlines"
    columns: ClassVar[tuple[Column, ...]] = columns_of("novelty")

    def misreads(self, text: str, language: str) -> bool:
        return mostly("uncut", text)

    def score(self, scored: Scored) -> Sequence[float]:
        headline, article = words(scored.headline), words(scored.article)
        if not headline:
            return (math.nan,) * 5
        fragments, bigrams = copied(headline, WordSequence(article)), list(pairwise(headline))
        known, known_bigrams = set(article), set(pairwise(article))
        return (
            sum(word not in known for word in headline) / len(headline),
            sum(pair not in known_bigrams for pair in bigrams) / len(bigrams) if bigrams else math.nan,
            coverage(fragments, len(headline)) or 0.0,
            density(fragments, len(headline)) or 0.0,
            max((fragment.words for fragment in fragments), default=0) / len(headline),
        )


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


@headline_metrics.register("duplication.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Duplication(HeadlineMetric):
    """Words and pairs of words that come again in a headline; headlines used for several articles.

    Repetition is what coverage was added to pointer networks against. The same headline for two different
    articles tells of a system that falls back on phrases.

    Source: See, Liu and Manning 2017, "Get To The Point", figure 4 (repeated n-grams).
    """

    summary: ClassVar[str] = "What a headline says twice, and headlines used for several articles"
    needs: ClassVar = "others"
    note: ClassVar[str] = "words in lower case, not stemmed; mean of headlines"
    columns: ClassVar[tuple[Column, ...]] = columns_of("duplication")

    def misreads(self, text: str, language: str) -> bool:
        return mostly("uncut", text)

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        keys = [comparison_key(headline) for headline in written.headlines]
        # Rows with one article count as one; where it is not known every row is an article of its own.
        about: dict[str, set[str | int]] = {}
        for row, (key, article) in enumerate(zip(keys, written.articles, strict=True)):
            about.setdefault(key, set()).add(article.strip() or row)
        rows = np.full((len(keys), 3), np.nan)
        for row, (key, headline) in enumerate(zip(keys, written.headlines, strict=True)):
            if key:
                cut = words(headline)
                rows[row] = _repeated(cut), _repeated(list(pairwise(cut))), len(about[key]) > 1
        return mean_statistics(rows)


def _repeated(grams: Sequence[object]) -> float:
    return 1 - len(set(grams)) / len(grams) if grams else math.nan


@headline_metrics.register("unknown_words.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownWords(HeadlineMetric):
    """Share of headlines with a sign for a word outside the system's vocabulary: <unk>, [UNK] or ⁇.

    Source: Cafagna et al. 2019, section 4.1, which left such headlines out (37 % of S2S, 31 % of PNC, 30 % of
    PN).
    """

    summary: ClassVar[str] = "Headlines with a sign for an unknown word"
    note: ClassVar[str] = "signs: <unk>, [UNK], ⁇; share of headlines"
    columns: ClassVar[tuple[Column, ...]] = columns_of("unknown_words")

    def score(self, scored: Scored) -> Sequence[float]:
        return (float(_UNKNOWN_WORD.search(scored.headline) is not None),)
