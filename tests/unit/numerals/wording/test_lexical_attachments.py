"""What words around numerals say, and trees over it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.models.boosted_trees import BoostedTrees
from core.numerals.question import WAYS, NumeralQuestion, blank_of, read_article
from core.numerals.wording import (
    ABOUT,
    NAMES,
    TREES,
    WAY_NAMES,
    LexicalModel,
    read_model,
    wording_of,
    write_model,
)

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
    [("Погибли ____ пожарных", "В городе живут 900 человек. В огне погибли 12 пожарных и 4 собаки.", "12")],
)
def test_other_languages_share_the_measures(headline: str, text: str, number: str) -> None:
    near = column(asked(headline, text), "near_kernel")

    assert max(near, key=lambda one: near[one]) == number
    assert column(asked(headline, text), "next_same")[number] == 1.0


@pytest.mark.parametrize(
    ("name", "content"), [(ABOUT, b"{"), (ABOUT, b'{"features": ["other"], "ways": []}'), (TREES, b"nothing")]
)
def test_damage_is_told(tmp_path: Path, name: str, content: bytes) -> None:
    write_model(tmp_path, tiny())
    (tmp_path / name).write_bytes(content)

    with pytest.raises(ModelUnavailableError):
        read_model(tmp_path)
