"""Checked headlines of one article as one HTML file, which loads nothing and runs no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core import __version__
from core.numerals.checked_headline import CheckedHeadline, Light, missing_words
from core.numerals.checked_scores import units_of
from core.numerals.checks import verdict_words
from core.numerals.expressions import printing
from core.results.page import html_page

_CLASSES: Final = {light: light.value.split()[0] for light in Light} | {None: "none"}
_STYLE: Final = "\n" + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_PAGE: Final = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    light: str = ""
    paint: str = ""
    badges: tuple[str, ...] = ()


def check_report(checked: Sequence[CheckedHeadline], notes: Sequence[str] = ()) -> bytes:
    """The page: each headline with its verdict, and the article with the numbers of a single headline."""
    heading = verdict_words.counted(list(map(verdict_words.light_of, checked)))
    article = [_Piece(max((headline.article.text for headline in checked), key=len))]
    if len(checked) == 1:
        lights = verdict_words.lights_of(checked[0])
        heading, article = verdict_words.said(lights) if lights else heading, _article(checked[0])
    about = {"said": heading, "system": checked[0].system, "version": __version__}
    given: dict[str, Any] = {"headlines": [*map(_headline, checked)], "article": article, "notes": notes}
    return html_page(_PAGE, title=heading, style=_STYLE, **given, **about)


def _headline(checked: CheckedHeadline) -> dict[str, object]:
    def piece(text: str, place: int | None) -> _Piece:
        if place is None:
            return _Piece(text)
        own = checked.numerals[place].claim.light
        return _lit(text, own, f"{verdict_words.badge(place)} {verdict_words.LIGHT_SIGNS[own]}")

    light = verdict_words.light_of(checked)
    missing = missing_words(checked.invented) if checked.invented else ""
    return {
        "sign": verdict_words.sign_of(light),
        "word": verdict_words.word_of(light),
        "paint": _paint(light),
        "headline": [piece(*each) for each in verdict_words.cut_headline(checked)],
        "reason": checked.reason,
        "missing": "" if missing == checked.reason else missing,
        "quote": [
            _lit(text, light) if compared else _Piece(text) for text, compared in verdict_words.quote(checked)
        ],
        "numerals": [_numeral(checked, place) for place in range(len(checked.numerals))],
    }


def _article(checked: CheckedHeadline) -> list[_Piece]:
    places: dict[verdict_words.Span, dict[int, verdict_words.Role]] = {}
    for unit in units_of(checked):
        for place in unit:
            for span, role in verdict_words.joined(checked.numerals[place], checked.article).items():
                places.setdefault(span, {})[unit[0]] = role

    def piece(text: str, span: verdict_words.Span | None) -> _Piece:
        if span is None:
            return _Piece(text)
        joined = places[span]
        badges = (verdict_words.article_badge(place, role) for place, role in joined.items())
        return _lit(text, checked.numerals[min(joined)].claim.light, *badges)

    return [piece(*each) for each in verdict_words.cut(checked.article.text, places)]


def _numeral(checked: CheckedHeadline, place: int) -> dict[str, object]:
    numeral = checked.numerals[place]
    claim = numeral.claim
    return {
        "badge": verdict_words.badge(place),
        "text": numeral.numeral.text,
        "word": verdict_words.verdict_of(claim.light, claim.fault),
        "reason": claim.reason,
        "probability": verdict_words.percent(claim.probability),
        "ways": [
            (printing.print_expression(way), printing.explain(way), verdict_words.percent(each.probability))
            for each in numeral.derivations
            for way in (each.candidate.expression,)
        ],
    }


def _lit(text: str, light: Light | None, *badges: str) -> _Piece:
    return _Piece(text, _CLASSES[light], _paint(light), badges)


def _paint(light: Light | None) -> str:
    return f"g{verdict_words.LIGHT_HUES[light]}" if light in verdict_words.LIGHT_HUES else "alone"
