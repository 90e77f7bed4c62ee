"""Labels and notes of one's own: codebooks, and what is stored, exported, agreed on and forgotten."""

from functools import partial

import numpy as np
import pytest

from core.data.timelines.load import load
from core.errors import InputError
from core.events.export import draw_map, report, table_bytes
from core.journal.backup import packed, taken, unpacked
from core.journal.erasure import secret_of
from core.journal.forget import forget
from core.journal.restore import put_back
from core.journal.spellings import ErasureTarget
from core.journal.verify import unread, verify
from core.people.codebook import EVENT, HEADLINE, NOTE, CodingStore, read_codebook
from core.people.coders import coders_table
from core.runtime import Runtime
from core.statistics.krippendorff import alpha_of

BOOK = "[Tone of it]\np = positive\n7: not good\n[Frame]\nw = conflict"


@pytest.fixture
def store(journal, iss):
    return CodingStore(journal, iss.source.index)


def test_lines_as_people_type_them_and_toml_are_one_codebook():
    toml = '["Tone of it"]\nP = "positive"\n7 = "not good"\n[Frame]\nw = "conflict"  # or war'
    assert read_codebook(BOOK) == read_codebook(toml) == {
        "Tone of it": {"p": "positive", "7": "not good"},
        "Frame": {"w": "conflict"},
    }  # fmt: skip
    assert read_codebook("é = a = b\ny = c: d") == {"Label": {"é": "a = b", "y": "c: d"}}


@pytest.mark.parametrize(
    "text",
    ["", "[Tone]", "p", "p = a\n[Tone]\nP = b", "p = a\ufffd", "z = a", "c = a", "ab = 'c'", "[Note]\np = a",
     "p = " + "a" * 41, "[[Tone]]\np = a", "x" * 6_000, "- = a", "[a\np = b",
     "p = a\n[Label]\nq = b", '[Tone]\np = a\n[" Tone "]\nq = b', "[Tone]\n[Frame]\nw = x"],
)  # fmt: skip
def test_a_codebook_that_no_key_could_serve_is_refused(store, text):
    with pytest.raises(InputError) as refused:
        store.write(text)
    assert refused.value.hint
    assert store.text() == ""


def test_the_last_label_of_each_coder_stands_until_it_is_undone_by_that_coder(store, groups):
    stands = lambda who: store.codes(groups.ids).own(HEADLINE, 3, "Frame", who)  # noqa: E731
    store.say("Ada", HEADLINE, 3, "Frame", "conflict")
    store.say("Ada", HEADLINE, 3, "Frame", "money")
    store.say("Bo", HEADLINE, 3, "Frame", "conflict")
    assert (stands("ada"), stands("Bo"), stands("Cy")) == ("money", "conflict", "")
    store.undo(store.last("Bo"), "Ada")  # nobody takes back what another has said
    assert stands("Bo") == "conflict"
    store.undo(store.last("ADA"), "Ada")
    assert stands("Ada") == "conflict"
    store.say("Ada", HEADLINE, 3, "Frame", "")
    assert stands("Ada") == ""
    assert store.last("Cy") is None


def test_a_label_of_an_event_follows_its_headline_into_other_groups(store, groups):
    row = int(np.flatnonzero(np.bincount(groups.ids)[groups.ids] > 1)[0])
    store.say("Ada", EVENT, row, "Frame", "conflict")
    assert store.codes(groups.ids).own(EVENT, int(groups.ids[row]), "Frame", "Ada") == "conflict"
    split = groups.ids.copy()
    split[row] = split.max() + 1
    codes = store.codes(split)
    assert codes.own(EVENT, int(split[row]), "Frame", "Ada") == "conflict"
    assert codes.own(EVENT, int(groups.ids[row]), "Frame", "Ada") == ""


def test_visitors_of_a_workshop_see_neither_codebook_nor_labels_of_each_other(journal, iss):
    ada, bo = (CodingStore(journal, iss.source.index, owner=visitor) for visitor in ("one", "two"))
    ada.write(BOOK)
    ada.say("Ada", HEADLINE, 0, "Frame", "conflict")
    groups = np.arange(len(iss.source))
    assert ada.codes(groups).said
    assert (bo.text(), bo.codes(groups).said) == ("", {})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_every_table_and_the_report_have_labels_by_coder(store, iss, groups, kind):
    row = int(np.flatnonzero(np.bincount(groups.ids)[groups.ids] > 1)[0])
    store.say("Ada", HEADLINE, row, "Frame", "<b>conflict</b>")
    store.say("Bo", HEADLINE, row, NOTE, "Look again")
    store.say("Bo", EVENT, row, "Frame", "money & power")
    coded = store.codes(groups.ids).columns(groups.ids)
    again = load(table_bytes(iss, groups, kind, coded), f"groups.{kind}").original.fillna("")
    assert again["headline Frame (Ada)"].tolist() == [
        "<b>conflict</b>" * (at == row) for at in range(len(again))
    ]
    assert again["headline Note (Bo)"][row] == "Look again"
    same = again["group"].map(int) == int(groups.ids[row])
    assert set(again.loc[same, "event Frame (Bo)"]) == {"money & power"}
    assert set(again.loc[~same, "event Frame (Bo)"]) == {""}
    page = report(iss, groups, draw_map(iss, "pca", Runtime()), coded).decode()
    assert "Frame (Ada): &lt;b&gt;conflict&lt;/b&gt;" in page
    assert "Note (Bo): Look again" in page
    assert "Frame (Bo): money &amp; power" in page


def test_agreement_is_that_of_studies(store, groups):
    ada, bo = [0, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0], [0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0]
    for who, answers in (("Ada", ada), ("Bo", bo)):
        for row, answer in enumerate(answers):
            store.say(who, HEADLINE, row, "Tone", ["bad", "good"][answer])
    store.say("Ada", HEADLINE, 20, "Tone", "good")
    store.say("Ada", HEADLINE, 20, NOTE, "a note is no answer")
    (line,) = coders_table(store.codes(groups.ids)).rows
    question, about, items, people, answers, raw, _, alpha = line
    assert (question, about, items, people, answers, raw) == ("Tone", "headlines", 12, 2, 23, 9 / 11)
    expected = alpha_of(np.array([ada, bo], dtype=float).T, "nominal")
    assert (alpha.value, alpha.low, alpha.high) == (expected.value, expected.low, expected.high)


def test_a_codebook_has_a_version_that_labels_are_stored_with(store, journal):
    store.say("Ada", HEADLINE, 0, "Frame", "conflict")
    for text in (BOOK, "p = positive"):
        store.write(text)
    store.say("Ada", HEADLINE, 1, "Label", "positive")
    assert store.text() == "p = positive"
    (stream,) = journal.streams("codes/")
    assert [entry.body.get("instructions", 0) for entry in journal.read(stream)] == [0, 2]


def test_backup_verify_and_forget_know_labels(store, journal, iss, groups):
    store.write(BOOK)
    store.say("Ada", HEADLINE, 0, "Frame", "conflict")
    store.say("Bo", HEADLINE, 0, "Frame", "conflict")
    store.say("Bo", HEADLINE, 1, NOTE, "Look again")
    undone = store.last("Bo")
    store.undo(undone, "Bo")
    assert unread(journal) == verify(journal) == []
    backup = unpacked(packed(taken(journal)))
    forget(journal, secret_of(ErasureTarget.PERSON, "ada"), {})
    codes = partial(store.codes, groups.ids)
    assert codes().names == {"bo": "Bo"}
    assert store.text() == BOOK
    put_back(journal, backup)
    assert codes().names == {"bo": "Bo"}  # what was forgotten does not come back with a backup
