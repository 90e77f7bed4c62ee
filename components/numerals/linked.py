"""The article and the headline beside each other, their numerals marked and joined by lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import streamlit as st

from components.charts.numerals import status_colour
from components.numerals import view
from components.numerals.statuses import LOOKS, letter
from core.numerals.numeral import Numeral
from core.numerals.provenance import CheckedHeadline, CheckedNumeral, Status

_HERE: Final = Path(__file__).parent
_draw = st.components.v2.component(
    "headline_lab_linked_numerals",
    html='<div class="linked"></div>',
    css=(_HERE / "linked.css").read_text(encoding="utf-8"),
    js=(_HERE / "linked.js").read_text(encoding="utf-8"),
)

SUPPORTED: Final = frozenset({Status.COPIED, Status.DERIVED})


def linked(checked: CheckedHeadline, chosen: int, way: int, *, faint: bool) -> None:
    """Draws the two texts; a click on a numeral of the headline chooses it.

    Args:
        checked: What is shown.
        chosen: Place of the chosen numeral among the headline's.
        way: Which of the chosen numeral's derivations is joined.
        faint: Show the article's other numerals, too.
    """
    key = "numerals-linked"

    def take() -> None:
        place = st.session_state[key].chosen
        if isinstance(place, int) and 0 <= place < len(checked.numerals):
            view.choose_numeral(place)

    _draw(key=key, data=drawn(checked, chosen, way, faint=faint), on_chosen_change=take)


def links_of(one: CheckedNumeral, way: int) -> dict[int, str]:
    """Rows of the article's numerals that a headline's numeral is joined to, each with what it is to it.

    "source": the number came from there. "elsewhere": the number can be had from there, but of something
    else. "rival": the article's own number for the same thing.
    """
    role = "source" if one.status in SUPPORTED else "elsewhere"
    joined = {row: role for each in one.derivations[way : way + 1] for row in each.candidate.sources}
    if one.rival is not None:
        joined[one.rival] = "rival"
    return joined


def drawn(checked: CheckedHeadline, chosen: int, way: int, *, faint: bool) -> dict[str, Any]:
    """What the browser gets: both texts cut at their numerals, and the links, all as plain data."""
    colours = {status: status_colour(status) for status in Status}
    links: list[dict[str, Any]] = []
    marks: dict[int, list[int]] = {}
    for place, one in enumerate(checked.numerals):
        for row, role in links_of(one, way if place == chosen else 0).items():
            marks.setdefault(row, []).append(place)
            links.append(
                {
                    "place": place,
                    "numeral": row,
                    "role": role,
                    "chosen": place == chosen,
                    "colour": colours[one.status],
                }
            )

    def headline_piece(place: int) -> dict[str, Any]:
        one = checked.numerals[place]
        return {
            "place": place,
            "status": one.status.value,
            "colour": colours[one.status],
            "badge": f"{letter(place)} {LOOKS[one.status].sign}",
            "chosen": place == chosen,
            "told": f"{one.status.value}: {one.reason}",
        }

    def article_piece(row: int) -> dict[str, Any]:
        places = marks.get(row, [])
        main = chosen if chosen in places else next(iter(places), None)
        status = None if main is None else checked.numerals[main].status
        return {
            "numeral": row,
            "status": None if status is None else status.value,
            "colour": "" if status is None else colours[status],
            "badges": [letter(place) for place in places],
            "chosen": chosen in places,
            "told": read_as(checked.article.numerals[row]),
        }

    rows = range(len(checked.article.numerals)) if faint else sorted(marks)
    return {
        "headline": _cut(
            checked.headline,
            [(one.numeral, headline_piece(place)) for place, one in enumerate(checked.numerals)],
            {"place": None},
        ),
        "article": _cut(
            checked.article.text,
            [(checked.article.numerals[row], article_piece(row)) for row in rows],
            {"numeral": None},
        ),
        "links": links,
        "legend": [
            {"status": one.value, "colour": colours[one], "sign": look.sign, "told": look.told}
            for one, look in LOOKS.items()
        ],
    }


def _cut(
    text: str, pieces: list[tuple[Numeral, dict[str, Any]]], between: dict[str, Any]
) -> list[dict[str, Any]]:
    """A text as pieces that together are the text."""
    cut: list[dict[str, Any]] = []
    at = 0
    for numeral, piece in pieces:
        if numeral.start > at:
            cut.append({"text": text[at : numeral.start], **between})
        cut.append({"text": text[numeral.start : numeral.end], **piece})
        at = numeral.end
    if at < len(text):
        cut.append({"text": text[at:], **between})
    return cut


def read_as(one: Numeral) -> str:
    """How a numeral was read: "about 3,200,000,000 USD, money"."""
    value = one.value
    exact = f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,.6g}"
    words = [] if one.approximation.value == "exact" else [one.approximation.value]
    words += [exact, one.unit if one.unit != "%" else "%", one.counted]
    return f"{' '.join(word for word in words if word)} ({one.kind.value})"
