import hmac
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256

import numpy as np
import pytest

from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.entry_receipts import missing_receipts, published
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.people.evaluation_task import make_task
from core.people.forms import BETWEEN, form_of
from core.people.judges import Judges
from core.people.ratings import empty_ratings
from core.people.store import RatingStore
from core.people.studies import receipts
from core.people.study import Study
from core.text.normalise import judge_key
from tests.unit.people.by_hand import FORM, QUESTIONS, answer, store_of

NAN = np.nan
GIVEN = np.array([[2, 0], [1, 2], [5, NAN]])


@pytest.fixture
def store(journal):
    return store_of(journal)


def give(store, judge, article, values):
    for at, question in enumerate(QUESTIONS):
        for place, system in enumerate(store.task.systems):
            if not np.isnan(values[at, place]):
                store.record(judge, answer(article, question, system, int(values[at, place])))


def test_answers_are_found_again_and_the_last_counts(store):
    assert store.ratings().judges == ()
    assert np.isnan(store.ratings("Ada").values).all()
    give(store, "Ada", "a1", GIVEN)
    store.record("Ada", answer("a1", "readability", "A", 4))
    store.record("Ada", answer("a1", "numeral_accuracy", "A", None))
    give(store, " ada ", "a2", GIVEN)
    found = store.ratings()
    assert found.judges == ("Ada",)
    np.testing.assert_array_equal(found.values[0, :, 1], [[NAN, 0], [1, 2], [4, NAN]])
    np.testing.assert_array_equal(found.values[0, :, 2], GIVEN)
    assert found.complete().tolist() == [[False] * 5]
    first, *_ = store.journal.read(store.answers.stream)
    assert (first.kind, first.who) == ("answer", "Ada")
    assert first.body == {
        "form": "numhg.v1", "title": store.task.title, "row": ["A on a1", "", "A", "a1"],
        "shown": ["A on a1"], "question": "numeral_accuracy", "value": 2,
    }  # fmt: skip


TEXTS = [f"The article about event {number}, which fills a line." for number in range(8)]


def table_of(numbers, repaired):
    """A table without ids, so that rows are numbered, of some of the articles."""
    lines = [[repaired.get(at, f"A on the evnt {at}"), f"B about event {at}"] for at in numbers]
    rows = [str(row) for row in range(len(numbers))]
    return make_task("t", rows, ["A", "B"], lines, [TEXTS[at] for at in numbers])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "repaired", "counts"),
    [
        ([6, 0, 5, 4, 7, 3, 1, 2], {}, (4, 0, 0)),
        ([0, 1, 2, 3, 4, 5], {0: "A on the event 0"}, (3, 1, 0)),
        ([7, 5, 4, 2, 0], {0: "A on the event 0"}, (1, 1, 2)),
        ([0, 1, 2, 3, 4, 5], {0: "A on the evnt 9"}, (3, 0, 1)),
    ],
)
@pytest.mark.parametrize("form", [FORM, form_of("preference.v1")])
def test_answers_are_found_in_a_table_that_was_sorted_grew_lost_rows_or_was_repaired(
    journal, form, numbers, repaired, counts
):
    before = RatingStore(form=form, task=table_of(range(6), {}), journal=journal)
    after = RatingStore(form=form, task=table_of(numbers, repaired), journal=journal)
    pair, question = f"A{BETWEEN}B", form.questions[-1].key
    subjects, values = (["A", "B"], {0: 5, 1: 2}) if form is FORM else ([pair], {0: 1, 1: -1})
    for at, value in values.items():
        for subject in subjects:
            before.record("Ada", answer(str(at), question, subject, value))
    found = after.ratings("Ada").values[0, -1]
    stay = [at for at in values if at in numbers and "9" not in repaired.get(at, "")]
    for at in stay:
        row = found[numbers.index(at)]
        assert set(row[~np.isnan(row)]) == {values[at]}
    assert (~np.isnan(found)).any(axis=1).sum() >= len(stay)
    counted = after.answers.found_again()
    assert (counted.same, counted.changed, counted.gone) == counts
    assert after.damaged() == 0
    last = answer(str(numbers.index(2)), question, subjects[0], 1)
    after.undo("Ada", after.record("Ada", last))
    np.testing.assert_array_equal(after.ratings("Ada").values[0, -1], found)


def test_headlines_swap_places_and_the_last_takes_the_last_place(journal):
    systems = ("A", "B", "C", "D")
    store = store_of(journal, 1, systems)
    orders = {
        ("A", 4): [4, NAN, NAN, NAN], ("B", 3): [4, 3, NAN, NAN], ("A", 3): [3, 4, NAN, NAN],
        ("C", 3): [NAN, 4, 3, NAN], ("D", 1): [2, 4, 3, 1], ("A", 1): [1, 4, 3, 2],
        ("B", None): [1, NAN, 3, 2], ("C", 1): [3, 4, 1, 2],
    }  # fmt: skip
    for (system, value), order in orders.items():
        store.record("Ada", answer("a0", "reasonableness", system, value))
        np.testing.assert_array_equal(store.ratings("Ada").values[0, 1, 0], order)
    alone = store_of(journal, 1, ("A",))
    alone.record("Ada", answer("a0", "reasonableness", "A", 1))
    assert alone.ratings("Ada").values[0, 1, 0].tolist() == [1]


BODY = {"row": ["A on a0", "", "A", "a0"], "question": "readability", "value": 4}


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        NewEntry(kind="answer", who="", body=BODY),
        NewEntry(kind="undo", who="Ada", body={"answer": 1}),
        NewEntry(kind="answer", who="Ada", body=BODY | {"row": None}),
        NewEntry(kind="answer", who="Ada", body=BODY | {"question": ["readability"]}),
        NewEntry(kind="answer", who="Ada", body=BODY | {"with": ["B on a1", "", "B", "a1"]}),
        NewEntry(kind="answer", who="Ada", body=BODY | {"value": 7}),
    ],
)
def test_what_is_no_answer_is_ignored_and_counted(store, damage):
    give(store, "Ada", "a0", GIVEN)
    store.journal.append(store.answers.stream, [damage])
    assert store.damaged() == 1
    give(store, "Ada", "a1", GIVEN)
    assert store.damaged() == 1
    found = store.ratings("Ada")
    np.testing.assert_array_equal(found.values[0, :, 0], GIVEN)
    np.testing.assert_array_equal(found.values[0, :, 1], GIVEN)


def test_nobody_takes_back_what_another_answered(store):
    given = store.record("Ada", answer("a0", "readability", "A", 3))
    store.undo("Bo", given)
    assert store.ratings("Ada").values[0, 2, 0, 0] == 3
    store.undo("ada", given)
    assert np.isnan(store.ratings("Ada").values).all()


def test_files_of_others_are_added_whole_or_not_at_all(store):
    given = empty_ratings(FORM, store.task, ["Ada", "Bo"])
    given.values[:, :, :2] = GIVEN[None, :, None]
    store.record("Bo", answer("a1", "readability", "A", 5))
    store.record("Bo", answer("a1", "readability", "B", 3))
    assert store.add(given) == 2 * 2 * 5 - 1
    assert store.add(given) == 0
    found = store.ratings()
    assert found.values[1, 2, 1].tolist() == [5, 3]
    given.values[1, 0, 0, 0] = 1
    given.values[0, 0, 4] = [2, 2]
    with pytest.raises(InputError, match="Bo has two different answers"):
        store.add(given)
    np.testing.assert_array_equal(store.ratings().values, found.values)


@pytest.fixture
def judges(journal):
    return Judges(journal=journal)


SPELLINGS = [" ADA  b ", "Ａｄａ b", "ada\u00a0B", "A\u200eda\u200d b\ufe0f", "a\u00adda b"]
SPELLINGS += ["Ada" + blank + " b" for blank in "\u3164\u2800\u115f\u1160\uffa0\u17b4\u17b5\u061c\u2028\x01"]
SPELLINGS += ["Ada b" + unseen for unseen in "\u3164\u2800\U000e0100\U000e0041\u2065\ufff0\u180e\ufff9"]


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_name_is_taken_however_it_is_spelled(judges, spelling):
    token = judges.take("Ada B")
    assert judges.holder(token) == "Ada B"
    assert judges.taken(spelling)
    with pytest.raises(InputError, match="has judged here before"):
        judges.take(spelling)
    assert judges.holder(token) == "Ada B"
    assert judge_key(spelling) == judge_key("Ada B")


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\U000e0100"])
def test_a_name_that_nobody_sees_is_none(judges, name):
    with pytest.raises(InputError, match="has no name"):
        judges.take(name)


def test_a_forged_token_opens_nothing(judges, monkeypatch):
    token = judges.take("Ada")
    compared, real = [], hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda *both: compared.append(both) or real(*both))
    judges.take("Bo")
    forged = ["", "x", token[:-1], token + "x", token.swapcase(), "ä\ud800", "x" * 10_000_000, token * 5]
    assert [judges.holder(one) for one in forged] == [""] * len(forged)
    # All hashes are compared each time, whether one fits or not.
    compared.clear()
    assert judges.holder(token) == "Ada"
    assert len(compared) == 2


def test_no_token_is_stored(judges):
    tokens = [judges.take("Ada"), judges.renew("Ada")]
    stored = repr(judges.journal.read("judges"))
    assert not any(token in stored for token in tokens)
    assert len(tokens[0]) >= 43


def test_of_many_who_take_a_name_at_once_one_gets_it(judges):
    got: list[str] = []
    start = threading.Barrier(20)

    def take():
        start.wait()
        with suppress(InputError):
            got.append(Judges(journal=judges.journal).take("Ada"))

    with ThreadPoolExecutor(20) as threads:
        for _ in range(20):
            threads.submit(take)
    (token,) = got
    assert judges.holder(token) == "Ada"


def test_a_name_with_answers_that_nobody_took_is_closed(judges):
    store_of(judges.journal).record("Ada", answer("a0", "readability", "A", 3))
    with pytest.raises(InputError, match="has judged here before"):
        judges.take("ada")
    assert judges.holder(judges.renew("Ada")) == "Ada"
    store_of(judges.journal).record("Bo", answer("a0", "readability", "A", 3))
    assert judges.holder(judges.take("Bo", answered=True)) == "Bo"


@pytest.fixture
def stored(tmp_path):
    journal, study = Journal(sqlite_url(tmp_path)), Study(code="0123abcd", title="A study")
    for code, who in ((study.code, "Ada"), (study.code, "Ben"), (study.code, "Ada"), ("fedc3210", "Ada")):
        voted(journal, code, who)
    return journal, study


def voted(journal, code, who):
    journal.append(f"studies/{code}/votes/x", [NewEntry(kind="voted", who=who, body={"answer": "same"})])


def test_everybody_s_answers_are_in_the_list_and_no_later_one(stored):
    journal, study = stored
    every = receipts(journal, study)
    assert len(set(every)) == 3
    assert receipts(journal, study, "ada") == [every[0], every[2]]
    listed = published(every, study.sha256)
    assert missing_receipts(receipts(journal, study, "Ada"), listed, "list.txt") == []
    voted(journal, study.code, "Ada")
    late = receipts(journal, study, "Ada")[-1]
    assert missing_receipts([late], listed, "list.txt") == [late]


def test_the_last_hash_follows_from_all_before_it_by_the_rule_that_is_documented(stored):
    journal, study = stored
    link = study.sha256
    for receipt in receipts(journal, study):
        link = sha256(f"{link} {receipt}".encode()).hexdigest()
    assert published(receipts(journal, study), study.sha256).split()[-1] == link


def test_a_list_from_which_something_was_taken_or_added_is_refused(stored):
    journal, study = stored
    lines = published(receipts(journal, study), study.sha256).split("\n")
    for changed in (lines[:2] + lines[3:], [*lines[:2], lines[1], *lines[2:]], lines[1:], ["", "no list"]):
        with pytest.raises(InputError):
            missing_receipts([], "\n".join(changed), "list.txt")
