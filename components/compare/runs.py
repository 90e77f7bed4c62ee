"""Run against run: what a system wrote before and now, and what that did to its scores."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components import jobs
from components.buttons import steps
from components.compare import state
from components.compare.opened import ArticlesWithOutputs, Scene, quick_metrics, value_or_none
from components.compare.table import column_choice, counted, duels_of, gap
from components.markdown import LEGEND, marked, plain, shorten
from components.page import downloads, stem
from components.resources import cached
from components.tables import show_table
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison, ComparisonColumn, Duel
from core.headlines.comparison.table import all_missing, main_place, number
from core.headlines.reruns import Reruns, gaps, largest_changes, reruns
from core.results.render import delimited
from core.results.table import chance, footnotes
from core.text.differences import compare_readings, read

ORDERS: Final = {"size": "Largest change", "down": "Largest loss", "up": "Largest gain"}
PAGE_CHANGES: Final = 8


@cached(max_entries=8)
def _reruns(scene: Scene, run: ArticlesWithOutputs, *, earlier: bool) -> Reruns:
    return reruns(scene.articles, scene.outputs, run.articles, tuple(run.outputs.values()), earlier=earlier)


def run_against_run(scene: Scene, run: ArticlesWithOutputs) -> None:
    """Draws one system of both runs: a sentence, every score with its interval, and what changed."""
    left, right = st.columns(2, vertical_alignment="bottom")
    earlier = right.segmented_control(
        f"{shorten(run.title, 40)} is",
        [True, False],
        format_func=lambda before: "the earlier run" if before else "the later run",
        default=True,
        required=True,
        key="runs-earlier",
    )
    runs = _reruns(scene, run, earlier=bool(earlier))
    chosen = left.selectbox(
        "System",
        range(len(runs.systems)),
        format_func=lambda at: f"System {at + 1}" if scene.blind else runs.systems[at],
        key=f"runs-system-{state.now().run}",
    )
    for note in () if scene.blind else runs.notes:
        st.caption(plain(note))
    key = f"runs|{scene.key}|{state.now().run}|{earlier}"
    work = partial(compare, runs.articles, (*runs.before, *runs.after), quick_metrics())
    comparison = jobs.finished(key, "Measuring both runs", work, long=True)
    if comparison is None:
        return
    system = min(int(chosen or 0), len(runs.systems) - 1)
    columns = {one.key: one for one in comparison.places if not all_missing(comparison, one)}
    found = duels_of(comparison, runs.after[system].system, runs.before[system].system)
    by_key = {one.key: one for one in found}
    _sentence(runs, system, comparison, by_key)
    if columns:
        _scores(runs, system, comparison, [(columns[key], by_key[key]) for key in columns])
        _changes(runs, system, comparison, columns, f"{stem(run.title, 'run')}-changes.csv")


def _sentence(runs: Reruns, system: int, comparison: Comparison, found: dict[str, Duel]) -> None:
    count, n = int(runs.changed(system).sum()), len(runs.articles)
    said = f"**{count:,} of {n:,}** headlines changed."
    place = main_place(comparison)
    if place is not None:
        one = found[place.key]
        before, after = _values(comparison, runs, system, place)
        said += (
            f" {plain(place.column.label)} went from {number(place.column, before)} to "
            f"**{number(place.column, after)}**: {plain(gap(place, one.difference))}."
        )
        if one.wins is not None:
            said += f" Better on {one.wins:,} articles, worse on {one.losses:,}."
    st.markdown(said)


def _values(
    comparison: Comparison, runs: Reruns, system: int, place: ComparisonColumn
) -> tuple[float | None, float | None]:
    values = comparison.measured[place.metric].values[:, place.at]
    both = (runs.before[system].system, runs.after[system].system)
    before, after = (float(values[comparison.system(name)]) for name in both)
    return value_or_none(before), value_or_none(after)


def _scores(
    runs: Reruns, system: int, comparison: Comparison, found: Sequence[tuple[ComparisonColumn, Duel]]
) -> None:
    lines = []
    for place, one in found:
        before, after = _values(comparison, runs, system, place)
        lines.append(
            {
                "Score": place.column.label,
                "Before": number(place.column, before),
                "After": number(place.column, after),
                "Difference": gap(place, one.difference),
                "p (Holm)": chance(one.corrected),
                "Better": counted(one.wins),
                "Worse": counted(one.losses),
            }
        )
    columns = {
        "Difference": "After − before, with its 95 % interval over articles",
        "p (Holm)": f"Two-sided paired bootstrap, corrected for the {len(found)} scores of this list",
        "Better": "Articles on which the later run is better",
    }
    alt = "Every score before and after, the difference with its interval, and articles better and worse"
    show_table(lines, alt=alt, columns=columns)
    for line in footnotes(one.difference.warning for _, one in found):
        st.caption(line)


def _changes(
    runs: Reruns, system: int, comparison: Comparison, columns: dict[str, ComparisonColumn], file: str
) -> None:
    st.header("What changed", anchor=False)
    left, right = st.columns(2)
    with left:
        place = column_choice(columns, comparison, key="runs-column")
    order = right.selectbox("Order", list(ORDERS), format_func=ORDERS.__getitem__, key="runs-order")
    rows = largest_changes(comparison, runs, system, place.key, order=order).tolist()
    if not rows:
        st.info("Every headline is the same in both runs.", icon=":material/check:")
        return
    apart = [value_or_none(value) for value in gaps(comparison, runs, system, place.key).tolist()]
    pages = -(-len(rows) // PAGE_CHANGES)
    page = min(st.session_state.get("runs-page", 0), pages - 1)
    shown = rows[page * PAGE_CHANGES : (page + 1) * PAGE_CHANGES]
    for row in shown:
        _change(runs, system, row, place, apart[row])
    st.markdown(f":small[{LEGEND}]")
    said = f"Changes **{page * PAGE_CHANGES + 1:,}–{page * PAGE_CHANGES + len(shown):,}** of {len(rows):,}"
    steps(said, page, pages, lambda to: st.session_state.update({"runs-page": to}), what="change")
    given, before, after = (
        runs.articles.references,
        runs.before[system].headlines,
        runs.after[system].headlines,
    )

    def lines() -> str:
        head = ["id", "reference", "before", "after", f"{place.key}_difference"]
        cells = (
            [runs.articles.ids[row], (given[row] or ("",))[0], before[row], after[row], apart[row]]
            for row in rows
        )
        return delimited([head, *cells])

    help = "One line for each headline that changed: before, after, and the difference in the score above."
    downloads(("Changes (CSV)", lines, file, help), key="runs-export")


def _change(runs: Reruns, system: int, row: int, place: ComparisonColumn, apart: float | None) -> None:
    before, after = runs.before[system].headlines[row], runs.after[system].headlines[row]
    marks = compare_readings(read(before), read(after))
    given = runs.articles.references[row]
    with st.container(border=True, key=f"change-{row}"):
        first, second, third = st.columns([3, 2, 2], gap="medium")
        name = f"**{plain(given[0])}**" if given else plain(shorten(runs.articles.texts[row], 120))
        sign = "+" if apart is not None and apart > 0 else ""
        score = f":small[:gray[{plain(place.column.label)} {plain(sign + number(place.column, apart))}]]"
        first.markdown(f"{name or plain(runs.articles.ids[row])}  \n{score}")
        for column, side, text, found in (
            (second, "Before", before, marks.left_marks),
            (third, "After", after, marks.right_marks),
        ):
            body = marked(text, found) if text.strip() else ":gray[*no headline*]"
            column.markdown(f":small[:gray[{side}]]  \n{body}")
