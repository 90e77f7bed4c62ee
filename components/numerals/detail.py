"""One numeral of a headline: its verdict and its possible derivations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components import numerals as state
from components.markdown import plain, shorten, styled
from components.numerals.subject import KINDS, LIGHT_ICONS, light_colour, light_icon
from components.page_state import controlled
from components.resources import owner
from components.widgets import button, mounted
from core.journal.journal import the_journal
from core.numerals.checks.check_report import (
    LIGHT_SIGNS,
    LIGHTS_MEAN,
    Role,
    article_badge,
    badge,
    cut,
    links_of,
    percent,
    said,
    verdict_of,
)
from core.numerals.claims.judge import measured
from core.numerals.expressions.parse import Expression, print_expression
from core.numerals.expressions.printing import Piece, explain, pieces_of, plain_decimal, print_value
from core.numerals.verdict import (
    PASSING,
    CheckedHeadline,
    CheckedNumeral,
    Derivation,
    Light,
    clear,
    missing_words,
)
from core.text.numerals.numeral import Approximation, Numeral

_draw_tree = mounted(__file__, "tree", '<div class="tree"></div>')


def tree(expression: Expression, light: Light, language: str) -> None:
    """Draws an expression over an article of a language: each operator with its value over what it takes."""
    _draw_tree(
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
            # The button by which a person sets a doubt aside, and the one that takes it back.
            claim = checked.numerals[chosen].claim
            if claim.set_aside is not None:
                say = partial(clear, the_journal(), checked, chosen, right=False, owner=owner())
                button("Undo “right after all”", "numerals-not-right", say, icon="undo", type="tertiary")
            elif claim.light not in PASSING:
                say = partial(clear, the_journal(), checked, chosen, right=True, owner=owner())
                told = "Sets this doubt aside. It is kept, exported with the check, and can be undone."
                button("Right after all", "numerals-right", say, icon="thumb_up", help=told)
        with right:
            _sentences(checked, one, way)
        with st.expander("Show the arithmetic", icon=":material/function:", key="numerals-arithmetic"):
            _arithmetic(checked, one, way)


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


LARGEST_PARTED: Final = 10**15
"""Numbers from here on are told without commas, and cut."""
_draw_linked = mounted(__file__, "linked", '<div class="linked"></div>')


def linked(checked: CheckedHeadline, chosen: int, way: int, *, faint: bool) -> None:
    """Draws the two texts, perhaps with all of the article's numerals; a click on a headline's chooses it."""
    key = "numerals-linked"

    def take() -> None:
        place = st.session_state[key].chosen
        if isinstance(place, int) and 0 <= place < len(checked.numerals):
            state.choose_numeral(place)

    _draw_linked(key=key, data=drawn(checked, chosen, way, faint=faint), on_chosen_change=take)


def drawn(checked: CheckedHeadline, chosen: int, way: int, *, faint: bool) -> dict[str, Any]:
    """What the browser gets: both texts cut at their numerals, and the links, all as plain data."""
    colours = {light: light_colour(light) for light in Light}
    article = checked.article
    marks: dict[int, dict[int, Role]] = {}
    links: list[dict[str, Any]] = []
    for place, one in enumerate(checked.numerals):
        for row, role in links_of(one, way=way if place == chosen else 0).items():
            marks.setdefault(row, {})[place] = role
            links.append(
                {
                    "place": place,
                    "numeral": row,
                    "role": role.value,
                    "chosen": place == chosen,
                    "colour": colours[one.claim.light],
                }
            )

    def of_headline(place: int) -> dict[str, Any]:
        one = checked.numerals[place]
        return {
            "place": place,
            "light": KINDS[one.claim.light],
            "colour": colours[one.claim.light],
            "badge": f"{badge(place)} {LIGHT_SIGNS[one.claim.light]}",
            "chosen": place == chosen,
            "told": f"{one.claim.light.value}: {one.claim.reason}",
        }

    def of_article(row: int) -> dict[str, Any]:
        places = marks.get(row, {})
        light = checked.numerals[chosen if chosen in places else min(places)].claim.light if places else None
        return {
            "numeral": row,
            "light": None if light is None else KINDS[light],
            "colour": "" if light is None else colours[light],
            "badges": [article_badge(place, role) for place, role in places.items()],
            "chosen": chosen in places,
            "told": read_as(article.numerals[row]),
        }

    rows = list(range(len(article.numerals))) if faint else sorted(marks)
    return {
        "headline": [
            {"text": text, **({"place": None} if place is None else of_headline(place))}
            for text, place in cut(checked.headline, [one.numeral for one in checked.numerals])
        ],
        "article": [
            {"text": text, **({"numeral": None} if at is None else of_article(rows[at]))}
            for text, at in cut(article.text, [article.numerals[row] for row in rows])
        ],
        "links": links,
        "legend": [
            {
                "light": KINDS[one],
                "word": one.value,
                "colour": colours[one],
                "sign": LIGHT_SIGNS[one],
                "told": told,
            }
            for one, told in LIGHTS_MEAN.items()
        ],
    }


def read_as(one: Numeral) -> str:
    """How a numeral was read: "about 3,200,000,000 USD (money)"."""
    large = abs(one.value) >= LARGEST_PARTED
    value = shorten(plain_decimal(one.value), 40) if large else print_value(one.value)
    words = ["" if one.approximation is Approximation.EXACT else one.approximation.value]
    words += [value, one.unit, one.counted]
    return f"{' '.join(word for word in words if word)} ({one.kind.value})"


def one_headline(checked: CheckedHeadline, *, name: str) -> None:
    """Draws a checked headline under the name of who wrote it, where one may be shown."""
    if not checked.article.text.strip():
        st.info(
            "**This article has no text.**  \nThere is nothing that its headline's numbers could come from.",
            icon=":material/article:",
        )
    count = len(checked.numerals)
    chosen = min(int(state.now().numeral), max(count - 1, 0))
    ways = len(checked.numerals[chosen].derivations) if count else 0
    way = min(int(state.now().way), max(ways - 1, 0))
    st.markdown(_said(checked, name))
    linked(checked, chosen, way, faint=bool(state.now().faint))
    _faint(len(checked.article.numerals))
    if not count:
        return
    if count > 1:
        labels = [f"{LIGHT_ICONS[one.claim.light]} {plain(one.numeral.text)}" for one in checked.numerals]
        st.segmented_control(
            "Number",
            range(len(checked.numerals)),
            format_func=labels.__getitem__,
            required=True,
            **controlled("numerals-chosen", chosen, state.choose_numeral),
            label_visibility="collapsed",
        )
    detail(checked, chosen, way)


def _said(checked: CheckedHeadline, name: str) -> str:
    by = f":gray[{plain(name)} ·] " if name else ""
    if checked.unread:
        return f"{by}{LIGHT_ICONS[checked.light]} {plain(checked.reason)}"
    if not checked.numerals:
        return f"{by}This headline states no number, so there is nothing to check."
    missing = f" {plain(missing_words(checked.invented))}" if checked.invented else ""
    return f"{by}**{said([one.claim.light for one in checked.numerals])}.**{missing}"


def _faint(count: int) -> None:
    if not count:
        st.caption("The article states no number.")
        return
    st.toggle(
        f"Show all {count:,} numbers of the article" if count > 1 else "Show the article's only number",
        **controlled("numerals-faint", state.now().faint, lambda chosen: state.put(faint=chosen)),
        help="Point at a number to see how it was read.",
    )
