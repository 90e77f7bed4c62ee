import re
import tomllib
from dataclasses import replace
from typing import Annotated

import numpy as np
import pytest
from msgspec import Meta, defstruct

from core.data.toml_file import converted, toml_cell
from core.errors import InputError, UnknownNameError
from core.people import evaluation, forms, next_question
from core.people.choices import choices_of, make_choices, page_choices
from core.people.evaluation_task import make_task
from core.people.forms import Asks, pairs_of, subjects
from core.people.rating_files import merge, ratings_csv, read_ratings, template_csv
from core.people.ratings import asked_of, check_ratings, empty_ratings
from core.people.store import JudgeAnswer, RatingStore
from core.people.strengths import strengths, strengths_table
from core.results.table import text_rows
from core.results.table_files import as_latex
from tests.unit.people.by_hand import task_of

FORM = forms.form_of("italian.v1")
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


def test_a_long_article_is_cut_and_says_so():
    text = "one two\n" * 300
    assert next_question.shown_text(FORM, text).split()[-2:] == ["two", "[…]"]
    assert len(next_question.shown_text(FORM, text).split()) == 501
    assert next_question.shown_text(FORM, "short text") == "short text"
    assert next_question.shown_text(forms.form_of("preference.v1"), text) == text


def store_of(journal):
    return RatingStore(form=FORM, task=task_of(3, SYSTEMS), journal=journal)


def said(question, subject, value):
    return JudgeAnswer(article="a0", question=question, system=subject, value=value)


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
    with pytest.raises(InputError, match="two different answers"):
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


def test_preferences_are_told_by_place_and_not_by_name():
    form = forms.form_of("preference.v1")
    task = task_of(30, ("A", "B", "C"))
    ratings = empty_ratings(form, task, ["Ada", "Bo"])

    def order(judge, article):
        return next_question.shown_order(task, article, judge)

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
    read = make_choices(page_choices(ratings_csv(ratings, order).encode(), "answers.csv", form))
    assert len(read) == len(choices)
    assert (len(set(read.items.tolist())), len(set(read.judges.tolist()))) == (30, 2)
    at = [read.systems.index(name) for name in choices.systems]
    np.testing.assert_array_equal(read.points()[np.ix_(at, at)], choices.points())


def test_sheets_of_twenty_go_to_three_judges_each():
    ratings = empty_ratings(FORM, task_of(45, SYSTEMS), [f"judge {at}" for at in range(5)])
    assert [len(rows) for rows in next_question.sheet_rows(FORM, ratings.task)] == [20, 20, 5]
    assert next_question.sheet_rows(forms.form_of("preference.v1"), ratings.task) == [list(range(45))]
    got = []
    for judge in range(5):
        sheet = next_question.sheet_for(FORM, ratings, f"judge {judge}")
        got.append(sheet)
        ratings.values[judge, 0, 20 * sheet, 0] = 1
    assert got == [0, 0, 0, 1, 1]
    # Who has begun one keeps it, however the name is spelled.
    assert next_question.sheet_for(FORM, ratings, " JUDGE 3 ") == 1
    ratings.values[:, 0, :, 0] = 1
    assert next_question.sheet_for(FORM, ratings, "somebody") == 0


def test_a_text_without_a_length_that_does_not_fit_is_said_in_a_sentence():
    kind = defstruct("Kind", [("word", Annotated[str, Meta(pattern="^[a-z]+$")]), ("free", str)])
    for table in ({"word": "", "free": ""}, {"word": "a", "free": 1}):
        with pytest.raises(InputError, match=r"of file\.toml is"):
            converted(table, kind, "file.toml")


def test_blocks_are_filled_evenly_and_one_that_somebody_left_before_others():
    form, task = replace(FORM, cases=2, judges=2), task_of(4, SYSTEMS)
    ratings = empty_ratings(form, task, [f"judge {at}" for at in range(5)])
    got = []
    for judge in range(5):
        sheet = next_question.sheet_for(form, ratings, f"judge {judge}", even=True)
        got.append(sheet)
        done = 1 if judge == 1 else 2  # the second leaves
        ratings.values[judge, 0, 2 * sheet : 2 * sheet + done, 0] = 1
    assert got == [0, 1, 1, 0, 1]


def test_answers_that_no_sheet_asks_for_are_not_missing():
    ratings = judged(40, 2)
    ratings.values[0, :, 20:] = NAN
    ratings.values[1, :, :20] = NAN
    assert {share.missing for row in evaluation.ratings_table(ratings).rows for share in row[4:]} == {0}
    ratings.values[0, 0, 3, 0] = NAN
    assert evaluation.ratings_table(ratings).rows[0][4].missing == 1


QUESTION = '[[questions]]\nkey = "clear"\ntext = "Is it clear?"\nanswers = ["no", "partly", "yes"]\n'
GOOD = f'title = "Clear & fair"\nhidden = 1\ncases = 5\n{QUESTION}lowest = 1\n'
BEST = '[[questions]]\nkey = "best"\ntext = "Which is the fairest?"\nasks = "one"\nlabel = "Fairest"\n'


def form(text):
    return forms.read_form(text.encode(), "mine.toml")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    return tmp_path


def test_a_form_is_what_its_file_says():
    found = form(GOOD + BEST)
    assert (found.title, found.hidden, found.cases, found.judges) == ("Clear & fair", 1, 5, 0)
    clear, best = found.questions
    assert [(level.value, level.wording) for level in clear.levels] == [(1, "no"), (2, "partly"), (3, "yes")]
    assert (clear.label, best.label, best.asks) == ("Clear", "Fairest", Asks.ONE)
    assert found.summary == "Clear, Fairest"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = Mine\n", "mine.toml is no TOML"),
        ('title = "x"\n', "has no questions"),
        (f'title = "x"\ncolour = "red"\n{QUESTION}', "an entry 'colour' that no form knows"),
        (f'title = "x"\nhidden = 2\n{QUESTION}', "Hidden of mine.toml is '2'"),
        (f'title = "x"\nhidden = 1\nby_question = false\n{QUESTION}', "goes headline by headline"),
        (f'title = "x"\n{QUESTION}{QUESTION}', "have the key 'clear'"),
        (f'title = "x"\n{QUESTION}' * 1 + BEST * 20, "no list of 1 to 20 entries"),
        (f'title = "x"\n{QUESTION}'.replace('"clear"', '"Clear it"'), "Key of entry 1 of questions"),
        (f'title = "x"\n{QUESTION}'.replace("Is it clear?", "y" * 301), "Text of entry 1 of questions"),
        (f'title = "x"\n{QUESTION}asks = "nonsense"\n', "Asks of entry 1 of questions of mine.toml is"),
        (f'title = "x"\n{QUESTION}asks = "order"\n', 'lists answers, but "order" has its own'),
        (f'title = "x"\n{QUESTION}'.replace('"partly"', '"no"'), "the same answer twice"),
        (f'title = "x"\n{QUESTION}lowest = 7\n', "Lowest of question 1 of mine.toml is '7'"),
        (f'title = "x"\n{QUESTION}nothing = "No facts"\ngives = "one_of"\n', "'No facts' of nothing"),
        (f'title = "x"\n{QUESTION}nothing = "No facts"\nasks = "pairs"\n', "'No facts' of nothing"),
        (f'title = "x"\n{BEST}nothing = "No facts"\n', "'No facts' of nothing"),
    ],
)
def test_each_mistake_has_a_sentence_and_a_hint(text, said):
    with pytest.raises(InputError) as caught:
        form(text)
    assert said in caught.value.message
    assert caught.value.hint


def test_a_file_joins_the_forms_and_a_faulty_one_is_told(folder):
    added = forms.add_form(GOOD.encode(), "mine.toml")
    assert forms.known_forms()[added.name] == forms.form_of(added.name) == added
    (folder / "forms" / "bad.toml").write_text("title = ", encoding="utf-8")
    assert set(forms.known_forms()) == {*forms.evaluation_forms, added.name}
    assert [one[:20] for one in forms.faulty_forms()] == ["bad.toml is no TOML:"]
    with pytest.raises(UnknownNameError):
        forms.form_of("own-nothing-00000000")


def best_worst(articles=40, systems=6, judges=3):
    """The first system is mostly the best of its set, the last the worst."""
    task = task_of(articles, [f"s{at}" for at in range(systems)])
    ratings = empty_ratings(forms.form_of("best_worst.v1"), task, [f"judge {at}" for at in range(judges)])
    rng, sets = np.random.default_rng(0), asked_of(ratings.form, task)[0]
    for judge in range(judges):
        for row in range(articles):
            places = np.flatnonzero(sets[row])
            order = places[np.argsort(places + rng.normal(0, 2, len(places)))]
            ratings.values[judge, 0, row, places] = 0
            ratings.values[judge, 0, row, order[[0, -1]]] = 1, -1
    return check_ratings(ratings)


def test_best_and_worst_of_sets_of_four_are_counted_and_rank_systems():
    ratings = best_worst()
    sets = asked_of(ratings.form, ratings.task)[0]
    assert set(sets.sum(axis=1)) == {4}
    assert sets.sum(axis=0).min() > 15  # every system stands in many sets
    table = evaluation.ratings_table(ratings)
    for place, (*_, share) in enumerate(table.rows):
        values = ratings.values[:, 0, :, place]
        said = (values == 1).sum() - (values == -1).sum()
        assert share.value == pytest.approx(said / (3 * sets[:, place].sum()))
        assert share.missing == 0
    choices = choices_of(ratings, ratings.form.questions[0], lambda judge, article: range(6))
    assert len(choices) == 3 * 40 * 5  # of the six pairs of a set one is not told
    assert strengths(choices).systems[0] == "s0"
    assert strengths(choices).systems[-1] == "s5"
    written = ratings_csv(ratings, lambda *_: range(6)).encode()
    read = make_choices(page_choices(written, "a.csv", ratings.form))
    at = [read.systems.index(name) for name in choices.systems]
    np.testing.assert_array_equal(read.points()[np.ix_(at, at)], choices.points())


def test_sets_that_were_drawn_by_texts_are_read_back_from_their_file():
    systems, ids = [f"s{at}" for at in range(5)], [str(row) for row in range(6)]
    lines = [[f"{system} on {row}" for system in systems] for row in ids]
    task = make_task("numbered", ids, systems, lines, [f"Text {row}" for row in ids])
    ratings = empty_ratings(forms.form_of("best_worst.v1"), task, ["Ada"])
    for row, shown in enumerate(asked_of(ratings.form, task)[0]):
        places = np.flatnonzero(shown)
        ratings.values[0, 0, row, places] = [1, 0, 0, -1]
    written = ratings_csv(ratings)
    by_lines = asked_of(ratings.form, make_task("", ids, systems, lines))
    assert by_lines.tolist() != asked_of(ratings.form, task).tolist()
    read = read_ratings(written.encode(), "answers.csv", ratings.form)
    assert sorted(ratings_csv(read).split("\n")) == sorted(written.split("\n"))
    without = re.sub(",[^,]* on [^,]*,", ",,", written)
    read = read_ratings(without.encode(), "answers.csv", ratings.form)
    assert sorted(ratings_csv(merge([read, read])).split("\n")) == sorted(without.split("\n"))


@pytest.mark.parametrize("text", ["A leads ⇄ B leads", ""])
def test_choices_between_pairs_are_read_from_their_file(text):
    written = f"judge,article,system,headline,preference\nAda,1,A ⇄ B,{text},-1\n"
    read = read_ratings(written.encode(), "answers.csv", forms.form_of("preference.v1"))
    assert ratings_csv(read) == written
    assert strengths_table(choices_of(read, read.form.questions[0])).rows[0][0] == "B"


def test_every_mark_of_best_and_worst_has_its_sentence_on_screen_and_paper():
    ratings = best_worst(12, 6, 2)
    choices = evaluation.question_tables(ratings, lambda judge, article: range(6))
    for table in (evaluation.ratings_table(ratings), *choices):
        (legend,) = (note for note in table.notes if note.startswith("†"))
        assert " †" in "".join(map("".join, text_rows(table)[1:]))
        assert legend.count("for a reliable interval (") <= 2
        assert legend.replace("†", r"$^\dagger$ ").split()[1] in as_latex(table).partition("tablenotes")[2]
    scores = evaluation.ratings_table(ratings).notes[1]
    assert scores.startswith("† Too few articles for a reliable interval (6 to 9; it takes at least 10).")


def test_a_set_is_answered_by_two_choices_each_of_which_can_be_changed(journal):
    ratings = best_worst(2, 5, 1)
    store = RatingStore(form=ratings.form, task=ratings.task, journal=journal)
    inside = [store.task.systems[at] for at in np.flatnonzero(asked_of(store.form, store.task)[0, 0])]

    def now():
        values = store.ratings("Ada").values[0, :, 0]
        return values, next_question.next_open(store.form, values, range(5))

    assert now()[1] == (0, None, 1)
    store.record("Ada", said("best_worst", inside[0], 1))
    assert now()[1] == (0, None, -1)
    last = store.record("Ada", said("best_worst", inside[1], -1))
    assert (np.nansum(np.abs(now()[0])), now()[1]) == (2, None)
    assert store.ratings("Ada").complete()[0].tolist() == [True, False]
    store.record("Ada", said("best_worst", inside[1], 1))  # the worst becomes the best
    assert now()[1] == (0, None, -1)
    store.undo("Ada", last)
    outside = next(name for name in store.task.systems if name not in inside)
    with pytest.raises(InputError):
        store.record("Ada", said("best_worst", outside, 1))
    assert store.add(ratings) == 8
    with pytest.raises(InputError, match="gives 2 headlines 1"):
        check_ratings(replace(ratings, values=np.abs(ratings.values)))


KINDS = """title = "Kinds"
words = 50
by_question = false
[[questions]]
key = "topic"
text = "About?"
gives = "one_of"
answers = ["politics", "sport"]
keys = ["p", "s"]
[[questions]]
key = "parts"
text = "Which?"
gives = "several"
answers = ["x", "y", "z"]
when = "topic"
when_answers = ["politics"]
[[questions]]
key = "claim"
text = "Which words?"
gives = "words"
[[questions]]
key = "count"
text = "How many?"
gives = "number"
highest = 9
"""


@pytest.mark.parametrize(
    ("line", "other", "said"),
    [
        ('keys = ["p", "s"]', 'keys = ["p", "u"]', "other keys than answers"),
        ('keys = ["p", "s"]', 'keys = ["p"]', "other keys than answers"),
        ('when = "topic"', 'when = "claim"', "no earlier question"),
        ('when_answers = ["politics"]', 'when_answers = ["music"]', "no earlier question"),
        ('gives = "words"', 'gives = "words"\nasks = "pairs"', "not about each headline"),
        ("highest = 9", "highest = 9000", "without bounds"),
        ("words = 50", "words = 0", "all of it is shown"),
        ('gives = "one_of"', 'gives = "guess"', "'guess'"),
        ('["x", "y", "z"]', '["x", "y", "x + y"]', "'x + y'"),
        ('["x", "y", "z"]', '["x +", "y", "z"]', "'x +'"),
        ('["x", "y", "z"]', '["x", "y", "None"]', "'None'"),
    ],
)
def test_a_kind_that_does_not_fit_is_refused(line, other, said):
    form = KINDS if line != "words = 50" else KINDS.replace('gives = "words"', 'gives = "article_words"')
    assert line in form
    with pytest.raises(InputError, match=re.escape(said)):
        forms.read_form(form.replace(line, other, 1).encode(), "kinds.toml")


def test_a_question_after_an_earlier_answer_is_neither_asked_nor_counted_elsewhere(journal):
    form = forms.read_form(KINDS.encode(), "kinds.toml")
    store = RatingStore(form=form, task=task_of(1, ("A",)), journal=journal)

    def say(question, value, text=""):
        store.record("Ada", JudgeAnswer(article="a0", question=question, system="A", value=value, text=text))
        values = store.ratings("Ada").values[0, :, 0]
        found = next_question.next_open(form, values, [0])
        return None if found is None else form.questions[found.question].key

    assert say("topic", 0) == "parts"
    assert say("parts", 5) == "claim"
    assert say("claim", forms.text_value("1-2"), "1-2") == "count"
    assert say("topic", 1) == "count", "sport: no parts"
    ratings = store.ratings("Ada")
    assert np.isnan(ratings.values[0, 1]).all()
    assert say("count", 3) is None
    assert store.ratings("Ada").complete().all()
    assert say("topic", 0) is None, "the answer of before stands again"
    ratings = store.ratings("Ada")
    row = ratings_csv(ratings).splitlines()[1].split(",")
    assert row[-4:] == ["politics", "x + z", "1-2", "3"]
    back = read_ratings(ratings_csv(ratings).encode(), "answers.csv", form, ratings.task)
    read = [form.questions[at].gives not in forms.OPEN for at in range(4)]
    np.testing.assert_array_equal(back.values[:, read], ratings.values[:, read])
    for wrong in (("topic", 2), ("parts", 8), ("count", 10)):
        with pytest.raises(InputError):
            say(*wrong)
    with pytest.raises(InputError, match="on the page"):
        template_csv(ratings, ["text"], [[0]])
    assert evaluation.question_tables(ratings, lambda *_: [0])


def test_forms_keep_the_names_that_answers_were_filed_under():
    """A form without the later fields is named as it was before there were any."""
    old = b'title = "Clear"\n[[questions]]\nkey = "clear"\ntext = "Clear?"\nanswers = ["no", "yes"]\n'
    assert forms.read_form(old, "old.toml").name == "own-clear-fae73745"


def test_numhg_asks_what_it_always_asked_and_its_button_is_no_other_answer():
    data = (forms.SHIPPED / "numhg.v1.toml").read_bytes()
    (button,) = [line for line in data.splitlines(keepends=True) if line.startswith(b"nothing")]
    assert forms.read_form(data.replace(button, b""), "x.toml").name == "own-numhg-numerals-1a1d7dff"
    (numbers, *_) = forms.form_of("numhg.v1").questions
    assert [(level.value, level.wording) for level in numbers.levels] == [
        (0, "none"),
        (1, "some"),
        (2, "all"),
    ]


@pytest.mark.parametrize("value", [np.inf, -np.inf, NAN, 0.1, 1e16, 1e-7, np.float64(0.5), True, 3])
def test_numbers_are_written_as_toml_reads_them(value):
    (read,) = tomllib.loads(f"cells = {toml_cell([value])}")["cells"]
    assert type(read) is (float if isinstance(value, float) else type(value))
    assert read == value or (np.isnan(read) and np.isnan(value))
