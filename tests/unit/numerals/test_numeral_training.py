"""Training on a few made-up rows: it learns what can be learned, stops, goes on, and can be read back."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from core.data.articles.blanks import Blanks
from core.errors import Cancelled, ModelUnavailableError
from core.models.training.growing import TreeTraining
from core.models.training.run_folder import RunFolder
from core.numerals.attachments.lexical import Lexical
from core.numerals.checking import Checker
from core.numerals.expressions.parse import parse_expression
from core.numerals.provenance import Status
from core.numerals.training import constants
from core.numerals.training.exercises import blank_exercises, number_exercises
from core.numerals.training.lessons import is_judged, lessons_of, way_of
from core.numerals.training.pointer_training import PointerTraining, train_pointer
from core.numerals.training.training import NumeralTraining, weigh
from core.numerals.training.tree_training import RIGHT, weights_of
from core.numerals.weighing.weights import ABOUT, TREES, read_weights, write_weights
from core.parts import Part
from core.runtime import Runtime

ROWS = 120
HEADLINES = ("{} Fire Kills ____ People", "Fire in {} Hurts ____ Others", "____ Caught in {} Fire")
TOWNS = ("Ryde", "Luton", "Bath", "Truro", "Leeds", "York", "Deal", "Hull", "Wells", "Poole")


def made() -> Blanks:
    """Rows with two numbers each: the headline asks for the dead, or for the hurt, or for both."""
    texts, headlines, answers, annotations, parts = [], [], [], [], []
    for row in range(ROWS):
        town, dead, hurt = TOWNS[row % len(TOWNS)], 11 + row % 37, 60 + (row * 7) % 31
        texts.append(
            f"A fire in {town} street {'abcdefgh'[row % 8]} killed {dead} people. It hurt {hurt} others."
        )
        kind = row % 3
        headlines.append(
            (
                f"{town} Fire Kills ____ People",
                f"Fire in {town} Hurts ____ Others",
                f"____ Caught in {town} Fire",
            )[kind]
        )
        answers.append(str((dead, hurt, dead + hurt)[kind]))
        annotations.append((f"Copy( {dead} )", f"Copy( {hurt} )", f"Add( {dead} , {hurt} )")[kind])
        parts.append(Part.VALIDATION if row % 6 == 5 else Part.TRAIN)
    return Blanks(
        name="made",
        ids=tuple(map(str, range(ROWS))),
        texts=tuple(texts),
        headlines=tuple(headlines),
        answers=tuple(answers),
        annotations=tuple(annotations),
        parts=tuple(parts),
        operations=tuple("reasoning" if one.startswith("Add") else "copy" for one in annotations),
    )


@pytest.fixture(scope="module")
def blanks() -> Blanks:
    return made()


def test_lessons_name_the_operands(blanks: Blanks) -> None:
    lessons = lessons_of(blanks, Runtime())
    assert len(lessons) == ROWS
    for one in lessons:
        named = {one.question.article.numerals[row].number for row in one.targets}
        wanted = blanks.annotations[one.row].partition("(")[2].strip(" )").split(" , ")
        assert named == set(wanted)


@pytest.mark.parametrize(
    ("annotation", "way"),
    [
        ("Copy( 3 )", "copy"),
        ("Round( Paraphrase( 968 , K ) , 0 )", "round"),
        ("SRound( 26.5 , 0 )", "round"),
        ("Divide( 4 , 2 )", "other"),
        ("Subtract( 2013 , 1950 )", "subtract"),
    ],
)
def test_ways_of_annotations(annotation: str, way: str) -> None:
    assert way_of(parse_expression(annotation)) == way


def test_the_network_learns_and_goes_on(blanks: Blanks, tmp_path: Path) -> None:
    lessons = [one for one in lessons_of(blanks, Runtime()) if one.way == 0]
    how = PointerTraining(epochs=6, learning_rate=5e-3, rank=4)
    run = RunFolder(tmp_path / "run")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other take minutes where other work is done
    run.create({})
    run.start()
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        train_pointer(lessons[:60], lessons[60:], how, run, Runtime(stop=stop))
    train_pointer(lessons[:60], lessons[60:], how, run, Runtime())
    torch.set_num_threads(threads)
    pointed = [line["validation"]["pointed"] for line in run.progress() if "validation" in line]
    assert max(pointed) >= 0.9, "of two numbers, the verb tells which"


def test_exercises_are_right_and_wrong(blanks: Blanks) -> None:
    attacher = Lexical().build(Runtime())
    few = blanks.at(range(6))
    fillings = blank_exercises(few, attacher, Runtime())
    assert all(one.right.max() == 1 for one in fillings)
    numbers = number_exercises(few, attacher, Runtime(), seeds=[1])
    originals = [one for one in numbers if one.corruption is None]
    assert len(originals) == 6
    assert all(one.right.max() == 1 for one in originals)
    wrong = [one for one in numbers if one.corruption is not None]
    assert wrong
    assert not any(one.right.any() for one in wrong)
    weights = weights_of(numbers)
    right = np.array([one.corruption is None for one in numbers])
    assert weights.mean() == pytest.approx(1)
    assert weights[right].sum() / weights.sum() == pytest.approx(RIGHT)


def test_what_weighs_is_grown_written_and_read(
    blanks: Blanks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "is_there", lambda: False)  # half a second a row
    how = NumeralTraining(trees=TreeTraining(trees=40, depth=3, learning_rate=0.2), draws=1)
    weights = weigh(Lexical(), blanks, how, Runtime())
    assert weights.constants.language_model == 0
    assert 0 < weights.constants.threshold < 1
    write_weights(tmp_path, weights)
    read = read_weights(tmp_path)
    assert read.constants == weights.constants
    rows = np.random.default_rng(0).normal(size=(50, weights.support.columns.max() + 1))
    np.testing.assert_allclose(read.support.predict(rows), weights.support.predict(rows), atol=1e-4)
    checker = Checker(Lexical().build(Runtime()), read, "made")
    text = "A fire in Hull street a killed 21 people. It hurt 77 others."
    right, wrong = checker.check(
        ["Hull Fire Kills 21 People", "Hull Fire Kills 26 People"], [text] * 2, Runtime()
    )
    assert right.numerals[0].status is Status.COPIED
    assert wrong.numerals[0].support < right.numerals[0].support


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    shipped = Lexical().folder
    for name in (ABOUT, TREES):
        (tmp_path / name).write_bytes((shipped / name).read_bytes())
    (tmp_path / ABOUT).write_text('{"constants": 3}', encoding="utf-8")
    with pytest.raises(ModelUnavailableError, match="damaged"):
        read_weights(tmp_path)


def test_a_fifth_is_kept_from_the_attacher() -> None:
    kept = sum(is_judged(f"article {n}") for n in range(2000))
    assert 330 < kept < 470
