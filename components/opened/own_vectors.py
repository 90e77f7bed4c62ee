"""Vectors of one's own in place of a text encoder, for the timeline that is open."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.frame.errors import show_error
from components.frame.markdown import HELPS, plain
from components.frame.widgets import button
from components.opened import resources
from components.opened.views import timeline as state
from core.data.vector_files import KINDS
from core.errors import CoreError
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.given_vectors import encoder_of_file

_GIVEN: Final = "own-vectors-given"  # which timeline, file and signature; and what is said of them
_NONE: Final = ("", "", "", [])


def encoder_in_force() -> str:
    """The encoder that was chosen; vectors of one's own only with the timeline that they were given for."""
    now = state.now()
    data, _, signature, _ = st.session_state.get(_GIVEN, _NONE)
    elsewhere = now.encoder.startswith("own_vectors.") and (data, signature) != (now.data, now.encoder)
    return AUTOMATIC if elsewhere else now.encoder


def own_vectors(choose: Callable[[str], None]) -> bool:
    """Draws the place for a file of vectors, and what is in force; True where that is one."""
    data = state.now().data
    look = {"type": list(KINDS), "key": f"own-vectors-{data}", "help": HELPS["own-vectors"]}
    file = st.file_uploader("Vectors of your own", **look)
    given = st.session_state.get(_GIVEN, _NONE)
    if file is not None and given[:2] != (data, file.file_id):
        timeline = resources.timeline(data)
        try:
            found = encoder_of_file(file.name, AUTOMATIC, timeline.texts, timeline, data=file.getvalue())
        except CoreError as error:
            show_error(error)
            return False
        st.session_state[_GIVEN] = (data, file.file_id, *found)
        choose(found[0])
        st.rerun()
    if not encoder_in_force().startswith("own_vectors."):
        return False
    for note in ("Vectors of your own stand in place of the model.", *given[3]):
        st.caption(plain(note))
    button("Use a model instead", "own-vectors-away", choose, AUTOMATIC, icon="undo", type="tertiary")
    return True
