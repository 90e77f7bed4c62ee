from dataclasses import replace

import numpy as np
import pytest

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.people.choices import choices_of, page_choices
from core.people.evaluation import (
    judgeable,
    judges_of,
    next_open,
    ratings_table,
    refuse_closed,
    sheet_for,
    sheet_rows,
    shown_order,
    shown_text,
)
from core.people.forms import ItalianForm, PreferenceForm
from core.people.rating_files import ratings_csv, read_ratings, template_csv
from core.people.ratings import Asks, check_ratings, empty_ratings, pairs_of, revealed, subjects
from core.people.store import Answer, RatingStore
from tests.unit.people.by_hand import task_of

FORM = ItalianForm()
SYSTEMS = ("gold", "s2s", "pn", "pnc")
NAN = np.nan


def judged(articles=12, judges=3, *, seed=0):
    """Complete answers: gold is the most inviting, pn the most suitable, mostly."""
    rng = np.random.default_rng(seed)
    ratings = empty_ratings(FORM, task_of(articles, SYSTEMS), [f"judge {at}" for at in range(judges)])
    for judge in range(judges):
        for row in range(articles):
            values = ratings.values[judge, :, row]
            values[0, :4] = rng.integers(0, 2, 4)
            values[1, 4:] = rng.integers(0, 2, 6)
            values[2, :4] = np.arange(4) == (0 if rng.random() < 0.8 else rng.integers(0, 4))
            values[3, :4] = rng.integers(0, 2, 4)
            values[4, :4] = rng.permutation(4) + 1
    return check_ratings(ratings)


def test_questions_come_in_their_order_and_the_article_after_the_third():
    values, order = np.full((5, 10), NAN), [2, 0, 3, 1]
    steps = []
    while (found := next_open(FORM, values, order)) is not None:
        steps.append((found.question, found.subject))
        shown = revealed(FORM, values, 4)
        assert shown == (found.question >= 3)
        for question in range(5):
            early, late = not shown and question >= 3, shown and question < 3
            if early or late:
                with pytest.raises(InputError, match="not shown yet" if early else "are closed"):
                    refuse_closed(FORM, values, question, 4)
            else:
                refuse_closed(FORM, values, question, 4)
        if found.subject is not None:
            values[found.question, found.subject] = 1
        elif FORM.questions[found.question].asks is Asks.ONE:
            values[2, :4] = [0, 0, 1, 0]
        else:
            values[4, next(place for place in order if np.isnan(values[4, place]))] = found.value or 0
    assert [question for question, _ in steps] == [0] * 4 + [1] * 6 + [2] + [3] * 4 + [4] * 4
    assert [subject for _, subject in steps[:4]] == order
    assert len({subject for _, subject in steps[4:10]}) == 6
    assert values[4, :4].tolist() == [3, 1, 4, 2]


def test_a_long_article_is_cut_and_says_so():
    text = "one two\n" * 300
    assert shown_text(FORM, text).split()[-2:] == ["two", "[…]"]
    assert len(shown_text(FORM, text).split()) == 501
    assert shown_text(FORM, "short text") == "short text"
    assert shown_text(PreferenceForm(), text) == text


@pytest.mark.parametrize("sign", ["<UNK>", "⁇"])
def test_headlines_with_unknown_words_are_left_out(sign):
    articles = articles_of("set", ["one", "two", " "])
    first = Outputs(system="A", headlines=("a", "b", "c"), source="x")
    second = Outputs(system="B", headlines=("d", f"Mayor of {sign} resigns", "e"), source="x")
    found = judgeable("Set", articles, [first, second])
    assert (found.rows, found.left_out, found.unknown) == ((0,), 2, 1)


def store_of(journal):
    return RatingStore(form=FORM, task=task_of(3, SYSTEMS), journal=journal)


def said(question, subject, value):
    return Answer(article="a0", question=question, system=subject, value=value)


def test_answers_about_pairs_and_a_choice_are_stored(journal):
    store = store_of(journal)
    pair = subjects(FORM, SYSTEMS)[4]
    store.record("Ada", said("same_article", pair, 1))
    store.record("Ada", said("attractiveness", "pn", 1))
    last = store.record("Ada", said("attractiveness", "s2s", 1))
    values = store.ratings("Ada").values[0, :, 0]
    assert values[1, 4] == 1
    assert values[2, :4].tolist() == [0, 1, 0, 0]
    store.undo("Ada", last)
    assert store.ratings("Ada").values[0, 2, 0, :4].tolist() == [0, 0, 1, 0]
    store.record("Ada", said("attractiveness", "pn", None))
    assert np.isnan(store.ratings("Ada").values[0, 2, 0]).all()
    for wrong in (said("correctness", pair, 1), said("same_article", "pn", 1), said("correctness", "pn", 2)):
        with pytest.raises(InputError):
            store.record("Ada", wrong)


def test_an_edited_file_changes_no_closed_answer_and_answers_nothing_early(journal):
    whole = judged(1, 1)
    store = RatingStore(form=FORM, task=whole.task, journal=journal)
    early = replace(whole, values=whole.values.copy())
    early.values[0, 0, 0, 0] = NAN  # one answer before the article is missing, those after it are there
    with pytest.raises(InputError, match="which come before it is shown"):
        store.add(early)
    assert store.ratings().judges == ()
    assert store.add(whole) > 0
    edited = replace(whole, values=whole.values.copy())
    edited.values[0, 0, 0, 0] = 1 - edited.values[0, 0, 0, 0]
    with pytest.raises(InputError, match="otherwise here"):
        store.add(edited)
    assert np.array_equal(store.ratings().values, whole.values, equal_nan=True)


def test_a_template_shows_no_article_before_its_time():
    ratings = empty_ratings(FORM, task_of(2, SYSTEMS), ["Ada"])
    orders = [[0, 1, 2, 3]] * 2
    text = template_csv(ratings, ["first article", "second article"], orders, [False, True])
    assert "first article" not in text
    assert "second article" in text
    assert len(text.splitlines()) == 1 + 2 * 10
    assert read_ratings(text.encode(), "ada.csv", FORM, ratings.task).judges == ("Ada",)


@pytest.mark.parametrize(
    ("question", "place", "values", "said"),
    [
        (2, 0, [1, 1, 0, 0], "chooses 2 headlines"), (2, 0, [0, 0, 0, 0], "chooses 0 headlines"),
        (0, 4, [1], "Correct by Ada"), (1, 0, [1], "Same article by Ada"), (4, 0, [1, 1, 2, 3], "same place"),
    ],
)  # fmt: skip
def test_answers_that_the_form_does_not_allow_are_refused(question, place, values, said):
    ratings = empty_ratings(FORM, task_of(1, SYSTEMS), ["Ada"])
    ratings.values[0, question, 0, place : place + len(values)] = values
    with pytest.raises(InputError, match=said):
        check_ratings(ratings)


def test_preferences_are_told_by_place_and_not_by_name():
    form = PreferenceForm()
    task = task_of(30, ("A", "B", "C"))
    ratings = empty_ratings(form, task, ["Ada", "Bo"])

    def order(judge, article):
        return shown_order(task, article, judge)

    # Both always take the headline that they see first.
    for number, judge in enumerate(ratings.judges):
        for row, article in enumerate(task.articles):
            seen = order(judge, article)
            for place, (one, other) in enumerate(pairs_of(task.systems), 3):
                first = seen.index(one) < seen.index(other)
                ratings.values[number, 0, row, place] = 1 if first else -1
    choices = choices_of(check_ratings(ratings), form.questions[0], order)
    assert len(choices) == 2 * 30 * 3
    assert set(choices.chosen.tolist()) == {1}
    assert len(set(choices.items.tolist())) == 30
    # The file that the page offers brings back the same choices, places included.
    read = page_choices(ratings_csv(ratings, order).encode(), "answers.csv", form)
    assert len(read) == len(choices)
    assert (len(set(read.items.tolist())), len(set(read.judges.tolist()))) == (30, 2)
    at = [read.systems.index(name) for name in choices.systems]
    np.testing.assert_array_equal(read.points()[np.ix_(at, at)], choices.points())
    assert page_choices(b"left,right,answer\nA,B,left\n", "other.csv", form) is None
    with pytest.raises(InputError, match="Answer it on the page"):
        template_csv(ratings, ["x"] * 30, [[0, 1, 2]] * 30)


def test_sheets_of_twenty_go_to_three_judges_each():
    ratings = empty_ratings(FORM, task_of(45, SYSTEMS), [f"judge {at}" for at in range(5)])
    assert [len(rows) for rows in sheet_rows(FORM, ratings.task)] == [20, 20, 5]
    assert sheet_rows(PreferenceForm(), ratings.task) == [list(range(45))]
    got = []
    for judge in range(5):
        sheet = sheet_for(FORM, ratings, f"judge {judge}")
        got.append(sheet)
        ratings.values[judge, 0, 20 * sheet, 0] = 1
    assert got == [0, 0, 0, 1, 1]
    assert judges_of(ratings, sheet_rows(FORM, ratings.task)) == [3, 2, 0]
    # Who has begun one keeps it, however the name is spelled.
    assert sheet_for(FORM, ratings, " JUDGE 3 ") == 1
    ratings.values[:, 0, :, 0] = 1
    assert sheet_for(FORM, ratings, "somebody") == 0


def test_answers_that_no_sheet_asks_for_are_not_missing():
    ratings = judged(40, 2)
    ratings.values[0, :, 20:] = NAN
    ratings.values[1, :, :20] = NAN
    table = ratings_table(ratings)
    assert {share.missing for line in table.shares for share in line} == {0}
    ratings.values[0, 0, 3, 0] = NAN
    assert ratings_table(ratings).shares[0][0].missing == 1
