"""What is compared: articles, systems, blind or open; and the answer in a sentence."""

from __future__ import annotations

import streamlit as st

from components.compare import state
from components.compare.adding import box_key, load_form, told, write_form, written
from components.compare.measured import table_of
from components.compare.opened import Scene, set_choice
from components.markdown import plain
from components.page_state import controlled
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import main_place, spanned

LISTED = 8
"""Systems in the sentence at most."""


def chooser(scene: Scene) -> None:
    """Draws the choice of articles and systems, and the forms to bring more."""
    articles, systems, blind = st.columns([4, 6, 2], vertical_alignment="bottom")
    with articles:
        set_choice("compare-articles")
    with systems:
        _systems(scene)
    with blind:
        st.toggle(
            "Blind",
            **controlled("compare-blind", state.now().blind, state.go_blind),
            help="Hides who wrote what: letters in an order drawn anew for each article, also in the table, "
            "in downloads and in the address.",
        )
    with st.expander(
        "Load files or write headlines",
        icon=":material/add_circle:",
        expanded=not scene.outputs,
        key=box_key(),
    ):
        loading, writing = st.tabs(["Load files", "Write with …"])
        with loading:
            load_form(scene)
        with writing:
            write_form(scene)
    told(scene)
    written(scene)


def summary(scene: Scene, comparison: Comparison | None) -> None:
    """How many articles and systems there are, and who leads."""
    n, systems = len(scene.articles), len(scene.outputs)
    if not systems:
        st.info(
            f"**{n:,} articles are open, and no headlines yet.**  \nLoad the headlines of a system, or let "
            "one write them: both are just above.",
            icon=":material/add_circle:",
        )
        return
    said = f"**{n:,}** article{'s' * (n != 1)}, **{systems}** system{'s' * (systems != 1)}."
    place = None if comparison is None else main_place(comparison)
    if comparison is not None and place is not None:
        shown, found = table_of(comparison, blind=scene.blind)
        at = found.places.index(shown.place(place.key))
        higher = place.column.higher_is_better is not False
        ranked = sorted(
            (
                (row[at].value, system, spanned(place.column, row[at]))
                for system, row in zip(found.systems, found.entries, strict=True)
                if row[at].value is not None
            ),
            reverse=higher,
        )
        listed = [f"**{plain(system)}** {plain(value)}" for _, system, value in ranked[:LISTED]]
        more = f" and {len(ranked) - LISTED} more" if len(ranked) > LISTED else ""
        said += f" By {plain(place.column.label)}: {', '.join(listed)}{more}."
    st.markdown(said)


def _systems(scene: Scene) -> None:
    if scene.blind:
        st.text_input(
            "Systems", f"{len(scene.outputs)}, their names hidden", disabled=True, key="compare-hidden"
        )
        return
    st.multiselect(
        "Systems",
        list(scene.available),
        format_func=lambda one: scene.available[one].system,
        wrap=True,  # in one line the last chosen is cut off on a tablet
        **controlled("compare-systems", list(scene.prints), lambda chosen: state.put(systems=tuple(chosen))),
    )
