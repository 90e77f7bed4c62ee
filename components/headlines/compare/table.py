"""The table of scores of all systems."""

from functools import partial

import streamlit as st

from components.frame import progress, tables
from components.frame.downloads import downloads
from components.frame.figure_table import ALL_FIGURES, finding, show_figures
from components.frame.markdown import HELPS, plain
from components.frame.publish import publish_table, show_published
from components.frame.widgets import notice
from components.headlines.compare.differences import column_choice, duel
from components.headlines.compare.opened import METRICS, Scene, metrics_by_pace, table_of
from core.headlines.comparison import published, written_table
from core.headlines.comparison.agreement import agreements
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.exports import as_json, scores_csv
from core.headlines.comparison.table import in_order, shown_column, spanned
from core.headlines.opening import cost_table
from core.headlines.writing import title_of
from core.results.number_forms import stars
from core.results.table import Table, TableColumn

BETTER = {True: " Higher is better.", False: " Lower is better.", None: " Neither end is better."}


def scores_table(scene: Scene, comparison: Comparison) -> None:
    shown, _ = table_of(comparison, blind=scene.blind)
    columns = {column.key: column for column in in_order(shown)}
    if not columns:
        notice("not_measurable")
        return
    chosen = st.container(horizontal=True, key="compare-scores")
    with chosen:
        place = column_choice(columns, shown, key="compare-column")
    against = None
    if len(shown.systems) > 1:
        look = {"key": "compare-against", "help": HELPS["compare-against"], "index": None}
        look["placeholder"] = "no test"
        against = chosen.selectbox("Test against", shown.systems, **look)
    _, compared = table_of(comparison, blind=scene.blind, against=against or "")
    entries = [row[compared.places.index(place)] for row in compared.entries]
    rows = tuple(zip(compared.systems, entries, strict=True))
    measured = Table(columns=(TableColumn("System"), shown_column(place.column)), rows=rows)
    source = f"{len(scene.articles):,} articles of {scene.opened.title}"
    st.header(plain(finding(measured)), anchor=False)
    show_figures(measured, alt=f"{place.column.label} of every system", name="compare", source=source)
    st.caption(plain(f"{place.column.label}: {place.column.help}."))
    cells, helps = {"System": compared.systems}, {"System": {"pinned": True}}
    for column in columns.values():
        at, label = compared.places.index(column), column.column.label
        cells[label] = [spanned(column.column, row[at]) + stars(row[at].p) for row in compared.entries]
        helps[label] = plain(f"{column.column.help}.") + BETTER[column.column.higher_is_better]
    with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
        alt = "Every system in every metric, each with its 95 % interval"
        tables.show_table(cells, alt=alt, columns=helps)
        publish_table(
            partial(written_table.paper_form, shown, compared),
            name="compare-table",
            title=f"Scores of {len(shown.systems)} systems on {len(scene.articles):,} articles",
            source=scene.opened.title,
            csv=partial(written_table.as_csv, shown, compared),
        )
        tables.say_notes(written_table.notes(shown, compared))
    took = None if scene.blind else cost_table(scene.outputs)
    if took is not None:
        st.header(took.title, anchor=False)
        tables.show_result(took, alt="Lights of the numbers, seconds and cost of every system")
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
                tables.show_result(paper, alt=f"Figures of {paper.title}")
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
