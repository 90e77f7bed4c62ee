"""Check numbers: is each number in a headline right?"""

from functools import partial

import streamlit as st

from components.frame.controlled import page_parts, show
from components.frame.markdown import plain
from components.frame.subject import signature
from components.frame.widgets import button, chosen_line
from components.headlines.compare.opened import open_scene, set_choice
from components.headlines.numerals import detail, exports, facts, own
from components.headlines.numerals.corpus import corpus
from components.opened.views import numerals as state
from components.page import page

with page(__file__, "Check numbers", "Is each number in a headline right?"):
    state.write_address()
    original = partial(state.open_headline, "")  # of other articles opens with them
    with page_parts():
        shown = show(state.SHOWN, state.now().shown, state.show, key="numerals-shown")
    if shown == state.OWN:
        own.own_text()
    elif shown == state.ALL:
        set_choice("numerals-articles", original)
        corpus(open_scene())
    else:
        line = st.container(key="above-choice")
        with st.container(key="choice-headline"):
            left, middle, right = st.columns([3, 3, 4])
        with left:
            set_choice("numerals-articles", original)
        scene = open_scene()
        with middle:
            row = detail.article_choice(scene)
        with right:
            name, checked = detail.headline_choice(scene, row)
        with line:
            said = f"{scene.opened.title} · article {row + 1:,} · {name or 'no headline'}"
            chosen_line(plain(said), "headline")
        if checked is not None:
            use = partial(own.take_over, scene.articles.texts[row])
            detail.one_headline(checked, use=use)
            facts.facts_fold(scene.articles.texts[row])
            with st.container(horizontal=True, vertical_alignment="center"):
                look = {"icon": "edit", "type": "tertiary"}
                button("Change this headline", "numerals-change", use, checked.headline, **look)
                detail.to_compare(scene, row)
                exports.export_checks([checked], scene.articles.texts[row], article=scene.articles.ids[row])
            signature(f"{scene.opened.title} {scene.opened.fingerprint} · {checked.system}")
