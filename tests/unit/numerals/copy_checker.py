"""A checker that knows copies alone, and other work, that processes of their own find by name."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence

from core.errors import InputError
from core.numerals.checked_headline import CheckedHeadline, CheckedNumeral, Derivation, FilledBlank, Light
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.expressions.expression import Call, Leaf
from core.numerals.operators import COPY
from core.numerals.question import ReadArticle
from core.runtime import Runtime
from core.text.numerals.numeral import Numeral
from tests.unit.numerals.numerals_by_hand import article as article_of
from tests.unit.numerals.numerals_by_hand import claim, numerals_in

REFUSED = "unreadable"


class CopyChecker:
    """Calls a number supported where the article has it, else wrong."""

    system = "copies"

    def check(
        self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime
    ) -> list[CheckedHeadline]:
        if any(REFUSED in headline for headline in headlines):
            raise InputError("The headline is past reading.", hint="Take it out.")
        return [checked(headline, text) for headline, text in zip(headlines, articles, strict=True)]


class FirstNumber:
    """Fills in the article's first number."""

    system = "first"

    def fill(self, headlines: Sequence[str], articles: Sequence[str], runtime: Runtime) -> list[FilledBlank]:
        return [filled(article_of(text)) for text in articles]


def checked(headline: str, text: str) -> CheckedHeadline:
    read = article_of(text)
    return CheckedHeadline(
        headline, read, tuple(_judged(one, read) for one in numerals_in(headline)), "copies"
    )


def _judged(one: Numeral, read: ReadArticle) -> CheckedNumeral:
    row = next((row for row, other in enumerate(read.numerals) if other.value == one.value), None)
    if row is None:
        rival = 0 if read.numerals else None
        why = "The article does not have it."
        return CheckedNumeral(one, claim(Light.WRONG, 0.125, why, rival=rival is not None), (), rival)
    derivations = (Derivation(_copy(read, row), 0.9),)
    why = "It stands in the article."
    return CheckedNumeral(one, claim(Light.SUPPORTED, 0.97, why), derivations, None)


def _copy(read: ReadArticle, row: int) -> DerivationCandidate:
    numeral = read.numerals[row]
    expression = Call(COPY, (Leaf(numeral.number),))
    return DerivationCandidate(expression, (row,), numeral.amount, numeral.number, "copy")


def filled(read: ReadArticle) -> FilledBlank:
    if not read.numerals:
        return FilledBlank("", (), 0.0, ())
    others = tuple((one.number, 0.25) for one in read.numerals[1:3])
    return FilledBlank(read.numerals[0].number, (Derivation(_copy(read, 0), 0.5),), 0.5, others)


def load_copy_checker(runtime: Runtime) -> CopyChecker:
    return CopyChecker()


def load_first_number(runtime: Runtime) -> FirstNumber:
    return FirstNumber()


def load_squares(runtime: Runtime) -> Callable[[Sequence[int]], list[int]]:
    sys.stdout.write("a library says hello\n")
    return lambda portion: [value * value + runtime.seed for value in portion]


def load_dying(runtime: Runtime) -> Callable[[Sequence[int]], list[int]]:
    os._exit(9)


def load_sleeper(runtime: Runtime) -> Callable[[Sequence[int]], list[int]]:
    def work(portion: Sequence[int]) -> list[int]:
        time.sleep(60)
        return list(portion)

    return work
