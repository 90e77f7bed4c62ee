"""Claims made wrong: what is changed, and that it can be read where it is said to be."""

from __future__ import annotations

import pytest

from core.numerals.question import NumeralQuestion, question_at, questions_of, read_article
from research.training.numerals.misclaims import Misclaim, hedged, misclaim

ARTICLE = (
    "Stocks rose 312 points on Monday. A blast in Delmont killed 19 workers and injured 27 others, and the "
    "mayor of Harrow said that repairs would cost $4,187,000. Some 340 people work there, 12 miles away."
)
HEADLINES = (
    "19 Killed in Delmont Blast, 27 Hurt",
    "Delmont Repairs to Cost $4.2M",
    "Stocks Rise 312 Points",
    "Refinery 12 Miles From Harrow Employs 340",
)


def questions() -> list[NumeralQuestion]:
    article = read_article(ARTICLE)
    return [question for headline in HEADLINES for question in questions_of(headline, article)]


@pytest.mark.parametrize("how", Misclaim)
def test_each_kind_can_be_made_and_is_read_again(how: Misclaim) -> None:
    made = [(one, misclaim(one, how, 1)) for one in questions()]
    changed = [(question, one) for question, one in made if one is not None]
    assert changed
    for question, one in changed:
        assert one.headline != question.headline
        assert question_at(one.headline, question.article, one.start) is not None
        assert misclaim(question, how, 1) == one


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (Misclaim.EXCHANGE, {"27 Killed in Delmont Blast, 19 Hurt"}),
        (Misclaim.DIRECTION, {"Stocks Fall 312 Points"}),
        (
            Misclaim.HOLDER,
            {"Refinery 12 Miles From Delmont Employs 340", "19 Killed in Harrow Blast, 27 Hurt"},
        ),
        (Misclaim.UNIT, {"Delmont Repairs to Cost €4.2M", "Refinery 12 Kilometers From Harrow Employs 340"}),
        (Misclaim.SCALE, {"Delmont Repairs to Cost $4.2B"}),
    ],
)
def test_what_is_changed(how: Misclaim, expected: set[str]) -> None:
    made = {one.headline for seed in range(60) for each in questions() if (one := misclaim(each, how, seed))}
    assert expected <= made


def test_a_true_hedge_is_true() -> None:
    (question,) = questions_of("Stocks Rise 312 Points", read_article(ARTICLE))
    made = {one.headline for seed in range(60) if (one := hedged(question, seed))}
    assert "Stocks Rise More Than 310 Points" in made
    assert not any("Nearly 300" in one or "More Than 400" in one for one in made)
