"""Sources: which headlines are there to read, from a file, a feed or an archive?"""

import streamlit as st

from components.opened.importer import open_view
from components.page import page
from components.sources.archive.view import archive_view
from components.sources.live import stream_view
from components.sources.open_list import open_list

with page(__file__, "Sources", "Which headlines do you want to read?") as shown:
    if shown == "live":
        stream_view()
    elif shown == "archive":
        archive_view()
    else:
        with st.container(key="open-page"):
            with st.container(key="open-own"):
                st.header("Your own headlines", anchor=False)
                given = open_view()
            if not given:
                with st.container():
                    open_list()
