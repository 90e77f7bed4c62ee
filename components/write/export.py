"""Taking headlines away: those of one article, or of all that are open."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components.timeline.export import MIME
from components.write.asking import Asked, answer
from components.write.subject import Subject
from core.data.timelines.writers import write_table
from core.headlines.writing.file import written_bytes
from core.headlines.writing.suggesting import Written

SHOWN_ROWS = 500


def take_one(lines: Sequence[str], written: Written) -> None:
    """The headlines of the article as text or table."""
    table = pd.DataFrame({"headline": list(lines)}, dtype=object)
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}
    with st.container(horizontal=True, key="take-one"):
        st.download_button(
            "Text",
            "\n".join([*lines, ""]),
            "headlines.txt",
            "text/plain",
            key="write-take-txt",
            on_click="ignore",
            icon=":material/download:",
            help="One line a headline, as they stand.",
        )
        for kind in ("csv", "jsonl"):
            st.download_button(
                kind.upper(),
                lambda kind=kind: write_table(table, {}, kind, about=about, rows="headlines"),
                f"headlines.{kind}",
                MIME[kind],
                key=f"write-take-{kind}",
                icon=":material/download:",
                on_click="ignore",
            )


def take_all(subject: Subject, asked: Asked) -> None:
    """Headlines for every open article, and the table with them."""
    opened = subject.opened
    count = len(opened.articles)
    if count < 2:
        return
    with st.expander(f"All {count:,} articles", icon=":material/table_rows:", key="write-all"):
        written = answer(asked, opened.articles, label=f"Write for all {count:,}", on_click=True)
        if written is None:
            return
        shown = {"Headline": written.headlines[:SHOWN_ROWS]}
        if any(opened.articles.references):
            shown["By people"] = tuple(
                given[0] if given else "" for given in opened.articles.references[:SHOWN_ROWS]
            )
        st.dataframe(pd.DataFrame(shown), hide_index=True, alt="The first headline of every article")
        if count > SHOWN_ROWS:
            st.caption(f"The first {SHOWN_ROWS:,} of {count:,}; the files hold all.")
        with st.container(horizontal=True, key="take-all"):
            for kind in ("csv", "jsonl", "xlsx"):
                st.download_button(
                    kind.upper(),
                    lambda kind=kind: written_bytes(opened, written, kind),
                    f"headlines-{opened.articles.name}.{kind}",
                    MIME[kind],
                    key=f"write-take-all-{kind}",
                    on_click="ignore",
                    icon=":material/download:",
                    help="Every article with all its columns and its headlines.",
                )
