"""Train: how do I train a model, and how far is it?"""

import streamlit as st

from components.page import not_in_a_workshop, page
from components.train.runs import choose_run, example, order_form, show_new_run, watch

with page(__file__, "Train", "How do I train a model, and how far is it?"):
    not_in_a_workshop("Models are not trained in a workshop.")
    show_new_run()
    run = choose_run()
    if run is None:
        example()
    else:
        watch(run)
    title = "Train a model" if run is None else "Train another model"
    with st.expander(title, expanded=run is None, icon=":material/add_circle:"):
        order_form()
