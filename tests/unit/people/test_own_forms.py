"""Forms of one's own: read from a plain file, with a sentence for each mistake."""

import pytest

from core.errors import InputError, UnknownNameError
from core.people import forms
from core.people.forms import add_form, faulty_forms, form_of, known_forms, read_form
from core.people.ratings import Asks, evaluation_forms
from core.people.store import Answer, RatingStore
from tests.unit.people.by_hand import task_of

QUESTION = '[[questions]]\nkey = "clear"\ntext = "Is it clear?"\nanswers = ["no", "partly", "yes"]\n'
GOOD = f'title = "Clear & fair"\nhidden = 1\ncases = 5\n{QUESTION}lowest = 1\n'
BEST = '[[questions]]\nkey = "best"\ntext = "Which is the fairest?"\nasks = "one"\nlabel = "Fairest"\n'


def form(text):
    return read_form(text.encode(), "mine.toml")


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


def test_the_example_of_the_module_is_a_form():
    _, _, example = (forms.__doc__ or "").partition("\n\n")
    assert [question.key for question in form(example).questions] == ["clear", "best"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = Mine\n", "mine.toml is no TOML"),
        ('title = "x"\n', "has no questions"),
        (QUESTION, "mine.toml has no title"),
        (f'title = "x"\ncolour = "red"\n{QUESTION}', "an entry 'colour' that no form knows"),
        (f'title = "x"\nhidden = 2\n{QUESTION}', "hidden of mine.toml is '2'"),
        (f'title = "x"\njudges = true\n{QUESTION}', "judges of mine.toml is 'True'"),
        (f'title = "x"\nby_question = "no"\n{QUESTION}', "neither true nor false"),
        (f'title = "x"\nhidden = 1\nby_question = false\n{QUESTION}', "goes headline by headline"),
        (f'title = "x"\n{QUESTION}{QUESTION}', "have the key 'clear'"),
        (f'title = "x"\n{QUESTION}label = "Fairest"\n{BEST}', "have the label 'Fairest'"),
        (f'title = "x"\n{QUESTION}' * 1 + BEST * 20, "21 questions"),
        (f'title = "x"\n{QUESTION}'.replace('"clear"', '"Clear it"'), "Question 1 of mine.toml has the key"),
        (f'title = "x"\n{QUESTION}'.replace('text = "Is it clear?"\n', ""), "has no text"),
        (f'title = "x"\n{QUESTION}'.replace("Is it clear?", "y" * 301), "has 301 characters"),
        (f'title = "x"\n{QUESTION}asks = "all"\n', "asks about 'all'"),
        (f'title = "x"\n{QUESTION}asks = "order"\n', 'lists answers, but "order" has its own'),
        (f'title = "x"\n{QUESTION}'.replace('["no", "partly", "yes"]', '["no"]'), "needs 2 to 10 answers"),
        (f'title = "x"\n{QUESTION}'.replace('"partly"', "2"), "an answer without a text"),
        (f'title = "x"\n{QUESTION}'.replace('"partly"', '"no"'), "the same answer twice"),
        (f'title = "x"\n{QUESTION}lowest = 7\n', "lowest of Question 1 of mine.toml is '7'"),
    ],
)
def test_each_mistake_has_a_sentence_and_a_hint(text, said):
    with pytest.raises(InputError) as caught:
        form(text)
    assert said in caught.value.message
    assert caught.value.hint


def test_a_file_joins_the_forms_and_a_faulty_one_is_told(folder):
    added = add_form(GOOD.encode(), "mine.toml")
    assert known_forms()[added.name] == form_of(added.name) == added
    (folder / "forms" / "bad.toml").write_text("title = ", encoding="utf-8")
    assert set(known_forms()) == {*evaluation_forms, added.name}
    assert [one[:20] for one in faulty_forms()] == ["bad.toml is no TOML:"]
    with pytest.raises(UnknownNameError):
        form_of("own-nothing-00000000")


def test_answers_to_an_own_form_are_stored(journal):
    store = RatingStore(form=form(GOOD + BEST), task=task_of(2), journal=journal)
    store.record("Ada", Answer(article="a0", question="best", system="B", value=1))
    assert store.ratings("Ada").values[0, 1, 0].tolist() == [0, 1]
    assert RatingStore(form=form(GOOD), task=task_of(2), journal=journal).ratings().judges == ()
