"""Write: what could the headline be?"""

import streamlit as st

from components.markdown import plain
from components.page import page, signature
from components.writing import (
    answer,
    article,
    asking,
    available,
    cards,
    export_all,
    export_headlines,
    open_subject,
    suggestion,
)

with page(__file__, "Write", "What could the headline be?"):
    subject = open_subject()
    if subject is not None:
        written = None
        headlines, beside = st.columns([6, 5], gap="large")
        with headlines:
            asked = asking()
            can = available(asked)
            if can:
                one = subject.opened.articles.at([subject.row])
                written = answer(asked, one, label=f"Write with {asked.title}")
            if written is not None:
                for note in written.notes:
                    st.caption(plain(note))
                suggestion(asked)
                lines = cards(subject, written)
                if lines:
                    export_headlines(lines, written)
        with beside:
            article(subject)
        if can:
            export_all(subject, asked)
        if written is not None:
            signature(written.signature)
