"""One article: every headline compared with it, and the article with what was copied."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import compare as state
from components import numerals
from components.compare.opened import Scene, article_support, hay_of, hidden, placed, table_of
from components.markdown import LEGEND, SUPPORT_LEGEND, marked, plain, shorten
from components.page_state import came_by_link, controlled, refuse_link
from components.widgets import button, segments, show_table, steps
from core.arrays import FloatArray, IntArray
from core.headlines.comparison.comparison import Comparison, order
from core.headlines.comparison.table import all_missing, main_place, number, spanned
from core.headlines.duels import MEAN, SPREAD, ArticleMeasure, hits, marks_against, own_marks, traces, within
from core.text.differences import TextMark
from core.text.support import Trace

PAGE_ARTICLES = 8
BESIDE = 5  # systems beside each other in one line; more go below
LEAD_CHARACTERS = 120
STYLE = """<style>
.st-key-compare-table [class*="st-key-cell-name-"] { display: none; }
.st-key-compare-table [data-testid="stColumn"] > [data-testid="stVerticalBlock"] { gap: 0.25rem; }
@media (max-width: 640px) {
  .st-key-compare-page { flex-direction: column-reverse; }
  .st-key-compare-head { display: none; }
  .st-key-compare-table [class*="st-key-cell-name-"] { display: flex; }
}
</style>"""
"""Where columns lie below each other, each cell says its system and the header is not drawn."""


def cards(scene: Scene, rows: IntArray, comparison: Comparison | None) -> None:
    if not len(rows):
        st.info("No matches. Search for fewer words, or remove a filter.", icon=":material/search_off:")
        return
    pages = -(-len(rows) // PAGE_ARTICLES)
    page = min(int(state.now().page), pages - 1)
    first = page * PAGE_ARTICLES
    shown = rows[first : first + PAGE_ARTICLES].tolist()
    st.html(STYLE)
    with st.container(key="compare-table"):
        if not scene.blind and len(scene.outputs) <= BESIDE:
            _header(scene, comparison)
        for row in shown:
            card(scene, row, comparison)
    compared = "the original headline" if scene.articles.references[shown[0]] else "the other systems"
    st.markdown(f":small[Compared with {compared}: {LEGEND}.]")
    said = f"Articles **{first + 1:,}–{first + len(shown):,}** of {len(rows):,}"
    steps(said, page, pages, lambda to: state.put(page=to), what="page")


def _header(scene: Scene, comparison: Comparison | None) -> None:
    scores = [""] * len(scene.outputs)
    place = None if comparison is None else main_place(comparison)
    if comparison is not None and place is not None:
        shown, measured = table_of(comparison, blind=False)
        at = measured.places.index(shown.place(place.key))
        scores = [f"{place.column.label} {spanned(place.column, row[at])}" for row in measured.entries]
    with st.container(border=True, key="compare-head"):
        first, *columns = _columns(len(scene.outputs))
        first.markdown(":small[:gray[Article]]")
        for column, name, score in zip(columns, scene.systems, scores, strict=True):
            column.markdown(f"**{plain(name)}**  \n:small[:gray[{plain(score)}]]")


def _columns(systems: int) -> list[DeltaGenerator]:
    return st.columns([3, *([2] * min(systems, BESIDE))], gap="medium")


def card(scene: Scene, row: int, comparison: Comparison | None) -> None:
    articles = scene.articles
    lead = plain(shorten(articles.texts[row][: 4 * LEAD_CHARACTERS], LEAD_CHARACTERS))
    with st.container(border=True, key=f"card-{row}"):
        first, *columns = _columns(max(1, len(scene.outputs)))
        with first:
            st.markdown(f"{people(articles.references[row])}  \n:small[:gray[{lead}]]")
            read = partial(state.open_article, articles.ids[row])
            button("Read", f"read-{row}", read, icon="article", type="tertiary")
        _cells(scene, row, comparison, columns)


def _cells(scene: Scene, row: int, comparison: Comparison | None, columns: Sequence[DeltaGenerator]) -> None:
    order = placed(scene, scene.articles.ids[row])
    texts = tuple(scene.outputs[place].headlines[row] for place, _ in order)
    references = scene.articles.references[row]
    article = scene.articles.texts[row]
    marks = marks_against(references[0], texts, article) if references else own_marks(texts)
    scores = _scores(scene, comparison, row)
    headed = not scene.blind and len(order) <= BESIDE
    for at, (place, name) in enumerate(order):
        body = marked(texts[at], marks[at]) if texts[at].strip() else ":gray[*no headline*]"
        score = f"  \n:small[:gray[{scores[place]}]]" if scores and scores[place] else ""
        with columns[at % len(columns)]:
            with st.container(key=f"cell-name-{row}-{at}" if headed else f"cell-{row}-{at}"):
                st.markdown(f":small[:gray[{plain(name)}]]")
            st.markdown(f"{body}{score}")


def people(references: tuple[str, ...]) -> str:
    if not references:
        return ":gray[No original headline]"
    more = "".join(f"  \n{plain(reference)}" for reference in references[1:])
    return f"**{plain(references[0])}**{more} :small[:gray[original headline]]"


def _scores(scene: Scene, comparison: Comparison | None, row: int) -> list[str]:
    place = None if comparison is None else main_place(comparison)
    if comparison is None or place is None or hidden(scene, scene.articles.ids[row]):
        return []
    values = comparison.scores(place.key)[:, row]
    return [
        "" if np.isnan(value) else f"{place.column.label} {number(place.column, float(value))}"
        for value in values
    ]


FIRST_CHARACTERS = 6_000  # of a longer article only the beginning is drawn at first


def article_page(scene: Scene, rows: IntArray, comparison: Comparison | None) -> None:
    ids = scene.articles.ids
    row = ids.index(state.now().article)
    listed = rows.tolist()
    at = listed.index(row) if row in listed else -1
    look = {"icon": "arrow_upward", "type": "tertiary", "shortcut": "Escape"}
    button("Back to the list", "compare-back", state.open_article, "", **look)
    said = f"Article **{at + 1:,}** of {len(listed):,}" if at >= 0 else "Not in the list as it is filtered"
    steps(said, at, len(listed), lambda to: state.open_article(ids[listed[to]]), what="article")
    with st.container(border=True, key="article-headlines"):
        st.markdown(people(scene.articles.references[row]))
        with st.container(key="compare-side-by-side"):
            _cells(scene, row, comparison, st.columns(max(1, min(len(scene.outputs), BESIDE)), gap="medium"))
    if hidden(scene, ids[row]):
        button("Reveal who wrote what", "reveal", partial(state.put, revealed=ids[row]), icon="visibility")
    _support(scene, row)
    if comparison is not None:
        with st.expander("All scores of this article", icon=":material/table_rows:"):
            order, lines = placed(scene, ids[row]), []
            for place in comparison.places:
                values = comparison.scores(place.key)[:, row].tolist()
                known = [None if np.isnan(value) else value for value in values]
                line = {name: number(place.column, known[at]) for at, name in order}
                if not all_missing(comparison, place):
                    lines.append({"Score": place.column.label, **line})
            show_table(lines, alt="Every score of every system for this article")


def _support(scene: Scene, row: int) -> None:
    st.header("Compared with the article", anchor=False)
    known = article_support(scene)
    text = scene.articles.texts[row]
    if known is None:
        return
    if not text.strip():
        st.caption("This article has no text.")
        return
    st.markdown(
        f":small[{SUPPORT_LEGEND}. A finding asks for a second look. Numbers are only looked up "
        "here; whether they fit is checked by “Where its numbers come from”.]"
    )
    order = placed(scene, scene.articles.ids[row])
    references = scene.articles.references[row][:1]
    lines = [*(scene.outputs[place].headlines[row] for place, _ in order), *references]
    names = [*(name for _, name in order), *("Original headline" for _ in references)]
    held = traces(text, lines, known.names)
    left, right = st.columns([2, 3], gap="large")
    with left:
        for name, line, trace in zip(names, lines, held, strict=True):
            body = marked(line, trace.marks) if line.strip() else ":gray[*no headline*]"
            st.markdown(f":small[:gray[{plain(name)}]]  \n{body}  \n:small[{_in_words(trace)}]")
    with right:
        look = {"label_visibility": "visible"}
        said = [plain(name) for name in names]
        chosen = segments("Copied by", range(len(names)), said.__getitem__, f"copied-by-{row}", **look)
        marks = held[chosen].article_marks
        whole = len(text) <= FIRST_CHARACTERS or st.session_state.get("whole-article", False)
        end = len(text) if whole else text.rfind(" ", 0, FIRST_CHARACTERS)
        end = end if end > 0 else FIRST_CHARACTERS
        with st.container(height=460, border=True, key="article-text"):
            st.markdown(_paragraphs(text[:end], [each for each in marks if each.end <= end]))
        if len(text) > FIRST_CHARACTERS:
            st.toggle(f"Show the whole article ({len(text.split()):,} words)", key="whole-article")
        keys = [*(scene.prints[place] for place, _ in order), *(numerals.PEOPLE for _ in references)]
        help = "Opens this headline on Check numbers."
        if button("Where its numbers come from", "compare-numerals", icon="123", type="tertiary", help=help):
            numerals.jump(scene.articles.ids[row], keys[chosen], 0)
            st.switch_page("pages/check_numbers.py")


def _in_words(one: Trace) -> str:
    if one.coverage is None or one.density is None:
        return "without words"
    said = [f"{100 * one.coverage:.0f} % of its words copied, in fragments of {one.density:.1f} words"]
    if one.novel:
        said.append(f"new: {plain(', '.join(one.novel))}")
    lacking = [*one.names, *one.numbers]
    if lacking:
        said.append(f"not in the article: **{plain(', '.join(lacking))}**")
    return " · ".join(said)


def _paragraphs(text: str, marks: list[TextMark]) -> str:
    drawn = []
    for line in re.finditer(r"[^\n]+", text):
        start, end = line.span()
        inside = [
            TextMark(max(each.start, start) - start, min(each.end, end) - start, each.kind)
            for each in marks
            if each.start < end and start < each.end
        ]
        drawn.append(marked(line[0], inside))
    return "\n\n".join(drawn)


WAYS = {MEAN: "mean of the systems", SPREAD: "range of the systems"}
LENGTH = "words"


def rows_of(scene: Scene, measures: dict[str, ArticleMeasure]) -> IntArray:
    keep = hits(hay_of(scene), state.now().search)
    now = state.now()
    for name, low, high in ((now.score, now.low, now.high), (LENGTH, now.fewest, now.most)):
        if name in measures and not (low is None and high is None):
            values = _values(scene, measures, name)
            keep &= within(values, -np.inf if low is None else low, np.inf if high is None else high)
    if state.now().unsupported and "unsupported" in measures:
        keep &= np.nan_to_num(measures["unsupported"].values).max(axis=0) > 0
    rows = np.flatnonzero(keep)
    if measures:
        for name, known, wants in (
            ("sort", {state.FILE_ORDER, "unsupported", *measures}, "a score of these headlines"),
            ("of", {MEAN, SPREAD, *scene.systems}, f"“{MEAN}”, “{SPREAD}” or a system of these articles"),
        ):
            given = getattr(state.now(), name)
            if given not in known and came_by_link(name):
                refuse_link(name, given, wants)
                state.reset(name)
    by = state.now().sort
    if by not in measures:
        return rows
    return rows[order(_values(scene, measures, by)[rows], descending=state.now().descending)]


def browse_bar(scene: Scene, measures: dict[str, ArticleMeasure]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare-browse"):
        placeholder = "Words in headlines, articles or ids"
        st.text_input("Search", placeholder=placeholder, label_visibility="collapsed", **_kept("search"))
        count = sum(getattr(state.now(), name) is not None for name in state.FILTERS)
        count += state.now().unsupported
        active = f" ({count})" if count else ""
        with st.popover(f"Order and filter{active}", icon=":material/filter_alt:"):
            labels = {state.FILE_ORDER: "Order of the file"} | {
                measure: measures[measure].label for measure in measures
            }
            by = _choice("Order", "sort", list(labels), labels.__getitem__)
            if measures and len(scene.systems) > 1:
                systems = () if scene.blind else scene.systems
                _choice("Scores of", "of", [MEAN, SPREAD, *systems], lambda way: WAYS.get(way, way))
            if by != state.FILE_ORDER:
                st.toggle("Highest first", **_kept("descending"))
            _filters(scene, measures)


def _filters(scene: Scene, measures: dict[str, ArticleMeasure]) -> None:
    if not measures:
        st.caption("There is more to filter by as soon as the headlines are measured.")
        return
    way = WAYS.get(state.now().of, state.now().of)
    scores = [name for name in measures if name != LENGTH]
    name = _choice(f"Score, {way}", "score", ["", *scores], lambda key: measures[key].label if key else "any")
    if name in measures:
        _ends(("low", "high"), _values(scene, measures, name), 0.01)
    st.caption("Words in a headline, mean of the systems")
    _ends(("fewest", "most"), _values(scene, measures, LENGTH), 1.0)
    if "unsupported" in measures:
        st.toggle("Only with a name or number that is not in the article", **_kept("unsupported"))
    fields = *state.FILTERS, "unsupported", "search", "page"
    button("Show all articles", "compare-all", state.reset, *fields, icon="filter_alt_off")


def _ends(names: tuple[str, str], values: FloatArray, step: float) -> None:
    if np.isnan(values).all():
        st.caption("It has no value here.")
        return
    hints = np.nanmin(values), np.nanmax(values)
    for column, name, label, hint in zip(st.columns(2), names, ("from", "to"), hints, strict=True):
        column.number_input(label, step=step, placeholder=f"{hint:.3g}", **_kept(name))


def _values(scene: Scene, measures: dict[str, ArticleMeasure], name: str) -> FloatArray:
    way = state.now().of
    hidden = scene.blind and way not in WAYS
    return measures[name].of(MEAN if hidden or name == LENGTH else way, scene.systems)


def _kept(name: str, options: Sequence[Any] = ()) -> dict[str, Any]:
    value = getattr(state.now(), name)
    shown = value if not options or value in options else options[0]
    return controlled(f"compare-{name}", shown, lambda chosen: state.put(**{name: chosen, "page": 0}))


def _choice(label: str, name: str, options: list[str], shown: Callable[[str], str]) -> str:
    return str(st.selectbox(label, options, format_func=shown, **_kept(name, options)))
