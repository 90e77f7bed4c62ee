"""What is written about, what is asked of which system, and its candidates as cards with what each copies."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import pandas as pd
import streamlit as st

from components import importer, jobs
from components.compare.opened import article_names
from components.library import recipe_choice
from components.markdown import SUPPORT_LEGEND, marked, paragraphs, plain, shorten
from components.numerals.own import take_over
from components.numerals.subject import check_together, light_icon
from components.page import downloads, show_error
from components.shelf import Shelf
from components.timeline import state
from components.timeline.group_list import summaries
from components.timeline.workspace import open_view
from components.widgets import button, pick, segments, show_table
from core.data.articles import articles as article_sets
from core.data.articles.articles import READ_CHARACTERS, ArticleFile, Articles, parse_articles
from core.data.timelines.writers import write_table
from core.digests import digest
from core.errors import CoreError
from core.groups.card import GroupSummary
from core.headlines import generator
from core.headlines.duels import traces
from core.headlines.generators.sentences import SentenceRecipe
from core.headlines.writing import (
    WrittenHeadlines,
    articles_of_event,
    default_system,
    title_of,
    write_headlines,
    written_bytes,
)
from core.models.language_models.language_model import Length
from core.numerals.checks.check_report import light_of, word_of
from core.numerals.verdict import CheckedHeadline, Light
from core.runtime import Runtime
from core.text.differences import MarkKind, TextMark
from core.text.normalise import clean_line
from core.text.support import Trace

SAMPLE, FILE, PASTED, EVENT = "A sample", "A file", "A pasted article", "An event of the timeline"
_OPENED: Final = "write-file"


class WritingSubject(NamedTuple):
    opened: ArticleFile
    row: int
    credit: str

    @property
    def text(self) -> str:
        return self.opened.articles.texts[self.row]


def open_subject() -> WritingSubject | None:
    """Draws the choice of an article; None as long as there is none."""
    memory = {"default": SAMPLE, "persist_state": "session"}
    source = segments("Write for", [PASTED, SAMPLE, FILE, EVENT], str, "write-source", **memory)
    if source != SAMPLE:
        opened = {FILE: _file, PASTED: _pasted, EVENT: _event}[source]()
        return None if opened is None else WritingSubject(opened, _row(opened), "")
    left, right = st.columns([4, 7], gap="large")
    with left:
        titles = {name: article_sets.info(name).title for name in article_sets.names()}
        name = str(pick("Sample", titles, titles, "write-sample"))
        opened = _sample(name)
    with right:
        card = article_sets.info(name)
        return WritingSubject(opened, _row(opened), f"{card.source}. Licence: {card.licence}.")


def _row(opened: ArticleFile) -> int:
    articles = opened.articles
    if len(articles) < 2:
        return 0
    key = f"write-row-{articles.fingerprint}"
    names = article_names(articles)
    if names is None:
        return int(st.number_input("Article", 1, len(articles), 1, key=key, persist_state="session")) - 1
    return int(pick("Article", range(len(articles)), names.__getitem__, key))


_sample = st.cache_resource(article_sets.open_sample, show_spinner=False, max_entries=4)


def _file() -> ArticleFile | None:
    shelf: Shelf[ArticleFile] = Shelf("written about")
    given = st.file_uploader("A file of articles", key="write-upload")
    if given is not None and st.session_state.get("write-read") != given.file_id:
        asked = "Reading the articles", parse_articles, given.getvalue(), given.name
        read = importer.read(*asked, key=f"write-{given.file_id}")
        st.session_state[_OPENED] = shelf.put(read.articles.fingerprint, read)
        st.session_state["write-read"] = given.file_id
    opened = shelf.open(st.session_state.get(_OPENED, ""))
    if opened is None:
        st.info(
            "**Give a table with one article a row:** CSV, TSV, Excel, JSON, JSON Lines or Parquet.  \n"
            "The article stands in a column *text*, its original headline in *headline*. It is read on "
            "this computer and nowhere else.",
            icon=":material/upload_file:",
        )
        return None
    said = [f"**{len(opened.articles):,} articles** of {plain(opened.name)}.", *map(plain, opened.notes)]
    st.markdown("  \n".join(said))
    return opened


def _pasted() -> ArticleFile | None:
    placeholder = "Paste an article in any language; tags of HTML are left out."
    look = {"height": 180, "placeholder": placeholder, "persist_state": "session"}
    text = st.text_area("The article", key="write-pasted", **look)
    opened = importer.pasted_article(text)
    if opened is None:
        st.info("Paste an article, or choose a sample above.", icon=":material/content_paste:")
    return opened


def _event() -> ArticleFile:
    view = open_view()
    lines = summaries(view)
    selected = next((line for line in lines if line.group == state.now().group), lines[0])

    def said(line: GroupSummary) -> str:
        return f"{shorten(view.timeline.texts[line.representative], 90)} · {line.size}"

    look = {"index": lines.index(selected), "format_func": said, "key": "write-event"}
    chosen = st.selectbox("Event, the largest first", lines, **look)
    rows = [row for row, group in enumerate(view.grouping.ids.tolist()) if group == chosen.group]
    opened, has_bodies = articles_of_event(view.timeline, rows)
    if not has_bodies:
        st.caption("This timeline holds no articles: the event's headlines are read as one text.")
    return opened


FIRST_CHARACTERS = 1_500  # of an article that are shown before one asks for more
SHOWN_CHARACTERS = 20_000  # of an article that are ever drawn; a page is no place for a book


def article(subject: WritingSubject) -> None:
    st.header("The article", anchor=False)
    references = subject.opened.articles.references[subject.row]
    if references:
        given = "  \n".join(f"**{plain(line)}**" for line in references)
        st.markdown(f"{given}  \n:small[:gray[the original headline]]")
    text = subject.text
    head, rest = text[:FIRST_CHARACTERS], text[FIRST_CHARACTERS:SHOWN_CHARACTERS]
    st.markdown(paragraphs(head + ("…" if rest else "")))
    if rest:
        with st.expander("The rest of the article"):
            st.markdown(paragraphs(rest))
    cut = " · systems read its beginning only" * (len(text) > READ_CHARACTERS)
    st.caption("  \n".join(filter(None, (f"{len(text.split()):,} words{cut}", plain(subject.credit)))))


INVENTS: Final = (
    "Models invent: of 30 headlines that the default wrote, 12 said something false. Read the article "
    "before you use one."
)
_EDITS: Final = "write_edits"
"""For every candidate that was changed its versions, the first as it was written."""


def cards(subject: WritingSubject, written: WrittenHeadlines) -> list[str]:
    candidates = written.candidates[0]
    if not candidates[0].text:
        st.info("This article holds no sentence to take a headline from.", icon=":material/short_text:")
        return []
    about = f"{written.signature}|{subject.text}"
    keys = [digest(f"{about}|{place}", digits=16) for place in range(len(candidates))]
    lines = [_versions(key, candidate.text)[-1] for key, candidate in zip(keys, candidates, strict=True)]
    held = traces(subject.text, lines, frozenset())
    checked = checked_numbers(lines, subject.text)
    for place, (key, line, traced) in enumerate(zip(keys, lines, held, strict=True)):
        with st.container(border=True, key=f"headline-{place}"):
            # A sentence of the article would be marked from end to end: that is said in words.
            whole = traced.coverage == 1.0 and len(traced.marks) == 1
            marks = () if whole else number_marks(traced.marks, checked[place])
            if line:
                st.header(marked(line, marks), anchor=False)
            else:
                st.markdown(":gray[*no headline*]")
            warnings = generator.warnings_of(line, subject.text, [*lines[:place], *lines[place + 1 :]])
            copied = generator.WarningKind.COPIED in warnings
            st.caption(plain(" · ".join(_facts(line, traced, whole=whole, copied=copied))))
            if candidates[place].instead and line == candidates[place].text:
                st.markdown(f":small[:material/article: {plain(candidates[place].instead)}]")
            for warning in warnings.values():
                st.markdown(f":small[:orange[:material/warning: {plain(warning)}]]")
            light = None if checked[place] is None else light_of(checked[place])
            if light is not None:
                reason = plain(checked[place].reason)
                st.markdown(f"{light_icon(light)} **Numbers: {word_of(light)}.** {reason}")
            original = candidates[place].text
            with st.container(horizontal=True, gap="small"):
                with st.popover("Change", icon=":material/edit:", key=f"change-{key}"):
                    st.session_state[f"text-{key}"] = line
                    look = {"height": 90, "on_change": _change, "args": (key, original)}
                    st.text_area("The headline", key=f"text-{key}", **look)
                    st.caption("Press Ctrl and Enter, or click elsewhere.")
                with st.popover("Copy", icon=":material/content_copy:", key=f"copy-{key}"):
                    st.code(line, language=None, wrap_lines=True)
                help = "Opens this headline and the article on Check numbers."
                look = {"icon": "account_tree", "help": help}
                if light is not None and button("Show in the article", f"numbers-{key}", **look):
                    take_over(checked[place].article.text, checked[place].headline)
                    st.switch_page("pages/check_numbers.py")
                if len(_versions(key, original)) > 1:
                    button("Undo", f"undo-{key}", _undo, key, icon="undo", type="tertiary")
    if any(trace.marks and trace.coverage != 1.0 for trace in held):
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
    versions, line = _versions(key, original), clean_line(st.session_state[f"text-{key}"])
    if line != versions[-1]:
        st.session_state[_EDITS][key] = [*versions, line]


def _undo(key: str) -> None:
    versions = st.session_state[_EDITS][key]
    if len(versions) > 2:
        versions.pop()
    else:
        del st.session_state[_EDITS][key]


def checked_numbers(lines: Sequence[str], text: str) -> Sequence[CheckedHeadline | None]:
    """The check of each headline; None until that is known or where it cannot be."""
    try:
        checked = check_together(lines, [text] * len(lines))
    except CoreError as error:
        st.caption(plain(f"Numbers are not checked here: {error.message}"))
        checked = None
    return checked or [None] * len(lines)


def number_marks(marks: Sequence[TextMark], checked: CheckedHeadline | None) -> tuple[TextMark, ...]:
    """The marks of a headline, those of numbers by what the checker says of them once it is known."""
    if checked is None:
        return tuple(marks)
    bad = [
        TextMark(numeral.numeral.start, numeral.numeral.end, MarkKind.UNSUPPORTED_NUMBER)
        for numeral in checked.numerals
        if numeral.claim.light is Light.WRONG
    ]
    rest = [
        mark
        for mark in marks
        if mark.kind is not MarkKind.UNSUPPORTED_NUMBER
        and all(mark.end <= other.start or other.end <= mark.start for other in bad)
    ]
    return tuple(sorted([*bad, *rest], key=lambda mark: mark.start))


_SYSTEM: Final = "write_system"
_GO: Final = "write_go"
BASELINE: Final = "first_sentence.v1"
MOST_CANDIDATES: Final = 6  # cards beside an article; the command line gives up to 20


class Asked(NamedTuple):
    system: str
    options: generator.GenerationOptions
    seed: int

    @property
    def title(self) -> str:
        return title_of(self.system)

    @property
    def at_once(self) -> bool:
        return isinstance(generator.headline_generators.parse(self.system), SentenceRecipe)


def asking() -> Asked:
    current = str(st.session_state.get(_SYSTEM, BASELINE))
    with st.expander(f"Written by: {plain(title_of(current))}", icon=":material/tune:", key="write-how"):
        help = "The first sentence is the baseline; Library says what each system does."
        recipe_choice("System", generator.headline_generators, current, choose, help=help)
        recipe = generator.headline_generators.parse(current)
        options, seed = _options(recipe)
    return Asked(generator.headline_generators.signature(recipe), options, seed)


def choose(system: str, *, go: bool = False) -> None:
    st.session_state[_SYSTEM] = system
    st.session_state[_GO] = go


def available(asked: Asked) -> bool:
    try:
        generator.headline_generators.parse(asked.system).check()
    except CoreError as error:
        show_error(error)
        return False
    return True


def answer(
    asked: Asked, articles: Articles, *, label: str, on_click: bool = False
) -> WrittenHeadlines | None:
    """The headlines; where they take time, or `on_click`, a button that asks for them, and their progress."""
    key = f"write|{articles.fingerprint}|{asked.system}|{asked.options}|{asked.seed}"
    started = st.session_state.setdefault("write_asked", [])
    if st.session_state.pop(_GO, False) and key not in started:
        started.append(key)
    if key not in started and (on_click or not asked.at_once):
        look = "secondary" if on_click else "primary"
        button(label, f"write-go-{len(articles)}", started.append, key, icon="edit", type=look)
        return None

    def work(runtime: Runtime) -> WrittenHeadlines:
        return write_headlines(articles, asked.system, asked.options, replace(runtime, seed=asked.seed))

    try:
        return jobs.finished(key, f"{asked.title} is writing", work, long=len(articles) > 1)
    except CoreError as error:
        show_error(error)
        if key in started:
            started.remove(key)
        return None


def suggestion(asked: Asked) -> None:
    """Offers the language model above sentences of the article, or says why there is none."""
    if not asked.at_once:
        return
    default, why = default_system()
    if default.partition("|")[0] != BASELINE:
        help = (
            "A small model writes sixteen headlines on this computer. What most of them agree on comes "
            "first. Numbers that the article lacks are marked."
        )
        look = {"icon": "auto_awesome", "type": "primary", "help": help}
        button("Write headlines", "write-ask-default", partial(choose, default, go=True), **look)
    elif why:
        st.caption(f":material/info: {plain(why)}")


def _options(recipe: generator.GeneratorRecipe) -> tuple[generator.GenerationOptions, int]:
    def kept(name: str, help: str | None = None) -> dict[str, Any]:
        return {"key": f"write-{name}", "help": help, "persist_state": "session"}

    left, right = st.columns(2)
    candidates = left.number_input("Headlines", 1, MOST_CANDIDATES, 4, **kept("candidates"))
    with right:
        said = "Short: up to 6 words; long: 10 and more."
        length = pick("Length", Length, str.capitalize, "write-length", first=Length.USUAL, help=said)
    if isinstance(recipe, SentenceRecipe):
        return generator.GenerationOptions(candidates=int(candidates), length=length), 0
    left, right = st.columns(2)
    styles = [
        generator.HeadlineStyle.NEUTRAL,
        *(style for style in generator.HeadlineStyle if style in recipe.styles),
    ]
    with left:
        look = {"disabled": len(styles) < 2, "help": "Some systems can ask a question or put a number in."}
        style = pick("Style", styles, str.capitalize, f"write-style-{len(styles)}", **look)
    most = right.number_input("Words at most", 0, 50, 0, **kept("most-words", "0 leaves it to the system."))
    sample = st.toggle("Sample", **kept("sample-words", "More variety, more mistakes."))
    temperature, seed = 0.8, 0
    if sample:
        temperature = st.slider("Temperature", 0.1, 1.5, 0.8, 0.1, **kept("temperature"))
        seed = int(st.number_input("Seed", 0, 9_999, 0, **kept("seed")))
    chosen = {"style": style, "length": length, "sample": sample, "temperature": temperature}
    return generator.GenerationOptions(candidates=int(candidates), most_words=int(most), **chosen), seed


SHOWN_ROWS = 500


def export_headlines(lines: Sequence[str], written: WrittenHeadlines) -> None:
    table = pd.DataFrame({"headline": list(lines)}, dtype=object)
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}
    more = {"about": about, "rows": "headlines"}
    downloads(
        ("Text", lambda: "\n".join([*lines, ""]), "headlines.txt", "One line a headline, as they stand."),
        ("CSV", partial(write_table, table, {}, "csv", **more), "headlines.csv"),
        ("JSONL", partial(write_table, table, {}, "jsonl", **more), "headlines.jsonl"),
        key="write-export",
    )


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
        help = "Every article with all its columns and its headlines."
        files = [
            (kind.upper(), partial(written_bytes, opened, written, kind), f"{name}.{kind}", help)
            for kind in ("csv", "jsonl", "xlsx")
        ]
        downloads(*files, key="write-export-all")
