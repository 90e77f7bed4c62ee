from datetime import timedelta

import numpy as np
import pytest

from core import limits
from core.data.identity import HeadlineKey
from core.data.timelines.load import load
from core.errors import InputError
from core.events.correcting import Correcting, refit
from core.events.correction import (
    Correction,
    History,
    Kind,
    as_object,
    checked_text,
    checked_who,
    from_object,
    in_order,
    log_bytes,
    read_log,
)
from core.events.corrections import fitted, said_by, store_of
from core.events.grouping import Settings, method_of, prepare, regroup
from core.events.reviewing import answers_since_refit
from core.groups.constraints import Statement
from core.journal.entries import NewEntry
from core.runtime import Runtime

LINES = (
    "2024-05-01,Alpha,Central bank raises rates by a quarter point",
    "2024-05-01,Beta,Rates raised a quarter point by central bank",
    "2024-05-02,Gamma,Central bank lifts interest rates by 0.25 points",
    "2024-05-03,Alpha,Storm closes two airports on the coast",
    "2024-05-03,Beta,Two coastal airports shut as storm hits",
)
LATER = "2024-05-03,Gamma,Storm shuts two coastal airports"


def timeline_of(*lines, name="news.csv"):
    return load("\n".join(("when,outlet,title", *lines, "")).encode(), name)


@pytest.fixture(scope="module")
def prepared():
    return prepare(timeline_of(*LINES), Settings(), Runtime())


@pytest.fixture
def store(prepared, journal):
    return store_of(prepared.timeline, journal)


def seen(prepared, history, cut=None):
    return regroup(prepared, cut, corrections=fitted(history, prepared.timeline.index.row))


def correcting(prepared, store):
    history = store.read()
    return Correcting(prepared, seen(prepared, history), history, "Ada")


@pytest.mark.slow
def test_a_correction_is_kept_with_who_and_when_and_holds_everywhere(prepared, store):
    before = seen(prepared, store.read())
    assert before.ids.tolist() == [1, 1, 1, 2, 2]
    assert before.corrections is None
    history = store.add(correcting(prepared, store).move([2], 2))
    (one,) = history.in_force
    assert (one.kind, one.who) == (Kind.MOVE, "Ada")
    assert said_by(one) == f"moved by Ada on {one.when.day} {one.when:%b %Y}"
    for cut in (None, 0.0, 0.3, 0.9, 1.0):
        ids = seen(prepared, history, cut).ids
        assert ids[2] == ids[3] == ids[4]
        assert ids[2] not in (ids[0], ids[1])
    after = seen(prepared, history)
    assert after.ids.tolist() == [1, 1, 2, 2, 2]
    assert after.signature == f"{before.signature} · corrections:{history.digest}"
    assert after.marks.headlines[2] is one
    assert set(after.marks.groups) == {1, 2}


def test_other_methods_and_scorers_keep_to_it(prepared, store):
    history = store.add(correcting(prepared, store).merge([1, 2]))
    for settings in (Settings(method="connected_components"), Settings(scorer="cosine_time")):
        other = prepare(prepared.timeline, settings, Runtime())
        assert len(set(seen(other, history, 0.1).ids.tolist())) == 1


def test_titles_notes_and_stars_stay_with_most_of_their_event(prepared, store):
    now = correcting(prepared, store)
    store.add(now.entitle(1, "  The rate\nrise "), now.note(1, "Check the date"), now.star(2, on=True))
    marks = seen(prepared, store.read()).marks
    assert marks.titles == {1: "The rate rise"}
    assert marks.notes[1].text == "Check the date"
    assert marks.symbols(2) == "★✎"
    wide = seen(prepared, store.read(), 1.0)
    assert wide.title(int(wide.ids[0]), "usual") == "The rate rise"
    assert seen(prepared, store.read(), 0.0).marks.titles == {}
    history = store.add(
        correcting(prepared, store).entitle(1, ""), correcting(prepared, store).star(2, on=False)
    )
    assert seen(prepared, history).title(1, "usual") == "usual"
    assert seen(prepared, history).marks.stars == {}


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda now: now.move([0], 1), "in that event already"),
        (lambda now: now.move([], 1), "No headline is selected"),
        (lambda now: now.split([3, 4]), "event of their own already"),
        (lambda now: now.split([7]), "No headline is selected"),
        (lambda now: now.merge([1]), "Two events"),
        (lambda now: now.merge([1, 9]), "no event 9"),
        (lambda now: now.not_an_event(9), "no event 9"),
        (lambda now: now.entitle(1, "x" * 301), "301 characters"),
    ],
)
def test_what_cannot_be_done_is_said(prepared, store, ask, said):
    with pytest.raises(InputError, match=said):
        ask(correcting(prepared, store))
    assert store.answers.journal.streams() == {}


def test_a_file_that_grew_or_was_exported_anew_takes_the_log_on(prepared, store):
    store.add(correcting(prepared, store).split([4]))
    repaired = [LINES[4].replace("Two", "The two"), *LINES[3::-1]]
    grown = prepare(timeline_of(LATER, *repaired, name="later.csv"), Settings(), Runtime())
    later = store_of(grown.timeline, store.answers.journal)
    history = later.read()
    # Another visitor of a workshop has nothing to do with it.
    assert not store_of(grown.timeline, store.answers.journal, "visitor-1").read().corrections
    grouping = seen(grown, history)
    split = next(row for row, text in enumerate(grown.timeline.texts) if text.startswith("The two coastal"))
    assert set(np.flatnonzero(grouping.ids == grouping.ids[split])) <= {1, 0}
    again = grouping.corrections.found_again
    assert (again.changed, again.gone) == (1, 0)
    fewer = prepare(timeline_of(*LINES[:4]), Settings(), Runtime())
    left = fitted(store_of(fewer.timeline, store.answers.journal).read(), fewer.timeline.index.row)
    assert (left.found_again.changed, left.found_again.gone) == (0, 1)
    # A correction of either file is one of both.
    later.add(correcting(grown, later).entitle(int(grouping.ids[0]), "Storm"))
    for each in (later, store):
        assert [one.kind for one in each.read().in_force] == [Kind.SPLIT, Kind.RENAME]
    # Another file has nothing to do with it.
    other = store_of(timeline_of("2024-06-01,Alpha,Something else"), store.answers.journal)
    assert not other.read().corrections


def test_a_damaged_or_newer_log_says_so_and_the_rest_is_in_force(prepared, store):
    store.add(correcting(prepared, store).split([4]))
    spoiled = ({"format": 2, "kind": "teleport"}, {}, {"format": 1, "kind": "move", "headlines": 3})
    store.answers.append(NewEntry(kind="move", body=body) for body in spoiled)
    history = store.read()
    assert len(history.in_force) == 1
    assert "2 entries" in history.problem
    assert "1 correction was made by a newer version" in history.problem
    store.add(correcting(prepared, store).split([0]))
    assert [one.kind for one in store.read().in_force] == [Kind.SPLIT, Kind.SPLIT]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", 2), ("when", "2024-05-01T10:00:00"), ("id", "0" * 15), ("id", "z" * 16),
        ("kind", "teleport"), ("held", "both"), ("headlines", []), ("headlines", 3), ("text", 4),
    ],
)  # fmt: skip
def test_an_entry_with_one_wrong_field_is_not_read(prepared, store, field, value):
    (kept,) = store.add(correcting(prepared, store).split([4])).in_force
    assert from_object(as_object(kept)) == kept
    with pytest.raises((ValueError, TypeError)):
        from_object({**as_object(kept), field: value})


@pytest.mark.parametrize("content", [b"", b"[" * 99_999, b"[]", b"{}", b'{"log": 3}'])
def test_a_file_without_corrections_is_refused(content):
    with pytest.raises(InputError, match="holds no corrections"):
        read_log(content)


@pytest.mark.parametrize("text", ["-0.1", "1.1"])
def test_a_level_outside_0_to_1_is_not_read(prepared, store, text):
    (kept,) = store.add(correcting(prepared, store).split([4])).in_force
    with pytest.raises(ValueError, match="text"):
        from_object({**as_object(kept), "kind": Kind.LEVEL.value, "text": text})


def test_a_refit_satisfies_the_corrections_and_shows_what_changes(prepared):
    wide = regroup(prepared, 1.0)
    assert len(set(wide.ids.tolist())) == 1
    one = Correcting(prepared, wide, History(), "Ada").split([3, 4])
    history = History((one,))
    found = refit(prepared, seen(prepared, history, 1.0), history)
    assert found.better
    assert found.level < 1.0
    assert found.satisfied == 1.0 > found.satisfied_now
    assert len(set(prepared.hierarchy.cut(found.level).tolist())) == 2
    assert found.changed == ()  # the corrected events are the same at both levels
    level = Correcting(prepared, wide, history).level(found.level)
    applied = history.with_more([level])
    grouping = seen(prepared, applied)
    assert (grouping.automatic, grouping.granularity) == (True, found.level)
    assert "(refitted)" in grouping.signature
    undone = applied.with_more([Correction(kind=Kind.UNDO, text=level.id)])
    assert seen(prepared, undone).granularity == prepared.start.granularity
    # It is for this way of grouping alone.
    other = prepare(prepared.timeline, Settings(method="connected_components"), Runtime())
    assert seen(other, applied).granularity == other.start.granularity


def test_answers_that_were_kept_in_one_entry_hold_as_before_and_start_the_next_ones(prepared, store):
    keys = prepared.timeline.index.keys
    held, apart = ((keys[0], keys[3]),), ((keys[0],), (keys[1],))
    kept = Correction(
        kind=Kind.LEVEL, held=held, rest=apart[0], clear=apart[1], text="0.5", method=method_of(prepared)
    )
    history = store.add(kept)
    for cut in (None, 0.0, 1.0):
        ids = seen(prepared, history, cut).ids
        assert ids[0] == ids[3] != ids[1]
    assert seen(prepared, history).granularity == 0.5
    assert read_log(log_bytes(history)).statements(numbers(history)) == history.statements(numbers(history))
    corrections = fitted(history, prepared.timeline.index.row)
    assert answers_since_refit(prepared, corrections) == (0.5, [])
    undone = store.undo(history.in_force[0])
    assert seen(prepared, undone).ids.tolist() == [1, 1, 1, 2, 2]


def numbers(history):
    return {key: at for at, key in enumerate(sorted(history.in_force[0].about()))}


KEYS = tuple(HeadlineKey(f"headline {at}") for at in range(8))
NUMBERS = {key: at for at, key in enumerate(KEYS)}


def correction(kind, **fields):
    keys = {
        name: tuple(KEYS[at] for at in value)
        for name, value in fields.items()
        if name not in ("held", "text")
    }
    held = tuple(tuple(KEYS[at] for at in row) for row in fields.get("held", ()))
    return Correction(kind=kind, held=held, text=fields.get("text", ""), **keys)


@pytest.mark.parametrize(
    ("kind", "fields", "statement"),
    [
        (
            Kind.MOVE,
            {"headlines": [0], "to": [1], "rest": [2], "clear": [3], "held": [[4, 5], [6], [7]]},
            Statement(
                together=((0, 1), (4, 5), (6,), (7,)),
                apart=(((0, 1), (2, 3)), ((4, 5), (6,)), ((4, 5), (7,)), ((6,), (7,))),
            ),
        ),
        (Kind.MERGE, {"headlines": [0], "to": [1, 2]}, Statement(together=((0, 1, 2),))),
        (
            Kind.NOT_AN_EVENT,
            {"headlines": [0, 1], "held": [[2], [3]]},
            Statement(together=((2,), (3,)), apart=(((2,), (3,)),), alone=(0, 1)),
        ),
        (
            Kind.LEVEL,
            {"held": [[0, 1]], "rest": [2, 4], "clear": [3, 5], "text": "0"},
            Statement(together=((0, 1),), apart=(((2,), (3,)), ((4,), (5,)))),
        ),
        (Kind.RENAME, {"headlines": [0], "text": "A title"}, None),
    ],
)
def test_a_correction_says_which_headlines_are_one_event(kind, fields, statement):
    made = correction(kind, **fields)
    assert History((made,)).statements(NUMBERS) == [statement] * (statement is not None)
    assert from_object(as_object(made)) == made
    later = made.renamed({key: HeadlineKey(key.text.upper()) for key in KEYS})
    assert {key.text.lower() for key in later.about()} == {key.text for key in made.about()}
    assert not later.about() & made.about()
    assert History((later,)).digest != History((made,)).digest


def test_undo_goes_back_and_redo_forward_until_something_new_is_done():
    first, second, third = (correction(Kind.NOTE, headlines=[at], text=f"note {at}") for at in range(3))
    steps = [first, second]

    def undo(what):
        return Correction(kind=Kind.UNDO, text=what.id)

    def redo(what):
        return Correction(kind=Kind.REDO, text=what.id)

    def after(*more):
        steps.extend(more)
        history = History(tuple(steps))
        return history.in_force, history.undone, history.last

    assert after() == ((first, second), (), second)
    assert after(undo(second)) == ((first,), (second,), first)
    assert after(undo(first)) == ((), (second, first), None)
    assert History(tuple(steps)).digest == ""
    assert after(redo(second), redo(third), undo(third)) == ((second,), (first,), second)
    assert len(History(tuple(steps)).digest) == 16
    assert after(redo(first)) == ((first, second), (), first), "what was done again last is undone first"
    assert after(undo(first), third) == ((second, third), (), third)
    assert after(redo(first)) == ((first, second, third), (), first), "also after something new"
    moved = Correction(kind=Kind.NOTE, when=first.when - timedelta(hours=1))
    assert in_order([first, moved, first]) == (moved, first)


@pytest.mark.parametrize(
    ("damaged", "newer", "said"),
    [
        (0, 0, ""),
        (1, 0, "1 entry of the stored corrections is damaged; the rest is in force."),
        (0, 2, "2 corrections were made by a newer version of Headline Lab; the rest is in force."),
        (2, 1, "2 entries of the stored corrections are damaged and 1 correction was made by a newer version "
               "of Headline Lab; the rest is in force."),
    ],
)  # fmt: skip
def test_what_could_not_be_read_is_one_sentence(damaged, newer, said):
    assert History(damaged=damaged, newer=newer).problem == said


def test_texts_and_files_are_taken_up_to_their_limits_and_no_further(monkeypatch):
    for kind, most in ((Kind.NOTE, 1_000), (Kind.RENAME, 300)):
        assert checked_text("x" * most, kind) == "x" * most
        with pytest.raises(InputError, match=f"at most {most:,} are kept"):
            checked_text("x" * (most + 1), kind)
    assert (checked_who(" Ada \n B "), checked_who("x" * 61)) == ("Ada B", "x" * 60)
    level = as_object(correction(Kind.LEVEL, rest=[0], clear=[1], text="1"))
    assert float(from_object(level).text) == 1.0
    for wrong in ({"clear": []}, {"text": "x" * 1_001}, {"method": "x" * 2_001}, {"who": "x" * 1_001}):
        with pytest.raises(ValueError, match=next(iter(wrong)) + "|rest"):
            from_object(level | wrong)
    assert from_object(level | {"method": "m" * 2_000, "who": "w" * 1_000}).who == "w" * 60
    monkeypatch.setenv(limits.CORRECTIONS.variable, "2")
    notes = [correction(Kind.NOTE, headlines=[at], text="n") for at in range(3)]
    assert read_log(log_bytes(History(tuple(notes[:2])))).corrections == tuple(notes[:2])
    with pytest.raises(InputError, match="holds 3 corrections; at most 2"):
        read_log(log_bytes(History(tuple(notes))))
    for content, said in (
        (b'{"headline_lab_corrections": 2}', "newer version"),
        (b'{"headline_lab_corrections": 1}', "is damaged"),
    ):
        with pytest.raises(InputError, match=said):
            read_log(content)
    assert read_log(b'{"log": %s}' % log_bytes(History())).corrections == ()
