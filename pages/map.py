"""Map: which headlines mean nearly the same?"""

import streamlit as st

from components.map.headline_map import headline_map
from components.map.search import headline_table
from components.page import page, signature
from components.timeline.card import pair_of_rows
from components.timeline.correct import correct_selection
from components.timeline.history import corrections_bar, exports
from components.timeline.workspace import open_view

with page(__file__, "Map", "Which headlines mean nearly the same?"):
    view = open_view()
    picture, rows = st.columns([3, 2], gap="medium")  # side by side: what is selected there stands here
    with picture:
        matches, method = headline_map(view)
    with rows:
        corrections_bar(view)
        correct_selection(view)
        headline_table(view, matches)
    pair_of_rows(view)
    exports(view)
    signature(f"{view.grouping.signature} · map:{method}")
