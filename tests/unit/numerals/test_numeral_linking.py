"""What is shown of checked headlines: candidates as they are read, links, badges, lights, lines."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from core import limits
from core.errors import InputError
from core.numerals.checked_headline import (
    CheckedHeadline,
    CheckedNumeral,
    ClaimVerdict,
    Derivation,
    Fault,
    Light,
)
from core.numerals.checks.check_report import check_report
from core.numerals.checks.opening import parse_candidates, read_candidates
from core.numerals.checks.verdict_words import (
    Role,
    cut,
    deciding,
    fault_of,
    joined,
    light_of,
    links_of,
    percent,
    quote,
    said,
)
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.expressions.parse import parse_expression
from core.numerals.question import ReadArticle, read_article
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


def linked(one: CheckedHeadline, way: int = 0) -> dict[str, Role]:
    return {
        one.article.numerals[row].number: role for row, role in links_of(one.numerals[0], way=way).items()
    }


def test_a_number_is_joined_to_what_it_uses_and_to_its_rival() -> None:
    assert linked(SUM) == {"19": Role.SOURCE, "16": Role.SOURCE}
    assert [linked(SUM, way) for way in (1, 2)] == [{"30": Role.SOURCE}, {}]
    assert linked(SWAPPED) == {"11": Role.ELSEWHERE, "three": Role.RIVAL}
    assert linked(checked(GUNMEN, "Gunmen Kill 77", Light.WRONG)) == {}
    assert said([Light.WRONG, Light.SUPPORTED, Light.SUPPORTED]) == "3 numbers: 2 supported, 1 wrong"


@pytest.mark.parametrize(
    ("share", "told"),
    [(0.0, "0 %"), (0.004, "under 1 %"), (0.5, "50 %"), (0.995, "over 99 %"), (1.0, "100 %")],
)
def test_nearly_sure_is_not_called_sure(share: float, told: str) -> None:
    assert percent(share) == told


def test_the_report_marks_both_texts_and_tells_the_ways() -> None:
    page = check_report([SUM]).decode()
    assert "1 number: 1 supported" in page
    assert '<mark class="supported g2">35<sup>a ✓</sup></mark>' in page
    assert "Add( 19 , 16 )" in page
    assert "19 plus 16" in page
    against = check_report([SWAPPED]).decode()
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


ARTICLE = read_article(
    "A ferry struck a pier on Tuesday, injuring 27 people. It had 180 passengers on board."
)


def numeral(
    headline: str, at: int, light: Light, fault: Fault | None, *, rival: str, article: ReadArticle = ARTICLE
) -> CheckedNumeral:
    rows = [row for row, one in enumerate(article.numerals) if one.number == rival]
    sentence = article.sentences[article.places[rows[0]]] if rows else None
    claim = ClaimVerdict(light, fault, 0.5, f"Because of {at}.", sentence)
    return CheckedNumeral(read_numerals(headline)[at], claim, (), rows[0] if rows else None)


def headline(*lights: tuple[Light, Fault | None], invented: tuple[str, ...] = ()) -> CheckedHeadline:
    line = " and ".join(str(10 + at) for at in range(len(lights))) or "A ferry struck a pier"
    found = tuple(numeral(line, at, *one, rival="27") for at, one in enumerate(lights))
    return CheckedHeadline(line, ARTICLE, found, "by hand", invented)


GREEN, AMBER = (Light.SUPPORTED, None), (Light.CHECK, Fault.HUMAN)
RED = (Light.WRONG, Fault.OTHER)


@pytest.mark.parametrize("given", ["1. 27 hurt\n2. 3 dead", "- (3) 27 hurt\n- (4) 3 dead"])
def test_numbers_of_a_list_are_left_out(given: str) -> None:
    assert read_candidates(given) == ("27 hurt", "3 dead")


def test_lines_are_headlines_without_bullets_tags_and_empty_lines() -> None:
    given = (
        "27 hurt\n\n  • 3 dead \n- <b>180</b> aboard\n – Nobody killed\n-3 degrees\n2. Place\n\t\n"
        "Ferry sinks – 23 dead - police"
    )
    plain = ("27 hurt", "3 dead", "180 aboard", "Nobody killed", "-3 degrees", "2. Place")
    assert read_candidates(given) == (*plain, "Ferry sinks – 23 dead - police")


@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_a_table_is_read_by_its_column(name: str) -> None:
    for table in (
        b'id,Headline\n1,"27 hurt, 3 dead"\n2,Nobody killed\n',
        b"id\ttitle\n1\t27 hurt, 3 dead\n2\tNobody killed\n",
    ):
        assert parse_candidates(table, name) == ("27 hurt, 3 dead", "Nobody killed")
    with pytest.raises(InputError, match=r"list\.csv has no column that is named headline"):
        parse_candidates(b"id,words\n1,27 hurt\n", "list.csv")


def test_past_the_limit_they_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.CANDIDATE_HEADLINES.variable, "3")
    assert len(read_candidates("1\n2\n3")) == 3
    with pytest.raises(InputError, match="There are 4 headlines; at most 3"):
        read_candidates("1\n2\n3\n4")
    with pytest.raises(InputError, match="Line 2 has 1,001 characters"):
        read_candidates(f"27 hurt\n{'1' * 1_001}")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_is_read_in_its_encoding(pack: type[bytes]) -> None:
    assert parse_candidates(pack("27 blessés\n".encode("latin-1")), "candidates.txt") == ("27 blessés",)
    with pytest.raises(InputError, match=r"candidates\.txt is no text"):
        parse_candidates(b"PK\x03\x04\x00\x00\xff\xfe\x00", "candidates.txt")


@pytest.mark.parametrize(
    ("lights", "light", "fault", "at"),
    [
        ((GREEN, GREEN), Light.SUPPORTED, None, 0),
        ((GREEN, AMBER), Light.CHECK, Fault.HUMAN, 1),
        ((AMBER, RED, RED), Light.WRONG, Fault.OTHER, 1),
    ],
)
def test_the_first_of_the_worst_numbers_decides(
    lights: tuple[tuple[Light, Fault | None], ...], light: Light, fault: Fault | None, at: int
) -> None:
    none = headline()
    assert (light_of(none), deciding(none), quote(none), fault_of(none)) == (None, None, (), None)
    lacking = headline(GREEN, invented=("Captain",))
    assert (light_of(lacking), fault_of(lacking)) == (Light.CHECK, Fault.ABSENT)
    found = headline(*lights)
    assert (light_of(found), fault_of(found), deciding(found)) == (light, fault, found.numerals[at])


def test_the_line_that_decides_is_quoted_with_its_number() -> None:
    pieces = quote(headline(RED))
    assert "".join(one.text for one in pieces) == "A ferry struck a pier on Tuesday, injuring 27 people."
    assert [one.text for one in pieces if one.compared] == ["27"]


def test_lines_whose_numbers_add_up_are_quoted_with_each_number() -> None:
    pieces = quote(replace(SUM, numerals=(with_claim(SUM, 1, "“19” and “16” are “35” together."),)))
    assert [one.text for one in pieces if one.compared] == ["19", "16"]
    assert "".join(one.text for one in pieces) == GUNMEN
    between = "The road was closed for hours. " * 9
    apart = checked(
        f"A storm killed 19 men. {between}Gunmen killed 16.",
        "35 killed",
        Light.FOUND,
        expressions=(("Add( 19 , 16 )", ("19", "16")),),
    )
    told = quote(replace(apart, numerals=(with_claim(apart, -1, "“19” and “16” are “35” together."),)))
    assert [one.text for one in told if one.compared] == ["19", "16"]
    assert len("".join(one.text for one in told)) < 250


def with_claim(one: CheckedHeadline, line: int, reason: str) -> CheckedNumeral:
    (numeral,) = one.numerals
    sentence = one.article.sentences[line]
    return replace(numeral, claim=replace(numeral.claim, reason=reason, sentence=sentence))


DENIED = "The ferry hurt 27 people on Tuesday. Nobody was killed. It carried 4.2 million passengers."


@pytest.mark.parametrize(
    ("line", "reason", "words"),
    [
        (1, "The article says “Nobody was killed”, not “kills” of “27”.", "Nobody was killed"),
        (1, "The article says otherwise.", "Nobody was killed"),
        (2, "The article says “carried” where it has “4.2 million”.", "4.2 million"),
    ],
)
def test_a_doubted_number_is_joined_to_what_its_reason_quotes(line: int, reason: str, words: str) -> None:
    one = checked(DENIED, "27 killed", Light.CHECK, expressions=(("Copy( 27 )", ("27",)),))
    found = joined(with_claim(one, line, reason), one.article)
    assert {DENIED[slice(*span)]: role for span, role in found.items()} == {
        "27": Role.ELSEWHERE,
        words: Role.RIVAL,
    }
    supported = replace(one.numerals[0], claim=claim(Light.SUPPORTED, reason=reason))
    assert [*joined(supported, one.article).values()] == [Role.SOURCE]


def test_a_span_inside_another_is_not_said_twice() -> None:
    assert cut("Of 12 nobody died.", [(0, 16), (3, 5)]) == [("Of 12 nobody die", (0, 16)), ("d.", None)]


def test_a_long_line_is_cut_around_its_number() -> None:
    article = read_article(f"{'word ' * 60}and 27 people were hurt {'while others looked on ' * 20}there.")
    found = numeral("10 hurt", 0, *RED, rival="27", article=article)
    pieces = quote(CheckedHeadline("10 hurt", article, (found,), ""))
    assert len("".join(one.text for one in pieces)) < 250
    assert pieces[0].text.startswith("… word")
    assert pieces[-1].text.endswith(" …")
    assert pieces[1].text == "27"
