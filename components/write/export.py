"""Exporting headlines: those of one article, or of all that are open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from components.downloads import Download, downloads
from components.tables import show_table
from components.write.asking import Asked, answer
from components.write.subject import WritingSubject
from core.data.timelines.writers import write_table
from core.headlines.writing.suggesting import WrittenHeadlines, written_bytes

SHOWN_ROWS = 500


def export_headlines(lines: Sequence[str], written: WrittenHeadlines) -> None:
    """The headlines of the article as text or table."""
    table = pd.DataFrame({"headline": list(lines)}, dtype=object)
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}

    def file(kind: str) -> bytes:
        return write_table(table, {}, kind, about=about, rows="headlines")

    downloads(
        Download(
            "Text", lambda: "\n".join([*lines, ""]), "headlines.txt", "One line a headline, as they stand."
        ),
        Download("CSV", partial(file, "csv"), "headlines.csv"),
        Download("JSONL", partial(file, "jsonl"), "headlines.jsonl"),
        key="write-export",
    )


def export_all(subject: WritingSubject, asked: Asked) -> None:
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
            shown["Original headline"] = tuple(
                given[0] if given else "" for given in opened.articles.references[:SHOWN_ROWS]
            )
        show_table(shown, alt="The first headline of every article")
        if count > SHOWN_ROWS:
            st.caption(f"The first {SHOWN_ROWS:,} of {count:,}; the files hold all.")
        downloads(
            *(
                Download(
                    kind.upper(),
                    partial(written_bytes, opened, written, kind),
                    f"headlines-{opened.articles.name}.{kind}",
                    "Every article with all its columns and its headlines.",
                )
                for kind in ("csv", "jsonl", "xlsx")
            ),
            key="write-export-all",
        )
