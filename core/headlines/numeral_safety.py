"""Which of several headlines comes first when their numbers are held against the article."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from core.headlines.generator import HeadlineCandidate
from core.numerals.derivations.fillings import fillings_of
from core.numerals.provenance import CheckedHeadline, Status
from core.numerals.question import BLANK, blank_of, read_article

BAD: Final = frozenset({Status.CONTRADICTED, Status.UNSUPPORTED})
"""What the numerals of a safe headline are not."""

BEHIND: Final = 1_000.0
"""What a bad numeral takes from a score: more than likelihoods and supports can differ by."""

LEAST: Final = 1e-6
"""Support that counts as none, so that its logarithm is finite."""


def safest_first(
    candidates: Sequence[HeadlineCandidate],
    checks: Sequence[CheckedHeadline],
    *,
    wishes: Sequence[int],
    weight: float,
    numberless: float,
) -> list[HeadlineCandidate]:
    """The candidates of one article in the order of their likelihood and of what speaks for their numbers.

    The score of a candidate is

        l + weight · Σ log(s · a) − 1,000 · b

    where l is its generator's score (a mean log-likelihood), but never above that of a candidate which
    the generator put before it. The sum is over its numerals: s is the support of one, the probability that
    the article supports it for what it is attached to, and a its agreement, the share of the candidates that
    state the same value. A headline without numerals has one term, s being `numberless` and a the share
    of the candidates without numerals. b is how many of its numerals are contradicted or unsupported. Of
    equals the generator's order decides. So a headline whose numbers all hold goes before every one with a
    number that does not, and of those the one with the fewest comes first. Among headlines with the same b
    the ones that keep more of what is wished come first.

    Source: ours; agreement as in Wang et al. 2023, "Self-Consistency Improves Chain of Thought Reasoning in
    Language Models", where the answer that most samples give is taken.

    Args:
        candidates: Best first, as the generator gave them.
        checks: What is said about the numerals of each.
        wishes: How many wishes each keeps.
        weight: 0 or more; 0 keeps the generator's order among headlines that are equally safe.
        numberless: Support that a headline without numerals is taken to have, above 0, at most 1: it goes
            behind equally likely ones whose numbers are surer than that, so that safety is not had by
            leaving numbers out.

    Returns:
        The same candidates, each with its new score, best first.
    """
    agreed = agreements(checks)
    found = []
    most = math.inf
    for candidate, check, kept in zip(candidates, checks, wishes, strict=True):
        most = min(most, candidate.score)
        bad = bad_numerals(check)
        score = most + weight * log_trust(check, agreed, numberless) - BEHIND * bad
        found.append(((bad, -kept, -score), HeadlineCandidate(candidate.text, score)))
    return [candidate for _, candidate in sorted(found, key=lambda one: one[0])]


def agreements(checks: Sequence[CheckedHeadline]) -> dict[Fraction | None, float]:
    """The share of headlines that state each value, above 0, at most 1; at None that of those without any."""
    counts: Counter[Fraction | None] = Counter()
    for check in checks:
        values: set[Fraction | None] = {one.numeral.value for one in check.numerals}
        counts.update(values or {None})
    return {value: count / len(checks) for value, count in counts.items()}


def bad_numerals(check: CheckedHeadline) -> int:
    """How many numerals of a headline the article contradicts or does not support."""
    return sum(numeral.status in BAD for numeral in check.numerals)


def log_trust(check: CheckedHeadline, agreed: Mapping[Fraction | None, float], numberless: float) -> float:
    """Sum of the natural logarithms of support times agreement over a headline's numerals, at most 0."""
    terms = [(numeral.support, agreed[numeral.numeral.value]) for numeral in check.numerals]
    if not terms:
        terms = [(numberless, agreed[None])]
    return math.fsum(math.log(max(support, LEAST)) + math.log(share) for support, share in terms)


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
