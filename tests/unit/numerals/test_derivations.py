"""Ways in which a number comes from an article, those for a blank, and what is said of them."""

from __future__ import annotations

import csv
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from core.files import ROOT
from core.limits import PAIRED_NUMERALS
from core.numerals.derivations.features import features
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of, written
from core.numerals.expressions.expression import Call, Leaf, execute
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import print_expression
from core.numerals.question import WAYS, Alignment, NumeralQuestion, blank_of, questions_of, read_article

OPERATORS = tomllib.loads(Path(__file__).with_name("operators.toml").read_text(encoding="utf-8"))["operators"]


@pytest.fixture(scope="module")
def sample_rows() -> list[dict[str, str]]:
    """The committed rows of NumHG with their annotations."""
    with (ROOT / "samples" / "numhg" / "numhg_slice.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def asked(headline: str, text: str, *, at: int = 0) -> NumeralQuestion:
    return questions_of(headline, read_article(text))[at]


def printed(headline: str, text: str, *, at: int = 0) -> list[str]:
    return [print_expression(one.expression) for one in derivations_of(asked(headline, text, at=at))]


@pytest.mark.parametrize(("headline", "text", "expression"), OPERATORS)
def test_each_operator(headline: str, text: str, expression: str) -> None:
    found = derivations_of(asked(headline, text))
    mine = {print_expression(one.expression): one for one in found}

    assert expression in mine
    assert execute(mine[expression].expression) == mine[expression].value


def test_things_are_counted() -> None:
    text = (
        "Top suspects are a pie-maker, a gardener and a bartender. His rivals John Smith and Ann Lee are not."
    )

    assert printed("3 Top Suspects", text) == ["Span( a pie-maker, a gardener and a bartender )"]
    assert derivations_of(asked("3 Top Suspects", text))[0].sources == ()


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


def offered(headline: str, text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in fillings_of(blank_of(headline, read_article(text))):
        found.setdefault(one.answer, []).append(print_expression(one.expression))
    return found


@pytest.mark.parametrize(
    ("headline", "text", "answer", "expression"),
    [
        ("Slice Sells for $____K", "It fetched $1,375.", "1.4", "Round( Paraphrase( 1,375 , K ) , 1 )"),
        ("Freed After ____ Years", "Held since 1991, he was freed in 2017.", "26", "Subtract( 2017 , 1991 )"),
        ("'____ Massacre Remembered", "It happened in 1968.", "68", "Subtract( 1968 , 1900 )"),
        ("Man Dies With ____ Others", "In all, 16 people died.", "15", "Subtract( 16 , 1 )"),
        ("____% Agree", "A third of them agree.", "33", "Round( Multiply( Trans( A third ) , 100 ) , 0 )"),
        ("Debate in ____", "It is 2011; next year will be quiet.", "2012", "Add( 2011 , 1 )"),
        ("Погибли ____ человек", "В аварии погибли двенадцать человек.", "12", "Trans( двенадцать )"),
    ],
)  # fmt: skip
def test_what_is_offered(headline: str, text: str, answer: str, expression: str) -> None:
    assert expression in offered(headline, text)[answer]


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
        (Fraction(13000), "ru", "13 000"),
        (Fraction(3, 2), "ru", "1,5"),
        (Fraction(1, 3), "en", ""),
    ],
)
def test_how_numbers_are_written(value: Fraction, language: str, text: str) -> None:
    assert written(value, language) == text


TEXTS = {
    "digits": f"It has {'9' * 400} grains, {'1' * 30} stones and 0.{'0' * 60}1 of a rock.",
    "zeros": "The score was 0 to 0, zero of 0 people, 0.0% and 0/0 and 1/0.",
    "same": "7 " * 600,
    "scripts": "１２ people, ٣ dogs, 三 cats, 1২ birds, Ⅻ kings, ½ a day, 10⁶ years, -5 degrees, 5‰.",
    "minus": "It was -12 degrees, then −7, then 3–0 and 1e400 later 1e-400.",
    "dates": "On 31/12/1999, 12:60 and 1999-99-99 and '99 and 00:00:00 and 2/29.",
}


@pytest.mark.parametrize("name", TEXTS)
def test_every_headline_over_every_article(name: str) -> None:
    article = read_article(TEXTS[name])
    headlines = ("7 People Die", "0 Dead", f"{'9' * 400} Grains", "$3K Fine", "1/0")
    asked = [question for headline in headlines for question in questions_of(headline, article)]
    found = [(question, derivations_of(question)) for question in asked]
    blanks = [blank_of(text, article) for text in ("$____K Fine", "____% Agree", "'____ Crash")]
    found += [(blank, fillings_of(blank)) for blank in blanks]
    scores = Alignment(np.zeros(len(article.numerals)), np.zeros(len(WAYS)))
    for question, candidates in found:
        assert len(candidates) <= 200
        assert np.isfinite(features(question, scores, candidates)).all()
        assert all(print_expression(one.expression) for one in candidates)


def test_past_a_limit_numerals_are_copied_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PAIRED_NUMERALS.variable, "2")
    article = "They saw 100 dogs, 30 cats and 7 birds."
    assert printed("37 Animals", article) == []
    assert printed("7 Animals", article) == ["Copy( 7 )"]


def candidate(text: str) -> DerivationCandidate:
    expression = parse_expression(text)
    return DerivationCandidate(expression, sources=(), value=execute(expression), answer="", way="other")


@pytest.mark.parametrize(
    ("one", "gold", "same", "as_good"),
    [
        ("Copy( 65,000 )", "Copy( 65000 )", True, True),
        ("Add( 2 , 3 )", "Add( 3 , 2 )", True, True),
        ("Round( Paraphrase( 968 , K ) , 0 )", "Round( Paraphrase( 968.0 , k ) , 0 )", True, True),
        ("Copy( 7 )", "Trans( seven )", False, True),
        ("SRound( 3.49 , 0 )", "Round( 3.49 , 0 )", False, True),
        ("SRound( 3.51 , 0 )", "Round( 3.51 , 0 )", False, False),
        ("Subtract( 2 , 3 )", "Subtract( 3 , 2 )", False, False),
        ("Add( 3 , 4 )", "Copy( 7 )", False, False),
        ("Subtract( 2016 , 2012 )", "Subtract( 2014 , 2010 )", False, False),
    ],
)
def test_the_same_value_from_the_same_numbers_is_as_good(
    one: str, gold: str, same: bool, as_good: bool
) -> None:
    assert same_expression(parse_expression(one), parse_expression(gold)) is same
    assert equivalent(candidate(one), parse_expression(gold)) is as_good
