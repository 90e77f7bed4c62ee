"""What words around numerals say, and trees over it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.models.boosted_trees import BoostedTrees
from core.numerals.attachments.lexical import Lexical
from core.numerals.question import WAYS, NumeralQuestion, blank_of, questions_of, read_article
from core.numerals.wording.features import NAMES, wording_of
from core.numerals.wording.model import (
    ABOUT,
    TREES,
    WAY_NAMES,
    LexicalModel,
    read_model,
    write_model,
)
from core.runtime import Runtime

TEXT = (
    "(Sep 25, 2016  1:28 PM CDT) All 11 people of the town are under investigation. "
    "The 3 top suspects hated the man. Moriarty, 70, paid $4 million and 5% of it."
)


def asked(headline: str, text: str = TEXT) -> NumeralQuestion:
    return blank_of(headline, read_article(text))


def column(question: NumeralQuestion, name: str) -> dict[str, float]:
    values = wording_of(question)[:, NAMES.index(name)]
    return {one.number: float(value) for one, value in zip(question.article.numerals, values, strict=True)}


def constant(columns: int, value: float = 0.0, *, at: int = 0) -> BoostedTrees:
    """One question of one column."""
    return BoostedTrees(
        np.full((1, 1), min(at, columns - 1)), np.full((1, 1), 0.5, np.float32), np.array([[0.0, 1.0]]), value
    )


def tiny() -> LexicalModel:
    ways = tuple(constant(len(WAY_NAMES), float(place == 1)) for place in range(len(WAYS)))
    return LexicalModel(constant(len(NAMES), at=NAMES.index("next_within")), ways)


def test_a_row_for_each_numeral_all_finite() -> None:
    question = asked("Police Probe ____ Top Suspects")
    values = wording_of(question)

    assert values.shape == (len(question.article.numerals), len(NAMES))
    assert np.isfinite(values).all()
    assert len(set(NAMES)) == len(NAMES)


def test_words_near_a_numeral_tell_it_from_others() -> None:
    suspects = column(asked("Police Probe ____ Top Suspects"), "near_kernel")
    people = column(asked("Police Probe ____ People"), "near_kernel")

    assert max(suspects, key=lambda number: suspects[number]) == "3"
    assert max(people, key=lambda number: people[number]) == "11"
    assert column(asked("Police Probe ____ Top Suspects"), "next_two_same")["3"] == 1.0
    assert column(asked("Police Probe ____ Top Suspects"), "near_kernel_rank")["3"] == 0.0


def test_kinds_that_do_not_fit() -> None:
    question = asked("Man Pays $____M")

    assert column(question, "factor")["4"] == 1.0
    assert column(question, "factor")["11"] == 0.0
    assert column(question, "money_clash")["4"] == 0.0
    assert column(question, "percent_clash")["5"] == 1.0
    assert column(asked("Man, ____, Pays"), "age_clash")["70"] == 0.0


@pytest.mark.parametrize(
    ("headline", "text", "number"),
    [
        ("Погибли ____ пожарных", "В городе живут 900 человек. В огне погибли 12 пожарных и 4 собаки.", "12"),
        ("Morti ____ operai", "Nel paese vivono 900 persone. Sono morti 12 operai e 4 cani.", "12"),
    ],
)
def test_other_languages_share_the_measures(headline: str, text: str, number: str) -> None:
    near = column(asked(headline, text), "near_kernel")

    assert max(near, key=lambda one: near[one]) == number
    assert column(asked(headline, text), "next_same")[number] == 1.0


def test_the_number_at_the_place_is_not_looked_at() -> None:
    article = read_article(TEXT)
    values = [
        wording_of(questions_of(f"Police Probe {number} Top Suspects", article)[0]) for number in (3, 11)
    ]

    np.testing.assert_array_equal(values[0], values[1])
    np.testing.assert_array_equal(values[0], wording_of(asked("Police Probe ____ Top Suspects")))


def test_an_article_without_numerals() -> None:
    question = asked("____ Dead", "Many died.")
    (judged,) = tiny().attach([question], Runtime())

    assert wording_of(question).shape == (0, len(NAMES))
    assert judged.numerals.shape == (0,)
    assert np.exp(judged.ways).sum() == pytest.approx(1)


def test_questions_are_judged_each_for_itself() -> None:
    questions = [asked(f"Police Probe ____ {what}") for what in ("Top Suspects", "People", "Men")]
    together = tiny().attach(questions, Runtime())
    alone = [tiny().attach([question], Runtime())[0] for question in reversed(questions)][::-1]

    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one.numerals, other.numerals)
        np.testing.assert_array_equal(one.ways, other.ways)
    assert together[0].numerals[[n.number for n in questions[0].article.numerals].index("3")] == 1.0
    assert int(together[0].ways.argmax()) == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (ABOUT, b"{"),
        (ABOUT, b'{"features": ["other"], "ways": []}'),
        (ABOUT, b"[]"),
        (TREES, b"nothing"),
        (TREES, b""),
    ],
)
def test_damage_is_told(tmp_path: Path, name: str, content: bytes) -> None:
    write_model(tmp_path, tiny())
    (tmp_path / name).write_bytes(content)

    with pytest.raises(ModelUnavailableError):
        read_model(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="no trees"):
        Lexical(model=str(tmp_path)).check()
