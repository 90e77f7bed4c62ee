"""All headlines of what is open: their lights, the worst first; shares by system, operators, kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from components import jobs
from components import numerals as state
from components.charts.measures import light_chart, numeral_chart, operator_chart, supported_chart
from components.charts.theme import show_chart
from components.compare.opened import Scene
from components.markdown import plain
from components.numerals.own import export_scores
from components.numerals.subject import checker, clearance
from components.page import signature
from components.widgets import height_for, show_table
from core.headlines.duels import blinded, shuffled
from core.headlines.numbers.scored import (
    ORDER,
    ListedVerdict,
    NumeralScores,
    SystemNumerals,
    count_lights,
    worst_first,
)
from core.headlines.numbers.scores import score_systems
from core.numerals.checks.check_report import counted, sign_of, word_of
from core.numerals.verdict import CheckedHeadline, Light
from core.results.table import footnotes, percent, spanned
from core.runtime import Runtime

AT_ONCE = 400
"""Headlines that are checked without being asked for; more wait for a click."""
LISTED = 400
"""Headlines in the list at most."""
ALL = "all"
PASSING = "headlines_passing"
EVERYBODY = "All systems"
MEASURE = "What is counted"
_ASKED = "numerals_corpus_asked"


@dataclass(frozen=True, slots=True)
class Wrote:
    """Who wrote headlines."""

    key: str
    name: str
    headlines: tuple[str, ...]


def corpus(scene: Scene) -> None:
    """Draws the shares, and beneath them what they are made of."""
    wanted = _systems(scene)
    count = len(scene.articles) * len(wanted)
    if not wanted:
        st.info(
            "**There is no headline to check.**  \nLoad the headlines of a system on the Compare page, or "
            "let one write them there.",
            icon=":material/short_text:",
        )
        return
    if count > AT_ONCE and scene.key not in st.session_state.setdefault(_ASKED, []):
        st.markdown(f"**{len(scene.articles):,}** articles, **{len(wanted)}** systems.")
        st.button(
            f"Check all {count:,} headlines",
            key="numerals-corpus-go",
            type="primary",
            icon=":material/check:",
            on_click=st.session_state[_ASKED].append,
            args=(scene.key,),
        )
        return
    checked = _checked(scene, wanted)
    scores = None if checked is None else _scored(scene, wanted, checked)
    if checked is None or scores is None:
        return
    listed = worst_first([SystemNumerals(one.name, checked[one.key]) for one in wanted])
    st.header(counted([one.light for one in listed]), anchor=False)
    clearance()
    show_chart(
        light_chart(count_lights(listed, [one.name for one in wanted])),
        name="numerals-lights",
        title="Headlines by what the check of their numbers says",
        source=_source(scene),
    )
    _headlines(scene, wanted, listed)
    _overview(scene, scores)
    export_scores(scene.articles.name, scores, listed)
    signature(f"{scene.opened.title} {scene.opened.fingerprint} · {', '.join(scores.checkers)}")


def _systems(scene: Scene) -> list[Wrote]:
    given = scene.articles.references
    people = [Wrote(state.PEOPLE, "Original headline", tuple(one[0] if one else "" for one in given))]
    systems = [
        Wrote(key, one.system, one.headlines) for key, one in zip(scene.prints, scene.outputs, strict=True)
    ]
    if scene.blind:
        order = shuffled(scene.systems, "")
        names = [one.system for one in blinded(scene.outputs)]
        systems = [replace(systems[place], name=name) for place, name in zip(order, names, strict=True)]
    return [*(people if any(given) else []), *systems]


def _checked(scene: Scene, wanted: list[Wrote]) -> dict[str, tuple[CheckedHeadline, ...]] | None:
    keys = sorted(one.key for one in wanted)
    by_key = {one.key: one.headlines for one in wanted}

    def work(runtime: Runtime) -> dict[str, tuple[CheckedHeadline, ...]]:
        texts = scene.articles.texts
        # Article by article, so that each is read once.
        flat = checker(runtime).check(
            [by_key[key][row] for row in range(len(texts)) for key in keys],
            [text for text in texts for _ in keys],
            runtime,
        )
        return {key: tuple(flat[at :: len(keys)]) for at, key in enumerate(keys)}

    return jobs.finished(f"numerals-all|{scene.key}", "Checking the headlines", work, long=True)


def _scored(
    scene: Scene, wanted: list[Wrote], checked: dict[str, tuple[CheckedHeadline, ...]]
) -> NumeralScores | None:
    articles = scene.articles

    def work(runtime: Runtime) -> NumeralScores:
        return score_systems(
            [SystemNumerals(one.name, checked[one.key]) for one in wanted],
            numbers=articles.numbers,
            operations=articles.operations,
            clusters=articles.clusters,
            seed=runtime.seed,
        )

    names = [one.name for one in wanted]
    return jobs.finished(f"numerals-scores|{scene.key}|{names}", "Counting the verdicts", work, long=True)


def _overview(scene: Scene, scores: NumeralScores) -> None:
    counts = {one.system: one.lights for one in scores.systems}
    total = sum(one.numerals for one in scores.systems)
    headlines = sum(one.headlines for one in scores.systems)
    st.markdown(f"**{total:,}** numbers in **{headlines:,}** headlines of {scores.articles:,} articles.")
    if not total:
        st.info("**No headline states a number.**", icon=":material/tag:")
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Headlines without a doubt", anchor=False)
        show_chart(
            supported_chart(scores.systems, PASSING, "No number wrong or to be checked"),
            name="numerals-supported",
            title="Headlines of which no number is wrong or to be checked",
            source=_source(scene),
        )
    with right:
        st.header("Verdicts on the numbers", anchor=False)
        show_chart(
            numeral_chart(counts),
            name="numerals-statuses",
            title="Verdicts on the numbers",
            source=_source(scene),
        )
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Operators of the numbers that pass", anchor=False)
        show_chart(
            operator_chart(scores.operators),
            name="numerals-operators",
            title="Operators of the numbers that pass",
            source=_source(scene),
        )
    with right:
        _kinds(scene, scores)
    _table(scores)


def _source(scene: Scene) -> str:
    return f"Source: Headline Lab, {len(scene.articles):,} articles of {scene.opened.title}"


def _table(scores: NumeralScores) -> None:
    systems = {
        one.system: [
            f"{one.headlines:,}",
            f"{one.numerals:,}",
            *(spanned(one.figures[column.name], percent()) for column in scores.columns),
        ]
        for one in scores.systems
    }
    labels = ["Headlines", "Numbers", *(column.label for column in scores.columns)]
    show_table(
        {MEASURE: labels, **systems},
        alt="Shares of every system, each with its 95 % interval",
        columns={MEASURE: st.column_config.TextColumn(pinned=True)},
    )
    with st.expander("What the lines say"):
        st.markdown("  \n".join(f"**{plain(one.label)}**: {plain(one.help)}." for one in scores.columns))
    st.caption(
        f"In per cent, with 95 % intervals over {scores.articles:,} articles ({scores.resamples:,} "
        f"resamples of {scores.units}, seed {scores.seed})."
        + (
            " Numeral accuracy is NumHG's own measure: the headline's only number is the gold one."
            if any(one.name.startswith("numeral_accuracy") for one in scores.columns)
            else " Gold numbers are not known here, so there is no official numeral accuracy."
        )
    )
    for line in footnotes([scores.warning]):
        st.caption(line)


def _kinds(scene: Scene, scores: NumeralScores) -> None:
    systems = [one.system for one in scores.systems if one.numerals]
    st.header("Kinds of number", anchor=False)
    chosen = st.selectbox(
        "Headlines of",
        [EVERYBODY, *systems],
        key="numerals-kinds",
        label_visibility="collapsed",
        persist_state="session",
    )
    counts: dict[str, dict[Light, int]] = {}
    for one in scores.kinds:
        if chosen in (EVERYBODY, one.system):
            held = counts.setdefault(one.kind.value, dict.fromkeys(Light, 0))
            for light, share in one.lights.items():
                held[light] += round((share.value or 0.0) * one.numerals)
    show_chart(
        numeral_chart(counts),
        name="numerals-kinds",
        title=f"Kinds of number: {chosen}",
        source=_source(scene),
    )


def _headlines(scene: Scene, wanted: list[Wrote], listed: Sequence[ListedVerdict]) -> None:
    counts = {light: sum(one.light is light for one in listed) for light in ORDER}
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        shown = st.segmented_control(
            "Show",
            [ALL, *(word_of(light) for light in ORDER if counts[light])],
            format_func=lambda word: f"{word[:1].upper()}{word[1:]} · {_count(word, counts):,}",
            default=ALL,
            required=True,
            key="numerals-light",
            persist_state="session",
        )
    with right:
        system = st.selectbox(
            "Headlines of",
            [EVERYBODY, *(one.name for one in wanted)],
            key="numerals-light-of",
            persist_state="session",
        )
    found = [
        one
        for one in listed
        if shown in (None, ALL, word_of(one.light)) and system in (EVERYBODY, one.system)
    ]
    if not found:
        st.caption("No headline has this light.")
        return
    _table_of(scene, {one.name: one.key for one in wanted}, found)


def _count(word: str, counts: Mapping[Light | None, int]) -> int:
    return (
        sum(counts.values()) if word == ALL else sum(n for one, n in counts.items() if word_of(one) == word)
    )


def _table_of(scene: Scene, keys: Mapping[str, str], found: Sequence[ListedVerdict]) -> None:
    first = found[:LISTED]
    table = pd.DataFrame(
        {
            "Light": [f"{sign_of(one.light)} {word_of(one.light)}" for one in first],
            "Headline": [one.checked.headline for one in first],
            "Why": [one.checked.reason for one in first],
            "Part": [one.part or "–" for one in first],
            "System": [one.system for one in first],
        }
    )
    key = f"numerals-list-{scene.key}"

    def open_it() -> None:
        picked = next(iter(st.session_state[key].selection.rows), None)
        if picked is not None and picked < len(first):
            one = first[picked]
            state.jump(scene.articles.ids[one.row], keys[one.system], one.place or 0)

    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=height_for(len(first), 480),
        on_select=open_it,
        selection_mode="single-row",
        column_config={
            "Light": st.column_config.TextColumn(width=110),
            "Headline": st.column_config.TextColumn(width="large"),
            "Why": st.column_config.TextColumn(width="large"),
            "System": st.column_config.TextColumn(width=150),
        },
        alt="Headlines with their lights, the worst first; selecting one opens its article",
    )
    more = len(found) - len(first)
    st.caption(
        "The worst first. Click the box before a line to open it with its article."
        + (f" {more:,} more are in the downloads." if more else "")
    )
