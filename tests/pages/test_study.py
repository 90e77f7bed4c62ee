import csv
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from core.data.pair_sets.kept import own_sets
from core.data.pair_sets.load import load_pair_set
from core.data.timelines.samples import load_sample
from core.headlines.opening import open_set
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.people import studies, study_material, study_results, voting
from core.people.grouping import grouping_task
from core.people.judges import Judges
from core.people.ratings import empty_ratings
from core.people.store import RatingStore
from core.people.study import GROUPS, Background, Purpose, Sees, StudyPair, Version, study_file
from core.runtime import MODE
from core.study_access.study_items import GivenComment, GivenItems, add_items, comment
from core.study_access.tokens import AccessRole, holder
from tests.pages.opening import opened, press, settled, words
from tests.unit.people.by_hand import groups_given

ISS = load_sample("iss")


def registered(**more):
    template = replace(studies.templates()[GROUPS], **more)
    study = studies.register(the_journal(), template)
    study_material.keep_material(the_journal(), study, ISS)
    return study


def test_nobody_takes_part_without_the_consent_whose_text_is_stored():
    consent = (Version("2026-05-04", "I may stop <b>at any time</b>."),)
    asked = Background("Age"), Background("Pet", ("cat", "dog")), Background("Job")
    study = registered(title="Consent", consent=consent, background=asked, retention=90)
    app = opened("study", study=study.code)
    assert "deleted 90 days after" in words(app)
    assert "I may stop" in words(app)  # before a name is given
    settled(app.text_input(key="evaluate-judge").set_value("Ada C"))
    app.text_input(key="study-about-0").set_value("44")
    press(app, "Begin")
    assert "You have not agreed" in app.error[0].value
    assert not studies.participants(the_journal(), study)
    app.checkbox(key="study-agree").check()
    press(app, "Begin")
    assert "“Pet” is not answered" in app.error[0].value
    assert not studies.participants(the_journal(), study)
    app.selectbox(key="study-about-1").set_value(studies.NOT_SAID)
    app.checkbox(key="study-about-2-not").check()
    press(app, "Begin")
    (entry,) = studies.participants(the_journal(), study).values()
    said = {"Age": "44", "Pet": studies.NOT_SAID, "Job": studies.NOT_SAID}
    assert (entry.body["text"], entry.body["background"]) == (consent[0].text, said)
    assert "**Training:** 12 headlines" in words(app)


def test_a_set_up_shows_the_first_page_and_stores_instructions_as_a_file_lists_them():
    before = studies.studies(the_journal())
    app = opened("judge", part="studies")
    rules = studies.templates()[GROUPS].rules
    lines = rules.splitlines()
    field = app.text_area(key=f"study-instructions-{GROUPS}")
    assert any(line.startswith("- ") for line in lines)
    assert not any(line.startswith("- ") for line in field.value.splitlines())
    settled(app.text_area(key="study-consent").set_value("I may stop at any time."))
    seen = words(app)
    assert "I may stop at any time" in seen
    assert "deletes them" in seen
    press(app, "Start the study")
    (study,) = (study for study in studies.studies(the_journal()) if study not in before)
    assert study.rules == rules


def test_who_is_below_the_gate_trains_again():
    study = registered(title="Gate", gate=1.0)
    app = opened("study", study=study.code)
    settled(app.text_input(key="evaluate-judge").set_value("Ada T"))
    assert not any("Skip" in button.label for button in app.button)
    for _ in range(12):
        press(app, "annotate-vague")
    assert "of 12 were right" in words(app)
    press(app, "annotate-again")
    assert "of 12 were right" not in words(app)
    assert any(button.label == "New group" for button in app.button)


def test_an_edited_file_says_what_changed_and_can_be_a_new_version():
    study = registered(title="First", material=(("data", "iss.v1"),), fingerprint=ISS.index.fingerprint)
    version = Version("2026-05-04", "Be narrow.")
    content = study_file(replace(study, instructions=(version,)))
    app = opened("studies")
    odd = "odd.toml", content.replace(b'asks = "groups"', b'asks = "nonsense"'), "text/plain"
    settled(app.file_uploader(key="study-toml").set_value(odd))
    assert "odd.toml asks for 'nonsense', which is not here" in words(app)
    settled(app.file_uploader(key="study-toml").set_value(("new.toml", content, "text/plain")))
    assert "It differs from “First” in instructions: it opens as a second study" in words(app)
    press(app, "New version of the same study")
    (now,) = [each for each in studies.studies(the_journal()) if each.title == "First"]
    assert (now.code, [each.text for each in now.instructions]) == (study.code, [study.rules, "Be narrow."])
    settled(app.text_area(key=f"study-new-{study.code}").set_value("Be narrower."))
    press(app, "Save as a new version")
    assert len(studies.study_of(the_journal(), study.code).instructions) == 3


def test_who_runs_a_study_adjudicates_what_divides_its_people():
    study = registered(title="Divided")
    task = grouping_task(ISS, study=study)
    groups_given(task, "Ada", ["one", "one"])
    groups_given(task, "Bob", ["", ""])
    app = opened("studies", study=study.code, run="yes")
    (lines,) = [each.value for each in app.dataframe if "Done" in each.value.columns]
    assert {line.split()[0] for line in lines["Done"]} == {"2"}
    settled(app.toggle(key="study-adjudicate").set_value(True))
    settled(app.text_input(key="evaluate-judge").set_value("Dora D"))
    assert "Ada" not in words(app)
    press(app, "No other headline reports this event")
    assert "1 decision of adjudicators, 1 of them blind" in words(app)
    (divided,) = study_results.answers_of(the_journal(), study).divided
    assert [entry.who for entry in divided.read().settled.values()] == ["Dora D"]


def test_who_runs_a_study_sees_agreement_by_version_of_the_instructions():
    study = registered(title="Versions")
    clearer = replace(study, instructions=(*study.instructions, Version("2026-05-04", "Be narrow.")))
    for at, version in enumerate((study, clearer)):
        for who in ("Ada", "Bob"):
            groups_given(grouping_task(ISS, study=version), who, ["one", ""] * 6, first=12 * at)
    app = opened("studies", study=study.code, run="yes")
    settled(app.toggle(key="agreement-over-time").set_value(True))
    assert app.dataframe[-1].value["Instructions"].tolist() == ["1", "2", "1", "2"]


@pytest.mark.parametrize("address", [{}, {"run": "yes"}])
@pytest.mark.usefixtures("workshop")
def test_in_a_workshop_studies_are_set_up_and_looked_into_with_the_key_alone(address):
    study = registered(title="Workshop")
    app = opened("studies", **address, **({"study": study.code} if address else {}))
    assert study.sha256 not in words(app)
    assert [field.label for field in app.text_input] == ["Start-up key"]


def test_the_results_of_a_study_of_best_and_worst_say_what_their_marks_mean():
    journal, (articles, outputs) = the_journal(), open_set("sample:articles")
    study = studies.register(journal, replace(studies.templates()["best_worst.v1"], title="Best"))
    study_material.keep_material(journal, study, ("sample", articles, list(outputs)))
    form, _, task, _ = study_material.judging_of(study, study_material.brought(journal, study))
    ratings = empty_ratings(form, task, ["Ada", "Bo"])
    for row in range(4):
        ratings.values[:, 0, row] = np.roll([1, -1, 0], row // 2)
    store = RatingStore(form=form, task=task, journal=journal, study=study)
    store.add(ratings)
    app = opened("studies", study=study.code, run="yes")
    strengths = [frame.value for frame in app.dataframe if "Strength" in frame.value.columns]
    assert len(strengths) == 1
    assert sum("†" in frame.value.to_string() for frame in app.dataframe) == 3
    notes = [line for caption in app.caption for line in caption.value.splitlines()]
    marks = [note for note in notes if note.startswith("†")]
    assert [mark.split()[3] for mark in marks] == ["articles", "items", "articles"]


@pytest.mark.slow
def test_blocks_of_a_form_go_to_as_many_people_each_and_no_answer_of_the_file_is_missed():
    journal, (articles, outputs) = the_journal(), open_set("sample:articles")
    template = replace(studies.templates()["scale.v1"], title="Blocks", block=1, votes=2)
    study = studies.register(journal, template)
    study_material.keep_material(journal, study, ("sample", articles, list(outputs)))
    people = [opened("study", study=study.code, participant=f"P{at}") for at in range(6)]
    for app in people:
        for _ in range(2):  # about two headlines of one article
            press(settled(app), str(next(each.label for each in app.button if each.label.startswith("3"))))
    rows = list(csv.DictReader(study_results.answers_csv(journal, study).splitlines()))
    assert len(rows) == 12
    judged = Counter({row["person"]: row["first"] for row in rows}.values())
    assert len(judged) == min(6, len(articles))
    assert max(judged.values()) - min(judged.values()) <= 1
    assert "answers given are in the file" not in words(opened("studies", study=study.code, run="yes"))
    # The third headline of the article is the last of the first person.
    press(people[0], str(next(each.label for each in people[0].button if each.label.startswith("3"))))
    studies.join(journal, study, f"Idle ({study.code})", {})
    manager = opened("studies", study=study.code, run="yes")
    (lines,) = [each.value for each in manager.dataframe if "Done" in each.value.columns]
    states = lines.set_index("Person")["State"].to_dict()
    named = {who: studies.pseudonym(journal, study, f"{who} ({study.code})") for who in ("P0", "P1", "Idle")}
    assert [states[named[who]] for who in named] == ["finished", "left in: work", "not begun"]
    (reminder,) = [each.value for each in manager.code if "have not finished" in each.value]
    assert reminder.split("\n\n")[0].splitlines() == ["Idle", *(f"P{at}" for at in range(1, 6))]


def pairs_study(most, known=("control",) * 6, **more):
    made = [StudyPair(Purpose(use), f"{use} {at}", "b", "same") for at, use in enumerate(known)]
    made += [StudyPair(Purpose.MAIN, f"main {at}", "b") for at in range(most)]
    study = replace(studies.templates()["same_event"], pairs=tuple(made), **more)
    return studies.register(the_journal(), study)


def voted(study, who, answers, count=99):
    """A person answers what comes next, by its use; "same" where nothing else is said."""
    task = study_material.pairs_task(study)
    for _ in range(count):
        own = voting.voter(task, task.answers.read(), who)
        item = voting.next_item(own, voting.voters(task, task.answers.read()).values())
        if item is None:
            break
        body = voting.vote(task, item, answers.get(item.use, "same"))
        task.answers.append([NewEntry(kind=voting.VOTED, who=who, body=body)])


@pytest.mark.parametrize("sees", [Sees.MODEL, Sees.NOTHING])
def test_a_suggestion_of_a_model_is_shown_only_where_the_study_allows_it_and_is_stored(sees):
    study = studies.templates()["same_event"]
    main = [StudyPair(Purpose.MAIN, f"{sees} {at}", "b", suggested="different") for at in range(2)]
    known = [StudyPair(use, "a", "b", "same") for use in (Purpose.TRAINING, Purpose.EXAM)]
    study = replace(study, pairs=(*known, *main), sees=sees, suggested_by="tiny", training=0, exam=0)
    study = studies.register(the_journal(), study)
    app = opened("study", study=study.code, workerId="W1")
    for _ in range(2):
        assert not any("suggested" in each.label for each in app.button)
        press(app, "Same event")
    shown = [each.label.partition(" :")[0] for each in app.button if "suggested" in each.label]
    assert shown == ["Different events"] * (sees is Sees.MODEL)
    press(app, "Same event")
    (entry,) = [each for each in studies.answered(the_journal(), study) if "row" in each.body]
    assert entry.body.get("suggested") == ("different" if sees is Sees.MODEL else None)


def test_controls_that_would_not_count_are_said_at_set_up_and_their_number_can_be_changed():
    app = opened("studies")
    settled(app.selectbox(key="study-asks").set_value("same_event"))
    assert "control pair" not in words(app)
    table = "headline_a,headline_b\n" + "".join(f"Storm {at},Rain {at}\n" for at in range(16))
    own = ("pairs.csv", table.encode(), "text/csv")
    settled(app.file_uploader(key="study-own-same_event").set_value(own))
    assert "16 pairs 3 control pairs" in words(app)
    settled(app.number_input(key="study-first_controls-same_event").set_value(3))
    assert "control pairs are asked" not in words(app)
    settled(app.number_input(key="study-control_after-same_event").set_value(16))
    assert "never applies" in words(app)
    settled(app.number_input(key="study-tries-same_event").set_value(1))
    press(app, "Start the study")
    (study,) = [each for each in studies.studies(the_journal()) if len(each.pairs) == 16]
    assert (study.first_controls, study.control_after, study.tries) == (3, 16, 1)


def test_who_finishes_with_no_control_right_does_not_count_and_is_shown_as_such():
    study = pairs_study(16, title="Lazy", votes=3)
    voted(study, "Lazy Two", {Purpose.CONTROL: "different"})
    voted(study, "Ada L", {})
    app = opened("studies", study=study.code, run="yes")
    (table,) = [frame.value for frame in app.dataframe if "Counts" in frame.value.columns]
    shown = table.set_index("Control pairs right")["Counts"].to_dict()
    assert shown == {"0 of 3": "no: stopped", "3 of 3": "yes"}
    assert "Lazy" not in table.to_string()
    rows = csv.DictReader(study_results.answers_csv(the_journal(), study, names=True).splitlines())
    assert {(row["person"], row["counts"]) for row in rows} == {("Lazy Two", "no"), ("Ada L", "yes")}


def test_a_full_study_is_said_at_the_door_and_to_those_who_have_not_begun_the_work():
    consent = (Version("2026-05-04", "I agree to write to ana@uni.example."),)
    study = pairs_study(2, ("training", "exam"), title="Full", votes=1, consent=consent)
    consenting = opened("study", study=study.code)
    settled(consenting.text_input(key="evaluate-judge").set_value("Cy F"))
    consenting.checkbox(key="study-agree").check()
    press(consenting, "Begin")
    assert "**Training:**" in words(consenting)
    voted(study, f"Ada F ({study.code})", {})
    press(consenting, "Same event")
    assert "nothing is left to ask" in words(consenting).casefold()
    assert not any(button.label == "Same event" for button in consenting.button)
    late = opened("study", study=study.code)
    assert "nothing is left to ask" in words(late).casefold()
    assert not any(said in words(late) for said in ("I agree", "Your name"))
    token = Judges(journal=the_journal()).take(f"Ada F ({study.code})")
    done = opened("studies", study=study.code, token=token)
    assert "I agree" in words(done)  # of who voted the answers stay reachable


def test_the_right_number_of_an_exam_is_told_after_the_last_try_alone():
    study = pairs_study(3, ("exam",) * 4, title="Exam", tries=2)
    eve = f"Eve E ({study.code})"
    voted(study, eve, {Purpose.EXAM: "different"}, 4)
    token = Judges(journal=the_journal()).take(eve)
    app = opened("studies", study=study.code, token=token)
    assert "0 of 4" not in words(app)
    assert "Tries of the exam left: 1" in words(app)
    press(app, "vote-again")
    voted(study, eve, {Purpose.EXAM: "different"}, 4)
    settled(app)
    assert "0 of 4 answers were right" in words(app)
    assert not any(button.label == "Take them again" for button in app.button)


def test_controls_that_would_not_count_are_said_of_a_study_from_a_file_too():
    few = pairs_study(12, ("control",) * 2, title="Few", first_controls=4)
    assert "12 pairs 2 control pairs" in words(opened("studies", study=few.code, run="yes"))
    enough = pairs_study(30, title="Enough", first_controls=4)
    assert "control pairs are asked" not in words(opened("studies", study=enough.code, run="yes"))
    app = opened("studies")
    text = study_file(replace(few, title="Other", code="")).decode()
    settled(app.file_uploader(key="study-toml").set_value(("other.toml", text.encode(), "text/plain")))
    assert "12 pairs 2 control pairs" in words(app)


def test_labels_are_offered_once_there_are_some_and_answers_that_the_file_lacks_are_said():
    study = pairs_study(3, ("exam",) * 4, title="Labels", tries=2)
    offered = {one.label for one in opened("studies", study=study.code, run="yes").get("download_button")}
    assert "Answers (CSV)" in offered
    assert "Labels (CSV)" not in offered
    voted(study, "Eve E", {Purpose.EXAM: "different"}, 4)
    task = study_material.pairs_task(study)
    task.answers.append([NewEntry(kind=voting.AGAIN, who="Eve E", body={})])
    voted(study, "Eve E", {})
    app = opened("studies", study=study.code, run="yes")
    assert "Labels (CSV)" in {one.label for one in app.get("download_button")}
    rows = len(study_results.answers_csv(the_journal(), study).splitlines()) - 1
    assert f"{rows} of {rows + 4} answers given" in words(app)
    again = pairs_study(3, ("exam",) * 4, title="Once", tries=2)
    voted(again, "Eve E", {})
    assert "of 7 answers given" not in words(opened("studies", study=again.code, run="yes"))


def test_tokens_are_made_shown_once_and_revoked_on_the_page_of_a_study():
    study = registered(title="Programs")
    app = opened("studies", study=study.code, run="yes")
    app.text_input(key="study-token-name").set_value("Robot")
    app.selectbox(key="study-token-role").set_value(AccessRole.ANNOTATOR)
    press(app, "Make a token")
    (token,) = [each.value for each in app.code if holder(the_journal(), each.value)]
    known = holder(the_journal(), token)
    assert (known.role, known.study, known.who) == (AccessRole.ANNOTATOR, study.code, f"Robot ({study.code})")
    settled(app)
    assert not any(each.value == token for each in app.code)
    assert any("annotator" in each.value and "Robot" in each.value for each in app.markdown)
    press(app, f"study-revoke-{known.id}")
    assert holder(the_journal(), token) is None


def test_visitors_make_no_token(monkeypatch):
    study = registered(title="Locked")
    monkeypatch.setenv(MODE, "workshop")
    app = opened("studies", study=study.code, run="yes")
    assert not [button for button in app.button if "token" in str(button.key)]


def test_a_comment_is_on_the_page_and_new_instructions_keep_what_a_program_added_meanwhile():
    pairs = tuple(StudyPair(Purpose.MAIN, f"Dam {at}", "Other") for at in range(3))
    asked = {"asks": "same_event", "title": "Comments", "pairs": pairs}
    study = studies.register(the_journal(), replace(studies.templates()["same_event"], **asked))
    app = opened("studies", study=study.code, run="yes")
    given = GivenItems([{"left": "Dam breaks", "right": "Flood"}])
    (added,) = add_items(the_journal(), study, given).taken
    app.text_area(key=f"study-new-{study.code}").set_value("Be narrow.")
    settled(app)
    press(app, "study-revise")
    now = studies.study_of(the_journal(), study.code)
    assert (now.rules, len(now.pairs)) == ("Be narrow.", 4)
    text = "<b>Two</b> events"
    comment(the_journal(), now, "Ada", GivenComment(item=added.id, text=text, flag=True))
    (table,) = [each.value for each in settled(app).dataframe if "comment" in each.value]
    assert [*table.iloc[0][["headline", "comment", "flag"]]] == ["Dam breaks | Flood", text, "yes"]
    assert "Ada" not in table.to_string()


@pytest.mark.slow
def test_a_study_learns_from_its_answers_and_what_the_model_is_least_sure_of_is_asked_first():
    fire = [(f"Fire destroys mill in Tarn {at}", f"Mill in Tarn {at} burns down") for at in range(35)]
    other = [(f"Fire destroys mill in Orn {at}", f"School opens in Orn {at}") for at in range(35)]
    main = [StudyPair(Purpose.MAIN, *sides) for sides in fire + other]
    control = StudyPair(Purpose.CONTROL, "a", "b", "same")
    template = replace(studies.templates()["same_event"], title="Learned", pairs=(control, *main), votes=3)
    study = studies.register(the_journal(), replace(template, training=0, exam=0))
    task = study_material.pairs_task(study)

    def vote(items):
        for item in items:
            body = voting.vote(task, item, "same" if "Tarn" in item.left else "different")
            task.answers.append([NewEntry(kind=voting.VOTED, who="Ada", body=body)])

    pool = task.pool(Purpose.MAIN)
    vote(pool[:10])
    app = opened("studies", study=study.code, run="yes")
    assert "10 pairs are labelled same and 0 different" in words(app)
    assert not any(one.key == "study-learn" for one in app.button)
    vote(pool[10:-5])
    app = settled(app)
    press(app, "study-learn")
    assert "held-out answers" in words(app)
    press(app, "study-ask-first")
    asked = study.asked_first
    assert {*asked} == {item.id for item in pool}
    assert "the most doubtful first" in words(app)
    press(app, "study-own-order")
    assert study.asked_first == ()
    press(app, "study-train")
    (name,) = [name for name in own_sets() if name.startswith(f"study_{study.code}")]
    assert app.multiselect(key="train-form-pair-data").value == [name]
    learned = load_pair_set(name)
    assert (learned.labels == 1).sum() == 35
