"""Candidate headlines of one article: how they are read, what is shown of each, and what the command says."""

from __future__ import annotations

import gzip

import pytest

from core import limits
from core.errors import InputError
from core.numerals.checks.check_report import (
    QuoteRole,
    counted,
    deciding,
    fault_of,
    light_of,
    quote,
    verdict_of,
)
from core.numerals.checks.opening import parse_candidates, read_candidates
from core.numerals.checks.verdicts import candidate_lines
from core.numerals.question import ReadArticle, read_article
from core.numerals.verdict import CheckedHeadline, CheckedNumeral, ClaimVerdict, Fault, Light
from core.text.numerals.read import read_numerals

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
    for given in (
        b'id,Headline\n1,"27 hurt, 3 dead"\n2,Nobody killed\n',
        b"id\ttitle\n1\t27 hurt, 3 dead\n2\tNobody killed\n",
    ):
        assert parse_candidates(given, name) == ("27 hurt, 3 dead", "Nobody killed")
    with pytest.raises(InputError, match=r"list\.csv has no column that is named headline"):
        parse_candidates(b"id,words\n1,27 hurt\n", "list.csv")


@pytest.mark.parametrize("empty", ["", " \n\t\n", "• \n<p></p>"])
def test_no_headline_is_one_sentence(empty: str) -> None:
    with pytest.raises(InputError, match="no headline to check"):
        read_candidates(empty)


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
    assert [one.text for one in pieces if one.role is QuoteRole.NUMBER] == ["27"]


def test_a_long_line_is_cut_around_its_number() -> None:
    article = read_article(f"{'word ' * 60}and 27 people were hurt {'while others looked on ' * 20}there.")
    found = numeral("10 hurt", 0, *RED, rival="27", article=article)
    pieces = quote(CheckedHeadline("10 hurt", article, (found,), ""))
    assert len("".join(one.text for one in pieces)) < 250
    assert pieces[0].text.startswith("… word")
    assert pieces[-1].text.endswith(" …")
    assert pieces[1].text == "27"


def test_lights_are_counted_and_worded() -> None:
    assert counted([Light.WRONG, Light.SUPPORTED, None, Light.WRONG]) == (
        "4 headlines: 1 supported, 2 wrong, 1 without a number"
    )
    assert counted([Light.CHECK]) == "1 headline: 1 to check"
    assert verdict_of(Light.WRONG, Fault.VALUE) == "wrong value"
    assert verdict_of(Light.WRONG, Fault.UNIT) == "wrong: unit or currency differs"
    assert verdict_of(None, None) == "no number"


def test_the_command_says_light_reason_and_line() -> None:
    lines = [one.text for one in candidate_lines([headline(RED), headline()], width=60)]
    assert lines == [
        "10",
        "  ✗ wrong: right number of something else",
        "    Because of 0.",
        "    The article: A ferry struck a pier on Tuesday, injuring",
        "    27 people.",
        "A ferry struck a pier",
        "  – no number",
        "    It holds no number.",
        "2 headlines: 1 wrong, 1 without a number.",
    ]
