"""A language model of one's own answers the links in doubt in Review: offered, priced before, and stopped."""

from typing import Final

import streamlit as st

from components.frame import progress
from components.frame.errors import show_error
from components.frame.markdown import plain
from components.frame.widgets import button
from components.opened import resources
from components.opened.recipes import say_what_leaves
from components.timeline.correct import stay
from components.timeline.workspace import View
from core.errors import CoreError
from core.events.asked_links import AskedLinks, ask_links, cost_of, who_answers
from core.events.correction import History
from core.models.endpoints import costs
from core.models.endpoints.addresses import endpoints
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime

_MOST: Final = 24  # questions at a time
_SCORER: Final = "endpoint.v1|answer:scale"  # which every server can answer
_ASKED: Final = "review-model-asked"
_SAID: Final = "review-model-said"


def offer_model(view: View) -> None:
    """A button that asks the model which is set, with what is sent and what it costs; nothing without one."""
    if said := st.session_state.pop(_SAID, ""):
        st.caption(said)
    try:
        model = pair_scorers.parse(_SCORER)
        if not endpoints():
            return
        model.prepare(view.prepared.context, Runtime())
        history = view.corrections.history
        foreseen = cost_of(view.prepared, history, model, _MOST)
    except CoreError:
        return  # none is set, or visitors may ask none
    name = who_answers(model)
    label = f"Ask {plain(name)} about links in doubt, at most {_MOST} questions"
    # With the length of the log: what was asked before a correction or an undo is not asked again by itself.
    button(
        label, "review-model", st.session_state.__setitem__, _ASKED, len(history.corrections), icon="forum"
    )
    say_what_leaves(model)
    st.caption(plain(foreseen))
    if st.session_state.get(_ASKED) == len(history.corrections):
        _ask(view, history)


def _ask(view: View, history: History) -> None:
    prepared = view.prepared

    def work(runtime: Runtime) -> tuple[AskedLinks, str]:
        asked = ask_links(prepared, history, pair_scorers.parse(_SCORER), _MOST, runtime)
        return asked, costs.after(runtime.spent)

    model = pair_scorers.signature(pair_scorers.parse(_SCORER))
    key = f"{_ASKED}|{prepared.signature}|{history.digest}|{len(history.corrections)}|{model}"
    try:
        result = progress.finished(key, "Asking your model", work, long=True)
        if result is None:
            return
        asked, cost = result
        known = {entry.id for entry in history.corrections}
        new = [entry for entry in asked.history.corrections if entry.id not in known]
        if new:
            resources.correction_store(prepared).add(*new)
    except CoreError as error:
        del st.session_state[_ASKED]
        show_error(error)
        return
    del st.session_state[_ASKED]
    st.session_state[_SAID] = plain(f"{asked.sentence} {cost}")
    stay(view)
    st.rerun()
