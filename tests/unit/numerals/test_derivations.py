"""Ways in which a number comes from an article, those for a blank, and what is said of them."""

from __future__ import annotations

import csv
import re
from fractions import Fraction

import numpy as np
import pytest

from core.files import ROOT
from core.limits import PAIRED_NUMERALS
from core.numerals.derivations.features import NAMES, features
from core.numerals.derivations.operands import DerivationCandidate, equivalent, operands_of, same_expression
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of, written
from core.numerals.expressions.parse import Call, Leaf, execute, parse_expression, print_expression
from core.numerals.question import WAYS, Alignment, NumeralQuestion, blank_of, questions_of, read_article


@pytest.fixture(scope="module")
def sample_rows() -> list[dict[str, str]]:
    """The committed rows of NumHG with their annotations."""
    with (ROOT / "samples" / "numhg" / "numhg_slice.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


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


TEXT = "(Sep 25, 2016  1:28 PM CDT) Police say 7 people died. A fire hurt nearly 40 firemen and seven others."


def alignment(question: NumeralQuestion, scores: list[float] | None = None) -> Alignment:
    count = len(question.article.numerals)
    given = np.zeros(count) if scores is None else np.array(scores)
    return Alignment(given, np.log(np.full(len(WAYS), 1 / len(WAYS))))


def column(values: np.ndarray, name: str) -> list[float]:
    return [float(value) for value in values[:, NAMES.index(name)]]


def test_a_row_for_each_candidate_all_finite() -> None:
    question = questions_of("7 Die in Fire", read_article(TEXT))[0]
    found = derivations_of(question)
    values = features(question, alignment(question), found)

    assert values.shape == (len(found), len(NAMES))
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    assert len(set(NAMES)) == len(NAMES)


def test_the_attachment_is_read_at_the_sources() -> None:
    question = questions_of(
        "7 Die in Fire", read_article("Some 7 people died; 7 horses lived; 3 cats slept.")
    )[0]
    found = [one for one in derivations_of(question) if one.way == "copy"]
    values = features(question, alignment(question, [2.0, -1.0, 0.0]), found)

    assert [one.sources for one in found] == [(0,), (1,)]
    assert column(values, "attached_score") == [2.0, -1.0]
    assert column(values, "attached_ahead_of_others") == [2.0, -3.0]
    assert column(values, "attached_rank") == [0.0, 2.0]
    shares = np.exp([2.0, -1.0, 0.0]) / np.exp([2.0, -1.0, 0.0]).sum()
    assert column(values, "attached_share") == pytest.approx(shares[:2])
    assert column(values, "attached_share_of_value") == pytest.approx([shares[:2].sum()] * 2)


def test_agreement_of_kinds_and_things() -> None:
    article = read_article("The man, 7, was among 7 victims; 7% of them paid $7 million.")
    question = questions_of("7 Victims Named", article)[0]
    found = sorted(
        (one for one in derivations_of(question) if one.way == "copy"), key=lambda one: one.sources
    )
    values = features(question, alignment(question), found)

    assert column(values, "agree_kind") == [0.0, 1.0, 0.0, 0.0]
    assert column(values, "agree_counted")[1] == 1.0
    assert column(values, "agree_percent_clash") == [0.0, 0.0, 1.0, 0.0]
    assert column(values, "agree_factor") == [1.0, 1.0, 1.0, 0.0]


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
    values = features(question, Alignment(scores, np.zeros(len(WAYS))), candidates)
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


def candidate(text: str, value: Fraction | None = None) -> DerivationCandidate:
    expression = parse_expression(text)
    worth = execute(expression) if value is None else value
    return DerivationCandidate(expression=expression, sources=(), value=worth, answer="", way="other")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Copy( 2 )", "Copy(2)"),
        ("Copy( 65,000 )", "Copy( 65000 )"),
        ("Trans( Seven )", "Trans( seven )"),
        ("Add( 2 , 3 )", "Add( 3 , 2 )"),
        ("Round( Paraphrase( 968 , K ) , 0 )", "Round( Paraphrase( 968.0 , k ) , 0 )"),
    ],
)
def test_the_same_expression_in_another_hand(one: str, other: str) -> None:
    assert same_expression(parse_expression(one), parse_expression(other))
    assert equivalent(candidate(one), parse_expression(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Subtract( 2 , 3 )", "Subtract( 3 , 2 )"), ("Copy( 2 )", "Copy( 3 )"), ("Copy( 12 )", "Trans( 12 )")],
)
def test_other_expressions_are_others(one: str, other: str) -> None:
    assert not same_expression(parse_expression(one), parse_expression(other))


@pytest.mark.parametrize(
    ("one", "gold"),
    [
        ("Copy( 7 )", "Trans( seven )"),
        ("Paraphrase( 65,000 , K )", "Round( Paraphrase( 65,000 , K ) , 0 )"),
        ("SRound( 3.49 , 0 )", "Round( 3.49 , 0 )"),
    ],
)
def test_the_same_value_from_the_same_numbers_is_as_good(one: str, gold: str) -> None:
    assert not same_expression(parse_expression(one), parse_expression(gold))
    assert equivalent(candidate(one), parse_expression(gold))


@pytest.mark.parametrize(
    ("one", "gold"),
    [
        ("Add( 3 , 4 )", "Copy( 7 )"),
        ("Subtract( 2016 , 2012 )", "Subtract( 2014 , 2010 )"),
        ("SRound( 3.51 , 0 )", "Round( 3.51 , 0 )"),
    ],
)
def test_the_same_value_from_other_numbers_is_not(one: str, gold: str) -> None:
    assert not equivalent(candidate(one), parse_expression(gold))


def test_a_gold_expression_without_a_value_has_no_equivalent() -> None:
    gold = parse_expression("Divide( 1 , 0 )")
    assert not equivalent(candidate("Copy( 1 )"), gold)
    assert equivalent(candidate("Divide( 1 , 0 )", Fraction(0)), gold)
