"""What is measured of pair systems, beside the paper's table."""

from dataclasses import replace

import streamlit as st

from components.frame.downloads import downloads
from components.frame.figure_table import ALL_FIGURES, APART, TIED, show_figures, told_apart
from components.frame.markdown import plain
from components.frame.publish import show_published
from components.frame.tables import TABLES, text_table
from components.lab.pair_measuring import is_own
from core.results.number_forms import footnotes, marked
from core.results.render import count_words
from core.results.table import TableColumn
from core.results.ties import LEVEL
from research.benchmark.pairs import sets, tables
from research.benchmark.pairs.rows import HUMAN, PairSystem

UNTESTED = "Not tested against the best"
KINDS = ("trained on news pairs", "not trained")


def show_scores(found: tables.PairBenchmark, chosen: str) -> None:
    cells, facts, paper = list(found.cells_of(chosen)), found.set(chosen), found.paper(chosen)
    names = found.names
    if facts.why_not:
        st.info(plain(facts.why_not), icon=":material/info:")
    # A row that could read only a few of the pairs is no match for those that read all.
    first, title = sets.best(cells), chosen.partition(".v")[0].replace("_", " ")
    said, against = f"{facts.pairs.get('test', 0):,} test pairs", found.with_best(chosen)
    tested = {key: gap.corrected < LEVEL for key, gap in against.items() if gap.corrected is not None}
    measured = [
        (system, cell.figures["f1"], system.published(chosen)[1])
        for cell in found.ranked(facts)
        for system in [found.system(cell.system)]
    ]
    name, f1, *_ = paper.columns
    rows = (
        (row[0], _kind_of(system), row[1]) for row, (system, *_) in zip(paper.rows, measured, strict=True)
    )
    shown = replace(paper, columns=(name, TableColumn("Kind"), f1), rows=tuple(rows))
    top = measured[0][0].key if measured else ""
    parts = told_apart(shown) if first is not None and top == first.system else {}
    if first is not None and tested:
        told = {first.system: TIED} | {key: APART if lower else TIED for key, lower in tested.items()}
        parts = {part: [] for part in (TIED, APART, UNTESTED)}
        for row, (system, *_) in zip(shown.rows, measured, strict=True):
            parts[told.get(system.key, UNTESTED)].append(row)
    if first is not None and first.system != HUMAN:
        finding = st.container(key="pairs-finding")
        best = f"{plain(names[first.system])} has the highest F1: {first.value('f1'):.3f}"
        finding.header(best, anchor=False)
        how, alike = "from it" if tested else "by their intervals", len(parts.get(TIED, ())) - 1
        told = f"**{count_words(alike, 'other is', 'others are')} not told apart {how}.** " * (alike >= 0)
        finding.markdown(f"{told}{said}, {facts.positives.get('test', 0):,} of the same event.")
    show_figures(
        shown,
        alt=f"F1 of pair models on {title}",
        parts=parts,
        shaded=not tested,
        name="pairs",
        where=f" on {title}",
        source=f"{facts.pairs.get('test', 0):,} test pairs of {title}",
        data=lambda: [
            ["system", "f1", "low", "high", "published_test_f1"],
            *([row.name, f1.value, f1.low, f1.high, printed] for row, f1, printed in measured),
        ],
    )
    resampled = f"Intervals resample {facts.unit} ({facts.units:,})."
    corrected = [f"Not told apart: p of at least {LEVEL:g} (Holm)."] * bool(tested)
    corrected += ["The interval of the best is shaded."] * bool(parts and not tested)
    st.caption(plain(" ".join([*corrected, facts.about, resampled, *facts.notes])))
    words = {"name": "pairs-table", "title": f"Pair models on {title}", "source": found.date}
    with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
        show_published(paper, csv=lambda: found.only(chosen).as_csv(), **words, **TABLES["pairs"])
    missing = {names[cell.system]: cell.why_not for cell in cells if cell.why_not and cell.system in names}
    if missing:
        with st.expander(f"{len(missing)} systems were not measured here", icon=":material/info:"):
            text_table({"System": list(missing), "Why": list(missing.values())})
    _compare(found, chosen, [row for row, *_ in measured])
    downloads(("All sets (LaTeX)", found.as_latex, "pair-benchmark.tex"), key="pairs-export")


def _kind_of(system: PairSystem) -> str:
    return "people" if system.key == HUMAN else KINDS[not system.supervised]


def _compare(found: tables.PairBenchmark, chosen: str, measured: list[PairSystem]) -> None:
    names = {row.key: row.name for row in measured if row.key != HUMAN}
    pairs = {
        ends: comparison.turned(ends[0])
        for comparison in found.comparisons
        if comparison.set == chosen and comparison.difference.value is not None
        for ends in ((comparison.one, comparison.other), (comparison.other, comparison.one))
    }
    peers = {key: [other for other in names if (key, other) in pairs] for key in names}
    keys = [key for key in names if peers[key]]
    if not keys:
        return
    # What somebody added is what they came to compare.
    start = next(filter(is_own, keys), keys[0])
    left, right = st.columns(2)
    look = {"format_func": names.__getitem__}
    first = left.selectbox("Compare", keys, keys.index(start), key="pairs-one", **look)
    second = right.selectbox("with", peers[first], key=f"pairs-other-{first}", **look)
    comparison = pairs[first, second]
    gap = comparison.difference
    span = "" if gap.low is None else f", 95 % interval [{_points(gap.low)}, {_points(gap.high)}]"
    p = "" if gap.p is None else f", p {_chance(gap.p)}"
    holm = ""
    if comparison.corrected is not None:
        holm = f", p (Holm, {comparison.family} comparisons with the best) {_chance(comparison.corrected)}"
    st.markdown(
        f"**{plain(names[first])}** − **{plain(names[second])}**: **{_points(gap.value)}** points of F1"
        f"{marked(span, gap.warning)}{p}{holm}, on {comparison.count:,} pairs."
    )
    for line in footnotes([gap.warning]):
        st.caption(line)


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value + 0.0:+.1f}"


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
