"""Why two headlines are together or apart: two sentences, and the figures for researchers."""

import math
from html import escape

import numpy as np
import streamlit as st

from components.frame.charts.theme import meaning_colour
from components.frame.markdown import marked, plain, shorten
from components.frame.widgets import distinct_names
from components.opened import resources
from components.timeline.workspace import View
from core.events.explanations import Why, why_together
from core.events.reviewing import can_review
from core.groups.card import GroupCard
from core.groups.joins import NO_TREE
from core.pairs.scorer import ScorePart
from core.palette import AGREES, APART
from core.results.render import count_words

_BROADEST = 0.995  # from here on the slider joins everything
_BARS = 3  # below that of the similarity
_USUAL = "any pair"  # the part that all pairs of a timeline have alike
_NAMED = 4  # names, words and numbers in common that a sentence lists


def why_tab(view: View, card: GroupCard) -> None:
    texts = view.timeline.texts
    own, near = list(card.summary.rows), [neighbour.row for neighbour in card.groups]
    other = "  (another event)"
    said = distinct_names([*own, *near], lambda row: shorten(texts[row], 100) + other * (row not in own))
    look = {"format_func": said, "persist_state": "session"}
    left = st.selectbox("Headline", own, key=f"why-left-{own[0]}", **look)
    others = [row for row in [*own, *near] if row != left]
    if not others:
        st.caption("There is no second headline to compare with.")
        return
    right = st.selectbox("and", others, key=f"why-right-{own[0]}-{left}", **look)
    why_panel(view, left, right, _proof(view, card))


def why_panel(view: View, left: int, right: int, proof: str = "") -> None:
    """Draws the reasons of a pair, and what holds its event together where `proof` says it."""
    reason = why_together(view.prepared, view.grouping, left, right)
    link, differences = reason.link, reason.differences
    needed = 1 - view.grouping.granularity
    st.markdown(f"{_verdict(reason, needed)} {_next(view, reason, left, right)}")
    st.html(_bars(reason, needed))
    texts = view.timeline.texts
    st.markdown(marked(texts[left], differences.left_marks))
    st.markdown(marked(texts[right], differences.right_marks))
    for clash in (*differences.number_conflicts, *differences.opposed):
        first, other = plain(clash.left or "–"), plain(clash.right or "–")
        st.markdown(f":red-background[Possible contradiction]: {first} against {other}.")
    with st.expander("For researchers", icon=":material/science:"):
        st.markdown(
            f"Similarity **{link.similarity:.2f}**, from {_parts(reason.parts)}. On average their "
            + ("event holds together at " if link.together else "two events are alike at ")
            + f"**{link.group_similarity or 0:.2f}**; {needed:.2f} is needed at this setting."
            + (f" They merge at {link.joins_at:.2f}." if link.joins_at is not None else "")
        )
        st.markdown(proof)
        chain = link.chain if len(link.chain) > 1 else ()
        st.markdown("The strongest chain of links between them:" * bool(chain))
        for number, step in enumerate(chain, 1):
            weak = " :red[(weaker than needed)]" if step.below else ""
            first, other = (plain(shorten(texts[row], 80)) for row in (step.left, step.right))
            st.markdown(f"{number}. {first} — **{step.similarity:.2f}**{weak} — {other}")


def _bars(reason: Why, needed: float) -> str:
    """The similarity with the level that is needed, and what weighs most in it, as bars without figures."""
    own = (part for part in reason.parts if part.name != _USUAL)
    weightiest = sorted(own, key=lambda part: -abs(part.value))[:_BARS]
    most = max(1.0, *(abs(part.value) for part in weightiest))
    alike = reason.link.similarity
    known = [
        ("similarity", alike, alike, "enough, past the line" if alike >= needed else "short of the line")
    ]
    known += [
        (part.name, part.value, abs(part.value) / most, "for it" if part.value >= 0 else "against it")
        for part in weightiest
    ]
    lines = []
    for name, value, share, said in known:
        paint = meaning_colour(AGREES if value >= 0 else APART)
        level = f"--level:{needed:.3f};" * (name == "similarity")
        bar = f'<i style="--at:{share:.3f};{level}--paint:{paint}"></i>'
        lines.append(f"<p><span>{escape(name)}</span>{bar}<b>{said}</b></p>")
    return f'<div class="bars">{"".join(lines)}</div>'


def _verdict(reason: Why, needed: float) -> str:
    link, shared = reason.link, reason.differences
    alike = link.similarity >= needed
    common = [*shared.shared_names, *shared.shared_numbers, *shared.shared_words][:_NAMED]
    both = f"both have {plain(', '.join(common))}" if common else "they share no word"
    if link.together and alike:
        return f"**They are together:** what they say is alike, and {both}."
    if link.together:
        return f"**They are together:** other reports link the two, which alone differ more; {both}."
    if alike:
        return f"**They are apart:** the two are alike, but the events around them are not; {both}."
    return f"**They are apart:** what they say differs{', though ' + both if common else ' and ' + both}."


def _next(view: View, reason: Why, left: int, right: int) -> str:
    together, joins = reason.link.together, reason.link.joins_at
    if joins is not None and not together:
        return "Moved toward *Broader*, the slider makes them one event."
    between = abs(view.timeline.days[left] - view.timeline.days[right])
    if math.isnan(between):
        return "One of them has no date, so time says nothing."
    days = count_words(round(between), "day", "days")
    return "They came within a day of each other." if between < 1 else f"They came {days} apart."


def _proof(view: View, card: GroupCard) -> str:
    """Between which levels an event stays as it is, what holds it together, and what it joins next."""
    if not can_review(view.prepared):
        return NO_TREE
    proof = resources.reviewing(view.prepared, view.grouping).proof(card.summary.rows)
    if proof is None:
        return "Corrections made this event: no position of the slider alone has it."

    def said(row: int) -> str:
        return f"“{plain(shorten(view.timeline.texts[row], 80))}”"

    low, high, link, neighbours = proof
    stays = low <= view.grouping.granularity < high
    whose = "This event stays as it is" if stays else "Corrections hold this event; the slider alone has it"
    lines = [f"**{whose} from {low:.2f} to {high:.2f}.**"]
    if link is not None:
        held = " and ".join(map(said, link))
        lines.append(f"Below {low:.2f} it divides between {held}: this link holds it together.")
    if neighbours and high < _BROADEST:
        other = said(int(np.flatnonzero(view.grouping.ids == neighbours[0])[0]))
        more = f" and {len(neighbours) - 1} more" if len(neighbours) > 1 else ""
        lines.append(f"From {high:.2f} on it joins event {neighbours[0]}, {other}{more}.")
    return " ".join(lines)


def _parts(parts: tuple[ScorePart, ...]) -> str:
    def said(part: ScorePart) -> str:
        if part.name == "neighbourhood":
            count = "many" if part.value < 1 else "few"
            return f"{count} similar headlines nearby (× {part.value:.2f})"
        name, value = plain(part.name), f"{part.value:.2f}"
        return f"× {value} for {name}" if part.multiplies else f"{name} {value}"

    return ", ".join(map(said, parts))
