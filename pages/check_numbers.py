"""Check numbers: is each number in a headline right?"""

import streamlit as st

from components import numerals as state
from components.compare.opened import open_scene
from components.numerals.corpus import corpus
from components.numerals.detail import one_headline
from components.numerals.own import export_checks, own_text, take_over
from components.numerals.subject import (
    article_choice,
    articles_choice,
    checked_article,
    headline_choice,
    to_compare,
)
from components.page import page, signature
from components.page_state import show
from components.widgets import button

with page(__file__, "Check numbers", "Is each number in a headline right?"):
    state.write_address()
    shown = show(state.SHOWN, state.now().shown, state.show, key="numerals-shown")
    if shown == state.OWN:
        own_text()
    elif shown == state.ALL:
        articles_choice()
        corpus(open_scene())
    else:
        left, right = st.columns(2)
        with left:
            articles_choice()
        scene = open_scene()
        with right:
            row = article_choice(scene)
        subject = headline_choice(scene, row)
        checked = None if subject is None else checked_article(subject)
        if subject is not None and checked is not None:
            one_headline(checked, name=subject.name)
            with st.container(horizontal=True, vertical_alignment="center"):
                button(
                    "Change this headline",
                    "numerals-change",
                    take_over,
                    subject.text,
                    checked.headline,
                    icon="edit",
                    type="tertiary",
                    help="Puts the article and the headline into a form, to try others.",
                )
                to_compare(scene, row)
                export_checks([checked], article=scene.articles.ids[row])
            signature(f"{scene.opened.title} {scene.opened.fingerprint} · {checked.system}")
