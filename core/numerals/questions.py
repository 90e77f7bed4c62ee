"""Places in headlines that are asked about: numbers that stand there, and blanks."""

from __future__ import annotations

from core.errors import InputError
from core.numerals.question import BLANK, BLANKS, Question, ReadArticle
from core.text.numerals.languages import language_of
from core.text.numerals.read import read_numerals


def questions_of(headline: str, article: ReadArticle) -> tuple[Question, ...]:
    """One question for each numeral of a headline, in order; () where it has none.

    Args:
        headline: In the language of its article or another; each is read in its own.
        article: See `read_article`.
    """
    return tuple(
        Question(article, headline, numeral.number_start, numeral.number_end, numeral)
        for numeral in read_numerals(headline, language=language_of(headline, doubtful=article.language))
    )


def question_at(headline: str, article: ReadArticle, start: int) -> Question | None:
    """The question of the numeral whose bare number stands at a place; None where none was read there."""
    for question in questions_of(headline, article):
        if question.start <= start < question.end:
            return question
    return None


def blank_of(headline: str, article: ReadArticle) -> Question:
    """The question for a headline's blank.

    Raises:
        InputError: There is no blank, or more than one.
    """
    found = list(BLANKS.finditer(headline))
    if len(found) != 1:
        raise InputError(
            f"The headline has {len(found)} blanks; exactly one is needed.",
            hint=f"Write {BLANK} where the number is missing, once.",
        )
    return Question(article, headline, found[0].start(), found[0].end(), None)
