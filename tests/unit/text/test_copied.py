from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.support import Fragment, copied, coverage, density, read_source
from core.text.tokens import tokenize

WORDS = st.lists(st.sampled_from(list("abcde")), max_size=14)


def plain_copied(words: Sequence[str], there: Sequence[str]) -> list[tuple[int, int]]:
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
def test_fragments_are_those_of_the_definition(words: list[str], there: list[str]) -> None:
    source = read_source(" ".join(there))
    found = copied(words, source.row)
    assert [(each.first, each.words) for each in found] == plain_copied(words, there)
    for each in found:
        copy = source.row.words[each.source : each.source + each.words]
        assert list(copy) == words[each.first : each.first + each.words]


def test_a_longer_run_is_found_inside_a_run_that_matched() -> None:
    # The program of the paper jumps over "a a" and misses "a b".
    found = copied(["a", "b", "c"], read_source("a a b c").row)
    assert found == (Fragment(first=0, source=1, words=3),)


def test_coverage_and_density_by_hand() -> None:
    source = read_source("The mayor of Paris resigned on Monday after a long trial.")
    words = [token.text.casefold() for token in tokenize("Mayor of Paris quits after trial")]
    found = copied(words, source.row)
    assert [each.words for each in found] == [3, 1, 1]
    assert coverage(found, len(words)) == pytest.approx(5 / 6)
    assert density(found, len(words)) == pytest.approx((9 + 1 + 1) / 6)


def test_without_words_nothing_is_measured() -> None:
    assert copied([], read_source("a b").row) == ()
    assert copied(["a"], read_source("").row) == ()
    assert coverage([], 0) is None
    assert density([], 0) is None
    assert coverage([], 3) == 0.0


@given(st.text(max_size=300))
def test_words_keep_their_places_in_the_article(text: str) -> None:
    source = read_source(text)
    ends = [0]
    for token in source.tokens:
        assert text[token.start : token.end] == token.text
        assert token.start >= ends[-1]
        ends.append(token.end)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("One. Two!", ["One.", "Two!"]),
        ('He said "No." Then\nhe left', ['He said "No."', "Then", "he left"]),
        ("It rose 3.5 percent", ["It rose 3.5 percent"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [each.strip() for each in read_source(text).sentences] == sentences


def test_a_text_without_full_stops_is_read_in_pieces() -> None:
    source = read_source("word " * 20_000)
    assert len(source.row.words) == 20_000
    assert max(map(len, source.sentences)) <= 1_010
