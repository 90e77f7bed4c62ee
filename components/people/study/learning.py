"""Under a study's results: what a model learns from its answers, whether more help, what is asked first."""

from typing import Final

import streamlit as st

from components.frame.charts.learning_curve import learning_chart
from components.frame.charts.show_chart import show_chart
from components.frame.errors import errors_kept, errors_shown
from components.frame.page_state import PLACES, turn_to
from components.frame.progress import finished
from components.frame.widgets import button
from core.data.pair_sets.kept import keep_pairs
from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.data.pair_sets.pair_writer import write_pairs
from core.journal.journal import the_journal
from core.pairs.learning import LearningCurve, evidence, learn, too_few
from core.people.questions import SAME_EVENT
from core.people.study import Study
from core.people.study_results import PairAnswers
from core.runtime import Runtime, workshop
from core.study_access.study_learning import ask_first, labelled_pairs

_TITLE: Final = "Learn from these answers"
_LEARNED: Final = "study-learned"  # fingerprint of the labels that the reader had learned from
_TRAINED_ON: Final = "train-form-pair-data"  # what is chosen under Train


def learn_from_answers(study: Study, answers: PairAnswers) -> None:
    if study.asks != SAME_EVENT.key or not answers.votes.items:
        return
    pairs = labelled_pairs(answers)
    st.header(_TITLE, anchor=False)
    _say_order(study, answers)
    if said := too_few(pairs.labels):
        st.caption(said)
        return
    with st.container(horizontal=True, key="study-learning"):
        begun = st.session_state.get(_LEARNED) == pairs.fingerprint
        look = {"icon": "model_training", "disabled": begun}
        button("Learn from these answers", "study-learn", _begin, pairs.fingerprint, **look)
        if not workshop():
            look = {"icon": "open_in_new", "type": "tertiary"}
            button(
                "Train a network on the labels", "study-train", errors_kept()(_to_train), study, pairs, **look
            )
    if not begun:
        st.caption("A small model is trained on the labels, added to the default scorer, in the background.")
        return

    def work(runtime: Runtime) -> LearningCurve:
        return learn(pairs, *evidence(pairs, runtime), runtime)

    with errors_shown(_TITLE):
        curve = finished(f"study-learn-{pairs.fingerprint}", "Learning from the answers", work, long=True)
        if curve is not None:
            _show(study, answers, curve)


def _begin(fingerprint: str) -> None:
    st.session_state[_LEARNED] = fingerprint


def _show(study: Study, answers: PairAnswers, curve: LearningCurve) -> None:
    alt = f"Share of held-out answers met by labels learned from. {curve.gain_said} {curve.advice}"
    show_chart(learning_chart(curve), name="study-learning-curve", title="Learning curve", alt=alt)
    st.markdown(f"{curve.gain_said}  \n**{curve.advice}**")
    for warning in filter(None, [curve.gain.warning]):
        st.caption(warning)
    then = errors_kept()(ask_first), the_journal(), study, answers, curve.unsure.tolist()
    help = (
        "Pairs that lack votes are asked in this order from now on, those the model is least sure of first."
    )
    button("Ask these first", "study-ask-first", *then, icon="low_priority", help=help)


def _say_order(study: Study, answers: PairAnswers) -> None:
    if first := study.asked_first:
        with st.container(horizontal=True, vertical_alignment="center", key="study-asked-first"):
            st.caption(
                f"{len(first):,} pairs are asked first, those of which a model was least sure leading."
            )
            then = errors_kept()(ask_first), the_journal(), study, answers, ()
            button("Back to the study's own order", "study-own-order", *then, type="tertiary")


def _to_train(study: Study, pairs: PairSet) -> None:
    known = pairs.with_pairs(pairs.labels != UNKNOWN)
    name = f"study_{study.code}_{pairs.fingerprint[:6]}"
    st.session_state[_TRAINED_ON] = [keep_pairs(write_pairs(known, "csv"), f"{name}.csv", name=name)]
    PLACES.put(models="train")
    turn_to("models")
