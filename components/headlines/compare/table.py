"""The metric table: values with intervals, two systems against each other, what was published, downloads."""

from functools import partial
from itertools import groupby

import numpy as np
import streamlit as st

from components.frame import progress
from components.frame.charts.measures import score_chart, score_rows, slice_chart
from components.frame.charts.theme import show_chart
from components.frame.downloads import downloads
from components.frame.markdown import HELPS, plain
from components.frame.publish import publish_table, show_published
from components.frame.widgets import TABLES, button, choose_row, notice, pick, show_result, show_table
from components.headlines.compare.opened import METRICS, Scene, metrics_by_pace, table_of
from components.opened.resources import cached
from components.opened.views import compare as state
from core.headlines.comparison import duels, published, slices, written_table
from core.headlines.comparison.agreement import agreements
from core.headlines.comparison.comparison import Comparison, ComparisonColumn, order
from core.headlines.comparison.exports import as_json, scores_csv
from core.headlines.comparison.table import all_missing, in_order, main_place, number, spanned
from core.headlines.writing import title_of
from core.results.table import chance, footnotes, marked, stars
from core.statistics.bootstrap import Figure


def pair_choice(comparison: Comparison, *, key: str) -> tuple[str, str] | None:
    systems = list(comparison.systems)
    if len(systems) < 2:
        st.caption("There is one system. Load or write the headlines of another one to compare them.")
        return None
    left, right = st.columns(2)
    systems.remove(first := left.selectbox("One system", systems, key=f"{key}-one"))
    return first, right.selectbox("against", systems, key=f"{key}-other")


def measured_columns(comparison: Comparison) -> dict[str, ComparisonColumn]:
    return {place.key: place for place in comparison.places if not all_missing(comparison, place)}


def column_choice(
    columns: dict[str, ComparisonColumn], comparison: Comparison, *, key: str
) -> ComparisonColumn:
    first = main_place(comparison)
    chosen = pick("Score", columns, lambda name: columns[name].column.label, key, first=first and first.key)
    return columns[chosen]


def duel(comparison: Comparison) -> None:
    st.header("Two systems against each other", anchor=False)
    pair = pair_choice(comparison, key="duel")
    if pair is None:
        return
    by_key, lines = {duel.key: duel for duel in duels_of(comparison, *pair)}, []
    for key, place in measured_columns(comparison).items():
        duel, counts = by_key[key], ("Wins", "Ties", "Losses")
        line = {"Score": place.column.label}
        line["Difference"] = marked(gap(place, duel.difference), duel.difference.warning)
        line |= {"p": chance(duel.difference.p), "p (Holm)": chance(duel.corrected)}
        known = ((name, getattr(duel, name.lower())) for name in counts)
        lines.append(line | {name: "–" if count is None else f"{count:,}" for name, count in known})
    holm = f"Corrected for the {max(duel.family for duel in by_key.values())} scores of this list"
    columns, alt = TABLES["duel"]["columns"] | {"p (Holm)": holm}, TABLES["duel"]["alt"]
    title = f"{pair[0]} against {pair[1]} in every score"
    source = f"{len(comparison.articles):,} articles of {comparison.articles.name}"
    show_published(lines, name="duel", title=title, alt=alt, source=source, columns=columns)
    for line in footnotes(duel.difference.warning for duel in by_key.values()):
        st.caption(line)


duels_of = cached(duels.duels, max_entries=32)


def gap(place: ComparisonColumn, found: Figure) -> str:
    value, low, high = (number(place.column, end) for end in (found.value, found.low, found.high))
    if found.value is None:
        return value
    ends = "" if found.low is None or found.high is None else f" [{low}, {high}]"
    return f"{'+' if found.value > 0 else ''}{value}{ends}"


LISTED = 100


def differences(scene: Scene, comparison: Comparison) -> None:
    shown, _ = table_of(comparison, blind=scene.blind)
    columns = measured_columns(shown)
    pair = pair_choice(shown, key="differ")
    if pair is None or not columns:
        return
    place = column_choice(columns, shown, key="differ-column")
    left, other = map(shown.system, pair)
    _parts(shown, place, left, other)
    scores = shown.scores(place.key)
    apart = scores[left] - scores[other]
    rows = order(np.abs(apart))
    rows = rows[~np.isnan(apart[rows])][:LISTED]
    if not len(rows):
        return
    st.header("Articles on which they are furthest apart", anchor=False)
    table = {"Difference": [number(place.column, float(apart[row])) for row in rows]}
    table |= {shown.systems[at]: [shown.outputs[at].headlines[row] for row in rows] for at in (left, other)}
    key = f"furthest-{shown.fingerprint}-{place.key}-{left}-{other}"
    picked = choose_row(table, key=key, **TABLES["furthest"])
    if picked is not None:
        read = partial(state.open_article, scene.articles.ids[rows[picked]], shown=state.HEADLINES)
        button("Open this article", "furthest-open", read, icon="article")


_bins = cached(slices.bins_of, max_entries=4)
_slices = cached(lambda shown, key: slices.slices(shown, key, _bins(shown.articles)), max_entries=32)


def _parts(shown: Comparison, place: ComparisonColumn, left: int, other: int) -> None:
    cut, source = _slices(shown, place.key), f"{len(shown.articles):,} articles"
    if not cut:
        st.caption("The articles are too much alike, or too few, to be told apart.")
    for at, (kind, parts) in enumerate(groupby(cut, key=lambda part: part.kind)):
        if at % 2 == 0:
            columns = st.columns(2, gap="large")
        with columns[at % 2]:
            st.markdown(f"**{kind}**")
            show_chart(
                slice_chart(place.column, {shown.systems[at]: at for at in (left, other)}, list(parts)),
                name=f"slices-{kind}",
                title=f"{place.column.label} by {kind[:1].lower()}{kind[1:]}",
                source=source,
                key=f"slices-{kind}",
            )


BETTER = {True: " Higher is better.", False: " Lower is better.", None: " Neither end is better."}


def scores_table(scene: Scene, comparison: Comparison) -> None:
    shown, _ = table_of(comparison, blind=scene.blind)
    columns = {column.key: column for column in in_order(shown)}
    if not columns:
        notice("not_measurable")
        return
    left, right = st.columns(2)
    with left:
        place = column_choice(columns, shown, key="compare-column")
    against = None
    if len(shown.systems) > 1:
        look = {"key": "compare-against", "help": HELPS["compare-against"], "index": None}
        look["placeholder"] = "no test"
        against = right.selectbox("Test every system against", shown.systems, **look)
    _, compared = table_of(comparison, blind=scene.blind, against=against or "")
    entries = [row[compared.places.index(place)] for row in compared.entries]
    show_chart(
        score_chart(place.column, compared.systems, entries),
        name="compare",
        title=f"{place.column.label} of each system, with 95 % intervals",
        source=f"{len(scene.articles):,} articles of {scene.opened.title}",
        data=lambda: score_rows(place.column.label, compared.systems, entries),
    )
    st.caption(plain(f"{place.column.label}: {place.column.help}."))
    cells, helps = {"System": compared.systems}, {"System": {"pinned": True}}
    for column in columns.values():
        at, label = compared.places.index(column), column.column.label
        cells[label] = [spanned(column.column, row[at]) + stars(row[at].p) for row in compared.entries]
        helps[label] = plain(f"{column.column.help}.") + BETTER[column.column.higher_is_better]
    show_table(cells, alt="Every system in every metric, each with its 95 % interval", columns=helps)
    publish_table(
        partial(written_table.paper_form, shown, compared),
        name="compare-table",
        title=f"Scores of {len(shown.systems)} systems on {len(scene.articles):,} articles",
        source=scene.opened.title,
        csv=partial(written_table.as_csv, shown, compared),
    )
    for line in written_table.notes(shown, compared):
        st.caption(plain(line))
    if slow := metrics_by_pace(quick=False):
        help = HELPS[METRICS].format(len(metrics_by_pace(quick=True)))
        memory = {"key": METRICS, "persist_state": "session", "help": help}
        st.multiselect("Also measure", slow, format_func=title_of, **memory)
    duel(shown)
    if not scene.blind:
        _published(scene, comparison)
    if papers := published.papers_beside(scene.articles):
        with st.expander("Systems as published", icon=":material/menu_book:"):
            for paper in papers:
                st.caption(plain(f"As published: {paper.title}."))
                show_result(paper, alt=f"Figures of {paper.title}")
    name = scene.articles.name[:40]
    whole = "JSON", lambda: as_json(shown, compared), f"{name}-comparison.json"
    lines = "Every headline (CSV)", lambda: scores_csv(shown), f"{name}-headlines.csv"
    downloads(whole, lines, key="compare-export")


def _published(scene: Scene, comparison: Comparison) -> None:
    if not any(output.published for output in scene.outputs):
        return
    st.header("Scores that came with the headlines", anchor=False)
    key, work = f"published|{scene.key}", partial(agreements, comparison)
    measured = progress.finished(key, "Measuring what was published", work, long=True)
    if measured is None:
        return
    lines = []
    for each in measured:
        line = {"System": each.system, "Score": each.name, "As published": f"{each.published:.4f}"}
        line |= {"Ours": "–" if each.ours is None else f"{each.ours:.4f}"}
        line |= {"What ours is": each.label or each.why_not, "Headlines": f"{each.headlines:,}"}
        line |= {"Equal": "–" if each.ours is None else f"{each.equal:,}"}
        lines.append(line | {"Correlation": "–" if each.correlation is None else f"{each.correlation:.3f}"})
    name, title = "compare-published", "Scores as published, and ours"
    alt = "Scores as they were published, with ours on the same headlines"
    show_published(lines, name=name, title=title, alt=alt, source=scene.opened.title)
    st.caption("As published: means of the figures in the file, by its authors. The table above has ours.")
