"""A checked headline as one HTML file for a colleague, which loads nothing and runs no script."""

from __future__ import annotations

from dataclasses import dataclass

from core import __version__
from core.numerals.checks.check_page import PAGE, STYLE
from core.numerals.checks.shown import HUES, SIGNS, percent, said
from core.numerals.expressions.printing import explain
from core.numerals.expressions.tree import print_expression
from core.numerals.provenance import CheckedHeadline, Status
from core.numerals.training.linking import Role, article_badge, badge, cut, links_of
from core.results.style import style_sheet


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    status: str = ""
    paint: str = ""
    badges: tuple[str, ...] = ()


def check_report(checked: CheckedHeadline) -> str:
    """The page: the headline and its article with the numerals marked, and each verdict with its reasons."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    statuses = [one.status for one in checked.numerals]
    return environment.from_string(PAGE).render(
        title=said(statuses),
        style=style_sheet() + STYLE,
        said=said(statuses),
        headline=_headline(checked),
        article=_article(checked),
        numerals=[_numeral(checked, place) for place in range(len(statuses))],
        system=checked.system,
        version=__version__,
    )


def _headline(checked: CheckedHeadline) -> list[_Piece]:
    pieces = []
    for text, place in cut(checked.headline, [one.numeral for one in checked.numerals]):
        if place is None:
            pieces.append(_Piece(text))
            continue
        status = checked.numerals[place].status
        pieces.append(_Piece(text, status.value, _paint(status), (f"{badge(place)} {SIGNS[status]}",)))
    return pieces


def _article(checked: CheckedHeadline) -> list[_Piece]:
    places: dict[int, dict[int, Role]] = {}
    for place, one in enumerate(checked.numerals):
        for row, role in links_of(one).items():
            places.setdefault(row, {})[place] = role
    rows = sorted(places)
    pieces = []
    for text, at in cut(checked.article.text, [checked.article.numerals[row] for row in rows]):
        if at is None:
            pieces.append(_Piece(text))
            continue
        joined = places[rows[at]]
        status = checked.numerals[min(joined)].status
        badges = tuple(article_badge(place, role) for place, role in joined.items())
        pieces.append(_Piece(text, status.value, _paint(status), badges))
    return pieces


def _numeral(checked: CheckedHeadline, place: int) -> dict[str, object]:
    one = checked.numerals[place]
    return {
        "badge": badge(place),
        "text": one.numeral.text,
        "status": one.status.value,
        "paint": _paint(one.status),
        "reason": one.reason,
        "support": percent(one.support),
        "ways": [
            (
                print_expression(each.candidate.expression),
                explain(each.candidate.expression),
                percent(each.probability),
            )
            for each in one.derivations
        ],
    }


def _paint(status: Status) -> str:
    return f"g{HUES[status]}"
