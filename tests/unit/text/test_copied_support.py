from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.differences import MarkKind
from core.text.support import names_of, read_evidence, read_source, trace

ARTICLE = (
    "The Federal Aviation Administration grounded 12 planes on Monday. Boeing said the jets, worth $3.2bn, "
    "would stay in Seattle for 5 weeks."
)
OTHER = "Shares of Airbus rose. In Toulouse, Airbus said nothing."


def test_names_and_numbers_that_the_article_lacks() -> None:
    known = names_of([read_source(ARTICLE), read_source(OTHER)])
    found = trace("FAA Grounds 14 Airbus Jets in Seattle", read_evidence(read_source(ARTICLE)), known=known)
    assert found.names == ("Airbus",)
    assert found.numbers == ("14",)
    assert found.novel == ()  # FAA is spelled out there, Grounds is grounded
    headline = "FAA Grounds 14 Airbus Jets in Seattle"
    assert {(headline[m.start : m.end], m.kind) for m in found.marks} == {
        ("14", MarkKind.UNSUPPORTED_NUMBER),
        ("Airbus", MarkKind.UNSUPPORTED_NAME),
        ("in Seattle", MarkKind.COPIED),
    }
    assert [ARTICLE[m.start : m.end] for m in found.article_marks] == ["in Seattle"]


@pytest.mark.parametrize(
    ("headline", "numbers"),
    [
        ("Twelve planes stay on the ground", ()),
        ("Jets worth $3bn grounded", ()),  # rounded
        ("Jets worth $4bn grounded", ("$4bn",)),
        ("Jets worth 12% grounded", ("12%",)),
        ("Dozens of jets grounded", ()),  # not exact: it contradicts nothing
        ("Grounded for 35 days", ("35",)),  # it follows from 5 weeks, but it is not there
    ],
)
def test_numbers(headline: str, numbers: tuple[str, ...]) -> None:
    assert trace(headline, read_evidence(read_source(ARTICLE))).numbers == numbers


def test_novel_words() -> None:
    found = trace("Boeing rebuked: planes grounding continues", read_evidence(read_source(ARTICLE)))
    assert found.novel == ("rebuked", "continues")


def test_russian_and_italian() -> None:
    russian = read_evidence(read_source("Глава МЧС сообщил о 15 погибших в Казани."))
    found = trace("В Казани погибли 17 человек, сообщил Собянин", russian)
    assert found.numbers == ("17",)
    assert "Собянин" in found.names
    italian = read_evidence(read_source("Il sindaco di Roma ha firmato tre ordinanze."))
    assert trace("Roma, il sindaco firma tre ordinanze", italian).numbers == ()


def test_an_empty_headline_and_an_empty_article() -> None:
    nothing = trace("", read_evidence(read_source(ARTICLE)))
    assert nothing.marks == nothing.article_marks == ()
    assert nothing.coverage is None
    unread = trace("Boeing grounds 12 planes", read_evidence(read_source("")))
    assert unread.coverage == 0.0
    assert unread.numbers == ("12",)


@given(st.text(max_size=80), st.text(max_size=200))
def test_marks_lie_inside_and_apart(headline: str, article: str) -> None:
    found = trace(headline, read_evidence(read_source(article)))
    for text, marks in ((headline, found.marks), (article, found.article_marks)):
        end = 0
        for each in marks:
            assert end <= each.start < each.end <= len(text)
            end = each.end
