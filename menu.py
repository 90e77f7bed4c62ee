"""Headline Lab: the list of pages and nothing else."""

import streamlit as st

from components import page

st.set_page_config(page_title="Headline Lab", page_icon=page.ICON, layout="wide")

page.run(
    {
        "Events": [
            st.Page("pages/timeline.py", title="Timeline", icon=":material/view_timeline:", default=True),
            st.Page("pages/sources.py", title="Sources", icon=":material/upload_file:"),
        ],
        "Headlines": [
            st.Page("pages/write.py", title="Write", icon=":material/edit_note:"),
            st.Page("pages/check_numbers.py", title="Check numbers", icon=":material/123:"),
            st.Page("pages/compare.py", title="Compare", icon=":material/compare:"),
        ],
        "People": [
            st.Page("pages/judge.py", title="Annotate and judge", icon=":material/how_to_vote:"),
            st.Page("pages/room.py", title="Room", icon=":material/meeting_room:"),
            st.Page("pages/join.py", title="Join", visibility="hidden"),
            st.Page("pages/screen.py", title="Screen", visibility="hidden"),
            st.Page("pages/remote.py", title="Remote", visibility="hidden"),
            st.Page("pages/study.py", title="Study", visibility="hidden"),
        ],
        "Lab": [
            st.Page("pages/benchmark.py", title="Benchmark", icon=":material/leaderboard:"),
            st.Page("pages/consistency.py", title="Consistency", icon=":material/change_history:"),
            st.Page("pages/models.py", title="Models", icon=":material/model_training:"),
            *page.of_plugins(),
        ],
    }
)
