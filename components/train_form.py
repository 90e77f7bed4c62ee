"""Ordering a training run: data, trainer, hyper-parameters, seed; nothing is typed that becomes a path."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.recipe_form import recipe_form
from components.train_runs import CHOSEN
from core.workflows.catalogue import summary_of
from core.workflows.trainers.trainer import trainers
from core.workflows.training import Order
from core.workflows.training_runs import start, trainable_sets

_KEY = "train-form"


@st.cache_data(show_spinner="Looking which pair sets are on this machine …", ttl=600)
def _sets() -> list[str]:
    return trainable_sets()


def order_form() -> None:
    """The form; a new run is started in a process of its own and then shown."""
    known = _sets()
    data = st.multiselect(
        "Pairs to train on",
        known,
        default=[name for name in ("uci", "allsides", "ecbplus") if name in known],
        help="Each keeps its own parts; the model learns from the training part alone.",
        key=f"{_KEY}-data",
    )
    names = trainers.names()
    name = st.selectbox(
        "Trainer",
        names,
        index=names.index("cross_encoder.v1"),
        format_func=lambda qualified: qualified.partition(".")[0].replace("_", " ").capitalize(),
        key=f"{_KEY}-trainer",
    )
    recipe: Any = trainers.parse(name)
    st.caption(summary_of(recipe))
    with st.expander("Hyper-parameters", icon=":material/tune:"):
        recipe = recipe_form(recipe, key=f"{_KEY}-{name}", free_text=False)
        seed = st.number_input("Seed", min_value=0, max_value=2**32 - 1, value=0, key=f"{_KEY}-seed")
    if st.button(
        "Start training",
        type="primary",
        disabled=not data,
        icon=":material/model_training:",
        key=f"{_KEY}-start",
    ):
        order = Order(trainer=trainers.signature(recipe), data=tuple(data), seed=int(seed))
        run = start(order)
        st.session_state["train-new"] = run.path.name
        st.rerun()
    st.caption("A run goes on when this page is closed; here it can be watched, stopped and taken up again.")


def show_new_run() -> None:
    """Chooses the run that was just started; called before the list is drawn."""
    new = st.session_state.pop("train-new", None)
    if new is not None:
        st.session_state[CHOSEN] = new
