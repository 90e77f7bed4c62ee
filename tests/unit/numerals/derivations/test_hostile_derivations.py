"""Articles made to break or slow down the search."""

from __future__ import annotations

import numpy as np
import pytest

from core.limits import PAIRED_NUMERALS
from core.numerals.derivations.features import NAMES, features
from core.numerals.derivations.operands import operands_of
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of
from core.numerals.expressions.parse import print_expression
from core.numerals.question import WAYS, Attachment, NumeralQuestion, blank_of, questions_of, read_article

TEXTS = {
    "digits": f"It has {'9' * 400} grains, {'1' * 30} stones and 0.{'0' * 60}1 of a rock.",
    "zeros": "The score was 0 to 0, zero of 0 people, 0.0% and 0/0 and 1/0.",
    "many": " ".join(f"{number} people" for number in range(500)),
    "same": "7 " * 600,
    "none": "Nothing happened.",
    "empty": "",
    "scripts": "１２ people, ٣ dogs, 三 cats, 1২ birds, Ⅻ kings, ½ a day, 10⁶ years, -5 degrees, 5‰.",
    "minus": "It was -12 degrees, then −7, then 3–0 and 1e400 later 1e-400.",
    "large": "He owes $999,999,999,999,999 trillion trillion and 10 quadrillion.",
    "dates": "On 31/12/1999, 12:60 and 1999-99-99 and '99 and 00:00:00 and 2/29.",
}
HEADLINES = ("7 People Die", "0 Dead", f"{'9' * 400} Grains", "$3K Fine", "50% Agree", "'99 Crash", "1/0")


def both(question: NumeralQuestion, candidates: tuple) -> None:  # type: ignore[type-arg]
    scores = np.zeros(len(question.article.numerals))
    values = features(question, Attachment(scores, np.zeros(len(WAYS))), candidates)
    assert values.shape == (len(candidates), len(NAMES))
    assert np.isfinite(values).all()
    for one in candidates:
        assert print_expression(one.expression)
        assert all(0 <= row < len(question.article.numerals) for row in one.sources)


@pytest.mark.parametrize("name", TEXTS)
def test_every_headline_over_every_article(name: str) -> None:
    article = read_article(TEXTS[name])
    for headline in HEADLINES:
        for question in questions_of(headline, article):
            found = derivations_of(question)
            assert len(found) <= 200
            both(question, found)
    for blank in ("____ Die", "$____K Fine", "____% Agree", "'____ Crash", "After ____ Weeks"):
        question = blank_of(blank, article)
        both(question, fillings_of(question))


def test_past_a_limit_numerals_are_copied_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PAIRED_NUMERALS.variable, "2")
    article = read_article("They saw 100 dogs, 30 cats and 7 birds.")

    assert (operands_of(article).rows >= 0).sum() == 2
    ways = {
        print_expression(one.expression) for one in derivations_of(questions_of("37 Animals", article)[0])
    }
    assert ways == set()
    ways = {print_expression(one.expression) for one in derivations_of(questions_of("7 Animals", article)[0])}
    assert ways == {"Copy( 7 )"}
