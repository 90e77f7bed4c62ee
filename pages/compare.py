"""Compare: which system writes the better headline, and where do they differ?"""

import streamlit as st

from components.frame.page_state import write_address
from components.frame.subject import signature
from components.headlines.compare import article, choosing, opened, table
from components.headlines.compare.differences import differences
from components.opened.views import compare as state
from components.page import page
from core.headlines.comparison.comparison import Comparison


def view(shown: str, scene: opened.Scene, comparison: Comparison | None) -> None:
    if shown == state.HEADLINES:
        measures = opened.measures_of(scene, comparison)
        rows = article.rows_of(scene, measures)
        if state.now().article in scene.articles.ids:
            article.article_page(scene, rows, comparison)
        else:
            with row.container(horizontal=True, key="choice-browse"):
                article.browse_bar(scene, measures)
            if scene.blind and len(scene.outputs) > 1:
                with row:
                    choosing.judge_blind()
            article.cards(scene, rows, comparison, sentence)
    elif comparison is not None and shown == state.SCORES:
        table.scores_table(scene, comparison)
    elif comparison is not None:
        differences(scene, comparison)


with page(__file__, "Compare", "Which system writes the better headline?"):
    write_address(state.part())
    scene = opened.open_scene()
    st.html(article.LOOK)
    with st.container(key="compare-page"):
        with st.container(key="choice-compare"):
            choosing.chooser(scene)
        row = st.container(horizontal=True, vertical_alignment="center", key="compare-browse")
        with row:
            shown = state.show("shown", state.SHOWN, "compare-shown")
        # The sentence keeps its place while the comparison's progress comes and goes below it.
        sentence = st.container(horizontal=True, vertical_alignment="center", key="compare-summary")
        comparison = opened.compared(scene) if scene.outputs else None
        with sentence:
            choosing.summary(scene, comparison)
        with st.container(key="compare-view"):
            view(shown, scene, comparison)
    if comparison is not None:
        signature(f"{scene.opened.title} {scene.opened.fingerprint} · {comparison.fingerprint}")
