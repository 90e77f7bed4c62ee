"""Review: the least sure links of a timeline, one at a time, each answered by a key."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from components.frame.charts.show_chart import show_chart
from components.frame.errors import errors_kept
from components.frame.markdown import plain, quiet
from components.frame.widgets import button, undo_button
from components.opened import resources
from components.opened.reader_zone import time_here
from components.opened.views import timeline as state
from components.timeline.correct import signed, stay
from components.timeline.history import take_step
from components.timeline.model_review import offer_model
from components.timeline.workspace import SETTINGS, View
from core.data.timelines.timeline import Field
from core.events.correcting import labelled_pairs
from core.events.correction import Correction, Kind
from core.events.grouping import Grouping, Prepared, start_of
from core.events.published_source import published_source
from core.events.reviewing import answers_in, can_review, outcome, stake
from core.groups.answered_level import PairAnswer
from core.groups.joins import NO_TREE
from core.groups.level_curve import LevelCurve, gold_curve, said_curve
from core.groups.review import ReviewLink
from core.results.render import count_words

ANSWERS = {"Same event": True, "Different": False, "Not sure": None}
MUCH_FEWER = 0.1  # share of the groups that another rule has to save for its joins to be offered
FEWEST_PAIRS = 5  # answered or corrected pairs from which a curve is drawn


def offer_review(view: View) -> None:
    if not state.now().review:

        def begin() -> None:
            state.put(review="links")
            # The settings close: what is asked stands below and must be seen.
            st.session_state[SETTINGS] = False

        button("Review the least sure links", "review-begin", begin, icon="rule", type="tertiary")


def review(view: View) -> None:
    """Asks about one link; an answer is a correction, in force and stored before the page is drawn again."""
    if not state.now().review:
        _other_rule(view)
        return
    with st.container(border=True, key="review-panel"):
        close = partial(button, "Close", "review-close", partial(state.put, review=""), type="tertiary")
        if not can_review(view.prepared):
            st.markdown(NO_TREE)
            close()
            return
        until = view.prepared.start.shapeliest if state.now().review == "joins" else None
        seen, answers = resources.reviewing(view.prepared, view.grouping, until), answers_in(view.corrections)
        link = next(seen.links(), None)
        links, groups = seen.queue.unsure(view.grouping.ids)
        held = count_words(links, "unsure link holds", "unsure links hold")
        unsure = f"{held} {count_words(groups, 'group', 'groups')}" if links else "no unsure link is left"
        st.markdown(f"**Do these two report the same event?** {quiet(unsure, f'{len(answers):,} answered')}")
        if link is None:
            st.markdown("**Every link is answered.**")
        else:
            _question(view, link)
        with st.container(horizontal=True, key="review-answers"):
            for word, same in ANSWERS.items():
                if link is not None:
                    answer = PairAnswer(link.left, link.right, same)
                    button(word, f"review-{word[0]}", _answer, view, answer, shortcut=word[0])
            last = answers[-1][0] if answers else None
            undo_button("review-undo", "U", take_step, view, Kind.UNDO, last, disabled=last is None)
            close()
        if answers:
            _outcome(view, *answers[-1])
        offer_model(view)
        more = st.expander("Precision and recall at every level", key="review-curve", on_change="rerun")
        if more.open:
            with more:
                _curve(view)


def _other_rule(view: View) -> None:
    """Says that another rule for the level would join more than a tenth of the groups, where it would."""
    start, level, corrections = view.prepared.start, view.grouping.granularity, view.corrections or None
    if not level == start.granularity < start.shapeliest:
        return
    broad = resources.grouping(view.prepared, start.shapeliest, corrections=corrections)
    fewer, groups = (len(np.unique(grouping.ids)) for grouping in (broad, view.grouping))
    if fewer < (1 - MUCH_FEWER) * groups:
        label = f"{groups:,} groups may be {fewer:,}: look"
        button(label, "review-joins", partial(state.put, review="joins"), icon="rule", type="tertiary")


def _answer(view: View, answer: PairAnswer) -> None:
    with errors_kept():
        given = resources.reviewing(view.prepared, view.grouping).answer(answer, who=signed(view))
        resources.correction_store(view.prepared).add(given)
        stay(view)


def _question(view: View, link: ReviewLink) -> None:
    timeline = view.timeline
    for column, row in zip(st.columns(2), (link.left, link.right), strict=True):
        facts = quiet(timeline.publishers[row], time_here(timeline, row))
        column.markdown(f"{plain(timeline.texts[row])}  \n{facts}")
    now = "Now together" if link.together else "Now apart"
    sure = f"{100 * link.probability:.0f} % sure to be one event"
    st.caption(f"{now}; {sure}. “Different” {stake(link, view.grouping.ids)}.")


def _outcome(view: View, last: Correction, answer: PairAnswer) -> None:
    """What the last answer did, as long as nothing was corrected since."""
    history = view.corrections.history
    if history.corrections[-1].id == last.id:
        without = replace(history, corrections=history.corrections[:-1])
        before = resources.corrections_of(without, view.prepared)
        earlier = resources.grouping(view.prepared, state.now().granularity, corrections=before or None)
        st.caption(f"Your last answer: {outcome(earlier, view.grouping, answer)}")


@resources.cached(max_entries=16)
def _curve_of(prepared: Prepared, grouping: Grouping) -> tuple[LevelCurve | None, str]:
    """The curve of a timeline, and what it was measured against."""
    if prepared.timeline.has_gold:
        gold = prepared.timeline.table[Field.GOLD].tolist()
        return gold_curve(prepared.hierarchy, gold), "the human groups of the file"
    corrections = resources.reviewing(prepared, grouping).corrections
    pairs = labelled_pairs(corrections, prepared.similarities, start_of(prepared))
    if len(pairs[0]) < FEWEST_PAIRS:
        return None, ""
    return said_curve(prepared.hierarchy, *pairs), f"{len(pairs[0]):,} pairs that were answered or corrected"


def _curve(view: View) -> None:
    from components.frame.charts.level_chart import level_chart

    curve, against = _curve_of(view.prepared, view.grouping)
    if curve is None:
        st.caption(f"A curve is drawn from {FEWEST_PAIRS} answered or corrected pairs, or from human groups.")
        return
    level = view.grouping.granularity
    st.caption(f"Against {against}, without corrections. The line marks the level, {level:.2f}.")
    title = f"Pairs at every level, against {against}"
    source = published_source(view.timeline, range(len(view.timeline)))
    signature = {"signature": view.prepared.signature, "key": "level-curve"}
    show_chart(level_chart(curve, level), name="level-curve", title=title, source=source, **signature)
