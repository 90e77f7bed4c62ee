"""One numeral of a headline: its verdict and its possible derivations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.buttons import button
from components.markdown import plain, styled
from components.mounted import mounted
from components.numerals import state
from components.numerals.looks import light_colour, light_icon
from components.page_state import controlled
from components.resources import owner
from core.journal.journal import the_journal
from core.numerals.checks.check_report import Role, links_of, percent, verdict_of
from core.numerals.checks.clearing import clear
from core.numerals.claims.verdict import PASSING, Light
from core.numerals.claims.weights import measured
from core.numerals.expressions.parse import Expression, print_expression
from core.numerals.expressions.printing import Piece, explain, pieces_of
from core.numerals.provenance import CheckedHeadline, CheckedNumeral, Derivation

_draw = mounted(__file__, "tree", '<div class="tree"></div>')


def tree(expression: Expression, light: Light, language: str) -> None:
    """Draws an expression over an article of a language: each operator with its value over what it takes."""
    _draw(
        key="numerals-tree",
        data={
            "root": _node(pieces_of(expression, language=language), 0),
            "colour": light_colour(light),
            "alt": f"The expression {print_expression(expression)} as a tree",
        },
    )


def _node(pieces: Sequence[Piece], place: int) -> dict[str, Any]:
    one = pieces[place]
    return {
        "label": one.label,
        "note": f"= {one.value}" if one.value else "",
        "children": [_node(pieces, child) for child in one.children],
    }


MOST_SENTENCES = 4
"""Sentences of the article in which the numbers stand, shown at most."""
LEADS = {
    Role.RIVAL: "The article says instead",
    Role.SOURCE: "In the article",
    Role.ELSEWHERE: "In the article, of something else",
}
"""What is said above a sentence, by what its number is to the headline's; the first that holds counts."""


def detail(checked: CheckedHeadline, chosen: int, way: int) -> None:
    """Draws everything about one numeral, by its place, and one way to derive it."""
    one = checked.numerals[chosen]
    claim = one.claim
    with st.container(border=True, key="numerals-detail"):
        left, right = st.columns([5, 6], gap="large")
        with left:
            st.markdown(
                f"## {light_icon(claim.light)} {plain(one.numeral.text)} — "
                f"{verdict_of(claim.light, claim.fault)}  \n"
                f"{plain(claim.reason)}"
            )
            st.progress(
                claim.probability, text=f"Probability that it is supported: **{percent(claim.probability)}**"
            )
            if claim.rule:
                st.caption(plain(measured(claim.rule)))
            _right_after_all(checked, chosen)
        with right:
            _sentences(checked, one, way)
        with st.expander("Show the arithmetic", icon=":material/function:", key="numerals-arithmetic"):
            _arithmetic(checked, one, way)


def _right_after_all(checked: CheckedHeadline, chosen: int) -> None:
    """The button by which a person sets a doubt aside, and the one that takes it back."""
    claim = checked.numerals[chosen].claim
    if claim.set_aside is not None:
        say = partial(clear, the_journal(), checked, chosen, right=False, owner=owner())
        button("Undo “right after all”", "numerals-not-right", say, icon="undo", type="tertiary")
    elif claim.light not in PASSING:
        say = partial(clear, the_journal(), checked, chosen, right=True, owner=owner())
        told = "Sets this doubt aside. It is kept, exported with the check, and can be undone."
        button("Right after all", "numerals-right", say, icon="thumb_up", help=told)


def _arithmetic(checked: CheckedHeadline, one: CheckedNumeral, way: int) -> None:
    if not one.derivations:
        st.markdown(
            "**No way to get this number from the article was found**, neither as it is nor by an operation "
            "on its numbers."
        )
        return
    left, right = st.columns([5, 6], gap="large")
    with left:
        _ways(one, way)
    with right:
        derivation = one.derivations[way]
        could = "arises" if one.claim.light in PASSING else "could arise"
        st.markdown(f"**How {plain(one.numeral.text)} {could}**")
        tree(derivation.candidate.expression, one.claim.light, checked.article.language)
        st.markdown(plain(explain(derivation.candidate.expression)))


def _ways(one: CheckedNumeral, way: int) -> None:
    if len(one.derivations) == 1:
        st.markdown(f"One way: {_told(one.derivations[0])}")
    else:
        st.radio(
            "Possible derivations, likeliest first",
            range(len(one.derivations)),
            format_func=lambda place: _told(one.derivations[place]),
            **controlled("numerals-way", way, lambda chosen: state.put(way=chosen)),
        )


def _told(one: Derivation) -> str:
    return f"**{plain(print_expression(one.candidate.expression))}** · {percent(one.probability)}"


def _sentences(checked: CheckedHeadline, one: CheckedNumeral, way: int) -> None:
    article = checked.article
    joined = links_of(one, way=way)
    marks: dict[int, list[tuple[int, int, Role]]] = {}
    for row, role in sorted(joined.items()):
        numeral = article.numerals[row]
        marks.setdefault(article.places[row], []).append((numeral.start, numeral.end, role))
    for place in list(marks)[:MOST_SENTENCES]:
        start, end = article.sentences[place]
        role = min((role for *_, role in marks[place]), key=list(LEADS).index)
        st.markdown(f":small[:gray[{LEADS[role]}]]  \n{_quoted(article.text, start, end, marks[place])}")


def _quoted(text: str, start: int, end: int, marks: list[tuple[int, int, Role]]) -> str:
    pieces: list[tuple[str, str | None]] = []
    at = start
    for first, last, role in sorted(marks):
        pieces += [
            (text[at:first], None),
            (text[first:last], ":red-background[**{}**]" if role is Role.RIVAL else "**{}**"),
        ]
        at = last
    return styled([*pieces, (text[at:end], None)])
