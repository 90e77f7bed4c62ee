"""All headlines of what is open: their lights, the worst first; shares by system, operators, kinds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import altair as alt
import pandas as pd
import streamlit as st

from components import jobs
from components import numerals as state
from components.charts.measures import light_chart, numeral_chart, operator_chart, supported_chart
from components.charts.theme import show_chart
from components.compare.opened import Scene, shown_systems
from components.markdown import plain
from components.numerals.own import export_scores
from components.numerals.subject import checker, clearance
from components.page import signature
from components.publish import publish_table
from components.widgets import button, height_for, pick, segments, show_table
from core.headlines.numeral_scores import NumeralScores, SystemNumerals, score_systems
from core.headlines.numeral_tables import ORDER, ListedVerdict, as_csv, count_lights, paper_form, worst_first
from core.numerals.checks.check_report import counted, sign_of, word_of
from core.numerals.verdict import CheckedHeadline, Light
from core.results.table import footnotes, percent, spanned
from core.runtime import Runtime

AT_ONCE = 400  # headlines that are checked without being asked for; more wait for a click
LISTED = 400  # headlines in the list at most
ALL = "all"
EVERYBODY = "All systems"
MEASURE = "What is counted"
_ASKED = "numerals_corpus_asked"


def corpus(scene: Scene) -> None:
    references, wrote = scene.articles.references, {}
    if any(references):
        wrote[state.PEOPLE] = ("Original headline", [given[0] if given else "" for given in references])
    for outputs, fingerprint in zip(*shown_systems(scene), strict=True):
        wrote[fingerprint] = (outputs.system, outputs.headlines)
    count = len(scene.articles) * len(wrote)
    if not wrote:
        st.info(
            "**There is no headline to check.**  \nLoad the headlines of a system on the Compare page, or "
            "let one write them there.",
            icon=":material/short_text:",
        )
        return
    asked = st.session_state.setdefault(_ASKED, [])
    if count > AT_ONCE and scene.key not in asked:
        st.markdown(f"**{len(scene.articles):,}** articles, **{len(wrote)}** systems.")
        label = f"Check all {count:,} headlines"
        button(label, "numerals-corpus-go", asked.append, scene.key, icon="check", type="primary")
        return
    keys, texts = sorted(wrote), scene.articles.texts

    def work(runtime: Runtime) -> dict[str, tuple[CheckedHeadline, ...]]:
        # Article by article, so that each is read once.
        lines = [wrote[key][1][row] for row in range(len(texts)) for key in keys]
        flat = checker(runtime).check(lines, [text for text in texts for _ in keys], runtime)
        return {key: tuple(flat[at :: len(keys)]) for at, key in enumerate(keys)}

    checked = jobs.finished(f"numerals-all|{scene.key}", "Checking the headlines", work, long=True)
    if checked is None:
        return
    systems = [SystemNumerals(name, checked[key]) for key, (name, _) in wrote.items()]
    about = scene.articles
    gold = {"numbers": about.numbers, "operations": about.operations, "clusters": about.clusters}

    def tally(runtime: Runtime) -> NumeralScores:
        return score_systems(systems, **gold, seed=runtime.seed)

    names = [system.system for system in systems]
    scores = jobs.finished(f"numerals-scores|{scene.key}|{names}", "Counting the verdicts", tally, long=True)
    if scores is None:
        return
    listed = worst_first(systems)
    st.header(counted([verdict.light for verdict in listed]), anchor=False)
    clearance()
    lights = light_chart(count_lights(listed, [system.system for system in systems]))
    _chart(scene, lights, "lights", "Headlines by what the check of their numbers says")
    _headlines(scene, {name: key for key, (name, _) in wrote.items()}, listed)
    _overview(scene, scores)
    export_scores(scene.articles.name, scores, listed)
    signature(f"{scene.opened.title} {scene.opened.fingerprint} · {', '.join(scores.checkers)}")


def _chart(scene: Scene, chart: alt.TopLevelMixin, name: str, title: str) -> None:
    source = f"Source: Headline Lab, {len(scene.articles):,} articles of {scene.opened.title}"
    show_chart(chart, name=f"numerals-{name}", title=title, source=source)


def _overview(scene: Scene, scores: NumeralScores) -> None:
    counts = {system.system: system.lights for system in scores.systems}
    total = sum(system.numerals for system in scores.systems)
    headlines = sum(system.headlines for system in scores.systems)
    st.markdown(f"**{total:,}** numbers in **{headlines:,}** headlines of {scores.articles:,} articles.")
    if not total:
        st.info("**No headline states a number.**", icon=":material/tag:")
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Headlines without a doubt", anchor=False)
        drawn = supported_chart(scores.systems, "headlines_passing", "No number wrong or to be checked")
        _chart(scene, drawn, "supported", "Headlines of which no number is wrong or to be checked")
    with right:
        st.header("Verdicts on the numbers", anchor=False)
        _chart(scene, numeral_chart(counts), "statuses", "Verdicts on the numbers")
    left, right = st.columns(2, gap="large")
    with left:
        title = "Operators of the numbers that pass"
        st.header(title, anchor=False)
        _chart(scene, operator_chart(scores.operators), "operators", title)
    with right:
        _kinds(scene, scores)
    table = {MEASURE: ["Headlines", "Numbers", *(column.label for column in scores.columns)]}
    for system in scores.systems:
        shares = [spanned(system.figures[column.name], percent()) for column in scores.columns]
        table[system.system] = [f"{system.headlines:,}", f"{system.numerals:,}", *shares]
    columns = {MEASURE: st.column_config.TextColumn(pinned=True)}
    show_table(table, alt="Shares of every system, each with its 95 % interval", columns=columns)
    publish_table(
        partial(paper_form, scores),
        name="numerals-table",
        title=f"Numbers in {headlines:,} headlines, checked against their articles",
        source=f"Source: Headline Lab, {len(scene.articles):,} articles of {scene.opened.title}",
        csv=partial(as_csv, scores),
    )
    with st.expander("What the lines say"):
        lines = (f"**{plain(column.label)}**: {plain(column.help)}." for column in scores.columns)
        st.markdown("  \n".join(lines))
    gold = "Gold numbers are not known here, so there is no official numeral accuracy."
    if any(column.name.startswith("numeral_accuracy") for column in scores.columns):
        gold = "Numeral accuracy is NumHG's own measure: the headline's only number is the gold one."
    st.caption(
        f"In per cent, with 95 % intervals over {scores.articles:,} articles ({scores.resamples:,} "
        f"resamples of {scores.units}, seed {scores.seed}). {gold}"
    )
    for line in footnotes([scores.warning]):
        st.caption(line)


def _kinds(scene: Scene, scores: NumeralScores) -> None:
    systems = [system.system for system in scores.systems if system.numerals]
    st.header("Kinds of number", anchor=False)
    chosen = pick("Headlines of", [EVERYBODY, *systems], str, "numerals-kinds", label_visibility="collapsed")
    counts: dict[str, dict[Light, int]] = {}
    for kind in scores.kinds:
        if chosen in (EVERYBODY, kind.system):
            held = counts.setdefault(kind.kind.value, dict.fromkeys(Light, 0))
            for light, share in kind.lights.items():
                held[light] += round((share.value or 0.0) * kind.numerals)
    _chart(scene, numeral_chart(counts), "kinds", f"Kinds of number: {chosen}")


def _headlines(scene: Scene, keys: Mapping[str, str], listed: Sequence[ListedVerdict]) -> None:
    counts = Counter(word_of(entry.light) for entry in listed)
    words = {ALL: len(listed)} | {word_of(light): counts[word_of(light)] for light in ORDER}
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        labels = {word: f"{word[:1].upper()}{word[1:]} · {n:,}" for word, n in words.items() if n}
        look = {"label_visibility": "visible", "persist_state": "session"}
        shown = segments("Show", labels, labels, "numerals-light", **look)
    with right:
        system = pick("Headlines of", [EVERYBODY, *keys], str, "numerals-light-of")
    matches = [
        verdict
        for verdict in listed
        if system in (EVERYBODY, verdict.system) and shown in (None, ALL, word_of(verdict.light))
    ]
    if not matches:
        st.caption("No headline has this light.")
        return
    first = matches[:LISTED]
    table = pd.DataFrame(
        {
            "Light": f"{sign_of(verdict.light)} {word_of(verdict.light)}",
            "Headline": verdict.checked.headline,
            "Why": verdict.checked.reason,
            "Part": verdict.part or "–",
            "System": verdict.system,
        }
        for verdict in first
    )
    key = f"numerals-list-{scene.key}"

    def open_it() -> None:
        picked = next(iter(st.session_state[key].selection.rows), None)
        if picked is not None and picked < len(first):
            entry = first[picked]
            state.jump(scene.articles.ids[entry.row], keys[entry.system], entry.place or 0)

    widths = {"Light": 110, "Headline": "large", "Why": "large", "System": 150}
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=height_for(len(first), 480),
        on_select=open_it,
        selection_mode="single-row",
        column_config={name: st.column_config.TextColumn(width=width) for name, width in widths.items()},
        alt="Headlines with their lights, the worst first; selecting one opens its article",
    )
    more = f" {len(matches) - len(first):,} more are in the downloads." if len(matches) > len(first) else ""
    st.caption(f"The worst first. Click the box before a line to open it with its article.{more}")
