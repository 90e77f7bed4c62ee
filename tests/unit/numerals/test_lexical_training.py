"""Trees that learn from annotated headlines which numeral belongs where."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from core.errors import Cancelled
from core.numerals.question import WAYS, blank_of, read_article
from core.numerals.wording import read_model, write_model
from core.runtime import Runtime
from research.runs.trainer import TreeTraining
from research.training.numerals.attacher import train_lexical
from research.training.numerals.lessons import BlankLesson

THINGS = ("dogs", "cats", "firemen", "houses", "bridges", "cars", "nurses", "pilots")
QUICK = {
    "numerals": TreeTraining(trees=30, depth=3, learning_rate=0.3, patience=30),
    "ways": TreeTraining(trees=10, depth=2, learning_rate=0.3, patience=10),
}


def lessons(count: int, seed: int) -> list[BlankLesson]:
    """Headlines that ask for one of three things of an article, in words where the number is a word."""
    drawn = np.random.default_rng(seed)
    made = []
    for row in range(count):
        things = drawn.choice(THINGS, 3, replace=False)
        numbers = [str(number) for number in drawn.integers(20, 900, 2)] + ["seven"]
        order = drawn.permutation(3)
        text = " ".join(f"There were {numbers[place]} {things[place]} there." for place in order)
        asked = int(drawn.integers(3))
        question = blank_of(f"Fire Hurts ____ {things[asked].title()}", read_article(text))
        target = [one.number for one in question.article.numerals].index(numbers[asked])
        made.append(
            BlankLesson(question, np.array([target]), WAYS.index("trans" if asked == 2 else "copy"), row)
        )
    return made


@pytest.fixture(scope="module")
def parts() -> tuple[list[BlankLesson], list[BlankLesson]]:
    return lessons(120, 1), lessons(40, 2)


def test_it_learns_what_belongs_where(parts: tuple[list[BlankLesson], list[BlankLesson]]) -> None:
    model = train_lexical(*parts, Runtime(patient=True), **QUICK)
    unseen = lessons(60, 3)
    told = model.attach([one.question for one in unseen], Runtime())

    first = [given.numerals.argmax() in one.targets for given, one in zip(told, unseen, strict=True)]
    way = [given.ways.argmax() == one.way for given, one in zip(told, unseen, strict=True)]
    assert np.mean(first) >= 0.95
    assert np.mean(way) >= 0.9


def test_it_is_the_same_each_time_and_read_back(
    parts: tuple[list[BlankLesson], list[BlankLesson]], tmp_path: Path
) -> None:
    questions = [one.question for one in parts[1]]
    model = train_lexical(*parts, Runtime(seed=5, patient=True), **QUICK)
    again = train_lexical(*parts, Runtime(seed=5, patient=True), **QUICK)
    write_model(tmp_path, model)
    kept = read_model(tmp_path)

    for one, other, third in zip(
        *(some.attach(questions, Runtime()) for some in (model, again, kept)), strict=True
    ):
        np.testing.assert_array_equal(one.numerals, other.numerals)
        np.testing.assert_allclose(one.numerals, third.numerals, atol=1e-5)
        np.testing.assert_allclose(one.ways, third.ways, atol=1e-5)


def test_it_can_be_stopped(parts: tuple[list[BlankLesson], list[BlankLesson]]) -> None:
    stop = threading.Event()
    stop.set()

    with pytest.raises(Cancelled):
        train_lexical(*parts, Runtime(stop=stop), **QUICK)
