"""What a headline states in figures and verbs, under names that are the same in every language that is read.

`facts.toml` has the words. A number belongs to the word that says what is counted: the nearest behind it up
to the next number or sign, else the nearest before it ("kills 12"); "12 people killed" counts the dead.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from core.text.numerals.languages import TABLES, language_of, tables_of
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, agree, read_quantities
from core.text.tokens import REMEMBERED, Token, fold, tokenize, word_list

MONEY, PERCENT, SCORE, VERB, SPAN = "money", "per cent", "score", "verb", "how long"
_WEAK: Final = "people"
_BEHIND, _BEFORE = 4, 3
_LONG: Final = 5  # letters of a word that is known whatever language a short headline seems to be in
_SCORE: Final = re.compile(r"(?<![\w.,:/–-])(\d{1,3})(?:[-–](\d{1,3})|:(\d))(?![\w.,:/%–-])")
_ENDS: Final = re.compile(r"[,;:!?()«»„“”\"]|[-–—|](?=\s)|\.\s")
_UNCOUNTED: Final = frozenset(
    {NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME, NumeralKind.YEAR, NumeralKind.ORDINAL}
)
_MEASURES: Final = frozenset(fold(unit) for code in TABLES for unit in tables_of(code).measures.values())
_SPANS: Final = frozenset(map(fold, word_list("year month week day hour minute second")))
_TABLES: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("facts.toml").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True)
class Fact:
    column: str  # what is stated: "dead", "money", "score", "verb", or the word that is counted
    said: str  # as it stands in the headline
    value: Quantity | str  # the number; the score, or the sense of the verb
    start: int  # where it begins, in characters from 0

    def same(self, other: Fact) -> bool:
        """Whether two facts of one column say the same, in whichever languages."""
        a, b = self.value, other.value
        if isinstance(a, str) or isinstance(b, str):
            return a == b
        return agree(a, b) and a.exact == b.exact and (self.column not in (MONEY, SPAN) or a.unit == b.unit)


@lru_cache(maxsize=REMEMBERED)
def read_facts(text: str, *, language: str = "en") -> tuple[Fact, ...]:
    """The figures and verbs of a headline, in order; () where there are none."""
    code = language_of(text, doubtful=language)
    tokens = tokenize(text)
    numbers = [one for one in read_quantities(text, language=language) if one.kind not in _UNCOUNTED]
    found = [
        Fact(SCORE, match[0], f"{match[1]}-{match[2] or match[3]}", match.start())
        for match in _SCORE.finditer(text)
    ]
    spans = [(one.start, one.start + len(one.said)) for one in found]
    for number in numbers:
        if not any(start <= number.start < end for start, end in spans):
            found += _of_number(text, tokens, number, [one.start for one in numbers], code)
    for token in tokens:
        if (sense := _sense(token.text, "verbs", code)) and not token.acronym:
            found.append(Fact(VERB, token.text.casefold(), sense, token.start))
    return tuple(sorted(found, key=lambda one: one.start))


def places(language: str) -> frozenset[str]:
    """Words before a name that is a place."""
    return frozenset(_TABLES["places"].get(language, _TABLES["places"]["en"]).split())


def counted_kinds() -> tuple[str, ...]:
    """Columns of figures that have words of their own, in the order of the table."""
    return tuple(_TABLES["counted"])


def _of_number(
    text: str, tokens: tuple[Token, ...], number: Quantity, starts: list[int], code: str
) -> list[Fact]:
    start = _hedged(text, number.start, code)
    if number.kind in (NumeralKind.MONEY, NumeralKind.PERCENT):
        column = MONEY if number.kind is NumeralKind.MONEY else PERCENT
        return [Fact(column, text[start : number.end], number, number.start)]
    if number.kind is NumeralKind.AGE:
        return [Fact("age", text[start : number.end], number, number.start)]
    behind = _run([one for one in tokens if one.start >= number.end][:_BEHIND], text, number.end, starts)
    before = _run([one for one in tokens if one.end <= start][: -_BEFORE - 1 : -1], text, start, starts)
    if number.unit in _SPANS:
        return [
            Fact(
                SPAN, text[start : max([number.end, *(one.end for one in behind[:1])])], number, number.start
            )
        ]
    words = [(token, _counted(token.text, code)) for token in (*behind, *before)]
    strong = [(token, kind) for token, kind in words if kind and kind != _WEAK]
    for token, kind in strong or [one for one in words if one[1]]:
        return [Fact(kind, text[min(start, token.start) : max(number.end, token.end)], number, number.start)]
    measured = number.unit in _MEASURES
    noun = next((one for one in behind if measured or one.form == number.unit), None)
    if noun is None or noun.stop or (number.value % 1 and not measured) or _sense(noun.text, "verbs", code):
        return []
    return [Fact(noun.text.casefold(), text[start : noun.end], number, number.start)]


def _run(near: list[Token], text: str, place: int, numbers: list[int]) -> list[Token]:
    """Tokens near a number, up to the next number, sign or word of joining."""
    found: list[Token] = []
    for token in near:
        low, high = sorted((place, token.start if token.start >= place else token.end))
        if token.start in numbers or token.number or _ENDS.search(text[low:high]) or token.text in _JOINING:
            break
        found.append(token)
        place = token.end if token.start >= place else token.start
    return found


_JOINING: Final = frozenset(word_list("and und et e и y & while as after nach après dopo после tras"))


def _hedged(text: str, start: int, code: str) -> int:
    """Where a number begins with the words that say how exactly it is meant: "at least"."""
    before = [one for one in tokenize(text) if one.end <= start][-3:]
    words = tuple(one.text.casefold() for one in before)
    for phrase, _ in tables_of(code).near_before.get(words[-1] if words else "", ()):
        if words[-len(phrase) :] == phrase and len(phrase) <= len(words):
            return before[-len(phrase)].start
    return start


def _counted(word: str, code: str) -> str:
    own = _sense(word, "counted", code)
    others = TABLES if not own and len(word) >= _LONG else ()
    return own or next(filter(None, (_sense(word, "counted", other) for other in others)), "")


@lru_cache(maxsize=65_536)
def _sense(word: str, table: str, code: str) -> str:
    plain = word.casefold().replace("ё", "е")
    return next((sense for sense, fits in _patterns(table, code) if fits.fullmatch(plain)), "")


@cache
def _patterns(table: str, code: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (sense, re.compile("|".join(re.escape(word).replace(r"\-", r"\w*") for word in of[code].split())))
        for sense, of in _TABLES[table].items()
    )
