"""Ordering a training run; nothing is typed that becomes a path."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from components.markdown import plain
from components.pair_sets.own import bring_pairs, choose_added
from components.recipes import recipe_form
from components.train.runs import CHOSEN, curves
from core import files
from core.data.pair_sets.own import own_sets
from research.catalogue.catalogue import summary_of
from research.catalogue.training import TrainingOrder
from research.catalogue.training_kinds import KINDS
from research.catalogue.training_runs import start
from research.runs.trainer import trainers

_KEY = "train-form"


@st.cache_data(show_spinner="Looking for data sets on this computer …", ttl=600)
def _sets(kind: str, own: tuple[str, ...]) -> list[str]:
    return KINDS[kind].trainable()


def order_form() -> None:
    """The form; a new run is started in a process of its own and then shown."""
    kind = st.segmented_control(
        "What is trained",
        list(KINDS),
        default="pair",
        required=True,
        format_func=lambda name: KINDS[name].title,
        key=f"{_KEY}-kind",
    )
    chosen_kind = KINDS[kind]
    st.caption(f"{plain(chosen_kind.about)} It learns from the training part of each set alone.")
    known = _sets(kind, tuple(own_sets()))
    key = f"{_KEY}-{kind}-data"
    choose_added(key)
    chosen = st.session_state.get(key)
    possible = [name for name in (chosen_kind.sets if chosen is None else chosen) if name in known]
    # Given only where it differs: an open list that is given anew moves under the pointer.
    if possible != chosen:
        st.session_state[key] = possible
    data = st.multiselect(
        f"{chosen_kind.unit.capitalize()} to train on",
        known,
        key=key,
    )
    if kind == "pair":
        bring_pairs(key, key="train-own")
    names = chosen_kind.names()
    name = st.selectbox(
        "Trainer",
        names,
        index=names.index(chosen_kind.trainer),
        format_func=lambda qualified: qualified.partition(".")[0].replace("_", " ").capitalize(),
        key=f"{_KEY}-{kind}-trainer",
    )
    recipe: Any = trainers.parse(name)
    st.caption(summary_of(recipe))
    with st.expander("Hyper-parameters", icon=":material/tune:"):
        recipe = recipe_form(recipe, key=f"{_KEY}-{kind}-{name}", free_text=False)
        seed = st.number_input("Seed", min_value=0, max_value=2**32 - 1, value=0, key=f"{_KEY}-seed")
    if st.button(
        "Start training",
        type="primary",
        disabled=not data,
        icon=":material/model_training:",
        key=f"{_KEY}-start",
    ):
        order = TrainingOrder(trainer=trainers.signature(recipe), data=tuple(data), seed=int(seed))
        run = start(order)
        st.session_state["train-new"] = run.path.name
        st.rerun()
    st.caption("A run continues when this page is closed; here it can be watched, stopped and resumed.")


def show_new_run() -> None:
    """Chooses the run that was just started; called before the list is drawn."""
    new = st.session_state.pop("train-new", None)
    if new is not None:
        st.session_state[CHOSEN] = new


_MODELS = files.ROOT / "models"


def example() -> None:
    """What to do, and a real run's curves where one ships."""
    st.info(
        "**Nothing has been trained here yet.**  \nChoose pairs below and start: loss and F1 appear here "
        "while the model learns.",
        icon=":material/model_training:",
    )
    shipped = sorted(_MODELS.glob("*/progress.jsonl"))
    if shipped:
        name = shipped[0].parent.name
        st.caption(f"How it looks: the training of the model {name}, which ships.")
        lines = [json.loads(line) for line in shipped[0].read_text(encoding="utf-8").splitlines()]
        curves(lines, key="example")
