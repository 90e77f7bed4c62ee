"""One headline: the two texts with their lines, and beneath them everything about the chosen numeral."""

from __future__ import annotations

import streamlit as st

from components.markdown import plain
from components.numerals import state
from components.numerals.detail import detail
from components.numerals.linked import linked
from components.numerals.statuses import LOOKS
from components.page_state import controlled
from core.numerals.checks.shown import said
from core.numerals.provenance import CheckedHeadline


def one_headline(checked: CheckedHeadline, *, name: str) -> None:
    """Draws a checked headline.

    Args:
        checked: The headline with its article.
        name: Who wrote it, as it may be shown; "" where nobody is named.
    """
    if not checked.article.text.strip():
        st.info(
            "**This article has no text.**  \nThere is nothing that its headline's numbers could come from.",
            icon=":material/article:",
        )
    statuses = [one.status for one in checked.numerals]
    chosen = min(int(state.now().numeral), max(len(statuses) - 1, 0))
    ways = len(checked.numerals[chosen].derivations) if statuses else 0
    way = min(int(state.now().way), max(ways - 1, 0))
    st.markdown(_said(checked, name))
    linked(checked, chosen, way, faint=bool(state.now().faint))
    _faint(len(checked.article.numerals))
    if not statuses:
        return
    if len(statuses) > 1:
        _numerals(checked, chosen)
    detail(checked, chosen, way)


def _said(checked: CheckedHeadline, name: str) -> str:
    """The answer in a sentence."""
    statuses = [one.status for one in checked.numerals]
    by = f":gray[{plain(name)} ·] " if name else ""
    if not statuses:
        return f"{by}This headline states no number, so there is nothing to check."
    return f"{by}**{said(statuses)}.**"


def _faint(count: int) -> None:
    if not count:
        st.caption("The article states no number.")
        return
    st.toggle(
        f"Show all {count:,} numbers of the article" if count > 1 else "Show the article's only number",
        **controlled("numerals-faint", state.now().faint, lambda chosen: state.put(faint=chosen)),
        help="How each was read stands in a box when you point at it.",
    )


def _numerals(checked: CheckedHeadline, chosen: int) -> None:
    """The headline's numerals as buttons, beside the marks that can be clicked."""
    st.segmented_control(
        "Number",
        range(len(checked.numerals)),
        format_func=lambda place: (
            f"{LOOKS[checked.numerals[place].status].icon} {plain(checked.numerals[place].numeral.text)}"
        ),
        required=True,
        **controlled("numerals-chosen", chosen, state.choose_numeral),
        label_visibility="collapsed",
    )
