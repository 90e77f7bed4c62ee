"""The metric table: values with intervals, two systems against each other, what was published, downloads."""

from functools import partial
from itertools import groupby

import numpy as np
import pandas as pd
import streamlit as st

from components import compare as state
from components import jobs
from components.charts.measures import score_chart, score_rows, slice_chart
from components.charts.theme import show_chart
from components.compare.opened import METRICS, Scene, metrics_by_pace, table_of
from components.markdown import plain
from components.page import downloads
from components.publish import publish_table
from components.resources import cached
from components.widgets import button, choose_row, pick, show_result, show_table
from core.headlines.comparison import comparison as comparing
from core.headlines.comparison.compare import agreements
from core.headlines.comparison.report import as_json, scores_csv
from core.headlines.comparison.table import (
    ComparisonTable,
    all_missing,
    as_csv,
    in_order,
    main_place,
    notes,
    number,
    paper_form,
    papers_beside,
    spanned,
)
from core.headlines.writing import title_of
from core.results.table import chance, footnotes, marked, stars
from core.statistics.bootstrap import Figure


def pair_choice(comparison: comparing.Comparison, *, key: str) -> tuple[str, str] | None:
    systems = list(comparison.systems)
    if len(systems) < 2:
        st.caption("There is one system. Load or write the headlines of another one to compare them.")
        return None
    left, right = st.columns(2)
    first = str(left.selectbox("One system", systems, key=f"{key}-one"))
    systems.remove(first)
    return first, str(right.selectbox("against", systems, key=f"{key}-other"))


def measured_columns(comparison: comparing.Comparison) -> dict[str, comparing.ComparisonColumn]:
    return {place.key: place for place in comparison.places if not all_missing(comparison, place)}


def column_choice(
    columns: dict[str, comparing.ComparisonColumn], comparison: comparing.Comparison, *, key: str
) -> comparing.ComparisonColumn:
    first = main_place(comparison)
    chosen = pick("Score", columns, lambda name: columns[name].column.label, key, first=first and first.key)
    return columns[chosen]


def duel(comparison: comparing.Comparison) -> None:
    st.header("Two systems against each other", anchor=False)
    pair = pair_choice(comparison, key="duel")
    if pair is None:
        return
    by_key = {duel.key: duel for duel in duels_of(comparison, *pair)}
    lines = [
        {
            "Score": place.column.label,
            "Difference": marked(gap(place, duel.difference), duel.difference.warning),
            "p": chance(duel.difference.p),
            "p (Holm)": chance(duel.corrected),
            "Wins": counted(duel.wins),
            "Ties": counted(duel.ties),
            "Losses": counted(duel.losses),
        }
        for place, duel in ((place, by_key[place.key]) for place in measured_columns(comparison).values())
    ]
    columns = {
        "Difference": "Difference (A − B), with its 95 % interval",
        "p": "Two-sided paired bootstrap, of no difference; from the resamples of the interval",
        "p (Holm)": f"Corrected for the {max(duel.family for duel in by_key.values())} scores of this list",
        "Wins": "Articles on which the one is better",
        "Losses": "Articles on which the other is better",
    }
    alt = "The two systems in every score: difference with interval, p-values, wins, ties and losses"
    show_table(lines, alt=alt, columns=columns)
    title = f"{pair[0]} against {pair[1]} in every score"
    source = f"Source: Headline Lab, {len(comparison.articles):,} articles of {comparison.articles.name}"
    publish_table(lambda: pd.DataFrame(lines), name="duel", title=title, source=source)
    for line in footnotes(duel.difference.warning for duel in by_key.values()):
        st.caption(line)


duels_of = cached(comparing.duels, max_entries=32)


def gap(place: comparing.ComparisonColumn, found: Figure) -> str:
    value, low, high = (number(place.column, end) for end in (found.value, found.low, found.high))
    if found.value is None:
        return value
    ends = "" if found.low is None or found.high is None else f" [{low}, {high}]"
    return f"{'+' if found.value > 0 else ''}{value}{ends}"


def counted(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


LISTED = 100


def differences(scene: Scene, comparison: comparing.Comparison) -> None:
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
    rows = comparing.order(np.abs(apart))
    rows = rows[~np.isnan(apart[rows])][:LISTED]
    if not len(rows):
        return
    st.header("Articles on which they are furthest apart", anchor=False)
    table = {
        "Difference": [number(place.column, float(apart[row])) for row in rows],
        shown.systems[left]: [shown.outputs[left].headlines[row] for row in rows],
        shown.systems[other]: [shown.outputs[other].headlines[row] for row in rows],
    }
    key = f"furthest-{shown.fingerprint}-{place.key}-{left}-{other}"
    alt = "Articles by how far the two systems' scores lie apart; selecting one offers to open it"
    picked = choose_row(table, key=key, alt=alt, most=320, columns={"Difference": 90})
    if picked is not None:
        read = partial(state.open_article, scene.articles.ids[rows[picked]], shown=state.HEADLINES)
        button("Open this article", "furthest-open", read, icon="article")


@cached(max_entries=32)
def _slices(comparison: comparing.Comparison, column: str) -> tuple[comparing.Slice, ...]:
    return comparing.slices(comparison, column, _bins(comparison.articles))


_bins = cached(comparing.bins_of, max_entries=4)


def _parts(shown: comparing.Comparison, place: comparing.ComparisonColumn, one: int, other: int) -> None:
    cut = _slices(shown, place.key)
    kinds = [(kind, list(parts)) for kind, parts in groupby(cut, key=lambda part: part.kind)]
    if not kinds:
        st.caption("The articles are too much alike, or too few, to be told apart.")
        return
    for start in range(0, len(kinds), 2):
        for column, (kind, parts) in zip(st.columns(2, gap="large"), kinds[start : start + 2], strict=False):
            column.markdown(f"**{kind}**")
            with column:
                show_chart(
                    slice_chart(place.column, {shown.systems[at]: at for at in (one, other)}, parts),
                    name=f"slices-{kind}",
                    title=f"{place.column.label} by {kind[:1].lower()}{kind[1:]}",
                    source=f"Source: Headline Lab, {len(shown.outputs[one].headlines):,} articles",
                    key=f"slices-{kind}",
                )


NONE = "no test"
BETTER = {True: " Higher is better.", False: " Lower is better.", None: " Neither end is better."}


def scores_table(scene: Scene, comparison: comparing.Comparison) -> None:
    shown, _ = table_of(comparison, blind=scene.blind)
    columns = {column.key: column for column in in_order(shown)}
    if not columns:
        st.info("Nothing could be measured on these articles.", icon=":material/table_chart:")
        return
    left, right = st.columns(2)
    with left:
        place = column_choice(columns, shown, key="compare-column")
    against = NONE
    if len(shown.systems) > 1:
        help = "Stars behind a value say that the two differ by more than chance (paired bootstrap, Holm)."
        look = {"key": "compare-against", "help": help}
        against = right.selectbox("Test every system against", [NONE, *shown.systems], **look)
    _, compared = table_of(comparison, blind=scene.blind, against="" if against == NONE else against)
    at = compared.places.index(place)
    entries = [row[at] for row in compared.entries]
    show_chart(
        score_chart(place.column, compared.systems, entries),
        name="compare",
        title=f"{place.column.label} of each system, with 95 % intervals",
        source=f"Source: Headline Lab, {len(scene.articles):,} articles of {scene.opened.title}",
        data=lambda: score_rows(place.column.label, compared.systems, entries),
    )
    st.caption(plain(f"{place.column.label}: {place.column.help}."))
    cells, helps = {"System": compared.systems}, {"System": st.column_config.TextColumn(pinned=True)}
    for column in columns.values():
        at, label = compared.places.index(column), column.column.label
        cells[label] = [spanned(column.column, row[at]) + stars(row[at].p) for row in compared.entries]
        helps[label] = plain(f"{column.column.help}.") + BETTER[column.column.higher_is_better]
    show_table(cells, alt="Every system in every metric, each with its 95 % interval", columns=helps)
    publish_table(
        partial(paper_form, shown, compared),
        name="compare-table",
        title=f"Scores of {len(shown.systems)} systems on {len(scene.articles):,} articles",
        source=f"Source: Headline Lab, {scene.opened.title}",
        csv=partial(as_csv, shown, compared),
    )
    for line in notes(shown, compared):
        st.caption(plain(line))
    slow = metrics_by_pace(quick=False)
    if slow:
        measured = len(metrics_by_pace(quick=True))
        help = f"These read every headline with a model. Measured already: {measured} metrics."
        memory = {"key": METRICS, "persist_state": "session"}
        st.multiselect("Also measure", slow, format_func=title_of, help=help, **memory)
    duel(shown)
    if not scene.blind:
        _published(scene, comparison)
    papers = papers_beside(scene.articles)
    if papers:
        with st.expander("Systems as published", icon=":material/menu_book:"):
            for paper in papers:
                st.caption(plain(f"As published: {paper.title}."))
                show_result(paper, alt=f"Figures of {paper.title}")
    _downloads(scene, shown, compared)


def _published(scene: Scene, comparison: comparing.Comparison) -> None:
    if not any(output.published for output in scene.outputs):
        return
    st.header("Scores that came with the headlines", anchor=False)
    key, work = f"published|{scene.key}", partial(agreements, comparison)
    measured = jobs.finished(key, "Measuring what was published", work, long=True)
    if measured is None:
        return
    lines = [
        {
            "System": agreement.system,
            "Score": agreement.name,
            "As published": f"{agreement.published:.4f}",
            "Ours": "–" if agreement.ours is None else f"{agreement.ours:.4f}",
            "What ours is": agreement.label or agreement.why_not,
            "Headlines": f"{agreement.headlines:,}",
            "Equal": "–" if agreement.ours is None else f"{agreement.equal:,}",
            "Correlation": "–" if agreement.correlation is None else f"{agreement.correlation:.3f}",
        }
        for agreement in measured
    ]
    show_table(lines, alt="Scores as they were published, with ours on the same headlines")
    words = {
        "title": "Scores as published, and ours",
        "source": f"Source: Headline Lab, {scene.opened.title}",
    }
    publish_table(lambda: pd.DataFrame(lines), name="compare-published", **words)
    said = "As published: means of the figures in the file, by the authors of the file."
    st.caption(f"{said} The table above has ours.")


def _downloads(scene: Scene, shown: comparing.Comparison, found: ComparisonTable) -> None:
    name = scene.articles.name[:40]
    file = f"{name}-comparison"
    everything = "All values, every pair of systems, and what each column is."
    each = "One line an article and system: the headline and all its scores."
    downloads(
        ("JSON", lambda: as_json(shown, found), f"{file}.json", everything),
        ("Every headline (CSV)", lambda: scores_csv(shown), f"{name}-headlines.csv", each),
        key="compare-export",
    )
