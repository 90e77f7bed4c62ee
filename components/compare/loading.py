"""Loading articles and systems' headlines from files: all that was given, or nothing."""

from __future__ import annotations

import streamlit as st

from components.compare import state
from components.compare.opened import Scene, add_system, keep_file
from components.markdown import plain
from components.open.reading import read
from components.page import show_error
from core.headlines.side_by_side.loading import GivenFile, load_given

_TOLD = "compare-loaded"


def load_form(scene: Scene) -> None:
    """The two uploaders; nothing is read before the button is pressed."""
    with st.form("compare-load", border=False):
        left, right = st.columns(2, gap="large")
        articles = left.file_uploader(
            "Articles",
            key="compare-articles-file",
            help="A table (CSV, TSV, JSON, JSON Lines, Parquet, Excel) with a column text; headline or "
            "summary is people's headline, pred_NAME the headline of a system. Leave it empty to add systems "
            "to the articles that are open.",
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
