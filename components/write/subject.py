"""What is written about: an article of a sample or a file, a pasted one, or an event of the timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.compare.opened import article_names
from components.markdown import paragraphs, plain, shorten
from components.open import reading
from components.shelf import Shelf
from components.timeline import state
from components.timeline.group_list import summaries
from components.timeline.workspace import open_view
from core.data.articles import load as article_sets
from core.data.articles.articles import READ_CHARACTERS
from core.data.articles.load import ArticleFile, parse_articles
from core.headlines.writing.suggesting import articles_of_event

SAMPLE, FILE, PASTED, EVENT = "A sample", "A file", "A pasted article", "An event of the timeline"
_OPENED: Final = "write-file"


@dataclass(frozen=True, slots=True, eq=False)
class WritingSubject:
    opened: ArticleFile
    row: int
    credit: str

    @property
    def text(self) -> str:
        return self.opened.articles.texts[self.row]

    @property
    def references(self) -> tuple[str, ...]:
        return self.opened.articles.references[self.row]


def open_subject() -> WritingSubject | None:
    """Draws the choice of an article; None as long as there is none."""
    source = st.segmented_control(
        "Write for",
        [PASTED, SAMPLE, FILE, EVENT],
        default=SAMPLE,
        required=True,
        key="write-source",
        label_visibility="collapsed",
        persist_state="session",
    )
    beside = source == SAMPLE
    left, right = st.columns([4, 7], gap="large") if beside else (st.container(), st.container())
    with left:
        opened = {SAMPLE: _sample, FILE: _file, PASTED: _pasted, EVENT: _event}[str(source)]()
    if opened is None:
        return None
    with right:
        return WritingSubject(opened, _row(opened), _credit() if source == SAMPLE else "")


def _row(opened: ArticleFile) -> int:
    articles = opened.articles
    if len(articles) < 2:
        return 0
    key = f"write-row-{articles.fingerprint}"
    names = article_names(articles)
    if names is None:
        return int(st.number_input("Article", 1, len(articles), 1, key=key, persist_state="session")) - 1
    return int(
        st.selectbox(
            "Article", range(len(articles)), format_func=names.__getitem__, key=key, persist_state="session"
        )
    )


@st.cache_resource(show_spinner=False, max_entries=4)
def _read_sample(name: str) -> ArticleFile:
    return article_sets.open_sample(name)


def _sample() -> ArticleFile:
    name = str(
        st.selectbox(
            "Sample",
            article_sets.names(),
            format_func=lambda one: article_sets.info(one).title,
            key="write-sample",
            persist_state="session",
        )
    )
    return _read_sample(name)


def _credit() -> str:
    card = article_sets.info(st.session_state["write-sample"])
    return f"{card.source}. Licence: {card.licence}."


def _shelf() -> Shelf[ArticleFile]:
    return Shelf("written about")


def _file() -> ArticleFile | None:
    given = st.file_uploader("A file of articles", key="write-upload")
    if given is not None and st.session_state.get("write-read") != given.file_id:
        read = reading.read(
            "Reading the articles", parse_articles, given.getvalue(), given.name, key=f"write-{given.file_id}"
        )
        st.session_state[_OPENED] = _shelf().put(read.articles.fingerprint, read)
        st.session_state["write-read"] = given.file_id
    opened = _shelf().open(st.session_state.get(_OPENED, ""))
    if opened is None:
        st.info(
            "**Give a table with one article a row:** CSV, TSV, Excel, JSON, JSON Lines or Parquet.  \n"
            "The article stands in a column *text*, *news*, *article* or *body*, its original headline in "
            "*headline* or *summary*. It is read on this computer and nowhere else.",
            icon=":material/upload_file:",
        )
        return None
    said = [f"**{len(opened.articles):,} articles** of {plain(opened.name)}.", *map(plain, opened.notes)]
    st.markdown("  \n".join(said))
    return opened


def _pasted() -> ArticleFile | None:
    placeholder = "Paste an article in any language; tags of HTML are left out."
    text = st.text_area(
        "The article", key="write-pasted", height=180, placeholder=placeholder, persist_state="session"
    )
    opened = reading.pasted_article(text)
    if opened is None:
        st.info("Paste an article, or choose a sample above.", icon=":material/content_paste:")
    return opened


def _event() -> ArticleFile:
    view = open_view()
    lines = summaries(view)
    selected = next((line for line in lines if line.group == state.now().group), lines[0])
    chosen = st.selectbox(
        "Event, the largest first",
        lines,
        index=lines.index(selected),
        format_func=lambda line: f"{shorten(view.timeline.texts[line.representative], 90)} · {line.size}",
        key="write-event",
    )
    rows = [row for row, group in enumerate(view.grouping.ids.tolist()) if group == chosen.group]
    opened, has_bodies = articles_of_event(view.timeline, rows)
    if not has_bodies:
        st.caption("This timeline holds no articles: the event's headlines are read as one text.")
    return opened


FIRST_CHARACTERS = 1_500  # of an article that are shown before one asks for more
SHOWN_CHARACTERS = 20_000  # of an article that are ever drawn; a page is no place for a book


def article(subject: WritingSubject) -> None:
    """The original headline and the article, its beginning first."""
    st.header("The article", anchor=False)
    if subject.references:
        given = "  \n".join(f"**{plain(line)}**" for line in subject.references)
        st.markdown(f"{given}  \n:small[:gray[the original headline]]")
    text = subject.text
    head, rest = text[:FIRST_CHARACTERS], text[FIRST_CHARACTERS:SHOWN_CHARACTERS]
    st.markdown(paragraphs(head + ("…" if rest else "")))
    if rest:
        with st.expander("The rest of the article"):
            st.markdown(paragraphs(rest))
    facts = [f"{len(text.split()):,} words"]
    if len(text) > READ_CHARACTERS:
        facts.append("systems read its beginning only")
    st.caption("  \n".join([" · ".join(facts), *([plain(subject.credit)] if subject.credit else [])]))
