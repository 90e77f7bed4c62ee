"""Compare: which system writes the better headline, and where do they differ?"""

import streamlit as st

from components.compare import view
from components.compare.article import article_page
from components.compare.browse import browse_bar, rows_of
from components.compare.cards import cards
from components.compare.chooser import chooser, summary
from components.compare.differ import differences
from components.compare.measured import compared, measures_of
from components.compare.opened import open_scene
from components.compare.table import scores_table
from components.page import page, signature

HEADLINES, TABLE, DIFFER = "Headlines", "Scores", "Where they differ"

with page(__file__, "Compare", "Which system writes the better headline, and where do they differ?"):
    view.write_address()
    scene = open_scene()
    chooser(scene)
    comparison = compared(scene) if scene.outputs else None
    summary(scene, comparison)
    shown = st.segmented_control(
        "Show",
        [HEADLINES, TABLE, DIFFER],
        default=HEADLINES,
        required=True,
        key="compare-shown",
        label_visibility="collapsed",
        persist_state="session",
    )
    if shown == HEADLINES:
        measures = measures_of(scene, comparison)
        rows = rows_of(scene, measures)
        if view.get("article") in scene.articles.ids:
            article_page(scene, rows, comparison)
        else:
            browse_bar(scene, measures)
            cards(scene, rows, comparison)
    elif comparison is not None and shown == TABLE:
        scores_table(scene, comparison)
    elif comparison is not None:
        differences(scene, comparison)
    if comparison is not None:
        signature(f"{scene.opened.title} {scene.opened.fingerprint} · {comparison.fingerprint}")
