"""Headlines that a system is to write for the open articles, in the background."""

from dataclasses import asdict
from functools import partial

import streamlit as st

from components.frame import progress
from components.frame.errors import show_error
from components.frame.widgets import button, notice
from components.headlines.compare.opened import Scene, add_system
from components.headlines.writing_system import manner
from components.opened.recipes import few_choice, recipe_choice
from components.opened.views import compare as state
from core.errors import Cancelled, CoreError
from core.headlines import generator, opening, writing


def write_form(scene: Scene) -> None:
    if not any(scene.articles.texts):
        notice("no_articles")
        return
    here, choose = state.now().generator, lambda name: state.put(generator=name)
    if few_choice("System", "writers", generator.headline_generators, here, choose):
        recipe_choice("Every system", generator.headline_generators, here, choose)
    recipe = generator.headline_generators.parse(here)
    options = asdict(generator.GenerationOptions(**manner(recipe, "compare", *st.columns(2))))
    if button(f"Write {len(scene.articles):,} headlines", "compare-write", icon="edit"):
        order = (state.now().articles, state.now().generator, options)
        state.put(orders=(*(earlier for earlier in state.now().orders if earlier != order), order))
        st.rerun()


def carry_out_orders(scene: Scene) -> None:
    for order in state.now().orders:
        name, wanted, options = order
        if name != state.now().articles:
            continue
        key = f"compare-write|{scene.opened.fingerprint}|{wanted}|{options}"
        work = partial(opening.written_by, wanted, scene.articles, generator.GenerationOptions(**options))
        outputs, wrong = None, Cancelled(writing.title_of(wanted)) if progress.stopped(key) else None
        try:
            if wrong is None:
                outputs = progress.finished(key, f"{writing.title_of(wanted)} is writing", work, long=True)
            if outputs is not None:
                add_system(scene.opened, name, outputs)
        except CoreError as error:
            wrong = error
        if wrong is not None or outputs is not None:
            state.put(orders=tuple(earlier for earlier in state.now().orders if earlier != order))
        if wrong is not None:
            show_error(wrong)
        elif outputs is not None:
            st.rerun()
