"""How headlines are worded: their length, what is new in them, what is repeated."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.headlines import metrics
from core.headlines.metrics.columns import columns_of
from core.runtime import Runtime
from core.text.normalise import comparison_key
from core.text.stems import cut_in_signs, plain_words
from core.text.support import WordSequence, copied, coverage, density
from core.text.tokens import words as spaced_words

_UNKNOWN_WORD: Final = re.compile(r"<unk(?:nown)?>|\[unk\]|⁇", re.IGNORECASE)


def words(text: str) -> list[str]:
    """Words in lower case, of scripts without spaces the single signs."""
    return plain_words(text, "") if cut_in_signs([text]) else spaced_words(text)


@metrics.headline_metrics.register("compression.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Compression(metrics.HeadlineMetric):
    """Words of the article for each word of the headline, and the headline's words.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 3.
    """

    summary: ClassVar[str] = "How long headlines are, alone and against their articles"
    needs: ClassVar = "articles"
    note: ClassVar[str] = "words without punctuation; mean of headlines"
    columns: ClassVar[tuple[metrics.Column, ...]] = columns_of("compression")

    def score(self, scored: metrics.Scored) -> Sequence[float]:
        length = len(words(scored.headline))
        return (len(words(scored.article)) / length if length else math.nan, length)


@metrics.headline_metrics.register("novelty.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Novelty(metrics.HeadlineMetric):
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
    columns: ClassVar[tuple[metrics.Column, ...]] = columns_of("novelty")

    def score(self, scored: metrics.Scored) -> Sequence[float]:
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


@metrics.headline_metrics.register("duplication.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Duplication(metrics.HeadlineMetric):
    """Words and pairs of words that come again in a headline; headlines used for several articles.

    Repetition is what coverage was added to pointer networks against. The same headline for two different
    articles tells of a system that falls back on phrases.

    Source: See, Liu and Manning 2017, "Get To The Point", figure 4 (repeated n-grams).
    """

    summary: ClassVar[str] = "What a headline says twice, and headlines used for several articles"
    needs: ClassVar = "others"
    note: ClassVar[str] = "words in lower case, not stemmed; mean of headlines"
    columns: ClassVar[tuple[metrics.Column, ...]] = columns_of("duplication")

    def statistics(self, written: metrics.MetricInput, runtime: Runtime) -> FloatArray:
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
        return metrics.mean_statistics(rows)


def _repeated(grams: Sequence[object]) -> float:
    return 1 - len(set(grams)) / len(grams) if grams else math.nan


@metrics.headline_metrics.register("unknown_words.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownWords(metrics.HeadlineMetric):
    """Share of headlines with a sign for a word outside the system's vocabulary: <unk>, [UNK] or ⁇.

    Source: Cafagna et al. 2019, section 4.1, which left such headlines out (37 % of S2S, 31 % of PNC, 30 % of
    PN).
    """

    summary: ClassVar[str] = "Headlines with a sign for an unknown word"
    note: ClassVar[str] = "signs: <unk>, [UNK], ⁇; share of headlines"
    columns: ClassVar[tuple[metrics.Column, ...]] = columns_of("unknown_words")

    def score(self, scored: metrics.Scored) -> Sequence[float]:
        return (float(_UNKNOWN_WORD.search(scored.headline) is not None),)
