"""What versions of these days stored, by their own stores and commands: tests/data/earlier."""

import gzip
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from core.archive.kept import SHIPPED, summary_of
from core.data.pair_sets.kept import own_sets
from core.data.pair_sets.load import load_pair_set
from core.data.timelines.samples import load_named
from core.errors import CoreError
from core.events.correction import Kind
from core.events.corrections import store_of
from core.files import ROOT, read_tables
from core.headlines.opening import open_set
from core.journal import contents, schema
from core.journal.backup import read_backup, taken
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.journal.opening import VARIABLE, close, open_database
from core.journal.restore import put_back
from core.journal.verify import unread, verify
from core.live.digest import StreamReader
from core.live.kept import kept_streams
from core.live.log import StreamLog, check_stream
from core.people import voting
from core.people.evaluation_task import judgeable
from core.people.forms import add_form, evaluation_forms, faulty_forms, form_folder, known_forms
from core.people.grouping import (
    AGAIN,
    MERGED,
    PLACED,
    TRAINED,
    UNDONE,
    everybody,
    grouping_task,
    is_trained,
    training,
)
from core.people.judges import Judges
from core.people.questions import BETTER_HEADLINE, SAME_EVENT
from core.people.store import ANSWER, UNDO, RatingStore
from core.people.voting import voters, voting_task

EARLIER = Path(__file__).parents[2] / "data" / "earlier"
DAYS = ("2026-11-22", "2026-11-24", "2026-11-27")


@pytest.fixture
def user(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    yield tmp_path
    close(the_journal().url)


def all_is_there(*, better: bool) -> None:
    """Whatever Ada and Ada B did on those days: ratings, corrections, groups, votes, names."""
    journal = the_journal()
    articles, outputs = open_set("sample:articles")
    task = judgeable("Sample", articles, outputs).task
    store = RatingStore(form=evaluation_forms.parse("numhg.v1"), task=task, journal=journal)
    assert store.ratings().judges == ("Ada",)
    assert int((~np.isnan(store.ratings().values)).sum()) == 18
    assert store.damaged() == 0
    timeline = load_named("sample:iss")
    history = store_of(timeline).read()
    assert [each.kind for each in history.in_force] == [Kind.SPLIT, Kind.RENAME, Kind.NOTE]
    assert not history.problem
    grouping = grouping_task(timeline)
    groups = everybody(grouping, grouping.answers.read())["Ada B"].numbers
    assert groups[list(grouping.order[:5])].tolist() == [1, 1, 1, 2, -1]
    assert is_trained(training().task.answers.read(), "Ada B")
    pairs = load_pair_set(str(ROOT / "samples/hlgd_sample/test.json"))
    asked = {SAME_EVENT: ["same", "different", "same"], BETTER_HEADLINE: ["left", "right", "draw"]}
    for question, given in list(asked.items())[: 1 + better]:
        votes = voting_task(pairs, question)
        ada = voters(votes, votes.answers.read())["ada"]
        assert [vote.answer for vote in ada.votes.values()] == given
    assert Judges(journal=journal).taken("Ada")
    assert verify(journal) == []
    assert unread(journal) == []


@pytest.mark.parametrize("day", DAYS)
def test_a_backup_of_an_earlier_version_comes_back_with_every_answer(user, day):
    put_back(the_journal(), read_backup(EARLIER / f"{day}.jsonl.gz"))
    all_is_there(better=day == DAYS[0])


def test_a_user_folder_of_an_earlier_version_opens_with_all_that_is_in_it(user, caplog):
    shutil.copytree(EARLIER / DAYS[0], user, dirs_exist_ok=True)
    packed = user / "journal.sqlite.gz"
    (user / "journal.sqlite").write_bytes(gzip.decompress(packed.read_bytes()))
    journal = the_journal()
    people = journal.people()
    assert "33 entries" in caplog.text
    all_is_there(better=True)
    assert people == journal.people() == ("Ada", "Ada B")
    assert [receipt["what"] for receipt in journal.receipts().values()] == ["layout"]
    assert len(load_pair_set(own_sets()["mine"].path)) == 2
    (stream,) = kept_streams()
    assert len(StreamReader(StreamLog(stream)).timeline("wire", 10)) == 2
    # What is brought up to date once is not touched again, and a new answer joins it.
    close(journal.url)
    before = taken(journal)
    corrections = store_of(load_named("sample:iss"))
    corrections.undo(corrections.read().in_force[0])
    assert taken(journal).entries[: len(before.entries)] == before.entries
    assert len(journal.receipts()) == 1


def test_a_form_of_ones_own_is_read_and_its_answers_are_still_under_its_name(user):
    shutil.copytree(EARLIER / DAYS[1], user, dirs_exist_ok=True)
    assert faulty_forms() == []
    name = "own-desk-rules-23204b7b"  # what that day's `add_form` filed answers under
    assert [question.key for question in known_forms()[name].questions] == ["fits", "better"]
    data = (user / "forms/desk-rules-23204b7b.toml").read_bytes()
    assert add_form(data, "again.toml").name == name
    assert [path.name for path in form_folder().iterdir()] == ["desk-rules-23204b7b.toml"]


def test_what_a_newer_version_made_is_refused_in_these_words(user):
    stream, archive = user / "live.jsonl", user / "archive"
    stream.write_text('{"stream":2,"source":"x"}\n')
    shutil.copytree(SHIPPED, archive)
    assert summary_of(archive)["headlines"]
    (archive / "archive.json").write_text('{"version": 3}')
    refused = []
    for reading in (lambda: check_stream(stream), lambda: summary_of(archive)):
        with pytest.raises(CoreError) as error:
            reading()
        refused.append((error.value.message.partition(" made ")[0], error.value.hint))
    assert set(refused) == {("A newer version of Headline Lab", "Update Headline Lab.")}


def test_either_database_is_brought_up_to_date_where_it_is(journal, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(schema, "REVISION", "v0002")
        for row in read_backup(EARLIER / f"{DAYS[0]}.jsonl.gz").entries:
            about = {name: row[name] for name in ("kind", "who", "id")}
            journal.append(row["stream"], [NewEntry(**about, body=json.loads(row["body"]))])
        assert len(unread(journal)) == 4  # ratings, two of votes, and the head of corrections
    close(journal.url)
    monkeypatch.setenv(VARIABLE, journal.url)
    all_is_there(better=True)


def test_what_is_damaged_is_not_brought_up_to_date_as_if_it_were_whole(journal, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(schema, "REVISION", "v0002")
        journal.append("votes/0123456789abcdef", [NewEntry(kind="voted", body={"shown": ["a", "b"]})])
    with open_database(journal.url).engine.begin() as connection:
        connection.execute(sa.text("UPDATE entries SET who = 'Eva'"))
    close(journal.url)
    assert verify(journal)
    assert not journal.receipts()


def test_what_nothing_reads_is_named_with_its_stream(user):
    shutil.copytree(EARLIER / "2026-11-20", user, dirs_exist_ok=True)
    the_journal().append("ratings/x.v1/0123456789abcdef", [NewEntry(kind="other", who="Ada")])
    the_journal().append("judges", [NewEntry(kind="taken", who="Ada"), NewEntry(kind="lent", who="Ada")])
    told = unread(the_journal())
    assert len(told) == 3
    assert "judges" in told[0]
    assert "evaluations" in told[-1]


def test_the_kinds_that_people_s_entries_have_are_those_that_are_read():
    read = read_tables(contents.__file__)["streams"]
    kinds = {name.removeprefix("(studies/[0-9a-f]{8}/)?").partition("/[")[0]: of for name, of in read.items()}
    assert set(kinds["corrections"]) == set(Kind)
    assert set(kinds["(grouping|training)"]) == {PLACED, MERGED, UNDONE, AGAIN, TRAINED}
    assert set(kinds["votes"]) == {voting.VOTED, voting.UNDONE, voting.AGAIN}
    assert set(kinds["ratings"]) == {ANSWER, UNDO}
