"""Reviewing a timeline: what an answer does, that it is undone, and what holds each event together."""

import numpy as np
import pytest

from core.data.timelines.load import load
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.events.correcting import Correcting, labelled_pairs
from core.events.correction import Correction, History, Kind, log_bytes, read_log
from core.events.corrections import described, fitted, store_of
from core.events.grouping import Settings, prepare, regroup, start_of
from core.events.reviewing import Reviewing, answered, answers_in, outcome, stake
from core.groups.answered_level import PairAnswer
from core.runtime import Runtime


@pytest.fixture(scope="module")
def iss():
    return prepare(load_sample("iss"), Settings(), Runtime())


@pytest.fixture
def store(iss, journal):
    return store_of(iss.timeline, journal)


def seen(prepared, history, cut=None):
    return Reviewing(
        prepared, regroup(prepared, cut, corrections=fitted(history, prepared.timeline.index.row))
    )


def link_of(review, *, together):
    return next(link for link in review.links() if link.together is together)


def given(review, link, same):
    return review.answer(PairAnswer(link.left, link.right, same))


def test_same_joins_two_events_whole(iss, store):
    before = seen(iss, History())
    link = link_of(before, together=False)
    ids = before.grouping.ids
    rows = np.flatnonzero(np.isin(ids, ids[[link.left, link.right]]))
    after = seen(iss, store.add(given(before, link, True)))
    assert len(set(after.grouping.ids[rows].tolist())) == 1
    narrow = seen(iss, store.read(), 0.1).grouping.ids
    assert len(set(narrow[rows].tolist())) == 1, "it holds at every level"


def test_different_divides_an_event_into_the_two_sides_of_the_link(iss, store):
    before = seen(iss, History())
    link = link_of(before, together=True)
    sides = before.joins.sides(before.joins.between(link.left, link.right))
    after = seen(iss, store.add(given(before, link, False))).grouping.ids
    groups = [set(after[side].tolist()) for side in sides]
    assert [len(group) for group in groups] == [1, 1]
    assert groups[0] != groups[1]
    broad = seen(iss, store.read(), 1.0).grouping.ids
    left, right = (set(broad[side].tolist()) for side in sides)
    assert left.isdisjoint(right), "it holds at every level"
    narrow = seen(iss, store.read(), 0.01).grouping.ids
    assert [len(set(narrow[side].tolist())) for side in sides] == [1, 1]


@pytest.mark.parametrize(("together", "same"), [(True, True), (False, False)])
def test_an_answer_that_agrees_with_the_groups_holds_them_there(iss, store, together, same):
    before = seen(iss, History())
    link = link_of(before, together=together)
    store.add(given(before, link, same))
    ids = seen(iss, store.read(), 0.01 if same else 1.0).grouping.ids
    assert (ids[link.left] == ids[link.right]) is np.bool_(same)


def test_the_level_follows_from_the_answers_and_not_sure_leaves_it(iss, store):
    start, review = iss.start.granularity, seen(iss, History())
    link = min(review.links(), key=lambda link: abs(link.probability - 0.5))
    for same, moves in ((True, 1), (False, -1), (None, 0)):
        corrections = fitted(History((given(review, link, same),)), iss.timeline.index.row)
        assert np.sign(round(start_of(iss, corrections) - start, 4)) == moves
    store.add(given(review, link, None))
    assert not np.any(seen(iss, store.read()).grouping.ids != review.grouping.ids)


def test_no_link_is_asked_twice_and_undo_asks_it_again(iss, store):
    asked = []
    for number in range(8):
        review = seen(iss, store.read())
        link = next(review.links())
        asked.append({link.left, link.right})
        store.add(given(review, link, (True, False, None)[number % 3]))
        assert len(answers_in(fitted(store.read(), iss.timeline.index.row))) == number + 1
    assert all(pair not in asked[:number] for number, pair in enumerate(asked))
    for _ in range(8):
        store.undo(store.read().last)
    first = next(seen(iss, store.read()).links())
    assert {first.left, first.right} == asked[0]
    assert seen(iss, store.read()).grouping.ids.tolist() == regroup(iss).ids.tolist()


def test_links_that_corrections_decided_are_not_asked_about(iss, store):
    review = seen(iss, History())
    inside, between = (link_of(review, together=together) for together in (True, False))
    corrects = Correcting(iss, review.grouping, History())
    groups = review.grouping.ids[[between.left, between.right]].tolist()
    store.add(corrects.merge(groups))
    store.add(Correcting(iss, review.grouping, store.read()).split([inside.left]))
    pairs = [{link.left, link.right} for link in seen(iss, store.read()).links()]
    assert {inside.left, inside.right} not in pairs
    assert {between.left, between.right} not in pairs


def test_a_link_between_what_was_split_at_a_broader_level_is_not_asked_about(iss, store):
    link = link_of(seen(iss, History()), together=False)
    broader = seen(iss, History(), link.height + 0.01)
    side = broader.joins.sides(broader.joins.between(link.left, link.right))[0]
    store.add(Correcting(iss, broader.grouping, History()).split(side.tolist()))
    pairs = [{link.left, link.right} for link in seen(iss, store.read()).links()]
    assert {link.left, link.right} not in pairs


def test_an_answer_is_told_in_the_history_and_read_from_an_exported_log(iss, store):
    review = seen(iss, History())
    link = next(review.links())
    for same, word in ((True, "same event"), (False, "different events"), (None, "not sure")):
        history = store.add(given(review, link, same))
        assert word in described(history.last)
        assert answers_in(fitted(read_log(log_bytes(history)), iss.timeline.index.row))[-1][1].same is same


def test_an_answer_without_its_second_headline_is_damaged_and_takes_no_other_with_it(iss, store):
    history = store.add(given(seen(iss, History()), next(seen(iss, History()).links()), True))
    whole = log_bytes(history).decode()
    entry = Correction(kind=Kind.LEVEL, headlines=history.last.headlines, text="0.5")
    read = read_log(log_bytes(History((*history.corrections, entry))))
    assert (len(read.corrections), read.damaged) == (1, 1)
    assert read_log(whole.encode()).damaged == 0


def test_what_an_answer_did_is_what_the_groups_show(iss):
    before = seen(iss, History())
    for together, same in ((True, False), (False, True), (True, True), (False, False)):
        link = link_of(before, together=together)
        answer = PairAnswer(link.left, link.right, same)
        after = regroup(iss, corrections=fitted(answered(iss, History(), [answer]), iss.timeline.index.row))
        said = outcome(before.grouping, after, answer)
        numbers = {*before.grouping.ids[[link.left, link.right]].tolist()}
        assert all(f"{number}" in said for number in numbers)
        assert ("Divided" in said, "Joined" in said) == (together and not same, same and not together)
        assert ("moved" in said) == (round(after.granularity, 2) != round(before.grouping.granularity, 2))


def test_the_stakes_of_a_link_are_told_by_the_groups_that_it_holds(iss):
    review = seen(iss, History())
    for link in review.links():
        numbers = set(review.grouping.ids[[link.left, link.right]].tolist())
        assert (len(numbers) == 1) is link.together
        assert all(str(number) in stake(link, review.grouping.ids) for number in numbers)


def test_answers_count_as_pairs_of_a_curve_and_of_a_refit(iss):
    link = link_of(seen(iss, History()), together=False)
    history = answered(iss, History(), [PairAnswer(link.left, link.right, True)])
    corrections = fitted(history, iss.timeline.index.row)
    left, right, same, _ = labelled_pairs(corrections, iss.similarities, 0.5)
    assert (left.tolist(), right.tolist(), same.tolist()) == ([link.left], [link.right], [True])


def test_each_event_of_the_slider_has_a_range_that_the_slider_keeps(iss):
    review = seen(iss, History())
    ids = review.grouping.ids
    for group in np.unique(ids):
        rows = np.flatnonzero(ids == group)
        proof = review.proof(rows.tolist())
        assert proof.low <= review.grouping.granularity < proof.high
        for cut in (proof.low + 1e-6, proof.high - 1e-6):
            labels = iss.hierarchy.cut(cut)
            assert np.flatnonzero(labels == labels[rows[0]]).tolist() == rows.tolist()
        if len(rows) > 1:
            left, right = proof.link
            labels = iss.hierarchy.cut(proof.low - 1e-6)
            assert {left, right} <= set(rows.tolist())
            assert labels[left] != labels[right]
        if proof.high < 0.99:  # at 1 all that is left is joined
            labels = iss.hierarchy.cut(proof.high + 1e-6)
            joined = set(ids[labels == labels[rows[0]]].tolist()) - {group}
            assert joined == set(proof.neighbours)


def test_an_event_that_no_level_has_was_made_by_corrections(iss, store):
    first, *_, last = (np.flatnonzero(regroup(iss).ids == group)[0] for group in np.unique(regroup(iss).ids))
    review = seen(iss, store.add(Correcting(iss, regroup(iss), History()).split([int(first), int(last)])))
    rows = np.flatnonzero(review.grouping.ids == review.grouping.ids[first]).tolist()
    assert review.proof(rows) is None


def test_the_range_of_events_holds_the_present_count_and_narrows_with_answers(store):
    iss = prepare(load_sample("iss"), Settings(scorer="event_similarity"), Runtime())
    low, high = seen(iss, History()).accepted_events
    assert low <= regroup(iss).events <= high
    for _ in range(6):
        review = seen(iss, store.read())
        link = next(review.links())
        store.add(given(review, link, link.height <= iss.start.granularity))
    narrower = seen(iss, store.read()).level.accepted
    wide = seen(iss, History()).level.accepted
    assert narrower[1] - narrower[0] < wide[1] - wide[0]


def test_methods_without_a_tree_have_no_links_but_a_count_of_events(iss):
    flat = prepare(iss.timeline, Settings(method="leiden"), Runtime())
    review = seen(flat, History())
    assert len(set(review.accepted_events)) == 1
    with pytest.raises(InputError, match="no links"):
        next(review.links())


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_very_short_timelines_are_reviewed_to_their_end(count):
    lines = ["Storm hits the coast", "Coast is hit by a storm"][:count]
    prepared = prepare(load("\n".join(lines).encode(), "news.txt"), Settings(), Runtime())
    history, review = History(), seen(prepared, History())
    for link in review.links():
        history = answered(prepared, history, [PairAnswer(link.left, link.right, True)])
    assert not list(seen(prepared, history).links())
    assert review.proof([0]).link is None or count == 2
