"""Bringing headlines: from files, all that was given or nothing, or written by a system in the background."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import streamlit as st

from components import jobs
from components.compare import state
from components.compare.opened import Scene, add_system, keep_file
from components.markdown import plain
from components.open.reading import read
from components.page import show_error
from components.recipes import recipe_choice
from core.errors import CoreError
from core.headlines.generator import HeadlineStyle, Wishes, headline_generators
from core.headlines.side_by_side.loading import GivenFile, load_given, written_by
from core.headlines.writing.suggesting import title_of
from core.models.language_models.frames import Length

_TOLD = "compare-loaded"


def load_form(scene: Scene) -> None:
    """The two uploaders; nothing is read before the button is pressed."""
    with st.form("compare-load", border=False):
        left, right = st.columns(2, gap="large")
        articles = left.file_uploader(
            "Articles",
            key="compare-articles-file",
            help="A table (CSV, TSV, JSON, JSON Lines, Parquet, Excel) with a column text; headline or "
            "summary is the original headline, pred_NAME the headline of a system. Leave it empty to add "
            "systems to the articles that are open.",
        )
        outputs = right.file_uploader(
            "Headlines of systems",
            key="compare-outputs-files",
            accept_multiple_files=True,
            help="One line a headline, or a table with headline and perhaps id and system; one headline an "
            "article.",
        )
        if not st.form_submit_button("Load these files", icon=":material/check:", key="compare-load-go"):
            _tell()
            return
    if articles is None and not outputs:
        st.info("Choose a file first.", icon=":material/upload_file:")
        return
    loaded = read(
        "Reading the files",
        load_given,
        None if articles is None else GivenFile(articles.name, articles.getvalue()),
        [GivenFile(one.name, one.getvalue()) for one in outputs],
        scene.articles,
    )
    for problem in loaded.problems:
        show_error(problem)
    if loaded.problems:
        st.caption("Nothing was loaded.")
        return
    if loaded.articles is not None:
        name = keep_file(articles.name, loaded.articles, loaded.outputs)
        state.put(opened=(*(one for one in state.now().opened if one != name), name))
        state.open_articles(name)
    else:
        for one in loaded.outputs:
            add_system(scene.opened, state.now().articles, one)
    st.session_state[_TOLD] = list(loaded.notes)
    st.rerun()


def _tell() -> None:
    """What was decided while the last file was read."""
    for note in st.session_state.get(_TOLD, []):
        st.caption(plain(note))


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
    styles = [HeadlineStyle.NEUTRAL, *(one for one in HeadlineStyle if one in recipe.styles)]
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
        work = partial(written_by, wanted, scene.articles, Wishes(**wishes))
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
