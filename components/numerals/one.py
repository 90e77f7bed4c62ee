"""One headline: the two texts with their numerals joined by lines, and all about the chosen one."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from components.markdown import plain, shorten
from components.mounted import mounted
from components.numerals import state
from components.numerals.detail import detail
from components.numerals.looks import KINDS, LIGHT_ICONS, light_colour
from components.page_state import controlled
from core.numerals.checks.check_report import (
    LIGHT_SIGNS,
    LIGHTS_MEAN,
    Role,
    article_badge,
    badge,
    cut,
    links_of,
    said,
)
from core.numerals.claims.verdict import Light
from core.numerals.expressions.printing import plain_decimal, print_value
from core.numerals.provenance import CheckedHeadline, missing_words
from core.text.numerals.numeral import Approximation, Numeral

LARGEST_PARTED: Final = 10**15
"""Numbers from here on are told without commas, and cut."""
_draw = mounted(__file__, "linked", '<div class="linked"></div>')


def linked(checked: CheckedHeadline, chosen: int, way: int, *, faint: bool) -> None:
    """Draws the two texts, perhaps with all of the article's numerals; a click on a headline's chooses it."""
    key = "numerals-linked"

    def take() -> None:
        place = st.session_state[key].chosen
        if isinstance(place, int) and 0 <= place < len(checked.numerals):
            state.choose_numeral(place)

    _draw(key=key, data=drawn(checked, chosen, way, faint=faint), on_chosen_change=take)


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
        _numerals(checked, chosen)
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


def _numerals(checked: CheckedHeadline, chosen: int) -> None:
    labels = [f"{LIGHT_ICONS[one.claim.light]} {plain(one.numeral.text)}" for one in checked.numerals]
    st.segmented_control(
        "Number",
        range(len(checked.numerals)),
        format_func=labels.__getitem__,
        required=True,
        **controlled("numerals-chosen", chosen, state.choose_numeral),
        label_visibility="collapsed",
    )
