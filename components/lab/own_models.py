"""Language models of one's own by their address: set, tried and removed."""

from dataclasses import replace
from typing import Final

import streamlit as st

from components.frame.errors import errors_kept, show_kept_error
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button
from components.lab.own_prompts import own_prompts
from core.models.endpoints import addresses
from core.models.endpoints.asking import interface_of, models_at

_SAID: Final = "own-models-said"
_FIELDS: Final = ("address", "model", "key")


def own_models() -> None:
    st.markdown(WORDS["texts"]["own_models"])
    if said := st.session_state.pop(_SAID, ""):
        st.success(said, icon=":material/check_circle:")
    show_kept_error()
    known = addresses.endpoints()
    for endpoint in known:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            key = "with a key" if endpoint.key else "without a key"
            sends = plain(addresses.sentence_of(endpoint.address, "Texts"))
            said = f"{sends} {addresses.PLAIN}" if endpoint.interface == addresses.COMPLETIONS else sends
            st.markdown(f"**{plain(endpoint.model or 'No model named')}**, {key}  \n:small[{said}]")
            button("Remove", f"own-models-away-{endpoint.address}", _remove, endpoint.address, icon="delete")
    inside = st.expander("Set a model", expanded=not known, icon=":material/add_link:")
    with inside, st.form("own-models", border=False):
        st.text_input("Address", key="own-models-address", placeholder="http://127.0.0.1:11434/v1")
        st.text_input("Model", key="own-models-model", placeholder="as the server calls it")
        st.text_input("Key, where the server wants one", type="password", key="own-models-key")
        st.form_submit_button("Set and try", icon=":material/check:", on_click=_set)
    own_prompts()


def _set() -> None:
    # The key leaves the session at once.
    given = {name: str(st.session_state.pop(f"own-models-{name}", "")) for name in _FIELDS}
    with errors_kept():
        given["address"] = addresses.checked_address(given["address"])
        addresses.store(addresses.Endpoint(**given))
        endpoint = addresses.allowed(given["address"])
        listed = models_at(endpoint)
        if (interface := interface_of(endpoint)) != (endpoint.interface or addresses.CHAT):
            addresses.store(replace(endpoint, interface=interface))
        said = f"It answers, and lists {', '.join(listed[:20]) or 'no models'}."
        st.session_state[_SAID] = plain(said)


def _remove(address: str) -> None:
    with errors_kept():
        addresses.remove(address)
