"""Having a system write headlines for the open articles, in the background."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import streamlit as st

from components import jobs
from components.compare import state
from components.compare.opened import Scene, add_system
from components.page import show_error
from components.recipe_choice import recipe_choice
from core.data.articles.outputs import Outputs
from core.errors import CoreError
from core.headlines.generator import Style, Wishes, headline_generators
from core.headlines.side_by_side.shipped import written_by
from core.headlines.writing.suggesting import title_of
from core.models.language_models.control_tags import Length
from core.runtime import Runtime


def write_form(scene: Scene) -> None:
    """The choice of a generator and of what is asked of it."""
    recipe_choice(
        "Generator",
        headline_generators,
        state.now().generator,
        lambda signature: state.put(generator=signature),
        help="Every system that this installation knows.",
    )
    recipe = headline_generators.parse(state.now().generator)
    left, right = st.columns(2)
    styles = [Style.NEUTRAL, *(one for one in Style if one in recipe.styles)]
    style = left.selectbox("Style", styles, format_func=str.capitalize, key="compare-style")
    length = right.selectbox(
        "Length", list(Length), index=1, format_func=str.capitalize, key="compare-length"
    )
    if st.button(f"Write {len(scene.articles):,} headlines", icon=":material/edit:", key="compare-write"):
        wishes = asdict(Wishes(style=style, length=length))
        order = (state.now().articles, state.now().generator, wishes)
        state.put(orders=(*(one for one in state.now().orders if one != order), order))
        st.rerun()


def written(scene: Scene) -> None:
    """Progress of what is being written for the open articles; what is done joins the systems."""
    for order in state.now().orders:
        name, wanted, wishes = order
        if name != state.now().articles:
            continue
        key = f"compare-write|{scene.opened.fingerprint}|{wanted}|{wishes}"
        if jobs.stopped(key):
            _done(order)
            st.info(
                f"**{title_of(wanted)} was stopped.**  \nNothing was added.", icon=":material/stop_circle:"
            )
            continue

        def work(runtime: Runtime, wanted: str = wanted, wishes: Mapping[str, Any] = wishes) -> Outputs:
            return written_by(wanted, scene.articles, Wishes(**wishes), runtime)

        try:
            outputs = jobs.finished(key, f"{title_of(wanted)} is writing", work, long=True)
            if outputs is not None:
                add_system(scene.opened, name, outputs)
        except CoreError as error:
            show_error(error)
            _done(order)
            continue
        if outputs is not None:
            _done(order)
            st.rerun()


def _done(order: tuple[str, str, Mapping[str, Any]]) -> None:
    state.put(orders=tuple(one for one in state.now().orders if one != order))
