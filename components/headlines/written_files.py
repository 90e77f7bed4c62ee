"""Headlines that were written, as files, of one article or of all."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from components.frame.downloads import downloads
from components.frame.markdown import HELPS
from components.frame.widgets import show_table
from components.headlines.writing_subject import WritingSubject
from components.headlines.writing_system import Asked, answer
from core.data.timelines.writers import write_table
from core.headlines import writing
from core.headlines.writing import WrittenHeadlines

SHOWN_ROWS = 500


def export_headlines(lines: Sequence[str], written: WrittenHeadlines) -> None:
    table = pd.DataFrame({"headline": list(lines)}, dtype=object)
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}
    made = partial(write_table, table, {}, about=about, rows="headlines")
    files = [(kind.upper(), partial(made, kind), f"headlines.{kind}") for kind in ("csv", "jsonl")]
    text = "Text", lambda: "\n".join([*lines, ""]), "headlines.txt", "One line a headline, as they stand."
    downloads(text, *files, key="write-export")


def export_all(subject: WritingSubject, asked: Asked) -> None:
    opened = subject.opened
    count = len(opened.articles)
    if count < 2:
        return
    with st.expander(f"All {count:,} articles", icon=":material/table_rows:", key="write-all"):
        written = answer(asked, opened.articles, label=f"Write for all {count:,}", on_click=True)
        if written is None:
            return
        shown = {"Headline": list(written.headlines[:SHOWN_ROWS])}
        references = opened.articles.references
        if any(references):
            shown["Original headline"] = [given[0] if given else "" for given in references[:SHOWN_ROWS]]
        show_table(shown, alt="The first headline of every article")
        if count > SHOWN_ROWS:
            st.caption(f"The first {SHOWN_ROWS:,} of {count:,}; the files hold all.")
        name = f"headlines-{opened.articles.name}"
        made, help = partial(writing.written_bytes, opened, written), HELPS["write-export-all"]
        kinds = ("csv", "jsonl", "xlsx")
        files = [(kind.upper(), partial(made, kind), f"{name}.{kind}", help) for kind in kinds]
        downloads(*files, key="write-export-all")
