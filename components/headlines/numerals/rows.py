"""Headlines in rows with their lights."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from components.frame.widgets import mounted
from components.headlines.numerals.lights import KINDS, LIGHT_ICONS, light_colour
from core.numerals.checks import check_report
from core.numerals.verdict import CheckedHeadline, Light
from core.results.render import count_words

_draw = mounted(__file__, "rows", '<div class="rows"></div>')
_ATTENTION: Final[tuple[Light | None, ...]] = (Light.WRONG, Light.CHECK, Light.SUPPORTED, Light.FOUND, None)


def rows(checked: Sequence[CheckedHeadline], asked: str, open_row: Callable[[int], object]) -> None:
    """Draws the headlines, what needs attention first; what is only found folds into one line."""
    lights = [check_report.light_of(checked_headline) for checked_headline in checked]
    order = sorted(range(len(checked)), key=lambda place: _ATTENTION.index(lights[place]))
    only = [place for place in order if lights[place] is Light.FOUND]

    def draw(key: str, places: Sequence[int]) -> None:
        def take() -> None:
            at = st.session_state[key].opened
            if isinstance(at, int) and 0 <= at < len(places):
                open_row(places[at])

        if places:
            data = {"asked": asked, "rows": [drawn_row(checked[place]) for place in places]}
            _draw(key=key, data=data, on_opened_change=take)

    draw("numerals-rows", [place for place in order if place not in only])
    if only:
        count = count_words(len(only), "headline", "headlines")
        title = f"{count} only found: nothing speaks against, which is no proof"
        alone = len(only) == len(checked)
        with st.expander(title, expanded=alone, icon=LIGHT_ICONS[Light.FOUND], key=f"numerals-found-{alone}"):
            draw("numerals-rows-found", only)


def drawn_row(checked: CheckedHeadline) -> dict[str, Any]:
    light = check_report.light_of(checked)
    headline: list[dict[str, Any]] = []
    for text, place in check_report.cut(checked.headline, [numeral.numeral for numeral in checked.numerals]):
        if place is None:
            headline += _words(text, checked.invented)
            continue
        claim = checked.numerals[place].claim
        headline.append({"text": text, **_mark(claim.light, f"{claim.light.value}: {claim.reason}")})
    return {
        "kind": KINDS[light],
        "colour": light_colour(light),
        "sign": check_report.sign_of(light),
        "word": check_report.word_of(light),
        "reason": checked.reason,
        "headline": headline,
        "quote": [
            {"text": piece.text, "kind": "number" if piece.compared else ""}
            for piece in check_report.quote(checked)
        ],
        "numbers": len(checked.numerals),
    }


def _mark(light: Light, told: str) -> dict[str, str]:
    return {"kind": KINDS[light], "colour": light_colour(light), "told": told}


def _words(text: str, invented: Sequence[str]) -> list[dict[str, Any]]:
    if not invented:
        return [{"text": text, "kind": ""}]
    known = "|".join(map(re.escape, sorted(invented, key=len, reverse=True)))
    parts = re.split(rf"(?<!\w)({known})(?!\w)", text)
    marked = _mark(Light.CHECK, "not in the article")
    return [{"text": part, **(marked if at % 2 else {"kind": ""})} for at, part in enumerate(parts) if part]
