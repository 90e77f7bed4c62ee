"""Library: which models and methods are there, and where do their weights come from?"""

import streamlit as st

from components.library import files_left_out, methods_table, models_table, server_memory
from components.page import page

with page(__file__, "Library", "Which models and methods are there, and where do the weights come from?"):
    files_left_out()
    st.header("Models", anchor=False)
    models_table()
    st.header("Methods", anchor=False)
    methods_table()
    server_memory()
