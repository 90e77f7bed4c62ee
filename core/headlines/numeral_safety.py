"""Which of several headlines comes first by its claims, and what stands in where none passes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from statistics import fmean
from typing import Final

from core.headlines.extractive import clean_headline, first_sentence, shortened
from core.headlines.generator import HeadlineCandidate, Wishes
from core.headlines.grounding import grounding_of
from core.numerals.claims.verdict import PASSING, Light
from core.numerals.derivations.singles import fillings_of
from core.numerals.provenance import CheckedHeadline
from core.numerals.question import BLANK, blank_of, read_article
from core.text.tokens import tokenize, word_list


def likenesses(headlines: Sequence[str]) -> list[float]:
    """For each headline its mean likeness to the others, 0–1; 0 for one alone.

    The likeness of two is the mean of the F1 of their words and of their pairs of neighbouring words, in
    lower case; a headline of one word has no pair, and its F1 is 0.

    Source: minimum Bayes risk decoding, Kumar and Byrne 2004, "Minimum Bayes-Risk Decoding for Statistical
    Machine Translation": the candidate with the highest expected likeness to what the model writes.
    """
    counted = [_counted(text) for text in headlines]
    size = len(headlines)
    sums = [0.0] * size
    for one in range(size):
        for other in range(one + 1, size):
            alike = _alike(counted[one], counted[other])
            sums[one] += alike
            sums[other] += alike
    return [total / (size - 1) if size > 1 else 0.0 for total in sums]


Grams = tuple[Counter[object], Counter[object]]
"""How often each word and each pair of words comes."""


def _counted(text: str) -> Grams:
    words = [token.text.casefold() for token in tokenize(text)]
    return Counter(words), Counter(pairwise(words))


def _alike(one: Grams, other: Grams) -> float:
    return (_f1(one[0], other[0]) + _f1(one[1], other[1])) / 2


def _f1(one: Counter[object], other: Counter[object]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


LONG_ENOUGH: Final = 8
"""Words from which an English headline has a verb; shorter ones are often labels ("3 Dead in Bus Crash")."""
SHORT: Final = 3
"""Words of so many letters at most may come twice ("the", "and", "for")."""

_DANGLING: Final = frozenset(
    word_list(
        "a an the of to in on at by for from with and or but than as that which who whose is are was "
        "were be been has have had will would could should may might its his her their our my your after "
        "before while because"
    )
)
"""Words that no English headline ends with."""
_VERBS: Final = frozenset(
    word_list(
        "is are was were be been has have had do does did can could will would may might must should "
        "won't can't don't isn't aren't wasn't say said get got go went gone make made take took taken "
        "give gave given win won lose lost find found buy bought sell sold pay paid cut hit hurt put set "
        "shut let quit split spend spent build built rise rose fall fell fallen grow grew drop beat face "
        "seek sue kill die dead see saw seen want need use plan ask back ban call call end eye fight "
        "flee fled help hold held hope keep kept know knew lead led leave left like live look mark mean "
        "meet met miss move near open plead pull push raise reach reject return run ran save send sent "
        "shoot shot show start stay steal stole stop swim tell told think thought threaten throw threw "
        "top try turn urge vote wait warn work write wrote become became begin began break broke bring "
        "brought catch caught choose chose come came cost deal draw drew drink drive drove eat ate feel "
        "felt fly flew forget forgot freeze hear heard hide hid lay lie pass pick play read ride rode "
        "seize sink sank sit sleep speak spoke stand stood strike struck teach wear wore"
    )
)
"""English words that are verbs, or stand for one in headlines, and do not end in s, ed, ing or en."""
_ENDING: Final = re.compile(r"(s|ed|ing|en|'s|'re|'d|'ll|n't)$")


class WordingFault(StrEnum):
    REPEATED = "a word is repeated"
    CUT_OFF = "it ends in the middle"
    NO_VERB = "it has no verb"


def wording_faults(headline: str, *, language: str = "en") -> tuple[WordingFault, ...]:
    """What is wrong with the wording of a headline; () where nothing is seen.

    Told from the words alone, and meant for putting headlines in order: a word of more than `SHORT` letters
    that comes twice, or any that comes twice in a row; in English also a last word that needs another, and
    `LONG_ENOUGH` words none of which could be a verb.
    """
    tokens = tokenize(headline)
    words = [token.text.casefold() for token in tokens]
    longer = [word for word in words if word.isalpha() and len(word) > SHORT]
    found = []
    if len(set(longer)) < len(longer) or any(map(str.__eq__, words, words[1:])):
        found.append(WordingFault.REPEATED)
    if language == "en" and words:
        if words[-1] in _DANGLING and len(words) > 1:
            found.append(WordingFault.CUT_OFF)
        future = any(word == "to" and not after[:1].isdigit() for word, after in pairwise(words))
        if len(words) >= LONG_ENOUGH and not future and not any(map(_may_be_verb, words)):
            found.append(WordingFault.NO_VERB)
    return tuple(found)


def _may_be_verb(word: str) -> bool:
    return word in _VERBS or bool(_ENDING.search(word))


BEHIND: Final = 1_000.0
"""What a numeral that is to be checked or wrong takes from a score: more than other terms can differ by."""

ONE_NUMBER: Final = 0.05
"""What a headline with exactly one number is given: headlines about numbers mostly have one."""
FOREIGN_WORD: Final = 0.05
"""What a content word that the article has in no form takes from a score."""

TRIMMED_WORDS: Final = 16
"""Words of a first sentence that stands for a headline at most, unless others are wished."""
_CLAUSE: Final = re.compile(r"[,;:–—]$")
_FEWEST: Final = 8
"""Words before a comma at which a sentence is trimmed, at least."""


def safest_first(
    candidates: Sequence[HeadlineCandidate],
    checks: Sequence[CheckedHeadline],
    *,
    wishes: Sequence[int],
    weight: float,
    language: str = "en",
) -> list[HeadlineCandidate]:
    """The candidates of one article in the order of their claims, their wording and what most of them say.

    First those that pass (`passes`), then what is to be checked, then wrong ones. Among equals those with
    fewer faults of wording (`core.headlines.numeral_safety`) come first, then those that keep more of what is
    wished, then those with the higher score

        l + weight · (r + a) + 0.05 · o − 0.05 · f − 1,000 · b

    where l is the mean likeness to the other candidates (`core.headlines.numeral_safety`); r the reach of its
    words around its numbers (`core.headlines.grounding`); a the mean over its numbers of the share of the
    candidates that state the same value, of a headline without numbers the share without; o is 1 for exactly
    one number; f how many content words the article has in no form; b how many of its numbers are to
    be checked or wrong. Of equals the generator's order decides.

    Source: ours; l as in Kumar and Byrne 2004, "Minimum Bayes-Risk Decoding for Statistical Machine
    Translation", a as in Wang et al. 2023, "Self-Consistency Improves Chain of Thought Reasoning in Language
    Models", where the answer that most samples give is taken.

    Args:
        candidates: Best first, as the generator gave them, all different.
        checks: What is said about the numerals of each.
        wishes: How many wishes each keeps.
        weight: 0 or more.
        language: ISO 639-1 code of the article.

    Returns:
        The same candidates, each with its new score, best first.
    """
    agreed = agreements(checks)
    alike = likenesses([candidate.text for candidate in candidates])
    found = []
    for candidate, check, kept, likeness in zip(candidates, checks, wishes, alike, strict=True):
        grounding = grounding_of(check)
        share = fmean([agreed[one.numeral.value] for one in check.numerals] or [agreed[None]])
        score = (
            likeness
            + weight * (grounding.reach + share)
            + ONE_NUMBER * (len(check.numerals) == 1)
            - FOREIGN_WORD * len(grounding.foreign)
            - BEHIND * bad_numerals(check)
        )
        place = 0 if passes(check) else 2 if check.light is Light.WRONG else 1
        faults = len(wording_faults(candidate.text, language=language))
        found.append(((place, faults, -kept, -score), replace(candidate, score=score)))
    return [candidate for _, candidate in sorted(found, key=lambda one: one[0])]


LEAST: Final = 0.4
"""Probability that each claim of a headline that may stand first needs: arithmetic by chance has less."""


def passes(check: CheckedHeadline) -> bool:
    """Whether a written headline may stand first: nothing speaks against it, and its words are grounded.

    Writers that take a number from one sentence and the rest from another pass the check of numbers more
    often than they are right, so that the words count, too (`core.headlines.grounding`).
    """
    likely = all(one.claim.probability >= LEAST for one in check.numerals)
    return check.light in PASSING and likely and grounding_of(check).grounded


def instead_of(article: str, why: str, wishes: Wishes) -> HeadlineCandidate:
    """The article's own first sentence, trimmed, in place of a headline, and why.

    Its text is "" only where the article holds no word.
    """
    most = wishes.most_words or TRIMMED_WORDS
    text = trimmed(first_sentence(article), most)
    return HeadlineCandidate(text, -BEHIND, why if text else "")


def trimmed(sentence: str, most_words: int) -> str:
    """A sentence without its full stop; a longer one ends after a clause if it can, else with an ellipsis."""
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
    return sum(numeral.claim.light not in PASSING for numeral in check.numerals)


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
