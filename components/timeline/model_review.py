"""A language model of one's own answers links in doubt and names events: offered, priced before, stopped."""

from functools import partial
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
from core.events.asked_links import ask_links, cost_of
from core.events.correction import History
from core.events.named_events import name_events
from core.models.endpoints import costs
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.endpoint import SCALE, EndpointPairs
from core.runtime import Runtime

_MOST: Final = 24  # questions at a time
_WRITER: Final = "endpoint.v1"
_LINKS, _NAMES = "links", "names"
_ASKED: Final = "review-model-asked"
_SAID: Final = "review-model-said"


def offer_model(view: View) -> None:
    """Buttons that ask the model which is set, with what is sent and what it costs; nothing without one."""
    st.caption(st.session_state.pop(_SAID, ""))
    model, history = EndpointPairs(answer=SCALE), view.corrections.history
    try:
        model.check()
        foreseen = cost_of(view.prepared, history, model, _MOST)
    except CoreError:
        return  # none is set, or visitors may ask none
    # With the length of the log: what was asked before a correction or an undo is not asked again by itself.
    ask, length = partial(st.session_state.__setitem__, _ASKED), len(history.corrections)
    label = f"Ask {plain(model.model)} about links in doubt, at most {_MOST} questions"
    with st.container(horizontal=True):
        button(label, "review-model", ask, (_LINKS, length), icon="forum")
        name = f"Let it name {view.grouping.events:,} events, a question each"
        button(name, "review-names", ask, (_NAMES, length), icon="title", type="tertiary")
    say_what_leaves(model)
    st.caption(plain(foreseen))
    for what in (_LINKS, _NAMES):
        if st.session_state.get(_ASKED) == (what, length):
            _ask(view, model, what)


def _ask(view: View, model: EndpointPairs, what: str) -> None:
    prepared, grouping, history = view.prepared, view.grouping, view.corrections.history

    def work(runtime: Runtime) -> tuple[History, str]:
        if what == _LINKS:
            asked = ask_links(prepared, history, model, _MOST, runtime)
            log, said = asked.history, asked.sentence
        else:
            log, said = name_events(prepared, grouping, history, _WRITER, runtime)
        return log, f"{said} {costs.after(runtime.spent)}"

    log = f"{what}|{history.digest}|{len(history.corrections)}"
    key = f"{_ASKED}|{grouping.signature}|{log}|{pair_scorers.signature(model)}"
    try:
        result = progress.finished(key, "Asking your model", work, long=True)
        if result is None:
            return
        known, said = result
        resources.correction_store(prepared).add(*known.corrections[len(history.corrections) :])
    except CoreError as error:
        del st.session_state[_ASKED]
        show_error(error)
        return
    del st.session_state[_ASKED]
    st.session_state[_SAID] = plain(said)
    stay(view)
    st.rerun()
