"""What can be said without understanding: numbers of the article that look right for a blank."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from core.data.articles.sets import Blanks
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.expressions.parse import calls_of
from core.numerals.question import NumeralQuestion
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind
from research.training.numerals.corruptions import ordinal_ending

_MAGNITUDES: Final = MappingProxyType(
    {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "trillion": 12}
)
_AFTER: Final = re.compile(r"\s?(st|nd|rd|th|k|mn|m|bn|b|thousand|million|billion|trillion)\b", re.IGNORECASE)
_LARGEST: Final = 1_000_000
_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})


def fitting_answers(question: NumeralQuestion) -> list[str]:
    """What the article's numerals would be in a blank, in their order, of the form that the blank asks for.

    The form is told by the signs beside the blank: a currency, a percent sign, a magnitude, an ordinal's
    ending, an age. All numerals outside the dateline where none fits; [] where the article has none.
    """
    numerals = [
        numeral
        for numeral in question.article.numerals
        if numeral.start >= question.article.dateline and numeral.approximation is not Approximation.VAGUE
    ]
    before, after = question.headline[: question.start], question.headline[question.end :]
    found = _AFTER.match(after)
    word = found[1].casefold() if found else ""
    factor = Fraction(10) ** _MAGNITUDES.get(word, 0)
    wanted = _kind(before, after)
    fitting = [
        text
        for one in numerals
        if wanted in (None, one.kind) and (text := _answer(one, factor)) and _ends(text, word)
    ]
    return fitting or [text for one in numerals if (text := _answer(one, Fraction(1)))]


def random_answer(answers: Sequence[str], *, key: str, seed: int) -> str:
    """One of the different answers, drawn; "" where there is none."""
    different = list(dict.fromkeys(answers))
    draw = random.Random(f"{seed}|{key}")  # noqa: S311 - not for secrets
    return draw.choice(different) if different else ""


def frequent_answer(answers: Sequence[str]) -> str:
    """The most frequent answer, the first of those that are equal; "" where there is none."""
    return Counter(answers).most_common(1)[0][0] if answers else ""


def majority_answer(train: Blanks) -> str:
    """The most frequent number of training headlines."""
    return frequent_answer(train.answers)


def simplest_first(candidates: Sequence[DerivationCandidate]) -> list[DerivationCandidate]:
    """Derivations with the fewest operators first, of those the ones whose numbers stand first."""
    return sorted(
        candidates,
        key=lambda one: (sum(1 for _ in calls_of(one.expression)), one.sources),
    )


def shuffled(candidates: Sequence[DerivationCandidate], *, key: str, seed: int) -> list[DerivationCandidate]:
    """Derivations in a drawn order."""
    drawn = list(candidates)
    random.Random(f"{seed}|{key}").shuffle(drawn)  # noqa: S311 - not for secrets
    return drawn


def _kind(before: str, after: str) -> NumeralKind | None:
    if before.endswith(("$", "€", "£", "¥")):
        return NumeralKind.MONEY
    if re.match(r"\s?(?:%|percent)", after):
        return NumeralKind.PERCENT
    if re.match(r"[- ]years?[- ]old", after, re.IGNORECASE):
        return NumeralKind.AGE
    return None


def _answer(numeral: Numeral, factor: Fraction) -> str:
    if factor == numeral.factor and numeral.form in (NumeralForm.DIGITS, NumeralForm.MIXED):
        return numeral.number
    value = numeral.value / factor
    if value.denominator == 1 and 0 <= value < _LARGEST:
        return f"{int(value):,}"
    tenths = value * 10
    return f"{float(value):.1f}" if factor != 1 and tenths.denominator == 1 and 0 < value < _LARGEST else ""


def _ends(text: str, word: str) -> bool:
    return word not in _ENDINGS or ordinal_ending(text) == word
