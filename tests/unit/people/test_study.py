import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.data.timelines.load import load_text
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.journal.backup import backup_folder, packed, read_backup, taken
from core.journal.entries import NewEntry
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.journal import the_journal
from core.journal.spellings import ErasureTarget
from core.people import grouping, known_pairs, questions, studies, study_material, study_results, voting
from core.people.adjudication import ALONE, BLIND, DECIDED
from core.people.store import JudgeAnswer
from core.people.study import (
    USUAL,
    Background,
    Order,
    Purpose,
    Sees,
    Study,
    StudyPair,
    Version,
    read_study,
    study_file,
)
from core.text.normalise import clean_block, clean_line
from tests.unit.people.by_hand import groups_given, rows_of

LINES = st.text(max_size=30).map(clean_line)
BLOCKS = st.text(max_size=60).map(clean_block)


def few(made):
    return st.lists(made, max_size=2).map(tuple)


VERSIONS = few(st.builds(Version, st.dates().map(str), BLOCKS))
USES, RIGHT = st.sampled_from(["training", "main"]), st.sampled_from(["same", ""])
ANY_STUDY = st.builds(
    Study,
    title=LINES.filter(bool),
    asks=st.sampled_from(["groups", "same_event", "numhg.v1"]),
    order=st.sampled_from(Order),
    sees=st.sampled_from(Sees),
    votes=st.integers(1, 9),
    gate=st.floats(0, 1),
    tries=st.integers(1, 5),
    retention=st.integers(0, 400),
    thanks=BLOCKS,
    material=st.sampled_from([(), (("data", "iss.v1"),), (("data", ""), ("pairs", "iss.v1"))]),
    instructions=VERSIONS,
    consent=VERSIONS,
    background=few(st.builds(Background, LINES, few(LINES))),
    pairs=few(st.builds(StudyPair, USES, LINES, LINES, RIGHT, st.tuples(LINES, LINES))),
)


@pytest.mark.slow
@given(ANY_STUDY)
def test_a_study_is_read_as_it_was_written_and_has_one_hash(study):
    again = read_study(study_file(study), "study.toml")
    assert again == study
    assert again.sha256 == study.sha256
    commented = b"# mine\n" + study_file(study).replace(b"\n", b"\r\n")
    assert read_study(commented, "study.toml").sha256 == study.sha256


def test_another_rule_is_another_hash_and_the_code_is_no_part_of_it():
    study = Study(title="Ours")
    assert replace(study, votes=3).sha256 != study.sha256 == replace(study, code="12345678").sha256


def test_a_file_from_before_tries_keeps_its_hash():
    old = study_file(Study(title="Ours"))
    assert b"tries" not in old
    assert read_study(old, "old.toml").tries == 3
    assert read_study(study_file(Study(title="Ours", tries=1)), "new.toml").tries == 1


PAIR = '[[pairs]]\nuse = "exam"\nleft = "a"\nright = "b"\nanswer = "maybe"'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("votes = 0", "Votes of study.toml is '0'.*Give a whole number from 1 to 1,000."),
        ('votes = "3"', "Votes of study.toml is '3'"),
        ("gate = 2.0", "Give a number from 0 to 1."),
        ('code = "12345678"', "no study knows"),
        ('order = "by chance"', "Order of study.toml.*Give one of: time, drawn, routed."),
        ("thanks = 4", 'Give a text of at most 20,000 characters: "…".'),
        (PAIR, "Answer of entry 1"),
        ('[material]\npairs = "/etc/passwd"', "Pairs of material"),
        ('consent = "Yes"', "Consent of study.toml is no list"),
        ('consent = ["Yes"]', "Entry 1 of consent of study.toml is no entry"),
        ('fingerprint = ["Yes"]', "Fingerprint of study.toml is"),
        ('[[consent]]\ntext = "Yes"', "has no day"),
        ('[[consent]]\nday = "2026-13-01"\ntext = ""', "Day of entry 1 of consent.*Give a day such as 2026"),
        ('[[background]]\nasks = "Age"\nwhy = "?"', "has an entry 'why'"),
        ("instructions = ", "is no TOML"),
    ],
)
def test_a_file_that_is_no_study_is_refused_with_its_place_and_what_may_stand_there(line, said):
    with pytest.raises(InputError, match=said):
        read_study(f'title = "a"\n{line}'.encode(), "study.toml")


@pytest.mark.parametrize(
    ("title", "said"), [("", "has no title"), (f'title = "{"a" * 501}"', "Title of study")]
)
def test_a_study_has_a_title_of_one_line(title, said):
    with pytest.raises(InputError, match=said):
        read_study(title.encode(), "study.toml")


@pytest.fixture
def journal(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    return the_journal()


ASKED = Study(
    title="Ours",
    asks="same_event",
    consent=(Version("2026-05-04", "I agree."),),
    background=(Background("Age", ("under 30", "older")),),
    instructions=(Version("2026-05-04", "Be narrow."),),
)


def vote(study, who="Ada", when=None, answer="same"):
    index = voting.VotingTask("t", questions.SAME_EVENT, (StudyPair(Purpose.MAIN, "a", "b"),), study)
    votes_given(index, who, [answer], **({"when": when} if when else {}))
    return index


def votes_given(task, who, answers, **about):
    for item, answer in zip(task.items, answers, strict=False):
        body = voting.vote(task, item, answer)
        task.answers.append([NewEntry(kind=voting.VOTED, who=who, body=body, **about)])


def test_a_study_is_registered_once_and_its_hash_says_whether_that_was_before_the_first_answer(journal):
    study = studies.register(journal, ASKED)
    assert studies.register(journal, read_study(study_file(study), "again.toml")) == study
    assert studies.studies(journal) == [study]
    assert "before any answer" in studies.registration(study, studies.state_of(journal, study))
    vote(study)
    assert ", before the first answer" in studies.registration(study, studies.state_of(journal, study))
    clearer = replace(study, instructions=(*study.instructions, Version("2026-05-05", "Be narrower.")))
    studies.register(journal, clearer)
    assert studies.study_of(journal, study.code) == clearer
    said = studies.registration(clearer, studies.state_of(journal, clearer))
    assert "changed after the first answer" in said
    vote(clearer, "Bob")
    versions = {entry.who: entry.body["instructions"] for entry in studies.answered(journal, clearer)}
    assert versions == {"Ada": 1, "Bob": 2}


def test_studies_of_the_same_headlines_do_not_mix(journal):
    first, second = (studies.register(journal, replace(ASKED, title=title)) for title in ("One", "Two"))
    task = vote(first)
    assert voting.voter(task, task.answers.read(), "Ada").votes
    for study in (second, USUAL):
        other = replace(task, study=study)
        assert not voting.voter(other, other.answers.read(), "Ada").votes


def test_consent_is_stored_with_its_text_and_asked_for_again_where_it_changed(journal):
    study = studies.register(journal, ASKED)
    assert not studies.has_joined(journal, study, "Ada")
    studies.join(journal, study, "Ada", {"Age": "older", "Else": "?"})
    assert studies.has_joined(journal, study, " ADA ")
    (entry,) = studies.participants(journal, study).values()
    assert entry.body == {"consent": 1, "text": "I agree.", "background": {"Age": "older"}}
    more = (*study.consent, Version("2026-06-01", "More."))
    other = studies.register(journal, replace(study, consent=more))
    assert not studies.has_joined(journal, other, "Ada")


def test_pseudonyms_are_stable_in_a_study_and_differ_between_studies(journal):
    first, second = (studies.register(journal, replace(ASKED, title=title)) for title in ("One", "Two"))
    ada = studies.pseudonym(journal, first, "Ada")
    assert ada == studies.pseudonym(journal, first, "ada ")
    assert ada != studies.pseudonym(journal, second, "Ada")
    assert ada not in study_file(first).decode()


def test_what_is_older_than_the_retention_is_gone_for_good_and_from_backups(journal, tmp_path):
    study = studies.register(journal, replace(ASKED, retention=30))
    other = studies.register(journal, replace(ASKED, title="For good"))
    old = datetime.now(UTC) - timedelta(days=31)
    for each in (study, other):
        vote(each, "Zuleika", old)
    vote(study, "Bob")
    journal.append("judges", [NewEntry(kind="taken", who=who) for who in ("Zuleika", "Bob")])
    backup = backup_folder() / "before.jsonl.gz"
    backup.parent.mkdir(parents=True)
    backup.write_bytes(packed(taken(journal)))
    assert studies.delete_expired(journal) == 1
    assert [entry.who for entry in studies.answered(journal, study)] == ["Bob"]
    assert [entry.who for entry in studies.answered(journal, other)] == ["Zuleika"]
    assert {row["who"] for row in read_backup(backup).entries if study.code in row["stream"]} == {"", "Bob"}
    assert studies.delete_expired(journal, datetime.now(UTC) + timedelta(days=31)) == 1
    assert [entry.who for entry in journal.read("judges")] == ["Zuleika"]
    assert studies.study_of(journal, study.code) == study
    assert b"Bob" not in (tmp_path / "journal.sqlite").read_bytes()


def test_training_below_the_gate_begins_again(journal):
    pairs = tuple(StudyPair("training", f"{at}", "b", "same") for at in range(4))
    study = studies.register(journal, replace(ASKED, pairs=pairs, gate=0.75))
    main = StudyPair(Purpose.MAIN, "x", "y")
    task = voting.VotingTask("t", questions.SAME_EVENT, (*known_pairs.known_items((), study), main), study)

    def stage():
        return voting.voter(task, task.answers.read(), "Ada").stage

    votes_given(task, "Ada", ["same", "same", "different", "different"])
    assert stage() == voting.Standing.UNTRAINED
    task.answers.append([NewEntry(kind=voting.AGAIN, who="Ada")])
    assert stage() == voting.Standing.TRAINING
    votes_given(task, "Ada", ["same", "same", "same", "different"])
    assert stage() == voting.Standing.WORK


def test_answers_are_exported_under_codes_with_consent_background_and_version(journal):
    pairs = tuple(StudyPair("main", f"{at}", "b", days=("1 May",)) for at in range(2))
    study = studies.register(journal, replace(ASKED, pairs=pairs))
    task = study_material.pairs_task(study)
    studies.join(journal, study, "Ada", {"Age": "older"})
    for item in task.pool(Purpose.MAIN):
        task.answers.append([NewEntry(kind=voting.VOTED, who="Ada", body=voting.vote(task, item, "same"))])
    rows = rows_of(study_results.answers_csv(journal, study))
    assert [row["first"] for row in rows] == ["0", "1"]
    code = studies.pseudonym(journal, study, "Ada")
    known = {"study": study.sha256, "person": code, "consent": "1", "instructions": "1", "Age": "older"}
    assert all(row.items() >= known.items() for row in rows)
    assert "Ada" in study_results.answers_csv(journal, study, names=True)
    for who, age in (("Bob", "older"), ("Cem", "under 30")):
        studies.join(journal, study, who, {"Age": age})
    balance = study_results.result_tables(journal, study)[-1]
    assert [(row[1], row[2]) for row in balance.rows] == [("older", 2), ("under 30", 1)]


STORM = load_text("headline,date\nStorm nears,2024-05-01\nStorm is near,2024-05-01\nBank pays,2024-05-02\n")


def grouped(journal, study, people, timeline=STORM, **about):
    """The headlines of a storm and of a bank, grouped by people."""
    study_material.keep_material(journal, study, timeline)
    task = grouping.grouping_task(timeline, study=study)
    for who, groups in people.items():
        groups_given(task, who, groups, **about)
    return task


def test_the_table_of_groups_repeats_the_hash_and_names_nobody(journal):
    study = studies.register(journal, Study(title="Groups"))
    grouped(journal, study, {})
    assert study_results.result_tables(journal, study) == []
    grouped(journal, study, {"Ada": ("storm", "storm", ""), "Bob": ("storm", "storm", "")})
    size, people = study_results.result_tables(journal, study)
    assert size.rows[0][1] == 3
    assert all(study.sha256 in table.notes[-1] for table in (size, people))
    assert {str(row[0]) for row in people.rows}.isdisjoint({"Ada", "Bob", "annotator_Ada"})
    with pytest.raises(InputError, match="not those of this study"):
        study_material.fingerprint_of(replace(study, fingerprint="0" * 16), STORM)


def test_all_that_is_stored_of_a_person_is_what_forgetting_them_removes(journal):
    study = studies.register(journal, ASKED)
    studies.join(journal, study, "Ada", {"Age": "older"})
    vote(study, "Ada")
    vote(study, "Bob")
    journal.append("rooms/abcd", [NewEntry(kind="joined", who="x1", body={"nickname": "Ada"})])
    for rooms, kinds in ((True, {"joined", "voted"}), (False, {"joined", "voted"})):
        kept = json.loads(study_results.of_person(journal, "ada", rooms=rooms))
        assert {entry["kind"] for entry in kept} == kinds
        assert ("x1" in {entry["who"] for entry in kept}) == rooms
    everything = len(json.loads(study_results.of_person(journal, "ada")))
    assert forget(journal, secret_of(ErasureTarget.PERSON, "Ada"), {})["removed"] == everything


def test_a_persons_time_runs_from_the_first_consent_and_stands_still_while_the_study_is_paused(journal):
    study = studies.register(journal, Study(title="Timed", minutes=10))
    begun = datetime.now(UTC) - timedelta(minutes=8)

    def at(stream, kind, minutes, who=""):
        entry = NewEntry(kind=kind, who=who, body={}, when=begun + timedelta(minutes=minutes))
        journal.append(stream, [entry])

    def left(minutes, who="Ada"):
        return studies.seconds_left(journal, study, who, begun + timedelta(minutes=minutes))

    assert left(0) is None, "nobody's time runs before they begin"
    door, people = f"studies/{study.code}", study.stream(studies.PEOPLE)
    at(people, studies.JOINED, 0, "Ada")
    at(people, studies.JOINED, 2, "Ada")  # a new consent gives no new time
    assert (left(0), left(4), left(11)) == (600, 360, 0)
    at(door, studies.PAUSED, 5)
    at(people, studies.JOINED, 6, "Bob")
    assert (left(7), left(60), left(60, "Bob")) == (300, 300, 600)
    at(door, studies.OPENED, 8)
    assert (left(8), left(9), left(9, "BOB"), left(14)) == (300, 240, 540, 0)
    studies.require_open(journal, study, "Bob")
    at(people, studies.JOINED, -60, "Cem")
    with pytest.raises(InputError, match="time is over"):
        studies.require_open(journal, study, "Cem")
    assert studies.seconds_left(journal, replace(study, minutes=0), "Cem") is None


def test_each_person_gets_an_order_of_their_own_that_stays(journal):
    study = studies.register(journal, Study(title="Drawn", order=Order.DRAWN))
    timeline = load_sample("iss")
    people = "Ada", "ada ", "Bob"
    orders = {who: grouping.grouping_task(timeline, study=study, who=who).order for who in people}
    assert orders["Ada"] == orders["ada "] != orders["Bob"]
    assert sorted(orders["Bob"]) == list(range(len(timeline)))


def test_a_merge_is_in_the_tables_and_the_file_and_goes_with_the_answers(journal):
    study = studies.register(journal, Study(title="Groups", retention=30))
    old = datetime.now(UTC) - timedelta(days=31)
    task = grouped(journal, study, {"Ada": ("", ""), "Bob": ("", "")}, when=old)
    ada = grouping.person_groups(task, task.answers.read(), "Ada")
    task.answers.append([replace(entry, when=old) for entry in grouping.merge(ada, ada.groups)])

    assert studies.state_of(journal, study).answers == 4  # headlines that were placed: a merge is none
    rows = rows_of(study_results.answers_csv(journal, study, names=True))
    assert [row["person"] + row["answer"] for row in rows] == ["Ada1", "Ada1", "Bob1", "Bob2"]
    kept = json.loads(study_results.of_person(journal, "Ada"))
    assert {entry["kind"] for entry in kept} == {grouping.PLACED, grouping.MERGED}
    assert studies.delete_expired(journal) == 5
    assert task.answers.read() == ()


def test_where_a_study_routes_the_pair_in_doubt_comes_first_and_settled_ones_no_more():
    pairs = tuple(StudyPair(Purpose.MAIN, f"{at}", "b") for at in range(8))
    study = Study(title="Routed", order=Order.ROUTED, votes=9)
    task = voting.VotingTask("t", questions.SAME_EVENT, pairs, study)

    def person(who, answers):
        votes = {item.id: voting.Vote("", answer, None) for item, answer in zip(pairs, answers, strict=False)}
        return voting.Voter(who, task, votes)

    agreed = ["same", "different"] * 3
    others = [person(who, [*agreed, "same"]) for who in ("Ada", "Bob")]
    others += [person(who, [*agreed, "different"]) for who in ("Cem", "Dora")]
    own, asked = person("Eve", ()), []
    while (item := voting.next_item(own, [*others, own])) is not None:
        asked.append(pairs.index(item))
        own = replace(own, votes={**own.votes, item.id: voting.Vote("", "same", None)})
    assert set(asked) == {6, 7}  # two against two, and one that nobody answered


def decided(journal, divided, body):
    entry = NewEntry(kind=DECIDED, who="Dora", body={"row": 0, "shown": BLIND, **body})
    divided.answers.append([entry])


def test_what_divides_people_of_a_study_is_adjudicated_and_its_results_say_so(journal):
    study = studies.register(journal, Study(title="Groups"))
    grouped(journal, study, {"Ada": ("s", "s", "b"), "Bob": ("s", "t", "b"), "Cem": ("s", "s", "b")})
    answers = study_results.answers_of(journal, study)
    (divided,) = answers.divided
    assert divided.order == [0, 1]
    assert divided.answers.stream.startswith(f"studies/{study.code}/adjudication/")
    decided(journal, divided, {"with": ALONE})
    notes = " ".join(study_results.result_tables(journal, study)[0].notes)
    assert "1 decision of adjudicators, 1 of them blind" in notes
    rows = rows_of(study_results.labels_csv(answers))
    assert [row["adjudicated"] for row in rows] == [BLIND, "", ""]
    assert rows[0]["global_group"] != rows[1]["global_group"]
    assert "Ada" not in study_results.labels_csv(answers)
    assert studies.state_of(journal, study).answers == 9  # a decision is no answer


def test_pairs_that_divide_people_are_adjudicated(journal):
    pairs = tuple(StudyPair(Purpose.MAIN, f"{at}", "b") for at in range(2))
    known = StudyPair(Purpose.TRAINING, "known", "b", "same")
    study = studies.register(journal, replace(ASKED, pairs=(*pairs, known)))
    task = study_material.pairs_task(study)
    for who, answer in (("Ada", "same"), ("Bob", "different")):
        votes_given(task, who, ["same" if item.answer else answer for item in task.items])
    answers = study_results.answers_of(journal, study)
    (divided,) = answers.divided
    assert divided.shares.tolist() == [1, 1]
    decided(journal, divided, {"answer": "different"})
    first, second = rows_of(study_results.labels_csv(answers))
    assert (first["decided"], first["adjudicated"], second["decided"]) == ("different", BLIND, "")


def test_levels_of_a_form_that_divide_people_are_adjudicated(journal):
    study = studies.register(journal, Study(title="Rated", asks="numhg.v1"))
    articles = articles_of("a", ["The bank raised rates to 3 percent."], ids=["1"])
    outputs = [Outputs(system=name, headlines=("3 percent",), source=name) for name in ("North", "South")]
    study_material.keep_material(journal, study, ("a", articles, outputs))
    store = study_results.answers_of(journal, study).store
    question = store.form.questions[0].key
    for who, value in (("Ada", 2), ("Bob", 0)):
        for system in store.task.systems:
            store.record(who, JudgeAnswer(article="1", question=question, system=system, value=value))
    answers = study_results.answers_of(journal, study)
    assert [text[:8] for text in answers.texts] == ["The bank", "The bank"]
    divided = answers.divided[0]
    assert (divided.order, divided.values) == ([0, 1], ["0", "1", "2"])
    decided(journal, divided, {"answer": "2"})
    assert sorted(row["decided"] for row in rows_of(study_results.labels_csv(answers))) == ["", "2"]


def test_a_study_that_judges_groups_has_training_of_its_own(journal):
    table = b"headline,gold_group,why\nGoal in Rome,goal,First\nRome scores,goal,Same\n"
    headlines = study_material.rows_of_file(table, "right.csv", Study(), known=True)
    study = studies.register(journal, Study(title="Groups", headlines=headlines, gate=1.0))
    lesson = grouping.training(study)
    assert lesson.timeline.texts == ["Goal in Rome", "Rome scores"]
    assert lesson.reasons == ("First", "Same")

    def right(*more):
        """How many are right once these entries came: kind and body."""
        lesson.task.answers.append([NewEntry(kind=kind, who="Ada", body=body) for kind, body in more])
        return grouping.right_answers(lesson, lesson.task.answers.read(), "Ada")

    groups_given(lesson.task, "Ada", ["", ""])
    first, second = lesson.task.answers.read()
    assert right() == 1
    # What was read after an answer is known: taking it back, or a merge, makes no first answer right.
    better = grouping.place(1, group=first.id, shown={})
    assert right((grouping.UNDONE, {"of": second.id}), (grouping.PLACED, better)) == 1
    assert right((grouping.AGAIN, {}), (grouping.PLACED, grouping.place(0, shown={}))) == 1
    last = lesson.task.answers.read()[-1]
    assert right((grouping.PLACED, grouping.place(1, group=last.id, shown={}))) == 2
    assert len(grouping.training().timeline) == 12
    with pytest.raises(InputError, match="lacks the right groups"):
        study_material.rows_of_file(b"headline\nA b c\nD e f\n", "none.csv", Study(), known=True)


def test_a_table_of_right_answers_may_have_the_names_of_the_study_file():
    asks = Study(asks="same_event")

    def read(table):
        return study_material.rows_of_file(table.encode(), "control.csv", asks, known=True)

    pairs = [("training", "Dog bites man", "Man bitten", "same"), ("exam", "Sun shines", "Rain", "different")]
    pairs += [("control", "Dam cracks", "Cracks in dam", "same")]
    table = "\n".join(map(",".join, [("use", "left", "right", "answer"), *pairs]))
    assert [(pair.use, pair.left, pair.right, pair.answer) for pair in read(table)] == pairs
    for there, instead, said in (
        ("answer", "verdict", "no column with the right answers; it should be called label or"),
        ("right", "other", "no column with the second headlines"),
        ("exam", "main", "has the use 'main'"),
        ("different", "", "has no right answer"),
    ):
        with pytest.raises(InputError, match=said):
            read(table.replace(there, instead))
    own = study_material.rows_of_file(b"left,right\nDog bites man,Sun shines\n", "own.csv", asks, known=False)
    assert [(pair.left, pair.right) for pair in own] == [("Dog bites man", "Sun shines")]


def test_two_background_questions_of_one_name_are_refused(journal):
    twice = tuple(Background(name, answers) for name, answers in (("Age", ()), ("age", ("under 30", "over"))))
    with pytest.raises(InputError, match="Two questions about the person are called 'Age'"):
        studies.register(journal, Study(title="Twice", background=twice))
    assert not studies.studies(journal)


def test_an_edited_file_is_known_with_what_changed_and_new_words_can_be_a_version(journal):
    study = studies.register(journal, replace(ASKED, fingerprint="f" * 16))
    assert studies.edited(journal, replace(study, code="")) is None
    assert studies.edited(journal, replace(study, fingerprint="0" * 16, title="New")) is None
    titled = replace(study, code="", title="Theirs", gate=0.5)
    assert studies.edited(journal, titled) == (study, ["title", "right answers in training"])
    assert studies.new_version(study, titled) is None
    vote(study)
    worded = replace(study, code="", instructions=(Version("2026-05-04", "Be narrower."),), thanks="Bye")
    known, changed = studies.edited(journal, worded)
    assert (known, changed) == (study, ["thanks", "instructions"])
    new = studies.register(journal, studies.new_version(known, worded))
    assert [version.text for version in new.instructions] == ["Be narrow.", "Be narrower."]
    assert (new.code, new.thanks, studies.studies(journal)) == (study.code, "Bye", [new])


def test_where_a_study_routes_headlines_a_third_person_places_those_in_doubt_alone(journal):
    study = studies.register(journal, Study(title="Routed", order=Order.ROUTED))
    texts = "".join(f"Headline {row},2024-05-{row + 1:02}\n" for row in range(12))
    timeline = load_text(f"headline,date\n{texts}")
    task = grouping.grouping_task(timeline, study=study)
    assert grouping.person_groups(task, (), "Ada").asked == task.order
    events = [f"{row // 3}" for row in range(12)]
    groups_given(task, "Ada", events)
    groups_given(task, "Bob", [*events[:11], "other"])
    asked = []
    while (row := grouping.person_groups(task, task.answers.read(), "Cem").open_row) is not None:
        asked.append(row)
        body = grouping.place(row, group=events[row], shown={})
        task.answers.append([NewEntry(kind=grouping.PLACED, who="Cem", body=body)])
    assert 11 in asked
    assert {9, 10, 11}.issuperset(asked)
    assert grouping.person_groups(task, task.answers.read(), "Ada").open_row is None
