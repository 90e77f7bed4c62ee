"""Write: what could the headline be?"""

import streamlit as st

from components.frame.markdown import plain
from components.frame.subject import signature
from components.headlines import writing
from components.page import page

with page(__file__, "Write", "What could the headline be?"):
    subject = writing.open_subject()
    if subject is not None:
        written = None
        headlines, beside = st.columns([6, 5], gap="large")
        with headlines:
            asked = writing.asking()
            can = writing.available(asked)
            if can:
                one = subject.opened.articles.at([subject.row])
                written = writing.answer(asked, one, label=f"Write with {asked.title}")
            if written is not None:
                for note in written.notes:
                    st.caption(plain(note))
                writing.suggestion(asked)
                lines = writing.cards(subject, written)
                if lines:
                    writing.export_headlines(lines, written)
                if not asked.at_once:
                    st.caption(writing.INVENTS)
        with beside:
            writing.article(subject)
        if can:
            writing.export_all(subject, asked)
        if written is not None:
            signature(written.signature)
