"""One article: every headline compared with it, and the article with what was copied."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.controlled import controlled
from components.frame.links import came_by_link, refuse_link
from components.frame.markdown import STYLES, WORDS, marked, plain, shorten
from components.frame.tables import show_table
from components.frame.widgets import button, button_to, notice, segments, steps
from components.headlines.compare.opened import Scene, article_support, hay_of, hidden, main_scores, placed
from components.headlines.writing_subject import SHOWN_CHARACTERS
from components.opened.views import compare as state
from components.opened.views import numerals
from core.arrays import IntArray
from core.headlines.comparison.article_measures import MEAN, SPREAD, ArticleMeasure, hits
from core.headlines.comparison.comparison import Comparison, order
from core.headlines.comparison.table import all_missing, form_of, main_place, number
from core.headlines.headline_marks import marks_against, own_marks, traces
from core.headlines.metrics import Column
from core.numerals.checks.verdict_words import LIGHT_SIGNS
from core.results.number_forms import percent
from core.text.desk_marks import without_dateline
from core.text.marks import AGAINST, MarkKind, TextMark
from core.text.support import Trace

PAGE_ARTICLES = 8
BESIDE = 5  # systems beside each other in one line; more go below
LEAD_CHARACTERS = 120
SIGNS = {light.value: sign for light, sign in LIGHT_SIGNS.items()}
ALL_WORDS = "compare-all-words"
LOOK = Path(__file__).with_suffix(".css")
IN_ARTICLE, SAID_OTHERWISE = ":blue-background[**{}**]", ":orange-background[**{}**]"
BY_ARTICLE = STYLES | dict.fromkeys(AGAINST, SAID_OTHERWISE) | {MarkKind.ADDED_WORD: ":blue-background[{}]"}
BY_ARTICLE |= dict.fromkeys((MarkKind.ADDED_NAME, MarkKind.ADDED_NUMBER, MarkKind.OTHER_NUMBER), IN_ARTICLE)
WAYS = {MEAN: "mean of the systems", SPREAD: "range of the systems"}


def cards(scene: Scene, rows: IntArray, comparison: Comparison | None, legend_place: DeltaGenerator) -> None:
    if not len(rows):
        notice("no_article")
        return
    pages = -(-len(rows) // PAGE_ARTICLES)
    page = min(int(state.now().page), pages - 1)
    first = page * PAGE_ARTICLES
    shown = rows[first : first + PAGE_ARTICLES].tolist()
    with st.container(key="compare-table"):
        if _headed(scene):
            _header(scene, comparison, original=bool(scene.articles.references[shown[0]]))
        marks = {mark.kind for row in shown for mark in card(scene, row, comparison)}
    compared = "the original lacks" if scene.articles.references[shown[0]] else "other systems lack"
    told = any(scene.articles.texts[row].strip() for row in shown)
    key = [IN_ARTICLE.format("in the article" if told else "names and numbers")]
    key += [STYLES[MarkKind.UNSUPPORTED_NAME].format("not in the article")] * told
    key += [STYLES[MarkKind.NOVEL_WORD].format("words not in the article")] * (MarkKind.NOVEL_WORD in marks)
    key += [SAID_OTHERWISE.format("said otherwise")] * (not AGAINST.isdisjoint(marks))
    legend_place.markdown(f":small[What {compared}: {' · '.join(key)}]", width="content")
    st.toggle("All words", key=ALL_WORDS, persist_state="session")
    said = f"Articles **{first + 1:,}–{first + len(shown):,}** of {len(rows):,}"
    steps(said, page, pages, lambda to: state.put(page=to), what="page")


def _header(scene: Scene, comparison: Comparison | None, *, original: bool) -> None:
    column, _, entries = main_scores(comparison)
    scores, said = [""] * len(scene.outputs), "Original headline" if original else "Article"
    if column:
        best = _best(column, [score.value for score in entries])
        said = f"{said} · score: {plain(column.label)}"
        scores = [_score(number(column, each.value), best=at in best) for at, each in enumerate(entries)]
    with st.container(border=True, key="compare-head"):
        first, *columns = _columns(len(scene.outputs))
        first.markdown(f":small[:gray[{said}]]")
        for column, name, score in zip(columns, scene.systems, scores, strict=True):
            column.markdown(f"**{plain(name)}** :small[{score}]")


def _score(written: str, *, best: bool) -> str:
    return f"**:blue[{written} best]**" if best else written


def _best(column: Column, values: Sequence[float | None]) -> set[int]:
    """The places of the best of some scores, where not all are alike."""
    known = {at: value for at, value in enumerate(values) if value is not None and not np.isnan(value)}
    end = (min if column.higher_is_better is False else max)(known.values(), default=None)
    best = {at for at, value in known.items() if value == end}
    return best if len(best) < len(known) and column.higher_is_better is not None else set()


def _columns(systems: int) -> list[DeltaGenerator]:
    return st.columns([3, *([2] * min(systems, BESIDE))], gap="medium")


def card(scene: Scene, row: int, comparison: Comparison | None) -> list[TextMark]:
    """Draws an article's headlines; gives their marks."""
    articles = scene.articles
    lead = plain(shorten(without_dateline(articles.texts[row])[: 4 * LEAD_CHARACTERS], LEAD_CHARACTERS))
    with st.container(border=True, key=f"card-{row}"):
        first, *columns = _columns(max(1, len(scene.outputs)))
        with first:
            if articles.references[row]:
                _name(scene, row, "original", "Original headline")
            st.markdown(f"{people(articles.references[row], named=False)}  \n:small[:gray[{lead}]]")
            look = {"icon": "article", "type": "tertiary"}
            button("Read", f"read-{row}", state.open_article, articles.ids[row], **look)
        return _cells(scene, row, comparison, columns)


def _headed(scene: Scene) -> bool:
    return not scene.blind and len(scene.outputs) <= BESIDE


def _cells(
    scene: Scene, row: int, comparison: Comparison | None, columns: Sequence[DeltaGenerator]
) -> list[TextMark]:
    order = placed(scene, scene.articles.ids[row])
    texts = tuple(scene.outputs[place].headlines[row] for place, _ in order)
    references, article = scene.articles.references[row], scene.articles.texts[row]
    marks = marks_against(references[0], texts, article) if references else own_marks(texts, article)
    if not st.session_state.get(ALL_WORDS):
        words = MarkKind.ADDED_WORD, MarkKind.NOVEL_WORD
        marks = tuple(tuple(mark for mark in own if mark.kind not in words) for own in marks)
    scores, main = [], None if comparison is None else main_place(comparison)
    if comparison is not None and main is not None and not hidden(scene, scene.articles.ids[row]):
        label = f":gray[{plain(main.column.label.removesuffix(' mean'))}] "
        values = comparison.scores(main.key)[:, row].tolist()
        form = percent(0) if main.column.high == 1 else form_of(main.column)
        best = _best(main.column, values)
        scores = [
            "" if np.isnan(value) else label + _score(form(value), best=at in best)
            for at, value in enumerate(values)
        ]
    for at, (place, name) in enumerate(order):
        body = marked(texts[at], marks[at], BY_ARTICLE) if texts[at].strip() else ":gray[no headline]"
        said = [scores[place]] if scores and scores[place] else []
        lights = scene.outputs[place].lights[row : row + 1]
        said += [f"{SIGNS[light]} {light}" for light in lights if light in SIGNS]
        with columns[at % len(columns)]:
            score = " · ".join(said)
            _name(scene, row, at, name, more=f" · {score}" if said else "")
            st.markdown(body)
            st.container(key=f"cell-score-{row}-{at}").markdown(f":small[{score}]" if said else "")
    return [mark for each in marks for mark in each]


def _name(scene: Scene, row: int, at: int | str, name: str, *, more: str = "") -> None:
    """Who wrote a headline, and its score: above it, where no header says so."""
    with st.container(key=f"cell-name-{row}-{at}" if _headed(scene) else f"cell-{row}-{at}"):
        st.markdown(f":small[:gray[{plain(name)}]{more}]")


def people(references: tuple[str, ...], *, named: bool = True) -> str:
    if not references:
        return ":gray[No original headline]"
    more = "".join(f"  \n{plain(reference)}" for reference in references[1:])
    return f"**{plain(references[0])}**{more}" + " :small[:gray[original headline]]" * named


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
            lines = []
            for place in (place for place in comparison.places if not all_missing(comparison, place)):
                values = comparison.scores(place.key)[:, row].tolist()
                known = [number(place.column, None if np.isnan(value) else value) for value in values]
                named = {name: known[at] for at, name in placed(scene, ids[row])}
                lines.append({"Score": place.column.label} | named)
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
    st.markdown(f":small[{WORDS['texts']['support_legend']}. {WORDS['texts']['second_look']}]")
    order = placed(scene, scene.articles.ids[row])
    people_said = scene.articles.references[row][:1]
    lines = [*(scene.outputs[place].headlines[row] for place, _ in order), *people_said]
    names = [*(name for _, name in order), *["Original headline"] * len(people_said)]
    held = traces(text, lines, known.names)
    left, right = st.columns([2, 3], gap="large")
    with left:
        for name, line, trace in zip(names, lines, held, strict=True):
            body = marked(line, trace.marks) if line.strip() else ":gray[no headline]"
            st.markdown(f":small[:gray[{plain(name)}]]  \n{body}  \n:small[{_in_words(trace)}]")
    with right:
        look, said = {"label_visibility": "visible"}, list(map(plain, names))
        chosen = segments("Copied by", range(len(names)), said.__getitem__, f"copied-by-{row}", **look)
        with st.container(height=460, border=True, key="article-text"):
            st.markdown(_paragraphs(text[:SHOWN_CHARACTERS], held[chosen].article_marks))
        keys = [*(scene.prints[place] for place, _ in order), *[numerals.PEOPLE] * len(people_said)]
        given, look = (scene.articles.ids[row], keys[chosen], 0), {"icon": "123", "type": "tertiary"}
        label, place = "Where its numbers come from", "check_numbers"
        button_to(place, label, "compare-numerals", numerals.jump, *given, **look)


def _in_words(trace: Trace) -> str:
    if trace.coverage is None or trace.density is None:
        return "without words"
    said = f"{100 * trace.coverage:.0f} % of its words copied, in fragments of {trace.density:.1f} words"
    new, lacking = plain(", ".join(trace.novel)), plain(", ".join([*trace.names, *trace.numbers]))
    return said + f" · new: {new}" * bool(new) + f" · not in the article: **{lacking}**" * bool(lacking)


def _paragraphs(text: str, marks: Sequence[TextMark]) -> str:
    drawn = []
    for line in re.finditer(r"[^\n]+", text):
        start, end = line.span()
        inside = (each for each in marks if each.start < end and start < each.end)
        ends = ((max(each.start, start) - start, min(each.end, end) - start, each.kind) for each in inside)
        drawn.append(marked(line[0], [TextMark(*place) for place in ends]))
    return "\n\n".join(drawn)


def rows_of(scene: Scene, measures: dict[str, ArticleMeasure]) -> IntArray:
    keep = hits(hay_of(scene), state.now().search)
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
    now = state.now()
    if now.sort not in measures:
        return rows
    return rows[order(measures[now.sort].of(now.of, scene.systems)[rows], descending=now.descending)]


def browse_bar(scene: Scene, measures: dict[str, ArticleMeasure]) -> None:
    st.text_input("Search", placeholder="Search", label_visibility="collapsed", **_kept("search"))
    with st.popover("Order and filter" + " (1)" * state.now().unsupported, icon=":material/filter_alt:"):
        labels = {state.FILE_ORDER: "Order of the file"} | {key: m.label for key, m in measures.items()}
        by = _choice("Order", "sort", list(labels), labels.__getitem__)
        if measures and len(scene.systems) > 1:
            systems = () if scene.blind else scene.systems
            _choice("Scores of", "of", [MEAN, SPREAD, *systems], lambda way: WAYS.get(way, way))
        if by != state.FILE_ORDER:
            st.toggle("Highest first", **_kept("descending"))
        if not measures:
            st.caption("There is more to order by as soon as the headlines are measured.")
        if "unsupported" in measures:
            st.toggle("Only with a name or number that is not in the article", **_kept("unsupported"))
        fields = "unsupported", "search", "page"
        button("Show all articles", "compare-all", state.reset, *fields, icon="filter_alt_off")


def _kept(name: str, options: Sequence[Any] = ()) -> dict[str, Any]:
    value = getattr(state.now(), name)
    shown = value if not options or value in options else options[0]
    return controlled(f"compare-{name}", shown, lambda chosen: state.put(**{name: chosen, "page": 0}))


def _choice(label: str, name: str, options: list[str], shown: Callable[[str], str]) -> str:
    return str(st.selectbox(label, options, format_func=shown, **_kept(name, options)))
