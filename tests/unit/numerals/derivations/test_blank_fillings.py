"""Numbers offered for a blank."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.numerals.derivations.singles import fillings_of, written
from core.numerals.expressions.parse import print_expression
from core.numerals.question import blank_of, read_article


def offered(headline: str, text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in fillings_of(blank_of(headline, read_article(text))):
        found.setdefault(one.answer, []).append(print_expression(one.expression))
    return found


@pytest.mark.parametrize(
    ("headline", "text", "answer", "expression"),
    [
        ("Fire Kills ____", "The fire killed 25 people.", "25", "Copy( 25 )"),
        ("____ Widow Sues", "The widow of a 9/11 victim sued.", "9/11", "Copy( 9/11 )"),
        ("____ Injured", "Police say seven people were hurt.", "7", "Trans( seven )"),
        ("Journo Gets $____K", "He won about $65,000 for it.", "65", "Paraphrase( 65,000 , K )"),
        ("Slice Sells for $____K", "It fetched $1,375.", "1.4", "Round( Paraphrase( 1,375 , K ) , 1 )"),
        ("Dow Drops ____", "The Dow fell 315.79 points.", "315", "SRound( 315.79 , 0 )"),
        ("Freed After ____ Years", "Held since 1991, he was freed in 2017.", "26", "Subtract( 2017 , 1991 )"),
        ("'____ Massacre Remembered", "It happened in 1968.", "68", "Subtract( 1968 , 1900 )"),
        ("____ Killed", "A blast killed 18, a second one six.", "24", "Add( 18 , Trans( six ) )"),
        ("Man Dies With ____ Others", "In all, 16 people died.", "15", "Subtract( 16 , 1 )"),
        ("____% Agree", "A third of them agree.", "33", "Round( Multiply( Trans( A third ) , 100 ) , 0 )"),
        ("Debate in ____", "It is 2011; next year will be quiet.", "2012", "Add( 2011 , 1 )"),
        ("US Pulls ____K Troops", "Of 5,200 troops 3,000 stay.", "2.2",
         "Paraphrase( Subtract( 5,200 , 3,000 ) , K )"),
        ("Погибли ____ человек", "В аварии погибли двенадцать человек.", "12", "Trans( двенадцать )"),
    ],
)  # fmt: skip
def test_what_is_offered(headline: str, text: str, answer: str, expression: str) -> None:
    assert expression in offered(headline, text)[answer]


def test_the_magnitude_decides_the_order() -> None:
    text = "The house has 3 rooms and 2,400 windows. It was sold for $3,000,000 in all."

    assert fillings_of(blank_of("House Sold for $____M", read_article(text)))[0].answer == "3"
    assert "3" not in next(iter(offered("House Has ____K Windows", "It has 2,400 windows, and 3 doors.")))


def test_no_more_than_asked_for_and_always_the_same() -> None:
    text = " ".join(f"Group {number} had {number + 20} people in {1900 + number}." for number in range(60))
    blank = blank_of("____ People Hurt", read_article(text))

    assert len(fillings_of(blank)) == 120
    assert fillings_of(blank) == fillings_of(blank)


def test_answers_of_the_sample_are_offered(sample_rows: list[dict[str, str]]) -> None:
    answers = [
        {one.answer for one in fillings_of(blank_of(row["cloze"], read_article(row["text"])))}
        for row in sample_rows
    ]
    right = sum(row["cloze_gt"] in mine for row, mine in zip(sample_rows, answers, strict=True))

    assert right / len(sample_rows) >= 0.95


@pytest.mark.parametrize(
    ("value", "language", "text"),
    [
        (Fraction(1300), "en", "1,300"),
        (Fraction(1300), "ru", "1300"),
        (Fraction(13000), "ru", "13 000"),
        (Fraction(3, 2), "en", "1.5"),
        (Fraction(3, 2), "ru", "1,5"),
        (Fraction(1, 3), "en", ""),
    ],
)
def test_how_numbers_are_written(value: Fraction, language: str, text: str) -> None:
    assert written(value, language) == text


def test_years_are_written_without_separators() -> None:
    assert written(Fraction(2012), grouped=False) == "2012"
