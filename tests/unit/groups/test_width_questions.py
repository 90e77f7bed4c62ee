"""Questions about the width of events, and the level that follows from the answers."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

from core.errors import InputError
from core.groups.dendrogram import Dendrogram, merges_in_order
from core.groups.granularity import CUTS
from core.groups.width_questions import PairAnswer, WidthQuestions
from tests.unit.groups.test_granularity import made

SIZE = 40
START = 0.5
TEXTS = [f"Headline {row}" for row in range(SIZE)]


def chain(texts=TEXTS):
    """Headlines that join one after the other, at heights from 0.02 to 0.98."""
    rows = np.arange(SIZE - 1)
    tree = Dendrogram(SIZE, merges_in_order(SIZE, rows, rows + 1, np.linspace(0.02, 0.98, SIZE - 1)))
    return WidthQuestions(tree, START, texts)


def height(questions, pair):
    return next(float(cut) for cut in CUTS if len({questions.tree.cut(float(cut))[row] for row in pair}) == 1)


def answered(questions, width, count, *, wrong=-1):
    answers: list[PairAnswer] = []
    for number in range(count):
        pair = questions.question(answers)
        assert pair is not None
        answers.append(PairAnswer(*pair, (height(questions, pair) <= width) != (number == wrong)))
    return answers


def test_without_an_answer_the_level_is_the_suggested_one():
    assert chain().level([]) == START


def test_the_best_cut_lies_near_the_suggested_one_or_in_four_of_ten_timelines_farther():
    likely = 0.6 * norm.pdf(CUTS, START, 0.03) + 0.4 * norm.pdf(CUTS, START, 0.10)
    np.testing.assert_allclose(chain().posterior([]), likely / likely.sum(), atol=1e-9)


def test_both_headlines_of_a_question_are_joined_where_the_answer_tells_most():
    tree = made(30, 0).tree
    questions, answers = WidthQuestions(tree, START, TEXTS[:30]), list[PairAnswer]()
    while (pair := questions.question(answers)) is not None and len(answers) < 20:
        answers.append(PairAnswer(*pair, None))
        assert abs(questions.height(*pair) - START) < 0.1
    assert len(answers) == 20


@pytest.mark.parametrize("width", [0.35, 0.65])
def test_answers_lead_to_the_width_that_the_person_means(width):
    questions = chain()
    assert abs(questions.level(answered(questions, width, 10)) - width) < abs(START - width) / 2


def test_one_wrong_answer_does_not_turn_the_level():
    questions = chain()
    assert questions.level(answered(questions, 0.7, 10, wrong=2)) > START


def test_a_question_lies_in_the_middle_of_what_is_plausible_and_is_asked_once():
    questions = chain()
    answers = answered(questions, START, 8)
    for number, answer in enumerate(answers):
        below = questions.posterior(answers[:number])[height(questions, answer[:2]) > CUTS].sum()
        assert 0.15 < below < 0.85
    assert len({answer[:2] for answer in answers}) == 8


def events():
    """Eight events of five headlines, joined at nearly the same height, from which all pairs are drawn."""
    rows = np.arange(SIZE - 1)
    heights = np.where(rows % 5 == 4, 0.95, 0.45 + 0.001 * rows)
    return WidthQuestions(Dendrogram(SIZE, merges_in_order(SIZE, rows, rows + 1, heights)), START, TEXTS)


@pytest.mark.parametrize("same", [None, True])
def test_another_event_is_asked_about_next_and_one_of_not_sure_no_more(same):
    questions, answers = events(), list[PairAnswer]()
    for _ in range(5):
        pair = questions.question(answers)
        assert pair is not None
        answers.append(PairAnswer(*pair, same))
    asked = [{row // 5 for row in answer[:2]} for answer in answers]
    assert all(len(event) == 1 for event in asked)
    assert all(event != following for event, following in pairwise(asked))
    if same is None:
        assert len(set.union(*asked)) == 5


def test_a_pair_that_tells_little_is_no_way_out_of_an_event_where_nobody_was_sure():
    heights = np.array([0.5, 0.5, 0.95, 0.05])
    tree = Dendrogram(5, merges_in_order(5, np.arange(4), np.arange(1, 5), heights))
    questions = WidthQuestions(tree, START, TEXTS[:5])
    answers = [PairAnswer(*questions.question([]), None)]
    assert questions.height(*questions.question(answers)) == 0.5


def test_undo_asks_the_same_again():
    questions = chain()
    answers = answered(questions, 0.7, 3)
    assert questions.question(answers[:2]) == (answers[2].left, answers[2].right)
    assert answered(chain(), 0.7, 3) == answers


def test_identical_texts_are_not_asked_about():
    assert chain(["Storm hits  coast", "storm hits coast"] * (SIZE // 2)).question([]) is None


def test_a_method_without_a_tree_is_refused():
    class Flat:
        def cut(self, granularity: float) -> np.ndarray:
            return np.zeros(3, dtype=np.int64)

    with pytest.raises(InputError, match="no tree of events"):
        WidthQuestions(Flat(), START, TEXTS)


def test_of_a_few_headlines_every_pair_is_asked_before_there_is_none():
    tree = Dendrogram(3, merges_in_order(3, np.array([0, 1]), np.array([1, 2]), np.array([0.4, 0.5])))
    questions, answers = WidthQuestions(tree, START, TEXTS[:3]), list[PairAnswer]()
    while (pair := questions.question(answers)) is not None and len(answers) < 9:
        answers.append(PairAnswer(*pair, same=False))
    assert 2 <= len({frozenset((answer.left, answer.right)) for answer in answers}) == len(answers) <= 3
