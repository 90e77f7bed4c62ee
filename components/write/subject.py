"""What is written about, and candidates as cards with what each copies, lacks and says of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.buttons import button, pick, segments
from components.compare.opened import article_names
from components.markdown import SUPPORT_LEGEND, marked, paragraphs, plain, shorten
from components.numerals.own import take_over
from components.numerals.rows import light_icon
from components.numerals.subject import check_together
from components.open import importer
from components.shelf import Shelf
from components.timeline import state
from components.timeline.group_list import summaries
from components.timeline.workspace import open_view
from core.data.articles import load as article_sets
from core.data.articles.articles import READ_CHARACTERS
from core.data.articles.load import ArticleFile, parse_articles
from core.digests import digest
from core.errors import CoreError
from core.headlines.duels import traces
from core.headlines.extractive import WarningKind, warnings_of
from core.headlines.writing import WrittenHeadlines, articles_of_event
from core.numerals.checks.check_report import light_of, word_of
from core.numerals.claims.verdict import PASSING
from core.numerals.provenance import CheckedHeadline
from core.text.differences import MarkKind, TextMark
from core.text.normalise import clean_line
from core.text.support import Trace

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
    source = segments(
        "Write for",
        [PASTED, SAMPLE, FILE, EVENT],
        str,
        "write-source",
        default=SAMPLE,
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
    titles = {one: article_sets.info(one).title for one in article_sets.names()}
    name = str(pick("Sample", titles, titles, "write-sample"))
    return _read_sample(name)


def _credit() -> str:
    card = article_sets.info(st.session_state["write-sample"])
    return f"{card.source}. Licence: {card.licence}."


def _shelf() -> Shelf[ArticleFile]:
    return Shelf("written about")


def _file() -> ArticleFile | None:
    given = st.file_uploader("A file of articles", key="write-upload")
    if given is not None and st.session_state.get("write-read") != given.file_id:
        read = importer.read(
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
    opened = importer.pasted_article(text)
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


_EDITS: Final = "write_edits"
"""For every candidate that was changed its versions, the first as it was written."""


def cards(subject: WritingSubject, written: WrittenHeadlines, found: int) -> list[str]:
    """One card a candidate of the `found`-th article; gives the headlines as they stand, changed or not."""
    candidates = written.candidates[found]
    if not candidates[0].text:
        st.info("This article holds no sentence to take a headline from.", icon=":material/short_text:")
        return []
    keys = [
        digest(f"{written.signature}|{subject.text}|{place}", digits=16) for place in range(len(candidates))
    ]
    lines = [_versions(key, candidate.text)[-1] for key, candidate in zip(keys, candidates, strict=True)]
    held = traces(subject.text, lines, frozenset())
    checked = checked_numbers(lines, subject.text)
    for place, (key, line, one) in enumerate(zip(keys, lines, held, strict=True)):
        with st.container(border=True, key=f"headline-{place}"):
            # A sentence of the article would be marked from end to end: that is said in words.
            whole = one.coverage == 1.0 and len(one.marks) == 1
            marks = () if whole else number_marks(one.marks, checked[place])
            if line:
                st.header(marked(line, marks), anchor=False)
            else:
                st.markdown(":gray[*no headline*]")
            warnings = warnings_of(line, subject.text, [*lines[:place], *lines[place + 1 :]])
            copied = any(warning.kind is WarningKind.COPIED for warning in warnings)
            st.caption(plain(" · ".join(_facts(line, one, whole=whole, copied=copied))))
            if candidates[place].instead and line == candidates[place].text:
                st.markdown(f":small[:material/article: {plain(candidates[place].instead)}]")
            for warning in warnings:
                st.markdown(f":small[:orange[:material/warning: {plain(warning.text)}]]")
            verdict(checked[place])
            original = candidates[place].text
            with st.container(horizontal=True, gap="small"):
                with st.popover("Change", icon=":material/edit:", key=f"change-{key}"):
                    st.session_state[f"text-{key}"] = line
                    st.text_area(
                        "The headline", key=f"text-{key}", height=90, on_change=_change, args=(key, original)
                    )
                    st.caption("Press Ctrl and Enter, or click elsewhere.")
                with st.popover("Copy", icon=":material/content_copy:", key=f"copy-{key}"):
                    st.code(line, language=None, wrap_lines=True)
                to_numerals(checked[place], key=key)
                if len(_versions(key, original)) > 1:
                    button("Undo", f"undo-{key}", _undo, key, icon="undo", type="tertiary")
    if any(one.marks and one.coverage != 1.0 for one in held):
        st.markdown(f":small[{SUPPORT_LEGEND}]")
    return lines


def _facts(line: str, held: Trace, *, whole: bool, copied: bool) -> list[str]:
    words = len(line.split())
    facts = [f"{words} word{'s' * (words != 1)}", f"{len(line)} characters"]
    if copied:
        return facts  # the warning says it
    if whole:
        return [*facts, "word for word from the article"]
    return facts if held.coverage is None else [*facts, f"{100 * held.coverage:.0f} % of its words copied"]


def _versions(key: str, original: str) -> list[str]:
    edits: dict[str, list[str]] = st.session_state.setdefault(_EDITS, {})
    return edits.get(key, [original])


def _change(key: str, original: str) -> None:
    versions = _versions(key, original)
    line = clean_line(st.session_state[f"text-{key}"])
    if line != versions[-1]:
        st.session_state[_EDITS][key] = [*versions, line]


def _undo(key: str) -> None:
    versions = st.session_state[_EDITS][key]
    if len(versions) > 2:
        versions.pop()
    else:
        del st.session_state[_EDITS][key]


def checked_numbers(lines: Sequence[str], text: str) -> Sequence[CheckedHeadline | None]:
    """The headlines compared with their article; None for each until that is known or where it cannot be."""
    try:
        found = check_together(lines, [text] * len(lines))
    except CoreError as error:
        st.caption(plain(f"Numbers are not checked here: {error.message}"))
        found = None
    return found or [None] * len(lines)


def number_marks(marks: Sequence[TextMark], checked: CheckedHeadline | None) -> tuple[TextMark, ...]:
    """The marks of a headline, those of numbers by what the checker says of them once it is known."""
    if checked is None:
        return tuple(marks)
    bad = [
        TextMark(one.numeral.start, one.numeral.end, MarkKind.UNSUPPORTED_NUMBER)
        for one in checked.numerals
        if one.claim.light not in PASSING
    ]
    rest = [
        one
        for one in marks
        if one.kind is not MarkKind.UNSUPPORTED_NUMBER
        and all(one.end <= other.start or other.end <= one.start for other in bad)
    ]
    return tuple(sorted([*bad, *rest], key=lambda one: one.start))


def verdict(checked: CheckedHeadline | None) -> None:
    light = None if checked is None else light_of(checked)
    if checked is None or light is None:
        return
    st.markdown(f"{light_icon(light)} **{word_of(light).capitalize()}.** {plain(checked.reason)}")


def to_numerals(checked: CheckedHeadline | None, *, key: str) -> None:
    """The way to Check numbers; nothing for a headline without a number."""
    if checked is None or not checked.numerals:
        return
    help = "Opens this headline and the article on Check numbers."
    if button("Show in the article", f"numbers-{key}", icon="account_tree", help=help):
        take_over(checked.article.text, checked.headline)
        st.switch_page("pages/check_numbers.py")
