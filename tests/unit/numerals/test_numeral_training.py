"""Training on a few rows: it learns what can be learned, stops, goes on, and is read back the same."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch

from core.data.articles.blanks import Blanks, numhg_blanks
from core.errors import Cancelled
from core.numerals.lexical import read_model, write_model
from core.numerals.question import WAYS, blank_of, read_article
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trees import TreeTraining
from research.training.numerals import claim_changes as change
from research.training.numerals.aligner import NumeralAlignerTrainer, train_lexical, train_pointer
from research.training.numerals.claim_changes import Pair, claim_words
from research.training.numerals.claim_facts import MarkedText
from research.training.numerals.lessons import BlankLesson, lessons_of
from tests.training_data import numhg_file

LEARNED = 120


@pytest.fixture(scope="module")
def blanks(tmp_path_factory: pytest.TempPathFactory) -> Blanks:
    return numhg_blanks(numhg_file(tmp_path_factory.mktemp("data"), LEARNED))


def test_the_network_overfits_a_batch_and_resumes(blanks: Blanks, tmp_path: Path) -> None:
    lessons = [one for one in lessons_of(blanks, Runtime()) if one.way == 0]
    how = NumeralAlignerTrainer(epochs=12, learning_rate=5e-3, rank=4)
    run = RunFolder(tmp_path / "run")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other take minutes where other work is done
    run.create({})
    run.start()
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        train_pointer(how, lessons[:8], lessons[:8], run, Runtime(stop=stop))
    train_pointer(how, lessons[:8], lessons[:8], run, Runtime())
    torch.set_num_threads(threads)
    pointed = [line["validation"]["pointed"] for line in run.progress() if "validation" in line]
    assert max(pointed) >= 0.9, "of two numbers, the verb tells which"


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
    told = model.align([one.question for one in unseen], Runtime())

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
        *(some.align(questions, Runtime()) for some in (model, again, kept)), strict=True
    ):
        np.testing.assert_array_equal(one.numerals, other.numerals)
        np.testing.assert_allclose(one.numerals, third.numerals, atol=1e-5)
        np.testing.assert_allclose(one.ways, third.ways, atol=1e-5)


def test_it_can_be_stopped(parts: tuple[list[BlankLesson], list[BlankLesson]]) -> None:
    stop = threading.Event()
    stop.set()

    with pytest.raises(Cancelled):
        train_lexical(*parts, Runtime(stop=stop), **QUICK)


def pair_of(headline: str, number: str, sentence: str, source: str) -> Pair:
    def marked(text: str, part: str) -> MarkedText:
        return MarkedText(text, ((text.index(part), text.index(part) + len(part)),))

    return marked(headline, number), (marked(sentence, source),)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_changed_in_both_agrees_and_what_is_changed_in_one_does_not(seed: int) -> None:
    draw = Random(seed)
    pair = pair_of("Fund Gains 20 Dollars", "20", "The fund gains 20 dollars.", "20")
    both = change.flip_both(pair, draw)
    assert both is not None
    wrong = {"loses", "sheds", "losses"}
    assert {both[0].text.split()[1].lower(), both[1][0].text.split()[2]} <= wrong | {"falls", "drops"} | set(
        claim_words().flips["gains"]
    )
    unit = change.unit_both(pair, draw)
    assert unit is not None
    assert unit[0].text.split()[-1].lower() == unit[1][0].text.split()[-1].strip(".")
    one = change.unit_headline(pair, draw)
    assert one is not None
    assert "Dollars" not in one[0].text
    assert one[1] == pair[1]
