"""A checked headline as one HTML file for a colleague, which loads nothing and runs no script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core import __version__
from core.numerals.checks.shown import HUES, SIGNS, Role, article_badge, badge, cut, links_of, percent, said
from core.numerals.expressions.printing import explain
from core.numerals.expressions.tree import print_expression
from core.numerals.provenance import CheckedHeadline, Status
from core.results.page import html_page

_STYLE: Final = """
.checked{font:600 27px/1.6 var(--serif)}.article{white-space:pre-line;line-height:1.75;max-width:75ch}
mark{color:inherit;padding:0 2px;border-radius:3px;background:color-mix(in srgb,var(--group) 18%,transparent);
text-decoration:underline var(--line,solid) var(--group) 2px;text-underline-offset:3px}
.derived{--line:dashed}.contradicted{--line:wavy}.unsupported{--line:dotted}
sup{display:inline-block;margin-left:3px;padding:0 4px;border:1px solid var(--group);border-radius:8px;
font:600 11px/1.2 var(--sans);text-decoration:none}
.card{margin:0 0 16px;border-top-width:4px}
"""

_PAGE: Final = """\
<header>
<p class="kicker">Headline Lab: the numbers of a headline</p>
<h1>{{ said }}</h1>
</header>
{%- macro cut(pieces) %}
{%- for piece in pieces %}
{%- if piece.status %}<mark class="{{ piece.status }} {{ piece.paint }}">{{ piece.text }}
{%- for badge in piece.badges %}<sup>{{ badge }}</sup>{% endfor %}</mark>
{%- else %}{{ piece.text }}{% endif %}
{%- endfor %}
{%- endmacro %}
<p class="checked" dir="auto">{{ cut(headline) }}</p>
{%- for one in numerals %}
<article class="card {{ one.paint }}">
<h2><bdi>{{ one.badge }} · {{ one.text }}</bdi> — {{ one.status }}</h2>
<p dir="auto">{{ one.reason }}</p>
<p class="quiet">Support {{ one.support }}</p>
{%- if one.ways %}
<table>
<thead><tr><th scope="col">Expression</th><th scope="col">In words</th>
<th scope="col" class="number">Probability</th></tr></thead>
<tbody>
{%- for expression, words, probability in one.ways %}
<tr><td><code>{{ expression }}</code></td><td dir="auto">{{ words }}</td>
<td class="number">{{ probability }}</td></tr>
{%- endfor %}
</tbody>
</table>
{%- endif %}
</article>
{%- endfor %}
<section>
<h2>The article</h2>
<p class="article" dir="auto">{{ cut(article) }}</p>
</section>
<footer>
<p class="quiet">Checked by <code>{{ system }}</code>. Headline Lab {{ version }}.
The same texts and settings give this file again, byte for byte.</p>
</footer>
"""


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    status: str = ""
    paint: str = ""
    badges: tuple[str, ...] = ()


def check_report(checked: CheckedHeadline) -> bytes:
    """The page: the headline and its article with the numerals marked, and each verdict with its reasons."""
    statuses = [one.status for one in checked.numerals]
    return html_page(
        _PAGE,
        title=said(statuses),
        style=_STYLE,
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
