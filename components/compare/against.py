"""Two against each other: a system then and now, and two systems by the votes of the reader."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components import compare as state
from components import jobs
from components.compare.article import STYLE
from components.compare.opened import (
    ArticlesWithOutputs,
    Scene,
    metrics_by_pace,
    shown_systems,
    value_or_none,
)
from components.compare.table import column_choice, counted, duels_of, gap, measured_columns, votes_download
from components.markdown import LEGEND, marked, paragraphs, plain, shorten
from components.page import downloads, stem
from components.resources import cached
from components.widgets import button, segments, show_table, steps
from core.arrays import IntArray
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison, ComparisonColumn, Duel
from core.headlines.comparison.table import main_place, number
from core.headlines.duels import DuelChoice, DuelVote, sides, tally
from core.headlines.reruns import Reruns, gaps, largest_changes, reruns
from core.results.render import delimited
from core.results.table import chance, footnotes, percent, spanned
from core.text.differences import compare_readings, read

ORDERS: Final = {"size": "Largest change", "down": "Largest loss", "up": "Largest gain"}
PAGE_CHANGES: Final = 8


@cached(max_entries=8)
def _reruns(scene: Scene, run: ArticlesWithOutputs, *, earlier: bool) -> Reruns:
    return reruns(scene.articles, scene.outputs, run.articles, tuple(run.outputs.values()), earlier=earlier)


def run_against_run(scene: Scene, run: ArticlesWithOutputs) -> None:
    left, right = st.columns(2, vertical_alignment="bottom")
    words = {True: "the earlier run", False: "the later run"}
    with right:
        title = f"{shorten(run.title, 40)} is"
        earlier = segments(title, words, words, "runs-earlier", label_visibility="visible")
    runs = _reruns(scene, run, earlier=bool(earlier))
    names = [f"System {at + 1}" if scene.blind else name for at, name in enumerate(runs.systems)]
    key = f"runs-system-{state.now().run}"
    chosen = left.selectbox("System", range(len(names)), format_func=names.__getitem__, key=key)
    for note in () if scene.blind else runs.notes:
        st.caption(plain(note))
    key = f"runs|{scene.key}|{state.now().run}|{earlier}"
    work = partial(compare, runs.articles, (*runs.before, *runs.after), metrics_by_pace(quick=True))
    comparison = jobs.finished(key, "Measuring both runs", work, long=True)
    if comparison is None:
        return
    system = min(int(chosen or 0), len(runs.systems) - 1)
    columns = measured_columns(comparison)
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
        label, difference = plain(place.column.label), plain(gap(place, one.difference))
        said += f" {label} went from {before} to **{after}**: {difference}."
        if one.wins is not None:
            said += f" Better on {one.wins:,} articles, worse on {one.losses:,}."
    st.markdown(said)


def _values(comparison: Comparison, runs: Reruns, system: int, place: ComparisonColumn) -> list[str]:
    values = comparison.measured[place.metric].values[:, place.at]
    both = (comparison.system(one[system].system) for one in (runs.before, runs.after))
    return [number(place.column, value_or_none(float(values[at]))) for at in both]


def _scores(
    runs: Reruns, system: int, comparison: Comparison, found: Sequence[tuple[ComparisonColumn, Duel]]
) -> None:
    lines = []
    for place, one in found:
        before, after = _values(comparison, runs, system, place)
        lines.append(
            {
                "Score": place.column.label,
                "Before": before,
                "After": after,
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
    for line in footnotes(duel.difference.warning for _, duel in found):
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
    before, after = runs.before[system].headlines, runs.after[system].headlines

    def lines() -> str:
        found = [["id", "reference", "before", "after", f"{place.key}_difference"]]
        for row in rows:
            given = (runs.articles.references[row] or ("",))[0]
            found.append([runs.articles.ids[row], given, before[row], after[row], apart[row]])
        return delimited(found)

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
        sides = (second, "Before", before, marks.left_marks), (third, "After", after, marks.right_marks)
        for column, side, text, found in sides:
            body = marked(text, found) if text.strip() else ":gray[*no headline*]"
            column.markdown(f":small[:gray[{side}]]  \n{body}")


CHOICES: Final = {
    DuelChoice.LEFT: ("Left is better", "arrow_back", "1"),
    DuelChoice.RIGHT: ("Right is better", "arrow_forward", "2"),
    DuelChoice.DRAW: ("Draw", "drag_handle", "3"),
    DuelChoice.BAD: ("Both are bad", "thumb_down", "4"),
}
"""What each button says, its icon, and the key that presses it."""
_READ_CHARACTERS: Final = 6_000


def voting(scene: Scene, rows: IntArray) -> None:
    """Draws the article that is voted on, without saying who wrote which headline, and the result so far."""
    if len(scene.outputs) < 2:
        said = "**A vote takes two systems.**  \nLoad or write the headlines of another one."
        st.info(said, icon=":material/how_to_vote:")
        return
    if not len(rows):
        st.info("No matches. Search for fewer words, or remove a filter.", icon=":material/search_off:")
        return
    st.html(STYLE)
    shown, prints = shown_systems(scene)
    one, other = _pair(dict(zip(prints, (system.system for system in shown), strict=True)))
    given = {vote.article: vote for vote in state.votes() if {vote.left, vote.right} == {one, other}}
    at = min(state.now().voting, len(rows) - 1)
    row = int(rows[at])
    article = scene.articles.ids[row]
    left, right = sides(one, other, article)
    _headlines(scene, row, left, right)
    ids = [scene.articles.ids[place] for place in rows.tolist()]
    _buttons(DuelVote(article, left, right, DuelChoice.DRAW), given, ids, at)
    voted = sum(name in given for name in ids)
    said = f"Article **{at + 1:,}** of {len(rows):,} · {voted:,} voted on"
    steps(said, at, len(rows), lambda to: state.put(voting=to), what="vote")
    _article(scene, row)
    names = {key: plain(shorten(system.system, 60)) for key, system in zip(prints, shown, strict=True)}
    votes = state.votes()
    found = tally(votes, one, other)
    if not votes:
        st.caption("The votes stay in this session; download them to keep them.")
        return
    with st.expander(f"Result of {len(votes):,} votes", icon=":material/how_to_vote:", key="vote-result"):
        st.markdown(
            f"**{names[one]}** {found.one:,} · **{names[other]}** {found.other:,} · draws {found.draws:,} · "
            f"both bad {found.bad:,}"
        )
        if found.preferred.value is not None:
            st.markdown(
                f"{names[one]} is preferred on {plain(spanned(found.preferred, percent(0)))} % of the "
                f"{found.one + found.other:,} articles with a preference."
            )
        if found.preferred.warning:
            st.caption(plain(found.preferred.warning))
        st.caption("The votes stay in this session; download them to keep them.")
        votes_download(scene)


def _pair(names: dict[str, str]) -> tuple[str, str]:
    """Two systems, chosen among the names by their fingerprints."""
    one, other, *more = names
    if not more:
        return one, other
    first, second = st.columns(2)
    one = first.selectbox("One system", list(names), format_func=names.__getitem__, key="vote-one")
    others = [key for key in names if key != one]
    other = second.selectbox("and another", others, format_func=names.__getitem__, key="vote-other")
    return one, other


def _headlines(scene: Scene, row: int, left: str, right: str) -> None:
    by_print = dict(zip(scene.prints, scene.outputs, strict=True))
    for column, side, key in zip(st.columns(2, gap="medium"), ("Left", "Right"), (left, right), strict=True):
        with column.container(border=True, key=f"vote-{side.lower()}"):
            text = by_print[key].headlines[row]
            st.markdown(f":small[:gray[{side}]]")
            st.markdown(f"**{plain(text)}**" if text.strip() else ":gray[*no headline*]")


def _buttons(draft: DuelVote, given: dict[str, DuelVote], ids: list[str], at: int) -> None:
    before = given.get(draft.article)
    with st.container(horizontal=True, key="vote-buttons"):
        for choice, (label, icon, key) in CHOICES.items():
            vote = DuelVote(draft.article, draft.left, draft.right, choice)
            look = "primary" if before is not None and before.choice is choice else "secondary"
            cast = vote, {*given, draft.article}, ids, at
            button(label, f"vote-{choice.value}-button", _cast, *cast, icon=icon, shortcut=key, type=look)


def _cast(vote: DuelVote, voted: set[str], ids: list[str], at: int) -> None:
    state.vote(vote)
    ahead = [*range(at + 1, len(ids)), *range(at)]
    state.put(voting=next((place for place in ahead if ids[place] not in voted), at))


def _article(scene: Scene, row: int) -> None:
    text, references = scene.articles.texts[row], scene.articles.references[row]
    if not text.strip() and not references:
        return
    with st.expander("Article and original headline", icon=":material/article:", key="vote-article"):
        if references:
            st.markdown(f"**{plain(references[0])}**")
        st.markdown(paragraphs(text[:_READ_CHARACTERS]) or ":gray[This article has no text.]")
        if len(text) > _READ_CHARACTERS:
            st.caption(f"The first {_READ_CHARACTERS:,} of {len(text):,} characters.")
