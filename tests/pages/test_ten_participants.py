"""A study on its pages from set-up to labels: ten people, some of whom press one key, leave or move."""

import csv
import io

import pytest

from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.people import studies, study_material, voting
from core.people.study_results import answers_of, labels_csv
from tests.pages.opening import opened, press, settled, words

SAME = [(f"Storm hits Tarn {at}", f"Tarn {at} is hit by a storm") for at in range(4)]
OTHER = [(f"Bank raises rate in Orn {at}", f"Fire destroys mill in Orn {at}") for at in range(4)]
IN_DOUBT = SAME[0]
KNOWN = (("training", 1), ("exam", 1), ("exam", 1), ("control", 0), ("control", 0))
HONEST = [f"H{at}" for at in range(6)]
PLACES = 10  # so many take part


def table(head, rows):
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]).encode()


def set_up():
    """The study's code and the page of who runs it."""
    app = opened("studies")
    settled(app.selectbox(key="study-asks").set_value("same_event"))
    pairs = table("headline_a,headline_b", SAME + OTHER)
    settled(app.file_uploader(key="study-own-same_event").set_value(("pairs.csv", pairs, "text/csv")))
    known = [(f"Known {at}", f"Also known {at}", label, use) for at, (use, label) in enumerate(KNOWN)]
    right = "right.csv", table("headline_a,headline_b,label,use", known), "text/csv"
    settled(app.file_uploader(key="study-known-pairs").set_value(right))
    for name, value in {"votes": PLACES, "control_after": 3, "first_controls": 1, "people": PLACES}.items():
        settled(app.number_input(key=f"study-{name}-same_event").set_value(value))
    settled(app.text_area(key="study-consent").set_value("I may stop at any time."))
    settled(app.text_input(key="study-title-same_event").set_value("Ten people"))
    press(app, "Start the study")
    (study,) = [each for each in studies.studies(the_journal()) if each.title == "Ten people"]
    return study, opened("studies", study=study.code, run="yes")


class Person:
    """Somebody at a browser, or by the calls of one, who answers what is right, but of the pair in doubt."""

    def __init__(self, study, name, *, doubt="Same event", always="", browser=True):
        self.study, self.name, self.doubt, self.always = study, f"{name} ({study.code})", doubt, always
        self.app = None
        if not browser:
            studies.join(the_journal(), study, self.name, {})
            return
        self.app = opened("study", study=study.code, PROLIFIC_PID=name)
        self.app.checkbox(key="study-agree").check()
        press(self.app, "Begin")

    def asked(self):
        task = study_material.pairs_task(self.study)
        entries = task.answers.read()
        return voting.next_item(voting.voter(task, entries, self.name), voting.voters(task, entries).values())

    def answers(self, count=99):
        while count and (item := self.asked()) is not None:
            right = "Same event" if item.answer == "same" or (item.left, item.right) in SAME else "Different"
            right = self.doubt if (item.left, item.right) == IN_DOUBT else right
            self.gives(item, self.always or right)
            count -= 1
        return self

    def gives(self, item, label):
        if self.app is not None:
            assert item.left in words(self.app)
            press(self.app, label)
            return
        task = study_material.pairs_task(self.study)
        body = voting.vote(task, item, "same" if label == "Same event" else "different")
        task.answers.append([NewEntry(kind=voting.VOTED, who=self.name, body=body)])

    def moves(self):
        """Goes on at another device by the personal link."""
        token = self.app.session_state["state_EvaluateView"]["token"]
        self.app = opened("study", study=self.study.code, token=token)
        return self


@pytest.mark.slow
def test_ten_people_from_set_up_to_labels():
    study, manager = set_up()
    back = Person(study, "Back").answers(6)
    Person(study, "Quit").answers(5)
    for at, name in enumerate(HONEST):
        Person(study, name, doubt="Same event" if at % 2 else "Different", browser=at == 0).answers()
    Person(study, "Devices", doubt="Different").answers(7).moves().answers()
    Person(study, "Spam", always="Same event").answers()
    back.moves().answers()
    assert "is full" in words(opened("study", study=study.code, PROLIFIC_PID="Eleventh"))

    settled(manager)
    code = {
        name: studies.pseudonym(the_journal(), study, f"{name} ({study.code})")
        for name in (*HONEST, "Back", "Quit", "Devices", "Spam")
    }
    (frame,) = [each.value for each in manager.dataframe if "As others" in each.value.columns]
    lines = frame.set_index("Person").to_dict("index")
    assert set(lines) == set(code.values())
    assert {name for name in code if lines[code[name]]["State"] == "finished"} == {*HONEST, "Back", "Devices"}
    assert lines[code["Quit"]]["State"] == "left in: work"
    assert lines[code["Spam"]]["Counts"] == "no: stopped"
    assert [lines[code[name]]["Votes"] for name in ("Devices", "Back", "Quit")] == ["8", "8", "2"]
    assert {line["Counts"] for name, line in lines.items() if name != code["Spam"]} == {"yes"}
    (reminder,) = [each.value for each in manager.code if "have not finished" in each.value]
    assert reminder.splitlines()[0] == "Quit"
    settled(manager.selectbox(key="study-excluded-person").set_value(code["Quit"]))
    settled(manager.text_input(key="study-excluded-reason").set_value("Left after two pairs"))
    press(manager, "study-exclude")
    assert not any("have not finished" in each.value for each in manager.code)

    settled(manager.toggle(key="study-adjudicate").set_value(True))
    settled(manager.text_input(key="evaluate-judge").set_value("Dora"))
    assert IN_DOUBT[0] in words(manager)
    press(manager, "Same event")
    rows = list(csv.DictReader(io.StringIO(labels_csv(answers_of(the_journal(), study)))))
    gold = {row["item"]: row["decided"] or row["answer"] for row in rows}
    assert gold == {
        " | ".join(pair): word for pairs, word in ((SAME, "same"), (OTHER, "different")) for pair in pairs
    }
    assert [row["item"] for row in rows if row["decided"]] == [" | ".join(IN_DOUBT)]
