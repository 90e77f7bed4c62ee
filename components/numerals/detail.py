"""One numeral of a headline: its verdict, its support, and its possible derivations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import streamlit as st

from components.charts.theme import meaning
from components.markdown import plain, styled
from components.mounted import mounted
from components.numerals import state
from components.page_state import controlled
from core.numerals.checks.shown import HUES, SUPPORTED, Role, links_of, percent
from core.numerals.expressions.printing import Piece, explain, pieces_of
from core.numerals.expressions.tree import Expression, print_expression
from core.numerals.provenance import CheckedHeadline, CheckedNumeral, Derivation, Status


class Look(NamedTuple):
    """Streamlit's icon of a verdict, and what it says, to follow the word."""

    icon: str
    told: str


LOOKS: Final = {
    Status.COPIED: Look(":material/check_circle:", "stands in the article as it is"),
    Status.DERIVED: Look(":material/function:", "made from the article's numbers by an operation"),
    Status.CONTRADICTED: Look(":material/cancel:", "the article gives another number for the same thing"),
    Status.UNSUPPORTED: Look(":material/help:", "nothing in the article speaks for it"),
}


def status_colour(status: Status) -> str:
    """The colour of a verdict in the reader's theme, as `#rrggbb`."""
    return meaning(HUES[status])


_draw = mounted(__file__, "tree", '<div class="tree"></div>')


def tree(expression: Expression, status: Status, language: str) -> None:
    """Draws an expression over an article of a language: each operator with its value over what it takes."""
    _draw(
        key="numerals-tree",
        data={
            "root": _node(pieces_of(expression, language=language), 0),
            "colour": status_colour(status),
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
    look = LOOKS[one.status]
    with st.container(border=True, key="numerals-detail"):
        left, right = st.columns([5, 6], gap="large")
        with left:
            st.markdown(
                f"## {look.icon} {plain(one.numeral.text)} — {one.status.value}  \n{plain(one.reason)}"
            )
            _support(one)
            if one.derivations:
                _ways(one, way)
        with right:
            if one.derivations:
                derivation = one.derivations[way]
                could = "arises" if one.status in SUPPORTED else "could arise"
                st.markdown(f"**How {plain(one.numeral.text)} {could}**")
                tree(derivation.candidate.expression, one.status, checked.article.language)
                st.markdown(plain(explain(derivation.candidate.expression)))
            else:
                st.markdown(
                    "**No way to get this number from the article was found**, neither as it is nor by an "
                    "operation on its numbers."
                )
            _sentences(checked, one, way)


def _support(one: CheckedNumeral) -> None:
    st.progress(one.support, text=f"Support **{percent(one.support)}**")
    if one.same_thing is not None and one.status not in SUPPORTED:
        st.caption(
            "The number stands in the article; that it is said of the same thing there has a probability of "
            f"{percent(one.same_thing)}."
        )


def _ways(one: CheckedNumeral, way: int) -> None:
    """The likeliest derivations to choose from."""
    if len(one.derivations) == 1:
        st.markdown(f"One way: {_told(one.derivations[0])}")
        return
    st.radio(
        "Possible derivations, likeliest first",
        range(len(one.derivations)),
        format_func=lambda place: _told(one.derivations[place]),
        **controlled("numerals-way", way, lambda chosen: state.put(way=chosen)),
    )


def _told(one: Derivation) -> str:
    return f"**{plain(print_expression(one.candidate.expression))}** · {percent(one.probability)}"


def _sentences(checked: CheckedHeadline, one: CheckedNumeral, way: int) -> None:
    """The sentences that the numbers stand in, with the numbers marked."""
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
    """A sentence as markdown with its numerals bold."""
    pieces: list[tuple[str, str | None]] = []
    at = start
    for first, last, role in sorted(marks):
        pieces += [
            (text[at:first], None),
            (text[first:last], ":red-background[**{}**]" if role is Role.RIVAL else "**{}**"),
        ]
        at = last
    return styled([*pieces, (text[at:end], None)])
