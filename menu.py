"""Headline Lab: the list of pages and nothing else."""

import streamlit as st

from components import start

st.set_page_config(page_title="Headline Lab", page_icon="components/icon.png", layout="wide")

start.run(
    {
        "Read": [
            st.Page("pages/timeline.py", title="Timeline", icon=":material/view_timeline:", default=True),
            st.Page("pages/map.py", title="Map", icon=":material/scatter_plot:"),
            st.Page("pages/live.py", title="Live", icon=":material/rss_feed:"),
            st.Page("pages/archive.py", title="Archive", icon=":material/inventory:"),
            st.Page("pages/open.py", title="Open a file", icon=":material/upload_file:"),
        ],
        "Check": [
            st.Page("pages/numerals.py", title="Numerals", icon=":material/123:"),
            st.Page("pages/write.py", title="Write", icon=":material/edit_note:"),
            st.Page("pages/compare.py", title="Compare", icon=":material/compare:"),
        ],
        "People": [
            st.Page("pages/evaluate.py", title="Evaluate", icon=":material/how_to_vote:"),
            st.Page("pages/annotate.py", title="Annotate", icon=":material/edit_square:"),
            st.Page("pages/agreement.py", title="Agreement", icon=":material/handshake:"),
            st.Page("pages/room.py", title="Room", icon=":material/meeting_room:"),
            st.Page("pages/join.py", title="Join", visibility="hidden"),
        ],
        "Research": [
            st.Page("pages/pairs.py", title="Pairs", icon=":material/balance:"),
            st.Page("pages/consistency.py", title="Consistency", icon=":material/change_history:"),
            st.Page("pages/pair_sets.py", title="Pair sets", icon=":material/compare_arrows:"),
            st.Page("pages/train.py", title="Train", icon=":material/model_training:"),
            st.Page("pages/leaderboard.py", title="Leaderboard", icon=":material/leaderboard:"),
            st.Page("pages/library.py", title="Library", icon=":material/inventory_2:"),
        ],
    }
)
