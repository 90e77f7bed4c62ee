from hashlib import sha256

import pytest

from core.errors import InputError
from core.journal.database import sqlite_url
from core.journal.entries import NewEntry, missing, published
from core.journal.journal import Journal
from core.people.studies import receipts
from core.people.study import Study


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
    assert missing(receipts(journal, study, "Ada"), listed, "list.txt") == []
    voted(journal, study.code, "Ada")
    late = receipts(journal, study, "Ada")[-1]
    assert missing([late], listed, "list.txt") == [late]


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
            missing([], "\n".join(changed), "list.txt")
