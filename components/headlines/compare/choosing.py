"""What is compared: articles, systems, headlines that one is to write, and a sentence on who leads."""

from dataclasses import asdict
from functools import partial

import streamlit as st

from components.frame import progress
from components.frame.controlled import controlled
from components.frame.errors import show_error
from components.frame.markdown import plain
from components.frame.widgets import button, notice
from components.headlines.compare.loading import HEADLINES_ONLY, LOADED, TOLD, load_form
from components.headlines.compare.opened import Scene, add_system, main_scores, set_choice
from components.headlines.writing_system import manner
from components.opened.recipes import few_choice, recipe_choice
from components.opened.views import compare as state
from core.errors import Cancelled, CoreError
from core.headlines import generator, opening, writing
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import spanned

LISTED = 8  # systems in the sentence at most


def chooser(scene: Scene) -> None:
    articles, systems, blind = st.columns([4, 6, 2], vertical_alignment="bottom")
    with articles:
        set_choice("compare-articles")
    if scene.blind:
        said = f"{len(scene.outputs)}, their names hidden"
        systems.text_input("Systems", said, disabled=True, key="compare-hidden")
    else:
        names = {fingerprint: outputs.system for fingerprint, outputs in scene.available.items()}
        shown, put = list(scene.prints), state.put
        take = controlled("compare-systems", shown, lambda chosen: put(systems=tuple(chosen)))
        # In one line the last chosen is cut off on a tablet.
        systems.multiselect("Systems", list(names), format_func=names.__getitem__, wrap=True, **take)
    blind.toggle("Blind", **controlled("compare-blind", state.now().blind, state.go_blind))
    # Another key after each file that was opened closes the box.
    look = {"key": f"compare-bring-{st.session_state.get(LOADED, '')}", "icon": ":material/add_circle:"}
    with st.expander("Load files or write headlines", expanded=not scene.outputs, **look):
        loading, ordering = st.tabs(["Load files", "Write with …"])
        with loading:
            load_form(scene)
        with ordering:
            write_form(scene)
    if not any(scene.articles.texts):
        st.caption(HEADLINES_ONLY)
    for note in st.session_state.get(TOLD, []):
        st.caption(plain(note))
    carry_out_orders(scene)


def summary(scene: Scene, comparison: Comparison | None) -> None:
    n, systems = len(scene.articles), len(scene.outputs)
    if not systems:
        notice("no_systems", count=f"{n:,}")
        return
    said = f"**{n:,}** article{'s' * (n != 1)}, **{systems}** system{'s' * (systems != 1)}."
    column, names, entries = main_scores(comparison, blind=scene.blind)
    if column is not None:
        known = [each for each in zip(entries, names, strict=True) if each[0].value is not None]
        known.sort(key=lambda each: each[0].value or 0.0, reverse=column.higher_is_better is not False)
        listed = [f"**{plain(name)}** {plain(spanned(column, score))}" for score, name in known[:LISTED]]
        more = f" and {len(known) - LISTED} more" if len(known) > LISTED else ""
        said += f" By {plain(column.label)}: {', '.join(listed)}{more}."
    st.markdown(said)


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
