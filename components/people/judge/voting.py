"""Voting on pairs of headlines: what is read first, the pair that is asked about, and how far one is."""

import time
from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from components.frame.errors import errors_kept, errors_shown, show_kept_error
from components.frame.language import say
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button, choose_here, notice, undo_button
from components.opened import resources
from components.opened.views import timeline as timeline_state
from components.opened.views.people import ANNOTATE, annotator
from components.people.judge import grouping
from components.people.judge.placing import AnnotationDesk, made_by, record
from components.timeline.workspace import choose_timeline
from core.data.answers import Answers
from core.data.pair_sets.load import available_sets, load_pair_set
from core.errors import InputError
from core.journal.journal import the_journal
from core.people import questions, studies, voting
from core.people.grouping import Training, grouping_task, is_trained, training
from core.people.study import Purpose, StudyPair
from core.text.normalise import judge_key

_SINCE: Final = "annotate_pair_since"  # the pair that is shown, and when it was shown first
_STAGES: Final = {
    voting.Standing.TRAINING: "**Training:** you are told what is right.",
    voting.Standing.EXAM: "**Exam:** you are not told what is right. Those who pass continue with the pairs.",
}
_FAILED: Final = {voting.Standing.UNTRAINED: Purpose.TRAINING, voting.Standing.FAILED: Purpose.EXAM}


@resources.cached(max_entries=16)
def pair_task(name: str, question: str) -> voting.VotingTask:
    return voting.voting_task(load_pair_set(name), questions.QUESTIONS[question])


def say_found_again(answers: Answers, noun: str = "headline") -> None:
    """Says how many headlines that were answered about are in the file, where it changed since."""
    found_again = answers.found_again()
    if found_again.changed or found_again.gone:
        st.caption(f":material/link: {found_again.sentence(noun=noun)}")


def open_task(question: str) -> voting.VotingTask:
    chosen = ANNOTATE.now().pairs
    if chosen not in available_sets():
        raise InputError(f"There is no pair set {chosen[:60]!r} here.", hint="Choose one from the list.")
    return pair_task(chosen, question)


def choose_set(key: str, **look: Any) -> None:
    sets, here, put = available_sets(), ANNOTATE.now().pairs, ANNOTATE.put
    titles = {name: f"Pair set {name.partition('.v')[0].replace('_', ' ')}" for name in {*sets, here}}
    choose_here("Pair set", sets, titles, key, here, lambda name: put(pairs=name), **{"width": 300} | look)


def vote_on_pairs(question: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-pairs-bar"):
        choose_set("annotate-pairs")
        place = st.container(width="content")
    task = open_task(question)
    say_found_again(task.answers, "pair")
    with place:
        instructions(task.question.rules)
    ask_pairs(task, task.question.rules)


def instructions(rules: str) -> None:
    st.popover(say("Instructions"), icon=":material/menu_book:", type="tertiary").markdown(rules)


def ask_pairs(task: voting.VotingTask, rules: str) -> None:
    begun = bool(_own(task).votes)
    asked, beside = (st.container(), None) if begun else st.columns([3, 2], gap="large")
    with asked:
        _voting(task, begun)
    if beside is not None:
        with beside:
            grouping.how_to_answer(rules)


def _own(task: voting.VotingTask) -> voting.Voter:
    return voting.voter(task, task.answers.read(), annotator())


@st.fragment
def _voting(task: voting.VotingTask, begun: bool) -> None:
    show_kept_error()
    everybody = voting.voters(task, task.answers.read())
    own = everybody.get(judge_key(annotator())) or _own(task)
    if own.votes and not begun:
        st.rerun()  # the instructions fold
    item = voting.next_item(own, everybody.values())
    if own.stage in _STAGES:
        st.markdown(say(_STAGES[own.stage]))
    _feedback(own)
    if item is None:
        _over(own)
    else:
        if st.session_state.get(_SINCE, ("",))[0] != item.id:
            st.session_state[_SINCE] = (item.id, time.monotonic())
        pair = [(item.left, item.days[0]), (item.right, item.days[1])]
        swapped = own.swapped(item)
        with st.container(border=True, key="annotate-pair"):
            grouping.side_by_side(reversed(pair) if swapped else pair)
        st.markdown(say(task.question.text))
        with st.container(horizontal=True, key="vote-answers"):
            for choice in task.question.choices:
                key = f"vote-{choice.value}-{item.id}"
                label = say(choice.label) + grouping.suggested(choice.means == task.suggestion(item))
                button(label, key, _give, task, item, choice, swapped, shortcut=choice.key)
            undo_button("vote-undo", "Z", _undo, task, disabled=own.last is None)
    if own.stage in _STAGES:
        items = own.task.pool(Purpose.TRAINING if own.stage == voting.Standing.TRAINING else Purpose.EXAM)
        done = sum(item.id in own.votes for item in items)
        st.progress(done / len(items), text=say("**{at}** of {count}", at=done, count=len(items)))
    else:
        # Control pairs are counted with the others: the number must not tell them apart.
        pairs = len(own.task.pool(Purpose.MAIN))
        most = min(pairs, own.task.study.block or pairs)
        said = say("**{count}** votes given", count=own.worked)
        st.progress(min(own.worked / most, 1.0) if most else 1.0, text=said)


@errors_kept()
def _record(task: voting.VotingTask, kind: str, body: Mapping[str, Any]) -> None:
    studies.require_open(the_journal(), task.study, annotator())
    record(task.answers, kind, body)


def _give(task: voting.VotingTask, item: StudyPair, choice: questions.AnswerChoice, swapped: bool) -> None:
    if item.id in _own(task).votes or not annotator():
        return
    shown, since = st.session_state.get(_SINCE, ("", 0.0))
    seconds = round(time.monotonic() - since, 2) if shown == item.id else None
    answer = {"left": "right", "right": "left"}.get(choice.value, choice.value) if swapped else choice.value
    _record(task, voting.VOTED, voting.vote(task, item, answer, swapped=swapped, seconds=seconds))


def _undo(task: voting.VotingTask) -> None:
    last = _own(task).last
    if last is not None:
        _record(task, voting.UNDONE, {"of": last[0]})


def _feedback(own: voting.Voter) -> None:
    trained = [item for item in own.task.pool(Purpose.TRAINING) if item.id in own.votes]
    if not trained or own.stage not in _STAGES or own.right(Purpose.EXAM)[1]:
        return
    last = max(trained, key=lambda item: list(own.votes).index(item.id))
    labels = {choice.value: say(choice.label) for choice in own.task.question.choices}
    said = f"“{plain(last.left)}” and “{plain(last.right)}”  \n"
    right = own.task.question.right(last)
    if own.votes[last.id].answer in right:
        st.success(said + say("Right."), icon=":material/check:")
    elif len(right) == 1:
        st.warning(said + say("Right is: {answer}.", answer=labels[right[0]]), icon=":material/school:")
    else:
        st.warning(said + say("Both report one event."), icon=":material/school:")


def _over(own: voting.Voter) -> None:
    with st.container(border=True, key="annotate-pair"):
        if own.too_late:
            notice("study_full")
        elif own.stage in _FAILED:
            _failed(own)
        elif own.stage == voting.Standing.STOPPED:
            st.markdown(say(WORDS["texts"]["controls_wrong"]))
        else:
            grouping.all_done(own.task.study, "Every pair has your vote, or all the votes it needs.")


def _failed(own: voting.Voter) -> None:
    """What follows from too few right answers; of an exam that can be taken again no number is told."""
    pool = _FAILED[own.stage]
    said = say("Not enough answers of the exam were right.")
    then = say("No more pairs are asked. Thank you for your time.")
    if pool is Purpose.TRAINING or not own.may_repeat:
        right, asked = own.right(pool)
        said = say("{right} of {count} answers were right, which is not enough.", right=right, count=asked)
    if own.may_repeat:
        then = say("Read the instructions again and begin the training once more.")
    if own.may_repeat and pool is Purpose.EXAM:
        then += f" {say('Tries of the exam left: {count}.', count=own.tries)}"
    st.markdown(f"**{said}**  \n{then}")
    if own.may_repeat:
        button(say("Take them again"), "vote-again", _record, own.task, voting.AGAIN, {}, type="primary")


def group_headlines() -> None:
    if not trained(training()):
        return
    here = timeline_state.now().data
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-bar"):
        choose_timeline("annotate-data", lambda: ANNOTATE.put(row=None, find=""))
        with st.popover("Instructions", icon=":material/menu_book:", type="tertiary"):
            st.markdown(grouping.RULES)
            st.toggle("Show the model's suggestion", **ANNOTATE.widget("suggest", "annotate-suggest"))
    timeline = resources.timeline(here)
    with errors_shown("Annotate"):
        resources.keep_subject(here)
    model = resources.model_groups(here) if ANNOTATE.now().suggest else None
    task = grouping_task(timeline)
    say_found_again(task.answers)
    grouping.grouping(AnnotationDesk(timeline, task, model=model))


def trained(lesson: Training, rules: str = grouping.RULES) -> bool:
    if annotator() and is_trained(lesson.task.answers.read(), annotator()):
        return True
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-training"):
        said = say("**Training:** {count} headlines with feedback", count=len(lesson.timeline))
        st.markdown(said, width="content")
        if made_by(lesson.task).steps:  # before the first answer they stand below
            instructions(rules)
        if annotator() and not lesson.task.study.gate:
            skip = grouping.end_training, lesson
            button(say("Skip the training"), "annotate-skip", *skip, type="tertiary")
    grouping.grouping(AnnotationDesk(lesson.timeline, lesson.task, lesson=lesson, rules=rules))
    return False
