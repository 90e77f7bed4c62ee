"""What is written about, what is asked of which system, and its candidates as cards with what each copies."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame import progress
from components.frame.downloads import downloads
from components.frame.errors import show_error
from components.frame.markdown import HELPS, SUPPORT_LEGEND, WORDS, marked, paragraphs, plain, shorten
from components.frame.widgets import button, button_to, copy_button, notice, pick, segments, show_table
from components.headlines.compare.opened import article_names
from components.headlines.numerals.facts import read_corrected
from components.headlines.numerals.own import take_over
from components.headlines.numerals.subject import check_together, light_icon
from components.opened import importer
from components.opened.recipes import few_choice, recipe_choice
from components.opened.views import timeline as state
from components.server.shelf import Shelf
from components.timeline import headline_map
from components.timeline.group_list import summaries
from components.timeline.workspace import open_view
from core.data.articles import articles as article_sets
from core.data.articles.articles import READ_CHARACTERS, ArticleFile, Articles, parse_articles
from core.data.timelines.writers import write_table
from core.digests import digest
from core.errors import CoreError
from core.groups.card import GroupSummary
from core.headlines import generator, headline_warnings, writing
from core.headlines.duels import traces
from core.headlines.generators.sentences import SentenceRecipe
from core.headlines.writing import WrittenHeadlines, title_of
from core.models.language_models.language_model import Length
from core.numerals.checks.check_report import light_of, word_of
from core.numerals.verdict import CheckedHeadline, Light
from core.results.render import count_words
from core.text.differences import MarkKind, TextMark
from core.text.normalise import clean_line
from core.text.support import Trace

SAMPLE, FILE, PASTED, EVENT = "A sample", "A file", "A pasted article", "An event of the timeline"
_OPENED: Final = "write-file"


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
    source = segments("Write for", [PASTED, SAMPLE, FILE, EVENT], str, "write-source", **memory)
    if source != SAMPLE:
        opened = {FILE: _file, PASTED: _pasted, EVENT: _event}[source]()
        return None if opened is None else _subject(opened, "")
    left, right = st.columns([4, 7], gap="large")
    with left:
        known = {name: article_sets.info(name) for name in article_sets.names()}
        name = pick("Sample", known, lambda name: known[name].title, "write-sample")
    with right:
        opened = _sample(name)
        return _subject(opened, f"{known[name].source}. Licence: {known[name].licence}.")


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
        notice("write_file")
        return None
    said = f"**{len(opened.articles):,} articles** of {plain(opened.name)}."
    st.markdown("  \n".join([said, *map(plain, opened.notes)]))
    return opened


def _pasted() -> ArticleFile | None:
    placeholder = "Paste an article in any language; tags of HTML are left out."
    look = {"height": 180, "placeholder": placeholder, "persist_state": "session"}
    text = st.text_area("The article", key="write-pasted", **look)
    opened = importer.pasted_article(text)
    if opened is None:
        notice("write_pasted")
    return opened


def _event() -> ArticleFile:
    view = open_view(look=headline_map.look)
    lines = summaries(view)
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


FIRST_CHARACTERS = 1_500  # of an article that are shown before one asks for more
SHOWN_CHARACTERS = 20_000  # of an article that are ever drawn; a page is no place for a book


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


INVENTS: Final[str] = WORDS["texts"]["invents"]
_EDITS: Final = "write_edits"
"""For every candidate that was changed its versions, the first as it was written."""


def cards(subject: WritingSubject, written: WrittenHeadlines) -> list[str]:
    candidates = written.candidates[0]
    if not candidates[0].text:
        notice("no_sentence")
        return []
    about = f"{written.signature}|{subject.text}"
    keys = [digest(f"{about}|{place}", digits=16) for place in range(len(candidates))]
    lines = [_versions(key, candidate.text)[-1] for key, candidate in zip(keys, candidates, strict=True)]
    held = traces(subject.text, lines, frozenset())
    checked: Sequence[CheckedHeadline | None] | None = None
    try:
        checked = check_together(lines, subject.given)
    except CoreError as error:
        st.caption(plain(f"Numbers are not checked here: {error.message}"))
    checked = checked or [None] * len(lines)
    for place, (key, line, traced) in enumerate(zip(keys, lines, held, strict=True)):
        with st.container(border=True, key=f"headline-{place}"):
            warnings = headline_warnings.warnings_of(
                line, subject.text, [*lines[:place], *lines[place + 1 :]]
            )
            _card(key, candidates[place], line, traced, checked[place], warnings)
    if any(trace.marks and trace.coverage != 1.0 for trace in held):
        st.markdown(f":small[{SUPPORT_LEGEND}]")
    return lines


def _card(  # noqa: PLR0917 - all that is known of it
    key: str,
    candidate: generator.HeadlineCandidate,
    line: str,
    traced: Trace,
    verdict: CheckedHeadline | None,
    warnings: Mapping[headline_warnings.WarningKind, str],
) -> None:
    original = candidate.text
    if line:
        st.header(marked(line, _marks(traced, verdict)), anchor=False)
    else:
        st.markdown(":gray[*no headline*]")
    facts = [count_words(len(line.split()), "word", "words"), f"{len(line)} characters"]
    if headline_warnings.WarningKind.COPIED not in warnings and traced.coverage is not None:
        whole, share = not _marks(traced, None), f"{100 * traced.coverage:.0f} % of its words copied"
        facts.append("word for word from the article" if whole and traced.marks else share)
    st.caption(plain(" · ".join(facts)))
    if candidate.instead and line == original:
        st.markdown(f":small[:material/article: {plain(candidate.instead)}]")
    for warning in warnings.values():
        st.markdown(f":small[:orange[:material/warning: {plain(warning)}]]")
    light = None if verdict is None else light_of(verdict)
    if verdict is not None and light is not None:
        st.markdown(f"{light_icon(light)} **Numbers: {word_of(light)}.** {plain(verdict.reason)}")
    with st.container(horizontal=True, gap="small"):
        with st.popover("Change", icon=":material/edit:", key=f"change-{key}"):
            st.session_state[f"text-{key}"] = line
            look = {"height": 90, "on_change": _change, "args": (key, original)}
            st.text_area("The headline", key=f"text-{key}", **look)
            st.caption("Press Ctrl and Enter, or click elsewhere.")
        copy_button("Copy", key=f"copy-{key}", text=line)
        look = {"icon": "account_tree", "help": HELPS["to-numerals"]}
        if verdict and light:
            given = verdict.given or verdict.article.text, line
            button_to("check_numbers", "Show in the article", f"numbers-{key}", take_over, *given, **look)
        if len(versions := _versions(key, original)) > 1:
            button("Undo", f"undo-{key}", versions.pop, icon="undo", type="tertiary")


def _versions(key: str, original: str) -> list[str]:
    edits: dict[str, list[str]] = st.session_state.setdefault(_EDITS, {})
    return edits.get(key, [original])


def _change(key: str, original: str) -> None:
    versions, line = _versions(key, original), clean_line(st.session_state[f"text-{key}"])
    if line != versions[-1]:
        st.session_state[_EDITS][key] = [*versions, line]


def _marks(traced: Trace, checked: CheckedHeadline | None) -> Sequence[TextMark]:
    """The marks of a headline, those of numbers by what the checker says of them once it is known."""
    if traced.coverage == 1.0 and len(traced.marks) == 1:
        return ()  # a sentence of the article would be marked from end to end: that is said in words
    if checked is None:
        return traced.marks
    numerals = (each.numeral for each in checked.numerals if each.claim.light is Light.WRONG)
    bad = [TextMark(numeral.start, numeral.end, MarkKind.UNSUPPORTED_NUMBER) for numeral in numerals]
    rest = (mark for mark in traced.marks if mark.kind is not MarkKind.UNSUPPORTED_NUMBER)
    free = (mark for mark in rest if all(mark.end <= b.start or b.end <= mark.start for b in bad))
    return sorted([*bad, *free], key=lambda mark: mark.start)


_SYSTEM: Final = "write_system"
_GO: Final = "write_go"
BASELINE: Final = "first_sentence.v1"
MOST_CANDIDATES: Final = 6  # cards beside an article; the command line gives up to 20


class Asked(NamedTuple):
    system: str
    options: generator.GenerationOptions

    @property
    def title(self) -> str:
        return title_of(self.system)

    @property
    def at_once(self) -> bool:
        return isinstance(generator.headline_generators.parse(self.system), SentenceRecipe)


def asking() -> Asked:
    current = str(st.session_state.get(_SYSTEM, BASELINE))
    with st.expander(f"Written by: {plain(title_of(current))}", icon=":material/tune:", key="write-how"):
        if few_choice("System", "writers", generator.headline_generators, current, choose):
            recipe_choice("Every system", generator.headline_generators, current, choose)
        recipe = generator.headline_generators.parse(current)
        count, length, style = st.columns(3)
        look = {"key": "write-candidates", "persist_state": "session"}
        candidates = int(count.number_input("Headlines", 1, MOST_CANDIDATES, 4, **look))
        options = generator.GenerationOptions(candidates=candidates, **manner(recipe, "write", length, style))
    return Asked(generator.headline_generators.signature(recipe), options)


def manner(
    recipe: generator.GeneratorRecipe, key: str, left: DeltaGenerator, right: DeltaGenerator
) -> dict[str, Any]:
    """Draws how long the headlines of a system are and, where it has several, in which style."""
    with left:
        look = {"first": Length.USUAL, "help": HELPS["length"]}
        length = pick("Length", Length, str.capitalize, f"{key}-length", **look)
    styles = [style for style in generator.HeadlineStyle if style in recipe.styles]
    if not styles:
        return {"length": length}
    with right:
        styles = list(dict.fromkeys([generator.HeadlineStyle.NEUTRAL, *styles]))
        style = pick("Style", styles, str.capitalize, f"{key}-style-{len(styles)}")
    return {"length": length, "style": style}


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
    key = f"write|{articles.fingerprint}|{asked.system}|{asked.options}"
    started = st.session_state.setdefault("write_asked", [])
    if st.session_state.pop(_GO, False) and key not in started:
        started.append(key)
    if key not in started and (on_click or not asked.at_once):
        look = "secondary" if on_click else "primary"
        button(label, f"write-go-{len(articles)}", started.append, key, icon="edit", type=look)
        return None
    work = partial(writing.write_headlines, articles, asked.system, asked.options)
    try:
        return progress.finished(key, f"{asked.title} is writing", work, long=len(articles) > 1)
    except CoreError as error:
        show_error(error)
        if key in started:
            started.remove(key)
        return None


def suggestion(asked: Asked) -> None:
    """Offers the language model above sentences of the article, or says why there is none."""
    if not asked.at_once:
        return
    default, why = writing.default_system()
    if default.partition("|")[0] != BASELINE:
        look = {"icon": "auto_awesome", "type": "primary"}
        button("Write headlines", "write-ask-default", partial(choose, default, go=True), **look)
    elif why:
        st.caption(f":material/info: {plain(why)}")


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
