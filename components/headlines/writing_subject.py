"""What headlines are written about: a sample, a file, a pasted article or an event."""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import streamlit as st

from components.frame.controlled import page_parts
from components.frame.markdown import paragraphs, plain, shorten
from components.frame.widgets import chosen_line, notice, pick, segments
from components.headlines.compare.opened import article_names
from components.headlines.numerals.facts import read_corrected
from components.opened import reading
from components.opened.views import timeline as state
from components.server.shelf import Shelf
from components.timeline import first_look, group_list, workspace
from core.data.articles import opening
from core.data.articles.article_files import READ_CHARACTERS, ArticleFile, parse_articles
from core.groups.summary import GroupSummary
from core.headlines import writing

SAMPLE, FILE, PASTED, EVENT = "A sample", "A file", "A pasted article", "An event"
_OPENED: Final = "write-file"
FIRST_CHARACTERS = 1_500  # of an article that are shown before one asks for more
SHOWN_CHARACTERS = 20_000  # of an article that are ever drawn; a page is no place for a book
_sample = st.cache_resource(opening.open_sample, show_spinner=False, max_entries=4)


class WritingSubject(NamedTuple):
    opened: ArticleFile  # the article's facts as they were corrected on Check numbers
    row: int
    credit: str
    given: str  # the article as it stands

    @property
    def text(self) -> str:
        return self.opened.articles.texts[self.row]


def open_subject() -> WritingSubject | None:
    memory = {"default": SAMPLE, "persist_state": "session"}
    with page_parts():
        source = segments("Write for", [PASTED, SAMPLE, FILE, EVENT], str, "write-source", **memory)
    if source != SAMPLE:
        opened = {FILE: _file, PASTED: _pasted, EVENT: _event}[source]()
        return None if opened is None else _subject(opened, "")
    line = st.container(key="above-choice")
    with st.container(key="choice-sample"):
        left, right = st.columns([6, 5], gap="large")
    with left:
        known = {name: opening.info(name) for name in opening.names()}
        name = pick("Sample", known, lambda name: known[name].title, "write-sample")
    with right:
        opened = _sample(name)
        subject = _subject(opened, f"{known[name].source}. Licence: {known[name].licence}.")
    named = (article_names(opened.articles) or {subject.row: f"{subject.row + 1:,}"})[subject.row]
    with line:
        chosen_line(plain(f"{known[name].title} · {named}"), "sample")
    return subject


def _subject(opened: ArticleFile, credit: str) -> WritingSubject:
    row, texts = _row(opened), opened.articles.texts
    whole = (*texts[:row], read_corrected(texts[row]).text, *texts[row + 1 :])
    opened = replace(opened, articles=replace(opened.articles, texts=whole)) if whole != texts else opened
    return WritingSubject(opened, row, credit, texts[row])


def _row(opened: ArticleFile) -> int:
    articles = opened.articles
    if len(articles) < 2:
        return 0
    key, names = f"write-row-{articles.fingerprint}", article_names(articles)
    if names is None:
        return int(st.number_input("Article", 1, len(articles), 1, key=key, persist_state="session")) - 1
    return int(pick("Article", range(len(articles)), names.__getitem__, key))


def _file() -> ArticleFile | None:
    shelf: Shelf[ArticleFile] = Shelf("written about")
    given = st.file_uploader("A file of articles", key="write-upload")
    if given is not None and st.session_state.get("write-read") != given.file_id:
        asked = "Reading the articles", parse_articles, given.getvalue(), given.name
        read = reading.read(*asked, key=f"write-{given.file_id}")
        st.session_state[_OPENED] = shelf.put(read.articles.fingerprint, read)
        st.session_state["write-read"] = given.file_id
    opened = shelf.open(st.session_state.get(_OPENED, ""))
    if opened is None:
        notice("write_file")
        return None
    said = f"**{len(opened.articles):,} articles** of {plain(opened.name)}."
    st.markdown("  \n".join([said, *map(plain, opened.notes)]))
    return opened


def _pasted() -> ArticleFile | None:
    placeholder = "Paste an article in any language; tags of HTML are left out."
    look = {"height": "content", "placeholder": placeholder, "persist_state": "session"}
    # What is pasted stands in full beside what is written: then its field is folded.
    is_given = any(map(str.isalnum, st.session_state.get("write-pasted", "")))
    label = "Change the article" if is_given else "Paste an article"
    with st.expander(label, expanded=not is_given, key=f"write-field-{is_given}"):
        text = st.text_area("The article", key="write-pasted", **look)
    opened = reading.pasted_article(text)
    if opened is None:
        notice("write_pasted")
    return opened


def _event() -> ArticleFile:
    view = workspace.open_view(look=first_look.look)
    lines = group_list.summaries(view)
    selected = next((line for line in lines if line.group == state.now().group), lines[0])

    def said(line: GroupSummary) -> str:
        return f"{shorten(view.timeline.texts[line.representative], 90)} · {line.size}"

    look = {"index": lines.index(selected), "format_func": said, "key": "write-event"}
    chosen = st.selectbox("Event, the largest first", lines, **look)
    rows = np.flatnonzero(view.grouping.ids == chosen.group).tolist()
    opened, has_bodies = writing.articles_of_event(view.timeline, rows)
    if not has_bodies:
        st.caption("This timeline holds no articles: the event's headlines are read as one text.")
    return opened


def article(subject: WritingSubject) -> None:
    st.header("The article", anchor=False)
    references = subject.opened.articles.references[subject.row]
    if references:
        given = "  \n".join(f"**{plain(line)}**" for line in references)
        st.markdown(f"{given}  \n:small[:gray[the original headline]]")
    if notes := " ".join(read_corrected(subject.given).notes):
        st.markdown(f":small[:material/edit: Read as corrected on Check numbers. {plain(notes)}]")
    text = subject.text
    head, rest = text[:FIRST_CHARACTERS], text[FIRST_CHARACTERS:SHOWN_CHARACTERS]
    st.markdown(paragraphs(head + ("…" if rest else "")))
    if rest:
        with st.expander("The rest of the article"):
            st.markdown(paragraphs(rest))
    cut = " · systems read its beginning only" * (len(text) > READ_CHARACTERS)
    st.caption("  \n".join(filter(None, (f"{len(text.split()):,} words{cut}", plain(subject.credit)))))
