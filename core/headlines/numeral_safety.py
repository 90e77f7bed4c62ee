"""Which of several headlines comes first by its claims, and what stands in where none passes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from core.headlines.extractive import clean_headline, first_sentence, shortened
from core.headlines.generator import HeadlineCandidate, Wishes
from core.headlines.wording_faults import wording_faults
from core.numerals.claims.verdict import Light
from core.numerals.derivations.fillings import fillings_of
from core.numerals.provenance import CheckedHeadline
from core.numerals.question import BLANK, blank_of, read_article

BEHIND: Final = 1_000.0
"""What a numeral that is not supported takes from a score: more than other terms can differ by."""

LEAST: Final = 1e-6
"""Probability that counts as none, so that its logarithm is finite."""

TRIMMED_WORDS: Final = 16
"""Words of a first sentence that stands for a headline at most, unless others are wished."""
_CLAUSE: Final = re.compile(r"[,;:–—]$")
_FEWEST: Final = 5
"""Words before a comma at which a sentence is trimmed, at least."""


def safest_first(
    candidates: Sequence[HeadlineCandidate],
    checks: Sequence[CheckedHeadline],
    *,
    wishes: Sequence[int],
    weight: float,
    numberless: float,
    language: str = "en",
) -> list[HeadlineCandidate]:
    """The candidates of one article in the order of their claims, their wording and their likelihood.

    First by light: supported, then to be checked, then wrong. Among equals those with fewer faults of wording
    (`core.headlines.wording_faults`) come first, then those that keep more of what is wished, then those with
    the higher score

        l + weight · Σ log(p · a) − 1,000 · b

    where l is the generator's score (a mean log-likelihood), but never above that of a candidate which the
    generator put before it. The sum is over the numerals: p is the probability that the article supports the
    claim of one, and a its agreement, the share of the candidates that state the same value. A headline
    without numerals has one term, p being `numberless` and a the share of the candidates without numerals. b
    is how many of its numerals are not supported. Of equals the generator's order decides.

    Source: ours; agreement as in Wang et al. 2023, "Self-Consistency Improves Chain of Thought Reasoning in
    Language Models", where the answer that most samples give is taken.

    Args:
        candidates: Best first, as the generator gave them.
        checks: What is said about the numerals of each.
        wishes: How many wishes each keeps.
        weight: 0 or more; 0 keeps the generator's order among headlines that are equally safe.
        numberless: Probability that a headline without numerals is taken to have, above 0, at most 1: it goes
            behind equally likely ones whose numbers are surer than that, so that safety is not had by
            leaving numbers out.
        language: ISO 639-1 code of the article.

    Returns:
        The same candidates, each with its new score, best first.
    """
    agreed = agreements(checks)
    lights = tuple(Light)
    found = []
    most = math.inf
    for candidate, check, kept in zip(candidates, checks, wishes, strict=True):
        most = min(most, candidate.score)
        score = most + weight * log_trust(check, agreed, numberless) - BEHIND * bad_numerals(check)
        faults = len(wording_faults(candidate.text, language=language))
        found.append(((lights.index(check.light), faults, -kept, -score), replace(candidate, score=score)))
    return [candidate for _, candidate in sorted(found, key=lambda one: one[0])]


def instead_of(article: str, why: str, wishes: Wishes) -> HeadlineCandidate:
    """The article's own first sentence, trimmed, in place of a headline, and why.

    Its text is "" only where the article holds no word.
    """
    most = wishes.most_words or TRIMMED_WORDS
    text = trimmed(first_sentence(article), most)
    return HeadlineCandidate(text, -BEHIND, why if text else "")


def trimmed(sentence: str, most_words: int) -> str:
    """A sentence without its full stop; a longer one ends after a clause where it can, else with an ellipsis.

    Args:
        sentence: One line.
        most_words: Words that are kept at most, 1 or more.
    """
    words = sentence.split()
    if len(words) <= most_words:
        return clean_headline(sentence)
    clauses = [at for at in range(_FEWEST, most_words + 1) if _CLAUSE.search(words[at - 1])]
    if clauses:
        return clean_headline(shortened(sentence, clauses[-1]))
    return f"{clean_headline(shortened(sentence, most_words))}…"


def agreements(checks: Sequence[CheckedHeadline]) -> dict[Fraction | None, float]:
    """The share of headlines that state each value, above 0, at most 1; at None that of those without any."""
    counts: Counter[Fraction | None] = Counter()
    for check in checks:
        values: set[Fraction | None] = {one.numeral.value for one in check.numerals}
        counts.update(values or {None})
    return {value: count / len(checks) for value, count in counts.items()}


def bad_numerals(check: CheckedHeadline) -> int:
    """How many numerals of a headline are not supported."""
    return sum(numeral.claim.light is not Light.SUPPORTED for numeral in check.numerals)


def log_trust(check: CheckedHeadline, agreed: Mapping[Fraction | None, float], numberless: float) -> float:
    """Sum of the natural logarithms of probability times agreement over a headline's numerals, at most 0."""
    terms = [(numeral.claim.probability, agreed[numeral.numeral.value]) for numeral in check.numerals]
    if not terms:
        terms = [(numberless, agreed[None])]
    return math.fsum(math.log(max(probability, LEAST)) + math.log(share) for probability, share in terms)


BLANKS: Final = (BLANK, f"{BLANK}K", f"{BLANK}M", f"{BLANK}B", f"{BLANK}%")
"""Where a number may stand: by itself, and before what changes how it is written."""


def derivable_numbers(text: str) -> frozenset[str]:
    """The numbers that stand in an article, and those that follow from its numerals, as they are written."""
    return _numbers(text, most_sources=2)


def restated_numbers(text: str) -> frozenset[str]:
    """The same without those that two numerals of the article give together.

    What is left stands in it, or is one of its numerals as a word's number, rounded, or in another magnitude
    or unit.
    """
    return _numbers(text, most_sources=1)


def _numbers(text: str, *, most_sources: int) -> frozenset[str]:
    from core.models.language_models.writing.allowed_numbers import NUMBER

    article = read_article(text)
    found = {
        candidate.answer
        for headline in BLANKS
        for candidate in fillings_of(blank_of(headline, article))
        if len(candidate.sources) <= most_sources
    }
    return frozenset(number for one in (text, *found) for number in NUMBER.findall(one))
