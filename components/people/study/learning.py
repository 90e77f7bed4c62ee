"""Under a study's results: what a model learns from its answers, whether more help, what is asked first."""

from typing import Final

import streamlit as st

from components.frame.charts.intervals import figure_chart
from components.frame.charts.show_chart import show_chart
from components.frame.errors import errors_kept
from components.frame.page_state import PLACES, turn_to
from components.frame.progress import finished
from components.frame.widgets import button
from core.data.pair_sets.kept import keep_pairs, own_sets
from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.data.pair_sets.pair_writer import write_pairs
from core.errors import InputError
from core.journal.journal import the_journal
from core.pairs.learning import LearningCurve, evidence, learn, too_few
from core.parts import Part
from core.people.questions import SAME_EVENT
from core.people.study import Purpose, Study
from core.people.study_results import PairAnswers
from core.results.number_forms import percent
from core.results.table import TableColumn
from core.runtime import Runtime, workshop
from core.study_access.study_models import ask_first, labelled_pairs

_TITLE: Final = "Learn from these answers"
_LEARNED: Final = "study-learned"  # fingerprint of the labels that the reader had learned from
_MET: Final = TableColumn("Accuracy on held-out answers, %", form=percent())
_TRAINED_ON: Final = "train-form-pair-data"  # what is chosen under Train


def learn_from_answers(study: Study, answers: PairAnswers) -> None:
    if study.asks != SAME_EVENT.key or not answers.votes.items:
        return
    pairs = labelled_pairs(answers)
    st.header(_TITLE, anchor=False)
    ask = errors_kept()(ask_first), the_journal(), study
    if study.asked_first:
        st.caption("Pairs are asked in the order of a model's doubt, the most doubtful first.")
        button("Back to the study's own order", "study-own-order", *ask, (), type="tertiary")
    if said := too_few(pairs.labels):
        st.caption(said)
        return
    with st.container(horizontal=True, key="study-learning"):
        begun = st.session_state.get(_LEARNED) == pairs.fingerprint
        then = st.session_state.update, {_LEARNED: pairs.fingerprint}
        button(_TITLE, "study-learn", *then, icon="model_training", disabled=begun)
        if not workshop():
            then, look = (errors_kept()(_to_train), study, pairs), {"icon": "open_in_new", "type": "tertiary"}
            button("Train a network on the labels", "study-train", *then, **look)
    if not begun:
        return

    def learned(runtime: Runtime) -> LearningCurve:
        return learn(pairs, evidence(pairs, runtime), runtime)

    if (curve := finished(f"learn-{pairs.fingerprint}", _TITLE, learned, long=True)) is not None:
        said = curve.gain_said
        if not curve.all_met:
            said += f"  \n**{curve.advice}**  \n{curve.gain.warning}"
            steps = ((f"{count:,} labels" if count else "untrained", share) for count, share in curve.steps)
            show_chart(figure_chart(_MET, steps), name="study-curve", title=_MET.title, alt=said)
        st.markdown(said)
        order = [answers.task.pool(Purpose.MAIN)[row].id for row in curve.unsure.tolist()]
        button("Ask first what it is least sure of", "study-ask-first", *ask, order, icon="low_priority")


def _to_train(study: Study, pairs: PairSet) -> None:
    table, name = write_pairs(pairs.with_pairs(pairs.labels != UNKNOWN), "csv"), f"study_{study.code}"
    name = keep_pairs(table, "labels.csv", name=f"{name}_{pairs.fingerprint[:6]}")
    if not len(own_sets()[name].load().part(Part.TRAIN)):
        said = "The labelled pairs share too many headlines to be divided into some to learn from and others."
        raise InputError(said, hint="Collect labels of pairs of other events too.")
    st.session_state[_TRAINED_ON] = [name]
    PLACES.put(models="train")
    turn_to("models")
