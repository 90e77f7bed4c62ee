"""Models: which models and methods are there, and how is one trained?"""

import streamlit as st

from components.frame.page_state import write_address
from components.lab.library import library
from components.lab.own_models import own_models
from components.page import page
from core.errors import InputError
from core.runtime import workshop

with page(__file__, "Models", "Which models can I use or train?") as shown:
    write_address()
    if shown == "library":
        library()
    elif shown == "own":
        if workshop():
            hint = "The person who runs this server can do it in its environment."
            raise InputError("Language models are not set in a workshop.", hint=hint)
        own_models()
    else:
        from components.lab.train import choose_run, example, order_form, start_small, watch  # of `research`

        if workshop():
            example()
            hint = "The person who runs this server can do it on the command line."
            raise InputError("Models are not trained in a workshop.", hint=hint)
        run = choose_run()
        if run is None:
            example()
        else:
            watch(run)
        title = "Train a model of your own" if run is None else "Train another model"
        with st.expander(title, icon=":material/add_circle:"):
            if run is not None:
                start_small()
            order_form()
