"""Two against each other: a system then and now, and two systems by the votes of the reader."""

from typing import Final

import streamlit as st

from components import compare as state
from components.compare.article import STYLE
from components.compare.opened import (
    Scene,
    shown_systems,
)
from components.compare.table import votes_download
from components.markdown import paragraphs, plain, shorten
from components.widgets import button, steps
from core.arrays import IntArray
from core.headlines.duels import DuelChoice, DuelVote, sides, tally
from core.results.table import percent, spanned

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
