"""Ways in which a known number comes from an article."""

from __future__ import annotations

import re

import pytest

from core.numerals.derivations.search import derivations_of
from core.numerals.expressions.parse import Call, Leaf, execute, print_expression
from core.numerals.question import NumeralQuestion, questions_of, read_article


def asked(headline: str, text: str, *, at: int = 0) -> NumeralQuestion:
    return questions_of(headline, read_article(text))[at]


def printed(headline: str, text: str, *, at: int = 0) -> list[str]:
    return [print_expression(one.expression) for one in derivations_of(asked(headline, text, at=at))]


@pytest.mark.parametrize(
    ("headline", "text", "expression"),
    [
        ("Fire Kills 25", "The fire killed 25 people.", "Copy( 25 )"),
        ("Fire Kills 1,300 Cows", "Some 1300 cows died.", "Copy( 1300 )"),
        ("Deal Is Worth $3.2M", "It paid $3.2 million for the firm.", "Copy( 3.2 )"),
        ("9/11 Widow Sues", "The widow of a 9/11 victim sued.", "Copy( 9/11 )"),
        ("7 Injured", "Police say seven people were hurt.", "Trans( seven )"),
        ("Man Sentenced to 20 Years", "He will serve two decades.", "Trans( two decades )"),
        ("3rd Body Found", "It is the third body.", "Trans( third )"),
        ("Journo Gets $65K", "He won about $65,000 for it.", "Paraphrase( 65,000 , K )"),
        ("Beers Uncapped: 1.2K", "They uncapped 1,200 beers.", "Paraphrase( 1,200 , K )"),
        ("2M Sign Up", "Some 2,000,000 signed up.", "Paraphrase( 2,000,000 , M )"),
        ("Dow Up 235", "The Dow gained 235.44 points.", "Round( 235.44 , 0 )"),
        ("Dow Up 315", "The Dow gained 315.79 points.", "SRound( 315.79 , 0 )"),
        ("Car Costs $33K", "The car will cost $32,780.", "Round( Paraphrase( 32,780 , K ) , 0 )"),
        ("Slice Sells for $1.4K", "It fetched $1,375 there.", "Round( Paraphrase( 1,375 , K ) , 1 )"),
        ("Judge Evicts Him From $11K House", "Rent: $11,542.", "SRound( Paraphrase( 11,542 , K ) , 0 )"),
        ("35 Dead", "A blast killed 19 soldiers. In the city 16 civilians died.", "Add( 19 , 16 )"),
        ("24 Dead", "A blast killed 18, a second one six.", "Add( 18 , Trans( six ) )"),
        ("Freed After 26 Years", "Held since 1991, he was freed in 2017.", "Subtract( 2017 , 1991 )"),
        ("'68 Massacre Remembered", "It happened in 1968.", "Subtract( 1968 , 1900 )"),
        ("AIG Chief Off After 2 Days", "He has worked for 48 hours.", "Divide( 48 , 24 )"),
        ("12 Fingers", "She has six fingers on each hand.", "Multiply( Trans( six ) , 2 )"),
        ("54% of Rivers Gone", "27,000 of 50,000 are gone.", "Multiply( Divide( 27,000 , 50,000 ) , 100 )"),
        (
            "38% of Shops to Close",
            "It closes 300 of its 800 shops.",
            "Round( Multiply( Divide( 300 , 800 ) , 100 ) , 0 )",
        ),
        ("US Pulls 2.2K Troops", "Of 5,200 troops 3,000 stay.",
         "Paraphrase( Subtract( 5,200 , 3,000 ) , K )"),
        ("9 Dead", "Four died at home, three at work, and two on the way.",
         "Add( Add( Trans( Four ) , Trans( three ) ) , Trans( two ) )"),
        ("Prices Up 50%", "A ticket was $20 and is now $30.",
         "Multiply( Divide( Subtract( 30 , 20 ) , 20 ) , 100 )"),
    ],
)  # fmt: skip
def test_each_operator(headline: str, text: str, expression: str) -> None:
    found = derivations_of(asked(headline, text))
    mine = {print_expression(one.expression): one for one in found}

    assert expression in mine
    assert execute(mine[expression].expression) == mine[expression].value


@pytest.mark.parametrize(
    ("headline", "text", "expression"),
    [
        ("Погибли 12 человек", "В аварии погибли двенадцать человек.", "Trans( двенадцать )"),
        ("В Перми задержали 7 человек", "Задержаны 4 мужчины и 3 женщины.", "Add( 4 , 3 )"),
        ("Libero dopo 20 anni", "Arrestato nel 1999, è libero dal 2019.", "Subtract( 2019 , 1999 )"),
    ],
)
def test_other_languages(headline: str, text: str, expression: str) -> None:
    assert expression in printed(headline, text)


def test_things_are_counted() -> None:
    text = (
        "Top suspects are a pie-maker, a gardener and a bartender. His rivals John Smith and Ann Lee are not."
    )

    assert printed("3 Top Suspects", text) == ["Span( a pie-maker, a gardener and a bartender )"]
    assert printed("2 Shot", "Lightning killed an elderly man and his granddaughter.") == [
        "Span( an elderly man and his granddaughter )"
    ]
    assert derivations_of(asked("3 Top Suspects", text))[0].sources == ()
    assert printed("4 Named", "Dead are Ann Lee, Bob Ray, Tim Cook and Sue May.") == [
        "Span( Ann Lee, Bob Ray, Tim Cook and Sue May )"
    ]


def test_a_magnitude_in_other_terms() -> None:
    assert "Multiply( 1.2 , 1000 )" in printed("$1,200M Deal", "It was sold for $1.2 billion.")
    assert "Divide( 800 , 1000 )" in printed("A $0.8B Deal", "It was sold for $800 million.")


def test_every_derivation_gives_the_number() -> None:
    text = "Of 1,204 men 17 paid $3,550 in 2004, 64.5% more than 9 years ago; 22 of 63 left after 43 hours."
    for headline in ("$3.5K Fine", "35% of Men Left", "2 Days", "9 Years", "64% More", "1.2K Men", "39 Left"):
        for one in derivations_of(asked(headline, text)):
            kept = one.expression.arguments[-1] if isinstance(one.expression, Call) else None
            if not (isinstance(kept, Leaf) and kept.text.startswith("-")):
                assert execute(one.expression) == one.value, print_expression(one.expression)


def test_what_cannot_be_had_has_no_derivation() -> None:
    assert derivations_of(asked("Fire Kills 25", "The fire killed many people.")) == ()
    assert derivations_of(asked("Fire Kills 977", "The fire killed 25 people.")) == ()


def test_the_order_is_the_same_each_time_and_the_best_are_kept() -> None:
    text = " ".join(
        f"Group {number} had {number + 2} people and {number % 7 + 1} dogs." for number in range(20)
    )
    first = derivations_of(asked("8 People Hurt", text))
    again = derivations_of(asked("8 People Hurt", text))

    assert first == again
    assert len(first) == 200
    assert len({(one.expression, one.sources) for one in first}) == len(first)


def test_annotations_of_the_sample_are_among_the_derivations(sample_rows: list[dict[str, str]]) -> None:
    def plain(text: str) -> str:
        return re.sub(r"\s", "", text).casefold()

    found, asked_for = 0, 0
    for row in sample_rows:
        blank = re.search("_{4,}", row["cloze"])
        assert blank is not None
        headline = row["cloze"].replace(blank.group(), row["cloze_gt"], 1)
        for question in questions_of(headline, read_article(row["text"])):
            if question.start <= blank.start() < question.end:
                asked_for += 1
                mine = {plain(print_expression(one.expression)) for one in derivations_of(question)}
                found += plain(row["cloze_annotation"]) in mine

    assert asked_for == len(sample_rows)
    assert found / asked_for >= 0.9
