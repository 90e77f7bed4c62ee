"""Write: what could the headline be?"""

import streamlit as st

from components.frame.markdown import plain
from components.frame.subject import signature
from components.frame.widgets import button
from components.headlines import candidates, writing_subject, writing_system
from components.headlines.writing_system import BASELINE
from components.page import page

with page(__file__, "Write", "What could the headline be?"):
    subject = writing_subject.open_subject()
    if subject is not None:
        written = None
        headlines, beside = st.columns([6, 5], gap="large")
        with headlines:
            asked = writing_system.asking()
            can = writing_system.available(asked)
            if can:
                one = subject.opened.articles.at([subject.row])
                written = writing_system.answer(asked, one, label=f"Write with {asked.title}")
            if written is not None:
                for note in written.notes:
                    st.caption(plain(note))
                writing_system.suggestion(asked)
                with st.container(key="sentences" if asked.at_once else "written"):
                    lines = candidates.cards(subject, written, sentences=asked.at_once)
                if not asked.at_once:
                    button("Back to sentences", "write-back", writing_system.choose, BASELINE, icon="undo")
                if lines:
                    with st.expander("Save these headlines", icon=":material/download:", key="write-save"):
                        candidates.export_headlines(lines, written)
        with beside:
            writing_subject.article(subject)
        if can:
            candidates.export_all(subject, asked)
        if written is not None:
            signature(written.signature)
