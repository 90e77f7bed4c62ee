"""Library: which models and methods are there, and where do their weights come from?"""

import streamlit as st

from components.library import methods_table, models_table
from components.page import page

with page(__file__, "Library", "Which models and methods are there, and where do the weights come from?"):
    st.header("Models", anchor=False)
    models_table()
    st.header("Methods", anchor=False)
    methods_table()
