import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.differences import MarkKind
from core.text.support import copied, names_of, read_evidence, read_source, trace

WORDS = st.lists(st.sampled_from(list("abcde")), max_size=14)


def plain_copied(words, there):
    """The definition, read off: at each word the longest run that is anywhere in the article."""
    found, at = [], 0
    while at < len(words):
        longest = 0
        for length in range(1, len(words) - at + 1):
            run = list(words[at : at + length])
            if any(list(there[i : i + length]) == run for i in range(len(there))):
                longest = length
        if longest:
            found.append((at, longest))
        at += max(longest, 1)
    return found


@given(WORDS, WORDS)
def test_fragments_are_those_of_the_definition(words, there):
    source = read_source(" ".join(there))
    found = copied(words, source.row)
    assert [(each.first, each.words) for each in found] == plain_copied(words, there)
    for each in found:
        copy = source.row.words[each.source : each.source + each.words]
        assert list(copy) == words[each.first : each.first + each.words]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("One. Two!", ["One.", "Two!"]),
        ('He said "No." Then\nhe left', ['He said "No."', "Then", "he left"]),
        ("It rose 3.5 percent", ["It rose 3.5 percent"]),
    ],
)
def test_sentences(text, sentences):
    assert [each.strip() for each in read_source(text).sentences] == sentences


ARTICLE = (
    "The Federal Aviation Administration grounded 12 planes on Monday. Boeing said the jets, worth $3.2bn, "
    "would stay in Seattle for 5 weeks."
)
OTHER = "Shares of Airbus rose. In Toulouse, Airbus said nothing."


def test_names_and_numbers_that_the_article_lacks():
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
def test_numbers(headline, numbers):
    assert trace(headline, read_evidence(read_source(ARTICLE))).numbers == numbers


def test_russian_and_italian():
    russian = read_evidence(read_source("Глава МЧС сообщил о 15 погибших в Казани."))
    found = trace("В Казани погибли 17 человек, сообщил Собянин", russian)
    assert found.numbers == ("17",)
    assert "Собянин" in found.names
    italian = read_evidence(read_source("Il sindaco di Roma ha firmato tre ordinanze."))
    assert trace("Roma, il sindaco firma tre ordinanze", italian).numbers == ()


@given(st.text(max_size=80), st.text(max_size=200))
def test_marks_lie_inside_and_apart(headline, article):
    found = trace(headline, read_evidence(read_source(article)))
    for text, marks in ((headline, found.marks), (article, found.article_marks)):
        end = 0
        for each in marks:
            assert end <= each.start < each.end <= len(text)
            end = each.end
