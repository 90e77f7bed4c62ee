"""Rates and steps that stand beside numbers: "a day", "over five years", "by" or "to"."""

import re
from typing import Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.words import TABLES, expressions
from core.numerals.question import ReadArticle

REACH: Final = 40  # characters behind a number in which a rate is looked for
_BEFORE: Final = 12
_BETWEEN: Final = re.compile(r"[^.;:!?\d]*$")
_STEPS: Final = {
    language: expressions(table, before=r"(?<!\w)", behind=r"\s*(?:an?\s*)?\W?$")
    for language, table in TABLES["steps"].items()
}
_SPANS: Final = expressions(TABLES["spans"], before=r"[^.;:!?\d]{0,12}\b", behind=r"\W+(?:\w+\W+)?")


def _units(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    table = TABLES["rates"][language]
    names = {word: unit for unit, words in table["units"].items() for word in words.split()}
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{table['before']})\s*({words})(?!\w)", re.IGNORECASE), names


_RATES: Final = {language: _units(language) for language in TABLES["rates"]}


def rate_of(text: str, end: int, language: str) -> tuple[str, str] | None:
    """Unit of the rate behind a number, and how it is written; None without."""
    pattern, names = _RATES[language]
    match = pattern.search(text[: end + REACH], end)
    near = match and _BETWEEN.fullmatch(text[end : match.start()])
    return (names[match[1].lower()], match[0]) if match and near else None


def rate_in_article(article: ReadArticle, row: int) -> tuple[str, str] | None:
    start, end = article.sentences[article.places[row]]
    return rate_of(article.text[start:end], article.numerals[row].end - start, article.language)


def span_of(article: ReadArticle, row: int, unit: str) -> str:
    """The span over which the article has a sum in all, in a rate's unit: "over five years"; "" for none."""
    numeral, after = article.numerals[row], article.numerals[row + 1 : row + 2]
    if not after or after[0].unit != unit or after[0].value <= 1:
        return ""
    between = article.text[numeral.end : after[0].start]
    return f"{between.strip()} {after[0].text}" if _SPANS[article.language].fullmatch(between) else ""


def step_before(claim: Claim) -> str:
    """Whether the headline says that a change is "by" or "to" its number; "" where it says neither."""
    return _step(claim.headline, claim.numeral.start, claim.language)


def step_in_article(article: ReadArticle, row: int) -> str:
    return _step(article.text, article.numerals[row].start, article.language)


def _step(text: str, start: int, language: str) -> str:
    before = text[max(0, start - _BEFORE) : start]
    return next((way for way, pattern in _STEPS[language].items() if pattern.search(before)), "")
