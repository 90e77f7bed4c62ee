"""Questions about the width of events: answers move the level, and questions split what is plausible."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import InputError
from core.groups.asking import Answer, Asking, asking
from core.groups.average_linkage import Dendrogram, merges_in_order
from core.groups.granularity import CUTS

SIZE = 40
START = 0.5
TEXTS = [f"Headline {row}" for row in range(SIZE)]


def chain(texts: list[str] = TEXTS) -> Asking:
    """Headlines that join one after the other, at heights from 0.02 to 0.98."""
    rows = np.arange(SIZE - 1)
    tree = Dendrogram(SIZE, merges_in_order(SIZE, rows, rows + 1, np.linspace(0.02, 0.98, SIZE - 1)))
    return asking(tree, START, texts)


def height(questions: Asking, pair: tuple[int, int]) -> float:
    """The lowest cut at which the two are in one group."""
    return next(float(cut) for cut in CUTS if len({questions.tree.cut(float(cut))[row] for row in pair}) == 1)


def answered(questions: Asking, width: float, count: int, *, wrong: int = -1) -> list[Answer]:
    """A person whose events are as wide as that."""
    answers: list[Answer] = []
    for number in range(count):
        pair = questions.question(answers)
        assert pair is not None
        answers.append(Answer(*pair, (height(questions, pair) <= width) != (number == wrong)))
    return answers


def test_without_an_answer_the_level_is_the_suggested_one() -> None:
    assert chain().level([]) == START


def test_same_makes_events_broader_and_different_narrower() -> None:
    questions = chain()
    pair = questions.question([])
    assert pair is not None
    assert questions.level([Answer(*pair, True)]) > START
    assert questions.level([Answer(*pair, False)]) < START


@pytest.mark.parametrize("width", [0.35, 0.65])
def test_answers_lead_to_the_width_that_the_person_means(width: float) -> None:
    questions = chain()
    assert abs(questions.level(answered(questions, width, 10)) - width) < abs(START - width) / 2


def test_one_wrong_answer_does_not_turn_the_level() -> None:
    questions = chain()
    assert questions.level(answered(questions, 0.7, 10, wrong=2)) > START


def test_a_question_lies_in_the_middle_of_what_is_plausible_and_is_asked_once() -> None:
    questions = chain()
    answers: list[Answer] = []
    for _ in range(8):
        pair = questions.question(answers)
        assert pair is not None
        below = questions.posterior(answers)[height(questions, pair) > CUTS].sum()
        assert 0.2 < below < 0.8
        answers.append(Answer(*pair, None))
    assert len({(answer.left, answer.right) for answer in answers}) == 8


def test_not_sure_moves_nothing() -> None:
    questions = chain()
    pair = questions.question([])
    assert pair is not None
    unsure = [Answer(*pair, None)]
    assert np.array_equal(questions.posterior(unsure), questions.posterior([]))
    assert questions.question(unsure) != pair


def test_undo_asks_the_same_again() -> None:
    questions = chain()
    answers = answered(questions, 0.7, 3)
    assert questions.question(answers[:2]) == (answers[2].left, answers[2].right)
    assert answered(chain(), 0.7, 3) == answers


def test_identical_texts_are_not_asked_about() -> None:
    assert chain(["Storm hits  coast", "storm hits coast"] * (SIZE // 2)).question([]) is None


def test_a_method_without_a_tree_is_refused() -> None:
    class Flat:
        def cut(self, granularity: float) -> np.ndarray:
            return np.zeros(3, dtype=np.int64)

    with pytest.raises(InputError, match="no tree of events"):
        asking(Flat(), START, TEXTS)


def test_a_headline_is_not_compared_with_itself() -> None:
    with pytest.raises(InputError, match="compared with itself"):
        chain().posterior([Answer(3, 3, True)])


def test_of_a_few_headlines_every_pair_is_asked_before_there_is_none() -> None:
    tree = Dendrogram(3, merges_in_order(3, np.array([0, 1]), np.array([1, 2]), np.array([0.4, 0.5])))
    questions, answers = asking(tree, START, TEXTS[:3]), list[Answer]()
    while (pair := questions.question(answers)) is not None and len(answers) < 9:
        answers.append(Answer(*pair, same=False))
    assert 2 <= len({frozenset((answer.left, answer.right)) for answer in answers}) == len(answers) <= 3
