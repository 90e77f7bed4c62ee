"""Open a file: what is in it, and did we read it correctly?"""

import streamlit as st

from components import resources
from components.open.importer import (
    choose_timeline,
    load_given,
    loading_report,
    mapping_form,
    read_input,
    understand,
)
from components.page import page
from components.timeline import state

with page(__file__, "Open a file", "What is in it, and did we read it correctly?"):
    given = read_input()
    if given is None:
        st.stop()
    above = st.container()  # in the window, however much the file needs below
    preview, reading = understand(given)
    mapping = mapping_form(preview)
    timeline = choose_timeline(preview)
    if above.button("Load these headlines", type="primary", key="load", icon=":material/check:"):
        with above:
            st.session_state["loaded"] = load_given(given, reading, mapping, timeline) is not None
        if st.session_state["loaded"] and not resources.timeline(state.now().data).report.rejected:
            st.switch_page("pages/timeline.py")
    if st.session_state.get("loaded") and state.now().data.startswith(resources.FILE):
        state.write_address()
        with above:
            loading_report(resources.timeline(state.now().data))
