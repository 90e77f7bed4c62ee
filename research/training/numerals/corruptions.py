"""Headlines with one number made wrong, as a newsroom gets it wrong: three kinds, drawn with a seed.

A digit and a magnitude are slips of the hand; a swap is a right number on the wrong thing. The rest of the
headline stays as it is, but for an English ordinal's ending. Some slips land by chance on another number of
the article, and a swap now and then on one that would do as well, so
that a perfect judge stays below an AUC of 1.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.data.articles.sets import Blanks
from core.numerals.derivations.features import features
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of
from core.numerals.expressions.parse import Expression, parsed_or_none
from core.numerals.question import (
    Attacher,
    Attachment,
    NumeralQuestion,
    ReadArticle,
    blank_of,
    fill_in,
    question_at,
    read_article,
)
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind


class Corruption(StrEnum):
    """How a number is made wrong.

    `DIGIT`: one digit becomes another. `MAGNITUDE`: ten, a hundred or a thousand times as much or as little,
    or the next magnitude (K, M, B; million, billion) in place of the one that stands there. `SWAP`: another
    number of the same article.
    """

    DIGIT = "digit"
    MAGNITUDE = "magnitude"
    SWAP = "swap"


_NUMBER: Final = re.compile(r"\d+(?:[.,'\u00a0\u202f ]\d+)*", re.ASCII)
_ENDING: Final = re.compile(r"(st|nd|rd|th)(?![a-z])", re.IGNORECASE)
_MAGNITUDE: Final = re.compile(r"(\s*-?)([^\W\d_]+)")
_LADDERS: Final = (
    ("K", "M", "B", "T"),
    ("k", "m", "bn", "tn"),
    ("k", "mn", "bn"),
    ("k", "mln", "bln"),
    ("k", "mil", "bil"),
    ("k", "m", "b"),
    ("thousand", "million", "billion", "trillion"),
    ("mila", "milioni", "miliardi"),
    ("mila", "mln", "mld"),
    ("milione", "miliardo"),
    ("тыс", "млн", "млрд", "трлн"),
    *(
        tuple(f"{stem}{end}" for stem in ("миллион", "миллиард", "триллион"))
        for end in ("", "а", "ов", "у", "ам", "ами", "ом", "ах", "ы", "е")
    ),
)
"""Magnitudes taken for their neighbours; the first ladder that has a word in its spelling counts."""
_OWN_LADDERS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        "de": (
            ("Tsd", "Mio", "Mrd"),
            ("Million", "Milliarde", "Billion"),
            ("Millionen", "Milliarden", "Billionen"),
        ),
        "fr": (
            ("k", "M", "Md"),
            ("mille", "millions", "milliards"),
            ("million", "milliard", "billion"),
        ),
    }
)
"""The same of languages that have words in common with English; they count before the others."""
_SIGNS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"en": (",", "."), "it": (".", ","), "ru": (" ", ","), "de": (".", ","), "fr": ("\u202f", ",")}
)
"""Sign between thousands and decimal sign of a language."""
_BROKEN: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
"""Kinds of which a whole number may become a broken one: nobody writes of 0.7 gunmen."""
_MOST_DECIMALS: Final = 2
_MOST_DIGITS: Final = 6
"""Digits before the decimal sign at most, unless the headline's number has more: headlines write 3.2 billion
otherwise than in ten digits."""
_POWERS: Final = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class _Style:
    group: str
    decimal: str


def corrupt(question: NumeralQuestion, how: Corruption, seed: int) -> str | None:
    """The headline with a wrong number at the question's place, where it still begins at `question.start`.

    The draw depends on the headline, the place, the kind of corruption and the seed alone.
    """
    numeral = question.numeral
    if numeral is None:
        return None
    draw = random.Random(f"{seed}|{how}|{question.start}|{question.headline}")  # noqa: S311 - not for secrets
    if how is Corruption.DIGIT:
        return _digit(question, numeral, draw)
    if how is Corruption.MAGNITUDE:
        return _magnitude(question, numeral, draw)
    return _swap(question, numeral, draw)


def _digit(question: NumeralQuestion, numeral: Numeral, draw: random.Random) -> str | None:
    number = question.headline[question.start : question.end]
    places = [place for place, sign in enumerate(number) if sign in "0123456789"]
    if not places or (not numeral.amount and "/" in number):  # 0/5 is as much as 0/6
        return None
    place = draw.choice(places)
    others = [sign for sign in "0123456789" if sign != number[place] and (place != places[0] or sign != "0")]
    return _replaced(question, number[:place] + draw.choice(others) + number[place + 1 :])


def _magnitude(question: NumeralQuestion, numeral: Numeral, draw: random.Random) -> str | None:
    number = question.headline[question.start : question.end]
    wrong = other_magnitudes(question, numeral)
    if _NUMBER.fullmatch(number) and numeral.amount:
        style = _style(number, numeral, question.article.language)
        powers = [Fraction(10) ** (sign * power) for power in _POWERS for sign in (1, -1)]
        scaled = (_written(numeral.amount * power, numeral, style, number) for power in powers)
        wrong += [_replaced(question, text) for text in scaled if text is not None]
    return draw.choice(wrong) if wrong else None


def other_magnitudes(question: NumeralQuestion, numeral: Numeral) -> list[str]:
    """The headline with the neighbours of the magnitude after the number; [] where none stands there."""
    headline = question.headline
    found = _MAGNITUDE.match(headline, question.end)
    if numeral.factor == 1 or found is None or found.end() > numeral.end:
        return []
    word = found[2]
    ladders = (*_OWN_LADDERS.get(question.article.language, ()), *_LADDERS)
    plain = word if any(word in ladder for ladder in ladders) else word.lower()
    ladder = next((ladder for ladder in ladders if plain in ladder), None)
    if ladder is None:
        return []
    rung = ladder.index(plain)
    beside = [ladder[at] for at in (rung - 1, rung + 1) if 0 <= at < len(ladder)]
    return [f"{headline[: found.start(2)]}{like(other, word)}{headline[found.end() :]}" for other in beside]


def _swap(question: NumeralQuestion, numeral: Numeral, draw: random.Random) -> str | None:
    number = question.headline[question.start : question.end]
    if not _NUMBER.fullmatch(number):
        return None
    style = _style(number, numeral, question.article.language)
    fitting: dict[str, Numeral] = {}
    for other in numbers_of(question.article):
        if numeral.value in (other.value, other.amount) or numeral.amount in (other.value, other.amount):
            continue
        plain = _Style("", style.decimal) if other.kind is NumeralKind.YEAR else style
        text = _written(other.value / numeral.factor, numeral, plain, number)
        if text is not None and text != number:
            fitting.setdefault(text, other)
    alike = [text for text, other in fitting.items() if other.kind is numeral.kind]
    same_unit = [text for text in alike if fitting[text].unit == numeral.unit]
    texts = same_unit or alike or list(fitting)
    return _replaced(question, draw.choice(texts)) if texts else None


def in_form(value: Fraction, question: NumeralQuestion, numeral: Numeral) -> str | None:
    """A value as the headline writes its number; None where it does not fit there, or is in words."""
    number = question.headline[question.start : question.end]
    if not _NUMBER.fullmatch(number):
        return None
    return _written(value, numeral, _style(number, numeral, question.article.language), number)


def numbers_of(article: ReadArticle) -> Sequence[Numeral]:
    """The article's numerals that have a value of their own, outside its dateline."""
    return [
        numeral
        for numeral in article.numerals
        if numeral.start >= article.dateline and numeral.approximation is not Approximation.VAGUE
    ]


def _style(number: str, numeral: Numeral, language: str) -> _Style:
    group, decimal = _SIGNS.get(language, _SIGNS["en"])
    whole = number
    if numeral.decimals:
        decimal = number[-numeral.decimals - 1]
        whole = number[: -numeral.decimals - 1]
    signs = [sign for sign in whole if not sign.isdigit()]
    if signs:
        group = signs[0]
    elif len(whole) > 3:  # a year, or a house that writes 1300
        group = ""
    return _Style("" if group == decimal else group, decimal)


def _written(value: Fraction, numeral: Numeral, style: _Style, number: str) -> str | None:
    decimals = next(
        (n for n in range(_most_decimals(numeral) + 1) if not (value * 10**n).denominator > 1), None
    )
    if decimals is None or value <= 0:
        return None
    digits = f"{int(value * 10**decimals):0{decimals + 1}d}"
    whole, rest = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    if len(whole) > max(_MOST_DIGITS, sum(map(str.isdigit, number))):
        return None
    return f"{int(whole):,}".replace(",", style.group) + (style.decimal + rest if rest else "")


def _most_decimals(numeral: Numeral) -> int:
    if numeral.decimals or numeral.factor != 1 or numeral.kind in _BROKEN:
        return max(_MOST_DECIMALS, numeral.decimals)
    return 0


def _replaced(question: NumeralQuestion, text: str) -> str:
    after = question.headline[question.end :]
    ending = _ENDING.match(after)
    if ending and text[-1].isdigit():
        after = like(ordinal_ending(text), ending[0]) + after[ending.end() :]
    return f"{question.headline[: question.start]}{text}{after}"


def ordinal_ending(number: str) -> str:
    """What stands behind an English ordinal: "st" for 21."""
    return "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")


def like(word: str, model: str) -> str:
    """A word with the capitals of another: all, the first, or its own."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word.capitalize() if len(model) > 1 and model[0].isupper() else word


STEP: Final = "Deriving numbers"


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """Candidates for one place with what is known of them.

    Attributes:
        features: float64 [m, f].
        right: Which candidates are right, float64 [m], 0–1; all 0 for a wrong number.
    """

    question: NumeralQuestion
    attachment: Attachment
    candidates: tuple[DerivationCandidate, ...]
    features: FloatArray
    right: FloatArray
    corruption: Corruption | None
    row: int


def blank_exercises(blanks: Blanks, attacher: Attacher, runtime: Runtime) -> list[Exercise]:
    """Candidates of the blanks; right are those with the gold answer, above all the annotated one."""
    questions = [
        blank_of(headline, read_article(text))
        for headline, text in zip(blanks.headlines, blanks.texts, strict=True)
    ]
    attached = attacher.attach(questions, runtime)
    found = []
    for row in runtime.track(range(len(blanks)), STEP):
        candidates = fillings_of(questions[row])
        gold = parsed_or_none(blanks.annotations[row])
        right = np.array(
            [
                (0.5 + 0.5 * _is(candidate, gold)) if candidate.answer == blanks.answers[row] else 0.0
                for candidate in candidates
            ]
        )
        rows = features(questions[row], attached[row], candidates)
        found.append(Exercise(questions[row], attached[row], candidates, rows, right, None, row))
    return found


def number_exercises(
    blanks: Blanks, attacher: Attacher, runtime: Runtime, *, seeds: Sequence[int]
) -> list[Exercise]:
    """Derivations of the reference headlines' numbers, and of wrong ones drawn with each seed."""
    asked: list[tuple[int, NumeralQuestion, Corruption | None]] = []
    for row in range(len(blanks)):
        article = read_article(blanks.texts[row])
        headline = fill_in(blanks.headlines[row], blanks.answers[row])
        start = blank_of(blanks.headlines[row], article).start
        original = question_at(headline, article, start)
        if original is None:
            continue
        asked.append((row, original, None))
        wrong = {(kind, corrupt(original, kind, seed)) for kind in Corruption for seed in seeds}
        for kind, text in sorted(wrong, key=repr):
            changed = question_at(text, article, start) if text else None
            if changed is not None:
                asked.append((row, changed, kind))
    # The number is masked: unless its magnitude was changed too, a wrong one is attached as the right one.
    masks = {(row, question.masked): question for row, question, _ in asked}
    attached = dict(zip(masks, attacher.attach(list(masks.values()), runtime), strict=True))
    found = []
    for k in runtime.track(range(len(asked)), STEP):
        row, question, how = asked[k]
        attachment = attached[row, question.masked]
        candidates = derivations_of(question)
        gold = parsed_or_none(blanks.annotations[row]) if how is None else None
        right = np.array([_is(candidate, gold) for candidate in candidates], dtype=np.float64)
        rows = features(question, attachment, candidates)
        found.append(Exercise(question, attachment, candidates, rows, right, how, row))
    return found


def _is(candidate: DerivationCandidate, gold: Expression | None) -> float:
    if gold is None:
        return 0.0
    if same_expression(candidate.expression, gold):
        return 1.0
    return 0.3 if equivalent(candidate, gold) else 0.0
