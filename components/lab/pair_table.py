"""What is measured under Pairs, the paper's table beside it, and any two rows compared."""

import math
import shlex
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import altair as alt
import pandas as pd
import streamlit as st

from components.frame import progress
from components.frame.charts.measures import interval_chart, span
from components.frame.charts.theme import ink, meaning, named, readable, show_chart
from components.frame.downloads import downloads
from components.frame.markdown import HELPS, plain
from components.frame.publish import show_published
from components.frame.widgets import TABLES, button, pick, text_table
from components.opened import resources
from core.data.pair_sets.load import own_sets
from core.data.pair_sets.pair_set import pair_sources
from core.errors import CoreError
from core.palette import AGREES, PEOPLE
from core.results.table import footnotes, marked
from core.runtime import Runtime, workshop
from core.statistics.bootstrap import Figure
from research.benchmark.pairs import rows, sets
from research.benchmark.pairs.evaluate import CAPS, QUICK, Evaluated, PairSettings
from research.benchmark.pairs.rows import HUMAN, PairSystem, row
from research.benchmark.pairs.run import evaluate_row, measure_pairs
from research.benchmark.pairs.sets import MeasuredSet
from research.benchmark.pairs.tables import FILE, PairBenchmark
from research.catalogue.training_runs import pair_models

KINDS = ("trained on news pairs", "not trained")
PUBLISHED = "published, HLGD test part"
BEST = "event_pair"  # the row whose mistakes are shown before anybody chose


def show_scores(found: PairBenchmark, chosen: str) -> None:
    cells, facts, paper = list(found.cells_of(chosen)), found.set(chosen), found.paper(chosen)
    names = found.names
    if facts.why_not:
        st.info(plain(facts.why_not), icon=":material/info:")
    # A row that could read only a few of the pairs is no match for those that read all.
    first, title = sets.best(cells), chosen.partition(".v")[0].replace("_", " ")
    said = f"{facts.pairs.get('test', 0):,} test pairs, {facts.positives.get('test', 0):,} of the same event."
    if first is not None and first.system != HUMAN:
        said += f" Best here: **{plain(names[first.system])}**, F1 **{first.value('f1'):.3f}**."
    st.markdown(said)
    resampled = f"Intervals resample {facts.unit} ({facts.units:,})."
    st.caption(plain(" ".join([facts.about, resampled, *facts.notes])))
    measured = [
        (system, cell.figures["f1"], system.published(chosen)[1])
        for cell in found.ranked(facts)
        for system in [found.system(cell.system)]
    ]
    show_chart(
        _picture(measured),
        name="pairs",
        title=f"Who tells best whether two headlines report the same event? F1 on {title}",
        source=f"{facts.pairs.get('test', 0):,} test pairs of {title}",
        data=lambda: [
            ["system", "f1", "low", "high", "published_test_f1"],
            *([row.name, f1.value, f1.low, f1.high, printed] for row, f1, printed in measured),
        ],
    )
    words = {"name": "pairs-table", "title": f"Pair models on {title}", "source": found.date}
    show_published(paper, csv=lambda: found.only(chosen).as_csv(), **words, **TABLES["pairs"])
    missing = {names[cell.system]: cell.why_not for cell in cells if cell.why_not and cell.system in names}
    if missing:
        with st.expander(f"{len(missing)} systems were not measured here", icon=":material/info:"):
            text_table({"System": list(missing), "Why": list(missing.values())})
    _compare(found, chosen, [row for row, *_ in measured])
    downloads(("All sets (LaTeX)", found.as_latex, "pair-benchmark.tex"), key="pairs-export")


def _picture(measured: Sequence[tuple[PairSystem, Figure, float | None]]) -> alt.LayerChart:
    lines = []
    for system, figure, published in measured:
        kind = "people" if system.key == HUMAN else KINDS[not system.supervised]
        ends = span(figure.value, figure.low, figure.high)
        lines.append({"System": system.name, **ends, "Published": published, "Kind": kind})
    colours, names = ink(), [str(line["System"]) for line in lines]
    looks = dict(zip(("people", *KINDS), (meaning(PEOPLE), meaning(AGREES), colours.muted), strict=True))
    # An entry that no line has would be a riddle in the legend.
    drawn_kinds = {line["Kind"] for line in lines}
    kind = named({kind: look for kind, look in looks.items() if kind in drawn_kinds}, "Kind", columns=1)
    # Rows of less than half the best are written at the edge, or most of the axis would be empty.
    least = max((line["value"] for line in lines), default=0) / 2
    ends = [end for line in lines for end in (line["low"], line["Published"]) if end is not None]
    start = math.floor(10 * min((end for end in ends if end >= least), default=0)) / 10
    far = pd.DataFrame([line for line in lines if line["value"] < start], columns=["System", "value"])
    scale = alt.Scale(domain=[start, 1], zero=False)
    unit = alt.X("value:Q", scale=scale)
    near = [line for line in lines if line["value"] >= start]
    drawn = interval_chart(near, title="F1 here, with its 95 % interval", sort=names, x=unit, color=kind)
    words = far.assign(Text=far["value"].map("‹ {:.2f}".format))
    edge = alt.Chart(words).mark_text(align="left", dx=4, color=colours.muted)
    rows_axis = alt.Y("System:N", sort=names, title=None)
    drawn += edge.encode(y=rows_axis, x=alt.XDatum(start, scale=scale), text="Text")
    known = [line | {"Shape": PUBLISHED} for line in lines if line["Published"] is not None]
    if not known:
        return readable(drawn)
    # Below: a phone has no space for both legends side by side.
    below = {"orient": "bottom", "labelLimit": 300, "symbolStrokeColor": colours.muted}
    published = alt.Chart(pd.DataFrame(known)[["System", "Published", "Shape"]])
    published = published.mark_point(size=70, color=colours.muted, filled=False)
    shape = named({PUBLISHED: "diamond"}, "Shape", of=alt.Shape, **below)
    said = ["System", alt.Tooltip("Published:Q", title=PUBLISHED)]
    return readable(drawn + published.encode(y=rows_axis, x="Published:Q", shape=shape, tooltip=said))


def _compare(found: PairBenchmark, chosen: str, measured: list[PairSystem]) -> None:
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


def _chance(p: float | None) -> str:
    return "unknown" if p is None else "< 0.001" if p < 0.001 else f"= {p:.3f}"


_RUN = "pairs-run"


def systems() -> dict[str, PairSystem]:
    """Every system by its key: all rows of the table, and the pair models that were trained here."""
    known = {system.key: system for system in rows.rows()}
    trained = [] if workshop() else [row(signature) for signature in pair_models()]
    return known | {system.key: system for system in trained}


def is_own(key: str) -> bool:
    """Whether a row is one that somebody added: a scorer in a file of its own, or a trained model."""
    return key not in {row.key for row in rows.ROWS}


def is_named(key: str) -> bool:
    """Whether a set of the table is one that the program knows by itself, here or not."""
    return key == "dialogue2021_votes" or key in pair_sources.names()


_newest = st.cache_resource(lambda version: FILE.newest(), show_spinner=False, max_entries=2)


def newest_table() -> PairBenchmark | None:
    return _newest(FILE.version())


def measure_form(chosen: str, shown: list[str]) -> None:
    """Chooses systems, at first those `shown`, measures them on the set, and says the command for it."""
    if workshop():
        return  # The table that it writes is everybody's.
    known = systems()
    title = "Measure other systems" if shown else "Measure systems on these pairs"
    with st.expander(title, expanded=not shown, icon=":material/speed:"):
        first = [key for key in shown if key in known]
        if not any(map(is_own, shown)):
            fast = [key for key, system in known.items() if system.pace is rows.Pace.FAST and key != HUMAN]
            first = [key for key in known if is_own(key) or key in fast]
        look = {"default": first, "format_func": lambda key: known[key].name, "help": HELPS["pairs-systems"]}
        picked = st.multiselect("Systems", list(known), key=f"pairs-systems-{chosen}", **look)
        quick = st.toggle("Fewer pairs", True, key="pairs-quick", help=HELPS["pairs-quick"])
        help = None if picked else "Choose at least one system above."
        look = {"icon": "speed", "type": "primary", "disabled": not picked, "help": help}
        button("Measure", "pairs-measure", _ask, chosen, tuple(picked), quick, **look)
        st.caption("The same on the command line:")
        words = ["headline-lab", "benchmark", "pairs", "--set", chosen]
        words += [word for key in picked for word in ("--scorer", key)] + (["--quick"] if quick else [])
        st.code(shlex.join([*words, "--latex", "table.tex"]), language="bash", wrap_lines=True)


def run_asked_for(chosen: str) -> None:
    asked = st.session_state.get(_RUN)
    if not asked or asked[0] != chosen:
        return
    _, keys, quick, when = asked

    def work(runtime: Runtime) -> PairBenchmark:
        settings = PairSettings(caps=QUICK if quick else CAPS)
        return FILE.keep(
            measure_pairs(runtime, sets=[chosen], rows=[row(key) for key in keys], settings=settings)
        )

    try:
        progress.result_of(f"pair-benchmark|{chosen}|{when}", "Measuring", work, long=True)
    except CoreError:
        # Said once; the next script run does not start it again.
        st.session_state.pop(_RUN, None)
        raise
    st.session_state.pop(_RUN, None)
    st.rerun()


def _ask(chosen: str, keys: tuple[str, ...], quick: bool) -> None:
    st.session_state[_RUN] = [chosen, keys, quick, time.time()]


def open_measured(chosen: str) -> MeasuredSet:
    own = own_sets().get(chosen)
    # Another file may come under the name of one that was removed.
    changed = "" if own is None else str(Path(own.path).stat().st_mtime_ns)
    key = f"pairs-measured|{chosen}|{changed}"
    return progress.result_of(key, "Reading the pairs", lambda runtime: sets.open_set(chosen), long=False)


_pool = st.cache_resource(sets.pool, show_spinner=False, max_entries=1)


def evaluated(chosen: str, key: str) -> Evaluated:
    data = open_measured(chosen)
    weights = resources.scorer_weights(row(key).signature)
    name = f"pair-row|{chosen}|{key}|{data.facts.fingerprint}|{weights}"
    work = partial(evaluate_row, data, row(key), _pool(), settings=PairSettings())
    return progress.result_of(name, "Scoring the pairs", work, long=True)


def row_choice(label: str, *, first: str, key: str) -> str:
    names = {key: system.name for key, system in systems().items() if key != HUMAN and system.signature}
    return str(pick(label, names, names, key, first=first))
