"""What Check numbers and its report join and mark, on the two articles of NumHG's paper."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.numerals.checks.check_report import Role, badge, check_report, cut, links_of, percent, said
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.expressions.parse import parse_expression
from core.numerals.question import ReadArticle, read_article
from core.numerals.verdict import CheckedHeadline, CheckedNumeral, Derivation, Light
from core.text.numerals.read import read_numerals
from tests.unit.numerals.numerals_by_hand import claim

GUNMEN = (
    "At least 30 gunmen burst into a drug rehabilitation center and opened fire, killing 19 men and wounding "
    "four people, police said. Gunmen also killed 16 people in another drug-plagued northern city."
)
SUSPECTS = (
    "Everyone in the town of Larrimah is under investigation, and that means all 11 people. The three top "
    "suspects are a pie-maker, a gardener and a bartender."
)


def row_of(article: ReadArticle, number: str) -> int:
    return next(row for row, one in enumerate(article.numerals) if one.number == number)


def checked(
    text: str,
    headline: str,
    light: Light,
    *,
    expressions: tuple[tuple[str, tuple[str, ...]], ...] = (),
    rival: str = "",
) -> CheckedHeadline:
    article = read_article(text)
    derivations = []
    for place, (told, sources) in enumerate(expressions):
        rows = tuple(row_of(article, number) for number in sources)
        way = DerivationCandidate(parse_expression(told), rows, Fraction(0), "", "other")
        derivations.append(Derivation(way, 0.5 / (place + 1)))
    against = row_of(article, rival) if rival else None
    numeral = read_numerals(headline)[0]
    one = CheckedNumeral(numeral, claim(light, 0.5, "A reason."), tuple(derivations), against)
    return CheckedHeadline(headline, article, (one,), "by hand")


SUM = checked(
    GUNMEN,
    "Mexico Gunmen Kill 35",
    Light.SUPPORTED,
    expressions=(("Add( 19 , 16 )", ("19", "16")), ("Copy( 30 )", ("30",))),
)
SWAPPED = checked(
    SUSPECTS,
    "All 11 People Are Top Suspects",
    Light.WRONG,
    expressions=(("Copy( 11 )", ("11",)),),
    rival="three",
)


def joined(one: CheckedHeadline, way: int = 0) -> dict[str, Role]:
    return {
        one.article.numerals[row].number: role for row, role in links_of(one.numerals[0], way=way).items()
    }


def test_a_number_is_joined_to_what_it_uses_and_to_its_rival() -> None:
    assert joined(SUM) == {"19": Role.SOURCE, "16": Role.SOURCE}
    assert [joined(SUM, way) for way in (1, 2)] == [{"30": Role.SOURCE}, {}]
    assert joined(SWAPPED) == {"11": Role.ELSEWHERE, "three": Role.RIVAL}
    assert joined(checked(GUNMEN, "Gunmen Kill 77", Light.WRONG)) == {}
    assert said([Light.WRONG, Light.SUPPORTED, Light.SUPPORTED]) == "3 numbers: 2 supported, 1 wrong"


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=8))
def test_fragments_are_the_text_and_numerals_stand_in_them_whole(text: str, ends: list[int]) -> None:
    places = sorted({min(end, len(text)) for end in ends})
    spans = [(start, end) for start, end in zip(places[::2], places[1::2], strict=False) if start < end]
    template = read_numerals("7")[0]
    numerals = [replace(template, text=text[start:end], start=start, end=end) for start, end in spans]
    pieces = cut(text, numerals)
    assert "".join(fragment for fragment, _ in pieces) == text
    assert all(fragment for fragment, _ in pieces)
    assert [fragment for fragment, place in pieces if place is not None] == [text[a:b] for a, b in spans]
    assert [place for _, place in pieces if place is not None] == list(range(len(spans)))


def test_badges_go_on_after_z_and_never_repeat() -> None:
    badges = [badge(place) for place in range(1_000)]
    assert badges[:3] == ["a", "b", "c"]
    assert badges[25:28] == ["z", "aa", "ab"]
    assert len(set(badges)) == 1_000


@pytest.mark.parametrize(
    ("share", "told"),
    [(0.0, "0 %"), (0.004, "under 1 %"), (0.5, "50 %"), (0.995, "over 99 %"), (1.0, "100 %")],
)
def test_nearly_sure_is_not_called_sure(share: float, told: str) -> None:
    assert percent(share) == told


def test_the_report_marks_both_texts_and_tells_the_ways() -> None:
    page = check_report([SUM]).decode()
    assert "1 number: 1 supported" in page
    assert re.search(r'<mark class="supported g2">35<sup>a ✓</sup></mark>', page)
    assert len(re.findall(r"<sup>a</sup></mark>", page)) == 2
    assert "Add( 19 , 16 )" in page
    assert "19 plus 16" in page
    against = check_report([SWAPPED]).decode()
    assert '<mark class="wrong g6">11<sup>a</sup></mark>' in against
    assert '<mark class="wrong g6">three<sup>a ≠</sup></mark>' in against


def test_nothing_in_the_report_is_read_as_html() -> None:
    hostile = checked(
        f"{GUNMEN} <script>alert(1)</script> <img src=x onerror=alert(2)>",
        '<b>Gunmen</b> Kill 35 & "more" \'</p>',
        Light.WRONG,
    )
    page = check_report([hostile]).decode()
    assert not re.search(r"<(script|img|b)\b", page)
    assert "&lt;script&gt;" in page
    assert "default-src 'none'" in page
