"""Labels from a study's answers, and pairs that who runs it has asked first."""

from dataclasses import replace

import pytest

from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.journal.verify import unread
from core.people import studies, study_material, voting
from core.people.study import Order, Purpose, StudyPair
from core.people.study_results import PairAnswers
from core.study_access.study_models import ask_first, labelled_pairs


def registered(title, order=Order.TIME):
    made = [StudyPair(Purpose.CONTROL, f"control {at}", "b", "same") for at in range(2)]
    made += [StudyPair(Purpose.MAIN, f"main {at}", "b", days=("3 Jun 2021", "")) for at in range(6)]
    study = studies.templates()["same_event"]
    more = {"order": order, "votes": 2, "control_after": 2, "title": title}
    return studies.register(the_journal(), replace(study, pairs=tuple(made), **more))


def vote(study, who, **answers):
    task = study_material.pairs_task(study)
    for item in task.pool(Purpose.MAIN):
        if answer := answers.get(item.left.replace(" ", "")):
            body = voting.vote(task, item, answer)
            task.answers.append([NewEntry(kind=voting.VOTED, who=who, body=body)])


def asked(study, who):
    """What a person is asked until nothing is left."""
    task, seen = study_material.pairs_task(study), []
    while True:
        entries = task.answers.read()
        everybody = voting.voters(task, entries).values()
        item = voting.next_item(voting.voter(task, entries, who), everybody)
        if item is None:
            return seen
        seen.append(item.left)
        task.answers.append([NewEntry(kind=voting.VOTED, who=who, body=voting.vote(task, item, "same"))])


def test_labels_are_those_of_most_people_and_ties_have_none():
    study = registered("Labels")
    vote(study, "Ada", main0="same", main1="same", main2="different")
    vote(study, "Bob", main0="same", main1="different")
    pairs = labelled_pairs(PairAnswers(the_journal(), study))
    left = [pairs.texts[row] for row in pairs.left.tolist()]
    labels = dict(zip(left, pairs.labels.tolist(), strict=True))
    unknown = {f"main {at}": UNKNOWN for at in (1, 3, 4, 5)}
    assert labels == {"main 0": SAME, "main 2": DIFFERENT, **unknown}
    assert pairs.days[pairs.left].tolist() == [18_781] * 6  # the day that people saw


@pytest.mark.parametrize("order", Order)
def test_what_is_put_first_is_asked_in_that_order_then_the_rest_with_controls_between(order):
    study = registered(f"First {order}", order)
    vote(study, "Ada", main4="same")
    vote(study, "Bob", main4="same")
    before = [entry.kind for entry in the_journal().read(f"studies/{study.code}")]
    names = {item.left: item.id for item in study_material.pairs_task(study).pool(Purpose.MAIN)}
    ask_first(the_journal(), study, [names[f"main {at}"] for at in (4, 3, 5, 0)])
    added = [entry.kind for entry in the_journal().read(f"studies/{study.code}")][len(before) :]
    assert added == ["asked first"]
    assert not unread(the_journal())
    given = asked(study, "Cy")
    main = [name for name in given if name.startswith("main")]
    assert main[:3] == ["main 3", "main 5", "main 0"]  # 4 has its votes
    assert {*main[3:]} == {"main 1", "main 2"}
    assert given[2].startswith("control")


def test_without_it_the_studys_own_order_stays_and_it_can_be_taken_back():
    study, other = registered("Own order"), registered("Another study")
    own = [name for name in asked(study, "Ada") if name.startswith("main")]
    main = study_material.pairs_task(study).pool(Purpose.MAIN)
    ask_first(the_journal(), study, [item.id for item in main])
    assert other.asked_first == ()
    ask_first(the_journal(), study, ())
    assert study.asked_first == ()
    assert [name for name in asked(study, "Bob") if name.startswith("main")] == own
    assert studies.study_of(the_journal(), study.code).sha256 == study.sha256  # what was preregistered
