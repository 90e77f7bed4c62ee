"""All headlines of what is open: their lights, the worst first; shares by system, operators, kinds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import altair as alt
import streamlit as st

from components.frame import progress, publish, subject, tables
from components.frame.charts.show_chart import show_chart
from components.frame.charts.stacked_bars import light_chart, numeral_chart, operator_chart
from components.frame.markdown import plain
from components.frame.widgets import button, notice, pick, segments
from components.headlines.compare.opened import Scene, shown_systems
from components.headlines.numerals.checking import checker
from components.headlines.numerals.exports import export_scores
from components.headlines.numerals.lights import clearance
from components.opened.views import numerals as state
from core.data.articles.outputs import Outputs
from core.headlines import checked_systems, listed_verdicts, numeral_tables
from core.headlines.numeral_scores import NumeralScores, SystemNumerals, score_systems
from core.numerals.checked_headline import CheckedHeadline, Light
from core.numerals.checks.verdict_words import counted, sign_of, word_of
from core.runtime import Runtime

AT_ONCE = 400  # headlines that are checked without being asked for; more wait for a click
LISTED = 400  # headlines in the list at most
ALL = "all"
EVERYBODY = "All systems"
_ASKED = "numerals_corpus_asked"


def corpus(scene: Scene) -> None:
    articles, (outputs, keys) = scene.articles, shown_systems(scene)
    if any(articles.references):
        first = tuple(given[0] if given else "" for given in articles.references)
        people = Outputs(system="Original headline", headlines=first, source=articles.name)
        outputs, keys = [people, *outputs], [state.PEOPLE, *keys]
    if not outputs:
        notice("no_headline", said="There is no headline to check.")
        return
    count, asked = len(articles) * len(outputs), st.session_state.setdefault(_ASKED, [])
    if count > AT_ONCE and scene.key not in asked:
        st.markdown(f"**{len(articles):,}** articles, **{len(outputs)}** systems.")
        label = f"Check all {count:,} headlines"
        button(label, "numerals-corpus-go", asked.append, scene.key, icon="check", type="primary")
        return

    def check(runtime: Runtime) -> dict[str, tuple[CheckedHeadline, ...]]:
        # Without names: they are hidden from some who ask for the same work.
        checked = checked_systems.check_systems(articles, outputs, checker(runtime), runtime)
        return {key: system.checked for key, system in zip(keys, checked, strict=True)}

    checked = progress.finished(f"numerals-all|{scene.key}", "Checking the headlines", check, long=True)
    if checked is None:
        return
    systems = {written.system: key for written, key in zip(outputs, keys, strict=True)}
    numerals = [SystemNumerals(name, checked[key]) for name, key in systems.items()]
    gold = {"numbers": articles.numbers, "operations": articles.operations, "clusters": articles.clusters}

    def tally(runtime: Runtime) -> NumeralScores:
        return score_systems(numerals, **gold, seed=runtime.seed)

    label, names = "Counting the verdicts", list(systems)
    scores = progress.finished(f"numerals-scores|{scene.key}|{names}", label, tally, long=True)
    if scores is None:
        return
    listed = listed_verdicts.worst_first(numerals)
    st.header(counted([verdict.light for verdict in listed]), anchor=False)
    clearance()
    lights = light_chart(listed_verdicts.count_lights(listed, names))
    _chart(scene, lights, "lights", "Headlines by what the check of their numbers says")
    _overview(scene, scores, _headlines(scene, systems, listed))
    export_scores(articles.name, scores, listed)
    subject.signature(f"{scene.opened.title} {scene.opened.fingerprint} · {', '.join(scores.checkers)}")


def _source(scene: Scene) -> str:
    return f"{len(scene.articles):,} articles of {scene.opened.title}"


def _chart(scene: Scene, chart: alt.TopLevelMixin, name: str, title: str) -> None:
    show_chart(chart, name=f"numerals-{name}", title=title, source=_source(scene))


def _overview(scene: Scene, scores: NumeralScores, chosen: str) -> None:
    total = sum(system.numerals for system in scores.systems)
    headlines = sum(system.headlines for system in scores.systems)
    st.markdown(f"**{total:,}** numbers in **{headlines:,}** headlines of {scores.articles:,} articles.")
    if not total:
        notice("no_number")
        return
    kinds: dict[str, dict[Light, int]] = {}
    for kind in scores.kinds:
        if chosen in (EVERYBODY, kind.system):
            held = kinds.setdefault(kind.kind.value, dict.fromkeys(Light, 0))
            for light, share in kind.lights.items():
                held[light] += round((share.value or 0.0) * kind.numerals)
    charts = {
        "Verdicts on the numbers": numeral_chart({each.system: each.lights for each in scores.systems}),
        "Operators of the numbers that pass": operator_chart(scores.operators),
        f"Kinds of number: {chosen}": numeral_chart(kinds),
    }
    columns = st.columns(3, gap="large")
    for at, (title, chart) in enumerate(charts.items()):
        with columns[at]:
            st.header(plain(title), anchor=False)
            _chart(scene, chart, f"overview-{at}", title)
    table = numeral_tables.paper_form(scores)
    publish.show_published(
        table,
        name="numerals-table",
        title=f"Numbers in {headlines:,} headlines, checked against their articles",
        alt="Shares of every system, each with its 95 % interval",
        source=_source(scene),
        csv=partial(numeral_tables.as_csv, scores),
    )
    with st.expander("What the columns say"):
        lines = (f"**{plain(column.label)}**: {plain(column.help)}." for column in scores.columns)
        st.markdown("  \n".join(lines))
    gold = "Gold numbers are not known here, so there is no official numeral accuracy."
    if any(column.name.startswith("numeral_accuracy") for column in scores.columns):
        gold = "Numeral accuracy is NumHG's own measure: the headline's only number is the gold one."
    st.caption(plain(gold))


def _headlines(scene: Scene, keys: Mapping[str, str], listed: Sequence[listed_verdicts.ListedVerdict]) -> str:
    counts = Counter(word_of(entry.light) for entry in listed)
    words = {ALL: len(listed)} | {word_of(light): counts[word_of(light)] for light in listed_verdicts.ORDER}
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        labels = {word: f"{word[:1].upper()}{word[1:]} · {n:,}" for word, n in words.items() if n}
        look = {"label_visibility": "visible", "persist_state": "session"}
        shown = segments("Show", labels, labels, "numerals-light", **look)
    with right:
        system = str(pick("Headlines of", [EVERYBODY, *keys], str, "numerals-light-of"))
    matches = [
        verdict
        for verdict in listed
        if system in (EVERYBODY, verdict.system) and shown in (None, ALL, word_of(verdict.light))
    ]
    if not matches:
        st.caption("No headline has this light.")
        return system
    table = [
        {
            "Light": f"{sign_of(verdict.light)} {word_of(verdict.light)}",
            "Headline": verdict.checked.headline,
            "Why": verdict.checked.reason,
            "Part": verdict.part or "–",
            "System": verdict.system,
        }
        for verdict in matches[:LISTED]
    ]
    picked = tables.choose_row(table, key=f"numerals-list-{scene.key}", **tables.TABLES["lights"])
    if picked is not None:
        entry = matches[picked]
        state.jump(scene.articles.ids[entry.row], keys[entry.system], entry.place or 0)
        st.rerun()
    more = f" {len(matches) - LISTED:,} more are in the downloads." if len(matches) > LISTED else ""
    st.caption(f"The worst first. Click the box before a line to open it with its article.{more}")
    return system
